/**
 * Checks sent values of fields that the operation does not write: they must equal the output before or after the write.
 * This allows clients to send a record back as they read it (http.md §9).
 */
import { Violations } from '../errors.ts';
import { type Environment, type ShownRecord, strictReading } from '../field.ts';
import type { Reference } from '../fields/link.ts';
import { isJsonObject } from '../fields/members.ts';
import type { ModelField, ModelRoute } from '../model/model.ts';
import { isSameAtAnyHost } from '../own-address.ts';
import type { Value } from '../ports.ts';
import type { Body } from '../request/body.ts';
import type { Draft } from '../rules.ts';
import { isSame } from './pending-write.ts';
import type { Before } from './read.ts';

/** Checks an existing record, before rules change the stored values. */
export function checkReadOnly(route: ModelRoute, body: Body, before: Before | undefined, draft: Draft): void {
  checkFixed(route, body, before, draft);
  // Parts in the input of an action are created by it.
  if (before && draft.operation !== 'create' && draft.operation !== 'action') checkShown(body, before, draft);
}

/** Fields that another operation writes are accepted only with their current value. */
function checkFixed(
  { resource, item }: ModelRoute,
  body: Body,
  before: Before | undefined,
  { environment, violations }: Draft,
): void {
  const shown = before?.record;
  for (const [name, value] of Object.entries(body.fixed)) {
    const field = resource.fields.get(name)!;
    if (shown ? isShownAs(value, shown[name], environment, field) : isEmpty(value)) continue;
    if (before && isStoredValue(field, value, before, environment)) continue;
    // Output never shows such a field, so clients send its default back.
    if (field.storage.in === 'nothing' && isSame(value as Value, field.field.default)) continue;
    if (field.isIdentifier || field === item)
      violations.add(name, 'conflict', `The identifier should be that of the path: ${JSON.stringify(shown?.[name])}.`);
    else violations.add(name, 'read_only', 'This value cannot be set here. Leave it out, or send it as it was read.');
  }
}

/**
 * Output-only fields may be sent back as they were read. Timestamps, sums and unpublished fields are not compared,
 * because this or another request may have changed them in the meantime.
 */
function checkShown(body: Body, before: Before, { environment, violations }: Draft): void {
  // A body with only unpublished fields was not read from the store: its client expects to set them.
  const setsUnpublished =
    body.readOnly.length === body.mentioned.size && body.readOnly.every(({ field }) => field.field.unpublished);
  for (const { path, field, value } of body.readOnly) {
    if (field.field.once && value === before.stored[field.name]) continue;
    const isIgnored = isUncompared(field) && !setsUnpublished;
    if (!isIgnored && !isShownAs(value, before.record[field.name], environment, field))
      violations.add(path, 'read_only', 'This value is read-only and differs from the record. Leave it out.');
  }
}

/** A new record may contain output-only fields if their values are empty or equal to the future output. */
export function checkReadOnlyOfNew(body: Body, draft: Draft): void {
  const { environment, values, violations } = draft;
  // Rules may not have computed all values of an invalid body.
  const isValid = violations.list.length === 0;
  for (const { path, field, value, part } of body.readOnly) {
    if (isEmpty(value) || (field.isIdentifier && value === 0)) continue;
    const own = part ? (values[part.name] as Record<string, Value>[] | undefined)?.[part.index] : values;
    // Values from `prepare` are final, even if it did not run because the body is invalid.
    const isPrepared = field.resource.declaration.rules?.prepare !== undefined;
    const isKnown = isValid || isPrepared || !isComputed(field) || own?.[field.name] !== undefined;
    if (isKnown && !isShownAs(value, willShow(field, own ?? {}, draft), environment, field))
      violations.add(path, 'read_only', 'This value is read-only. Leave it out.');
  }
}

/** Whether rules may compute the field. */
function isComputed({ field, storage, isIdentifier }: ModelField): boolean {
  return storage.in === 'column' && !isIdentifier && field.stamped === undefined;
}

/** The future output of a field that no client writes; undefined if it is not known before the write. */
function willShow(
  { name, field, storage, isIdentifier, resource }: ModelField,
  values: Readonly<Record<string, Value>>,
  { now, environment }: Draft,
): Value | undefined {
  if (storage.in === 'sum') {
    const summed = storage.of.map((each) => (values[each] ?? resource.fields.get(each)!.field.default) as number);
    return summed.reduce((whole, each) => whole + each, 0);
  }
  if (isIdentifier || storage.in !== 'column') return undefined;
  const value = field.stamped ? now : (values[name] ?? field.default);
  return field.show ? field.show(value, environment) : value;
}

function isUncompared({ field }: ModelField): boolean {
  return field.stamped !== undefined || field.sum === true || field.unpublished === true;
}

/** `null`, `[]`, `""` and `{}` count as empty. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Whether a sent value equals the output. Objects may omit members and have another order. */
function isShownAs(sent: unknown, shown: Value | undefined, environment: Environment, field?: ModelField): boolean {
  if (Array.isArray(sent))
    return (
      Array.isArray(shown) &&
      shown.length === sent.length &&
      sent.every((each, index) => isShownAs(each, shown[index], environment, field))
    );
  if (!isJsonObject(sent)) return sent === shown || isSameAtOtherHost(sent, shown, environment, field);
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return false;
  const members = field?.target?.fields;
  return Object.entries(sent).every(([name, value]) => {
    const member = members?.get(name);
    if (!Object.hasOwn(shown, name)) return false;
    const inside = member ?? (field?.field.fileIn ? field : undefined);
    return (member && isUncompared(member)) || isShownAs(value, (shown as ShownRecord)[name], environment, inside);
  });
}

/** Whether the value, which contains addresses, was read under another host of the store. */
function isSameAtOtherHost(
  sent: unknown,
  shown: Value | undefined,
  environment: Environment,
  field?: ModelField,
): boolean {
  if (!environment.hasOtherAddresses || !containsAddress(field) || typeof sent !== 'string') return false;
  return typeof shown === 'string' && isSameAtAnyHost(sent, shown);
}

function containsAddress(field?: ModelField): boolean {
  return field?.field.file === true || field?.field.fileIn !== undefined || field?.field.complete !== undefined;
}

/** Whether a sent value means the stored one in another notation: another time zone, or a name instead of an id. */
function isStoredValue(
  field: ModelField,
  value: unknown,
  { stored, record }: Before,
  environment: Environment,
): boolean {
  const violations = new Violations();
  const read = value === null ? null : field.field.read(value, field.name, violations, strictReading(environment));
  if (read === undefined || violations.list.length > 0) return false;
  if (field.storage.in !== 'link' || read === null) return isSame(read, stored[field.name]);
  const reference = read as Reference;
  const naming = field.target!.naming;
  const linked = record[field.name] as ShownRecord | null;
  const isNamed = (name: string): boolean => naming !== undefined && linked !== null && linked[naming.name] === name;
  if (!('id' in reference)) return 'name' in reference && isNamed(reference.name);
  if (reference.id !== stored[field.name]) return false;
  // A code is the same in every language, so a different code next to the id means another record.
  const code = naming?.storage.in === 'column' ? reference.otherTexts?.[naming.name] : undefined;
  return code === undefined || isNamed(code);
}
