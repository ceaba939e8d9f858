/**
 * Values that a client sends of fields which the operation does not write: right when they are what output shows, or will
 * show. So a record can be sent back as it was read (http.md §9).
 */
import { Violations } from '../errors.ts';
import type { Environment, ShownRecord } from '../field.ts';
import type { Reference } from '../fields/link.ts';
import { isJsonObject } from '../fields/members.ts';
import type { ModelField, ModelRoute } from '../model/model.ts';
import { isSameAtAnyHost } from '../own-address.ts';
import type { Value } from '../ports.ts';
import type { Body } from '../request/body.ts';
import type { Draft } from '../rules.ts';
import { isSame } from './draft.ts';
import type { Before } from './read.ts';

/** Of a record that is there, before rules change what is stored. */
export function checkReadOnly(route: ModelRoute, body: Body, before: Before | undefined, draft: Draft): void {
  checkFixed(route, body, before, draft);
  // The parts that an action takes are made anew.
  if (before && draft.operation !== 'create' && draft.operation !== 'action') checkShown(body, before, draft);
}

/** Fields that this operation does not write may be sent with the value that they have, and only so. */
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
    if (before && meansStored(field, value, before, environment)) continue;
    if (field.isIdentifier || field === item)
      violations.add(name, 'conflict', `The identifier should be that of the path, ${JSON.stringify(shown?.[name])}.`);
    else violations.add(name, 'read_only', 'This value cannot be set here; leave it out, or send it as it was read.');
  }
}

/**
 * Fields that only output has may be sent back as they were read. Stamps, sums and the program's notes beside other fields are not compared: what a client does,
 * or another did meanwhile, changes them.
 */
function checkShown(body: Body, before: Before, { environment, violations }: Draft): void {
  // A body with nothing else was not read from the store: its client believes that it sets them.
  const isOfNotes =
    body.readOnly.length === body.mentioned.size && body.readOnly.every(({ field }) => field.field.unpublished);
  for (const { path, field, value } of body.readOnly) {
    if (field.field.once && value === before.stored[field.name]) continue;
    const isPassedOver = isUncompared(field) && !isOfNotes;
    if (!isPassedOver && !isShownAs(value, before.record[field.name], environment, field))
      violations.add(path, 'read_only', 'This value is not the record’s, and cannot be set; leave it out.');
  }
}

/**
 * A new record may be sent with fields that only output has, if their values are empty or those that output will show.
 */
export function checkReadOnlyOfNew(body: Body, draft: Draft): void {
  const { environment, values, violations } = draft;
  // Rules may not have worked everything out of a body that is wrong.
  const isWhole = violations.list.length === 0;
  for (const { path, field, value, part } of body.readOnly) {
    if (isEmpty(value) || (field.isIdentifier && value === 0)) continue;
    const own = part ? (values[part.name] as Record<string, Value>[] | undefined)?.[part.index] : values;
    // Values that `prepare` makes cannot change any more; nor can those that it did not make because the body is wrong.
    const isPrepared = field.resource.declaration.rules?.prepare !== undefined;
    const isKnown = isWhole || isPrepared || !isWorkedOut(field) || own?.[field.name] !== undefined;
    if (isKnown && !isShownAs(value, willShow(field, own ?? {}, draft), environment, field))
      violations.add(path, 'read_only', 'The store sets this value, not the client; leave it out.');
  }
}

/** Whether rules may set the field. */
function isWorkedOut({ field, storage, isIdentifier }: ModelField): boolean {
  return storage.in === 'column' && !isIdentifier && field.stamped === undefined;
}

/** The value that output will show for a field that no client writes; undefined where it is known only afterwards. */
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

/** `null`, `[]`, `""` and `{}` say nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Whether a client says what output shows: of an object perhaps not every member, and in another order. */
function isShownAs(sent: unknown, shown: Value | undefined, environment: Environment, field?: ModelField): boolean {
  if (Array.isArray(sent))
    return (
      Array.isArray(shown) &&
      shown.length === sent.length &&
      sent.every((each, index) => isShownAs(each, shown[index], environment, field))
    );
  if (!isJsonObject(sent)) return sent === shown || isSameElsewhere(sent, shown, environment, field);
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return false;
  const members = field?.target?.fields;
  return Object.entries(sent).every(([name, value]) => {
    const member = members?.get(name);
    if (!Object.hasOwn(shown, name)) return false;
    const inside = member ?? (field?.field.fileIn ? field : undefined);
    return (member && isUncompared(member)) || isShownAs(value, (shown as ShownRecord)[name], environment, inside);
  });
}

/** Whether a client read the value, which has addresses in it, by another name of the store. */
function isSameElsewhere(
  sent: unknown,
  shown: Value | undefined,
  environment: Environment,
  field?: ModelField,
): boolean {
  if (!environment.hasOtherAddresses || !namesAddress(field) || typeof sent !== 'string') return false;
  return typeof shown === 'string' && isSameAtAnyHost(sent, shown);
}

function namesAddress(field?: ModelField): boolean {
  return field?.field.file === true || field?.field.fileIn !== undefined || field?.field.complete !== undefined;
}

/** Whether what a client sent is the stored value in other words: a moment in another zone, a record by its name. */
function meansStored(field: ModelField, value: unknown, { stored, record }: Before, environment: Environment): boolean {
  const violations = new Violations();
  const read =
    value === null ? null : field.field.read(value, field.name, violations, { ...environment, lenient: false });
  if (read === undefined || violations.list.length > 0) return false;
  if (field.storage.in !== 'link' || read === null) return isSame(read, stored[field.name]);
  const reference = read as Reference;
  const naming = field.target!.naming;
  const linked = record[field.name] as ShownRecord | null;
  const isCalled = (name: string): boolean => naming !== undefined && linked !== null && linked[naming.name] === name;
  if (!('id' in reference)) return 'name' in reference && isCalled(reference.name);
  if (reference.id !== stored[field.name]) return false;
  // A code beside the id is the same in every language, so another one asks for another record.
  const code = naming?.storage.in === 'column' ? reference.beside?.[naming.name] : undefined;
  return code === undefined || isCalled(code);
}
