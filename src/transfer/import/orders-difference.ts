/**
 * Whether a line says what the store has of an order. Fields that the line does not mention do not count, nor do
 * identifiers of parts and the times of their changes. An address is a whole: a member that it leaves out is empty.
 */
import {
  type ModelField,
  type ModelPlace,
  type ModelResource,
  type Reference,
  type ShownRecord,
  shortened,
  type Value,
  type World,
} from '../../engine/index.ts';
import { counted } from './report.ts';

type Values = Readonly<Record<string, Value>>;

/**
 * The first difference, e.g. `total is 7.1 here and 8 in the file`; undefined when there is none.
 * @param sent what the line says, as the engine has read it
 * @param shown the order as output shows it
 */
export function firstDifference(place: ModelPlace, sent: Values, shown: ShownRecord, world: World): string | undefined {
  // Every change of an order changes this field too. It says least, so it is compared last.
  const fields = [...place.outputs].sort((one, other) => Number(isStamp(one)) - Number(isStamp(other)));
  for (const field of fields) {
    const said = sent[field.name];
    const found =
      said === undefined ? undefined : differenceOf(field.name, shown[field.name]!, asShown(field, said, world));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One text for all lines that say the same. */
export function canonicalText({ outputs }: ModelPlace, sent: Values, world: World): string {
  return JSON.stringify(
    outputs.map((field) => {
      const said = sent[field.name];
      return said === undefined ? [] : [asShown(field, said, world)];
    }),
  );
}

function isStamp({ field }: ModelField): boolean {
  return field.stamped === 'changed';
}

/** The value as output would show it, as far as the line says it. */
function asShown({ field, storage, target }: ModelField, value: Value, world: World): Value {
  if (storage.in === 'parts')
    return inShownOrder(target!, value as Values[]).map((part) => partAsShown(target!, part, world));
  if (storage.in === 'link' && value !== null) {
    const reference = value as Reference;
    if ('id' in reference) return reference.id;
    return { [target!.naming!.name]: 'name' in reference ? reference.name : reference.address };
  }
  const whole = field.merge ? field.merge(null, value) : value;
  return field.show ? field.show(whole, world) : whole;
}

function partAsShown({ outputs }: ModelResource, part: Values, world: World): Value {
  const shown: Record<string, Value> = {};
  for (const field of outputs) {
    const said = part[field.name];
    // Where there is a SKU, the product's identifier may be another store's.
    const isForeign = field.storage.in === 'link' && part.sku !== undefined;
    if (said !== undefined && !isStamp(field) && !isForeign) shown[field.name] = asShown(field, said, world);
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
    return `${path} has ${counted(here.length, 'element', 'elements')} here and ${there.length} in the file`;
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
  return `${path} is ${told(here, from)} here and ${told(there, from)} in the file`;
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
