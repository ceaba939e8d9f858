/** Values of a list field: read for the records of a page, or for all records of a list that is filtered or sorted by them. */
import type { Problem } from '../../errors.ts';
import type { Languages, ShownRecord } from '../../field.ts';
import type { ListFieldValues } from '../../list-field.ts';
import { publishedAs } from '../../model/cache-dependencies.ts';
import type { Model, ModelListField } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { ListFieldCondition, ListFieldUse } from '../../request/list-field-query.ts';
import { BOUND } from '../../request/list-field-query.ts';
import { committed } from '../../unit/reads.ts';
import type { RequestOptions, Service } from '../../unit/service.ts';
import { unknownReference } from './view.ts';

/** The resources whose changes affect the values: those of the basis, and all. */
export interface ListFieldResources {
  readonly basis: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

export function listFieldResources(model: Model, { declaration }: ModelListField): ListFieldResources {
  const published = (uses: object): string[] =>
    Object.keys(uses).map((name) => publishedAs(model.resources.get(name)!));
  const { basis, values } = declaration.uses!;
  return { basis: new Set(published(basis)), all: new Set([...published(basis), ...published(values)]) };
}

/** Reads what the values for all parameters have in common. */
export function readListFieldBasis(
  service: Service,
  languages: Languages,
  { declaration }: ModelListField,
): Promise<unknown> {
  return declaration.basis(committed(service, languages));
}

/** @returns a problem if a parameter refers to a record that does not exist */
export async function listFieldValues(
  service: Service,
  requestOptions: RequestOptions,
  { listField: { declaration }, parameters }: ListFieldUse,
  basis: unknown,
): Promise<ListFieldValues | Problem> {
  const reads = committed(service, requestOptions);
  const nameOf = (parameter: string): string => `${declaration.name}[${parameter}]`;
  const unknown = await unknownReference(declaration.parameters, parameters, reads, nameOf);
  const { environment, clock } = service;
  return unknown ?? declaration.values(basis, reads, { parameters, environment, now: clock.now() });
}

/** Adds the value to the record, if the list shows it. */
export function withListField(record: ShownRecord, use: ListFieldUse, value: number | undefined): ShownRecord {
  return use.isShown && value !== undefined ? { ...record, [use.listField.field.name]: value } : record;
}

/** Whether the value meets all conditions. */
export function meets({ conditions }: ListFieldUse, value: number): boolean {
  return conditions.every((condition) => meetsOne(condition, value));
}

function meetsOne({ use, bounds }: ListFieldCondition, value: number): boolean {
  if (use.form === 'between') return value >= Number(bounds[`${BOUND}_from`]) && value <= Number(bounds[`${BOUND}_to`]);
  // A bound that no value can have matches none.
  if (use.form !== 'comparison') return false;
  const bound = Number(bounds[BOUND]);
  switch (use.comparison) {
    case 'gt':
      return value > bound;
    case 'gte':
      return value >= bound;
    case 'lt':
      return value < bound;
    default:
      return value <= bound;
  }
}

/** Lets other requests run, at most for as long as the read may take. */
export type Pause = () => Promise<void>;

/** Records that the calls between two pauses handle. */
const RECORDS_PER_PAUSE = 20_000;

/** Records in the order of the list without its list field. */
interface Members {
  readonly ids: readonly number[];
  /** Equal numbers in a row: equal in the orders before the list field. Undefined: all are equal. */
  readonly groups?: readonly number[] | undefined;
}

/** Returns the identifiers of the records that meet the conditions, in the order of the list. */
export async function arranged(
  use: ListFieldUse,
  { ids, groups }: Members,
  values: ReadonlyMap<Value, number> | readonly number[],
  pause?: Pause,
): Promise<number[]> {
  const valueAt = Array.isArray(values)
    ? (index: number) => values[index] as number | undefined
    : (index: number) => (values as ReadonlyMap<Value, number>).get(ids[index]!);
  const kept: number[] = [];
  for (let index = 0; index < ids.length; index += 1) {
    const value = valueAt(index);
    // Undefined: the record was deleted after the others were read.
    if (value !== undefined && meets(use, value)) kept.push(index);
  }
  if (!use.order) return kept.map((index) => ids[index]!);
  const { descending } = use.order;
  const sorted: number[] = [];
  for (let from = 0, to = 0; from < kept.length; from = to) {
    while (to < kept.length && groups?.[kept[to]!] === groups?.[kept[from]!]) to += 1;
    const keys = Float64Array.from(kept.slice(from, to), (index) => (descending ? -valueAt(index)! : valueAt(index)!));
    for (const at of await positionsByKey(keys, pause)) sorted.push(ids[kept[from + at]!]!);
  }
  return sorted;
}

/**
 * Sorts positions by their keys; equal keys keep their order. Only the keys are sorted by the engine of JavaScript, which
 * takes a tenth of the time of a sort with a comparison function.
 */
async function positionsByKey(keys: Float64Array, pause?: Pause): Promise<Uint32Array> {
  const sorted = keys.slice().sort();
  const placed = new Uint32Array(keys.length);
  const found = new Uint32Array(keys.length);
  for (const [index, key] of keys.entries()) {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (sorted[middle]! < key) from = middle + 1;
      else to = middle;
    }
    found[from + placed[from]!] = index;
    placed[from]! += 1;
    if (pause && index % RECORDS_PER_PAUSE === RECORDS_PER_PAUSE - 1) await pause();
  }
  return found;
}
