/**
 * The rows of new records: values of all fields, numbers of sequences, texts, links, and shared unique texts. Only the unit of
 * work calls these functions, and journals the change.
 */
import type { ModelField, ModelResource } from '../model/model.ts';
import { numberTable, VERSION } from '../model/tables.ts';
import { BindParam, type Value } from '../ports.ts';
import type { Stored } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { columnsOf, type Filled, paramsOf, textsOf } from './filled.ts';
import type { Reads } from './reads.ts';
import * as rows from './rows.ts';

/** What inserting needs of a unit of work. */
interface InsertingUnit extends Reads {
  readonly now: number;
  readonly isTrial: boolean;
  lock(name: string): Promise<void>;
}

/** Values of all fields, with defaults for omitted ones. An omitted translation exists in no language. */
export async function complete(
  unit: InsertingUnit,
  resource: ModelResource,
  given: Readonly<Record<string, Value>>,
): Promise<Stored> {
  const values: Record<string, Value> = {};
  for (const field of resource.fields.values()) {
    const value = given[field.name];
    if (value === undefined && field.storage.in === 'translation') continue;
    values[field.name] = value ?? initialValue(unit, field);
    if (field.field.numbered) values[field.name] = await numbered(unit, field, values[field.name] as string | null);
  }
  return values;
}

function initialValue(unit: InsertingUnit, { field, isIdentifier, resource }: ModelField): Value {
  if (field.stamped) return unit.now;
  return isIdentifier && resource.identifier.kind === 'uuid' ? unit.service.uuid() : field.default;
}

/** The given number, which advances the sequence, or the next number of the sequence. */
async function numbered(unit: InsertingUnit, field: ModelField, given: string | null): Promise<string> {
  const table = numberTable(field);
  // Sequences are not rolled back, so a trial must not advance one.
  if (unit.isTrial) return given ?? unit.service.uuid();
  if (given === null) {
    for (;;) {
      const [next] = await unit.query(`next ${table}`, ({ nextNumber }) => nextNumber(table), {});
      const text = String(next![0]);
      const values = { text, id: lookUps.noIdentifier(field.resource) };
      const key = `taken ${field.resource.name}.${field.name}`;
      if ((await unit.query(key, lookUps.takenText(field), values)).length === 0) return text;
    }
  }
  if (!/^\d+$/.test(given) || given.length > DIGITS_COUNTED_MAX) return given;
  await unit.lock(`numbers of ${table}`);
  const raise = new BindParam('number', 'integer');
  await unit.query(`raise ${table}`, ({ raiseNumber }) => raiseNumber(table, raise), { number: Number(given) });
  return given;
}

/** @returns identifiers and paths, in order */
export async function insertRows(
  unit: InsertingUnit,
  resource: ModelResource,
  all: readonly Stored[],
): Promise<{ id: Value; path: string }[]> {
  const { name } = resource;
  if (all.length === 1) {
    const columns = columnsOf(resource, all[0]!);
    const [row] = await unit.query(`insert ${name}`, rows.insertRecord(resource, columns), paramsOf(columns));
    return [{ id: row![0] as Value, path: row![1] as string }];
  }
  // The version is included, because several rows need at least one column, and a record may have only its id.
  const filled = (values: Stored): Filled[] => [
    ...columnsOf(resource, values),
    { column: VERSION, type: 'integer', value: 1 },
  ];
  const given = all.map((values) => filled(values).map(({ value }) => value));
  const created = await unit.query(`insert all ${name}`, rows.insertRecords(resource, filled(all[0]!)), {
    rows: given,
  });
  const paths = new Map(created.map(([id, path]) => [id as Value, path as string]));
  const ids =
    resource.identifier.kind === 'integer'
      ? created.map(([id]) => id as number).sort((one, other) => one - other)
      : all.map((values) => values[resource.identifierField]!);
  return ids.map((id) => ({ id, path: paths.get(id)! }));
}

export async function insertTexts(
  unit: InsertingUnit,
  resource: ModelResource,
  ids: readonly Value[],
  all: readonly Stored[],
): Promise<void> {
  if (ids.length === 1) return writeTexts(unit, resource, ids[0]!, all[0]!);
  if (resource.translations.length === 0) return;
  const given: Value[][] = [];
  for (const [index, values] of all.entries()) {
    const texts = textsOf(resource, values, null);
    if (texts.some(({ value }) => value !== null))
      given.push([ids[index]!, unit.language, ...texts.map(({ value }) => value)]);
  }
  const columns = textsOf(resource, {}, null);
  if (given.length > 0)
    await unit.query(`insert texts ${resource.name}`, rows.insertTexts(resource, columns), { rows: given });
}

export async function writeTexts(
  unit: InsertingUnit,
  resource: ModelResource,
  id: Value,
  values: Readonly<Record<string, Value>>,
): Promise<void> {
  const columns = textsOf(resource, values);
  if (columns.length === 0) return;
  const key = `texts ${resource.name} ${columns.map(({ column }) => column).join()}`;
  await unit.query(key, rows.writeTexts(resource, columns), { ...paramsOf(columns), id, language: unit.language });
}

/** Links records, as pairs of their ids. */
export async function addPairs(unit: InsertingUnit, field: ModelField, pairs: Value[][]): Promise<void> {
  const key = `link ${field.resource.name}.${field.name}`;
  if (pairs.length > 0) await unit.query(key, rows.addPairs(field), { rows: pairs });
}

/** Stores shared unique texts of records. */
export async function takeTexts(
  unit: InsertingUnit,
  field: ModelField,
  ids: readonly Value[],
  texts: readonly string[],
): Promise<void> {
  const given = texts.map((text, index): Value[] => [text, ids[index]!]).filter(([text]) => text !== '');
  const key = `take ${field.column} of ${field.resource.name}`;
  if (given.length > 0) await unit.query(key, rows.takeSharedTexts(field), { rows: given });
}

/** Longer numbers do not advance the sequence, which they would exhaust. */
const DIGITS_COUNTED_MAX = 15;
