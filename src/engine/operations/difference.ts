/**
 * Compares an input with the stored record. Omitted fields, identifiers of parts and timestamps of their changes are
 * ignored. Objects are compared as a whole: an omitted member counts as empty.
 */

import { shortened } from '../english-names.ts';
import type { Environment, ShownRecord } from '../field.ts';
import type { Reference } from '../fields/link.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';

type Values = Readonly<Record<string, Value>>;

/** Whether a link in a part is ignored, because it may belong to another store. */
type IsForeign = (link: ModelField, part: Values) => boolean;

const NEVER: IsForeign = () => false;

/**
 * Returns the first difference, e.g. `total is 7.1 in the store and 8 in the line`; undefined if there is none.
 * @param sent values of the line as parsed from its body
 * @param shown the record's output
 */
export function firstDifference(
  route: ModelRoute,
  sent: Values,
  shown: ShownRecord,
  environment: Environment,
  isForeign = NEVER,
): string | undefined {
  // Every change of a record also changes its timestamp, which explains the least and is compared last.
  const fields = [...route.outputs].sort((one, other) => Number(isStamp(one)) - Number(isStamp(other)));
  for (const field of fields) {
    const value = sent[field.name];
    if (value === undefined) continue;
    const found =
      differenceOf(field.name, shown[field.name]!, asShown(field, value, environment, isForeign)) ??
      uncoveredIn(field, shown[field.name]!, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the first value in a part that rules extend and whose output does not cover everything that was sent. */
function uncoveredIn({ name, storage, target }: ModelField, shown: Value, sent: Value): string | undefined {
  if (storage.in !== 'parts') return undefined;
  const extended = target!.outputs.filter(({ field }) => field.covers);
  for (const [index, part] of inShownOrder(target!, sent as Values[]).entries())
    for (const { name: member, field } of extended) {
      const stored = (shown as Values[])[index]?.[member];
      const value = part[member];
      if (stored !== undefined && value !== undefined && !field.covers!(stored, value))
        return `${name}[${index}].${member} in the store does not contain everything in the line`;
    }
  return undefined;
}

function isStamp({ field }: ModelField): boolean {
  return field.stamped === 'changed';
}

/** The value as output would show it, as far as the line contains it. */
function asShown(
  { field, storage, target }: ModelField,
  value: Value,
  environment: Environment,
  isForeign: IsForeign,
): Value {
  if (storage.in === 'parts')
    return inShownOrder(target!, value as Values[]).map((part) => partAsShown(target!, part, environment, isForeign));
  if (storage.in === 'link' && value !== null) {
    const reference = value as Reference;
    if ('id' in reference) return reference.id;
    return { [target!.naming!.name]: 'name' in reference ? reference.name : reference.address };
  }
  const whole = field.merge ? field.merge(null, value) : value;
  return field.show ? field.show(whole, environment) : whole;
}

function partAsShown({ outputs }: ModelResource, part: Values, environment: Environment, isForeign: IsForeign): Value {
  const shown: Record<string, Value> = {};
  for (const field of outputs) {
    const value = part[field.name];
    const isForeignLink = field.storage.in === 'link' && isForeign(field, part);
    const isIgnored = isStamp(field) || isForeignLink || field.field.covers !== undefined;
    if (value !== undefined && !isIgnored) shown[field.name] = asShown(field, value, environment, isForeign);
  }
  return shown;
}

/** Sorts parts like output: by their default order, otherwise in the order sent. */
function inShownOrder({ defaultOrder }: ModelResource, parts: readonly Values[]): Values[] {
  const rank = (part: Values, { name, field }: ModelField): number => (part[name] ?? field.default) as number;
  const ranked = defaultOrder.filter(({ field }) => !field.isIdentifier);
  return [...parts].sort((one, other) => {
    const decisive = ranked.find(({ field }) => rank(one, field) !== rank(other, field));
    if (!decisive) return 0;
    const difference = rank(one, decisive.field) - rank(other, decisive.field);
    return decisive.descending ? -difference : difference;
  });
}

function differenceOf(path: string, stored: Value, sent: Value): string | undefined {
  const areLists = Array.isArray(stored) && Array.isArray(sent);
  if (areLists && stored.length !== sent.length)
    return `${path} has ${stored.length} ${stored.length === 1 ? 'element' : 'elements'} in the store and ${sent.length} in the line`;
  if (areLists || (isObject(stored) && isObject(sent))) {
    for (const [name, value] of Object.entries(sent)) {
      const member = (stored as Values)[name]!;
      const found = differenceOf(areLists ? `${path}[${name}]` : `${path}.${name}`, member, value);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (stored === sent) return undefined;
  const from = typeof stored === 'string' && typeof sent === 'string' ? startShown(stored, sent) : 0;
  return `${path} is ${quoted(stored, from)} in the store and ${quoted(sent, from)} in the line`;
}

function isObject(value: Value): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quoted(value: Value, from: number): string {
  if (isObject(value)) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(`${from > 0 ? '…' : ''}${shortened(value.slice(from))}`);
}

/** Maximum number of equal characters shown before the first difference of two texts. */
const COMMON_SHOWN_MAX = 30;

function startShown(one: string, other: string): number {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  return common > COMMON_SHOWN_MAX ? common - COMMON_SHOWN_MAX : 0;
}
