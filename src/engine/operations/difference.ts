/**
 * Whether an input says what the store has of a record. Fields that it does not mention do not count, nor do identifiers of
 * parts and the times of their changes. An address is a whole: a member that it leaves out is empty.
 */

import { shortened } from '../english-names.ts';
import type { Environment, ShownRecord } from '../field.ts';
import type { Reference } from '../fields/link.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';

type Values = Readonly<Record<string, Value>>;

/** Whether a link in a part says nothing, because it may be another store's. */
type IsForeign = (link: ModelField, part: Values) => boolean;

const NEVER: IsForeign = () => false;

/**
 * The first difference, e.g. `total is 7.1 here and 8 in the line`; undefined when there is none.
 * @param sent what the line says, as a body was read
 * @param shown the record as output shows it
 */
export function firstDifference(
  route: ModelRoute,
  sent: Values,
  shown: ShownRecord,
  environment: Environment,
  isForeign = NEVER,
): string | undefined {
  // Every change of a record changes this field too. It says least, so it is compared last.
  const fields = [...route.outputs].sort((one, other) => Number(isStamp(one)) - Number(isStamp(other)));
  for (const field of fields) {
    const said = sent[field.name];
    if (said === undefined) continue;
    const found =
      differenceOf(field.name, shown[field.name]!, asShown(field, said, environment, isForeign)) ??
      untoldIn(field, shown[field.name]!, said);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first value in a part of which rules make more, and output does not show everything that was said. */
function untoldIn({ name, storage, target }: ModelField, shown: Value, said: Value): string | undefined {
  if (storage.in !== 'parts') return undefined;
  const made = target!.outputs.filter(({ field }) => field.tells);
  for (const [index, part] of inShownOrder(target!, said as Values[]).entries())
    for (const { name: member, field } of made) {
      const here = (shown as Values[])[index]?.[member];
      const there = part[member];
      if (here !== undefined && there !== undefined && !field.tells!(here, there))
        return `${name}[${index}].${member} here does not have everything that the line says`;
    }
  return undefined;
}

function isStamp({ field }: ModelField): boolean {
  return field.stamped === 'changed';
}

/** The value as output would show it, as far as the line says it. */
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
    const said = part[field.name];
    const isForeignLink = field.storage.in === 'link' && isForeign(field, part);
    const isPassedOver = isStamp(field) || isForeignLink || field.field.tells !== undefined;
    if (said !== undefined && !isPassedOver) shown[field.name] = asShown(field, said, environment, isForeign);
  }
  return shown;
}

/** Output sorts parts by numbers, and else as they stand. */
function inShownOrder({ defaultOrder }: ModelResource, parts: readonly Values[]): Values[] {
  const rank = (part: Values, { name, field }: ModelField): number => (part[name] ?? field.default) as number;
  const ranked = defaultOrder.filter(({ isIdentifier }) => !isIdentifier);
  return [...parts].sort((one, other) => {
    const decisive = ranked.find((field) => rank(one, field) !== rank(other, field));
    return decisive ? rank(one, decisive) - rank(other, decisive) : 0;
  });
}

function differenceOf(path: string, here: Value, there: Value): string | undefined {
  const areLists = Array.isArray(here) && Array.isArray(there);
  if (areLists && here.length !== there.length)
    return `${path} has ${here.length} ${here.length === 1 ? 'element' : 'elements'} here and ${there.length} in the line`;
  if (areLists || (isObject(here) && isObject(there))) {
    for (const [name, value] of Object.entries(there)) {
      const member = (here as Values)[name]!;
      const found = differenceOf(areLists ? `${path}[${name}]` : `${path}.${name}`, member, value);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (here === there) return undefined;
  const from = typeof here === 'string' && typeof there === 'string' ? startShown(here, there) : 0;
  return `${path} is ${told(here, from)} here and ${told(there, from)} in the line`;
}

function isObject(value: Value): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function told(value: Value, from: number): string {
  if (isObject(value)) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(`${from > 0 ? '…' : ''}${shortened(value.slice(from))}`);
}

/** Texts that are alike for long are shown from shortly before where they part. */
const ALIKE_SHOWN_MAX = 30;

function startShown(one: string, other: string): number {
  let alike = 0;
  while (alike < one.length && one[alike] === other[alike]) alike += 1;
  return alike > ALIKE_SHOWN_MAX ? alike - ALIKE_SHOWN_MAX : 0;
}
