/**
 * Stores the values of records before they change or are deleted, if their resource declares it (`FormerValues`). The unit of
 * work calls these functions before it writes, while the records are locked.
 */
import type { ModelField, ModelResource } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Stored } from '../rules.ts';
import type { Reads } from './reads.ts';

/** What storing former values needs of a unit of work. */
interface StoringUnit extends Reads {
  readonly now: number;
  hold(name: string, ids: readonly Value[]): Promise<Stored[]>;
  /** Identifiers of the records whose columns have these values. Given identifiers are returned without a read. */
  idsWhere(resource: ModelResource, where: Readonly<Record<string, Value>>): Promise<Value[]>;
  insertAll(name: string, all: readonly Readonly<Record<string, Value>>[]): Promise<Value[]>;
}

/** Records that are read at once. There may be very many before a deletion. */
const BATCH = 2_000;

/** Stores the values of a record before an update. @param stored the locked record; undefined if it is not known */
export async function storeBeforeUpdate(
  unit: StoringUnit,
  resource: ModelResource,
  id: Value,
  values: Readonly<Record<string, Value>>,
  stored: Stored | undefined,
): Promise<void> {
  const { formerValues: former } = resource.declaration;
  const names = Object.keys(values);
  const after = former?.long && values[former.long.field];
  if (!isRecorded(resource, names) && after === undefined) return;
  const records = stored ? [stored] : await unit.hold(resource.name, [id]);
  if (isRecorded(resource, names)) await store(unit, resource, records);
  if (after !== undefined) for (const record of records) await storeSet(unit, resource, record, after as Value[]);
}

/** Stores the values of records before an update of these columns. */
export async function storeBeforeUpdates(
  unit: StoringUnit,
  resource: ModelResource,
  ids: readonly Value[],
  columns: readonly string[],
): Promise<void> {
  if (isRecorded(resource, columns)) await storeByIds(unit, resource, ids);
}

/** Stores the values of records before a deletion. @param where as of `Unit.remove` */
export async function storeBeforeRemoval(
  unit: StoringUnit,
  resource: ModelResource,
  where: Readonly<Record<string, Value>>,
): Promise<void> {
  const { formerValues: former } = resource.declaration;
  const owners = Object.values(former?.named ?? {}).filter((field) => field !== resource.identifierField);
  if (!former?.onRemoval || owners.some((field) => field in where)) return;
  await storeByIds(unit, resource, await unit.idsWhere(resource, where), true);
}

/** Stores the values of the records whose link or set of links names records that will be deleted. */
export async function storeBeforeUnlinking(unit: StoringUnit, link: ModelField, ids: readonly Value[]): Promise<void> {
  const { resource, name, storage } = link;
  if (!isRecorded(resource, [name])) return;
  const isSet = storage.in === 'links';
  const linking = isSet
    ? await unit.linking(resource.name, name, ids)
    : await unit.idsWhere(resource, { [name]: [...ids] });
  await storeByIds(unit, resource, linking);
}

function isRecorded({ declaration: { formerValues } }: ModelResource, names: readonly string[]): boolean {
  return formerValues !== undefined && names.some((name) => formerValues.fields.includes(name));
}

async function storeByIds(
  unit: StoringUnit,
  resource: ModelResource,
  ids: readonly Value[],
  isRemoval = false,
): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const records = await unit.hold(resource.name, ids.slice(start, start + BATCH));
    await store(unit, resource, records);
    if (isRemoval) for (const record of records) await storeSet(unit, resource, record, []);
  }
}

/** Stores which identifiers a change adds to the long set of a record, or removes from it. */
async function storeSet(
  unit: StoringUnit,
  { name, identifierField, declaration }: ModelResource,
  record: Stored,
  after: readonly Value[],
): Promise<void> {
  const { long } = declaration.formerValues!;
  if (!long) return;
  const [before, wanted] = [new Set(record[long.field] as Value[]), new Set(after)];
  const changed = [...before.symmetricDifference(wanted)];
  await unit.insertAll(
    long.to,
    changed.map((id) => ({
      [long.link]: id,
      resource: name,
      until: unit.now,
      values: [record[identifierField]!, before.has(id)],
    })),
  );
}

async function store(
  unit: StoringUnit,
  { name, declaration }: ModelResource,
  records: readonly Stored[],
): Promise<void> {
  const { to, fields, named } = declaration.formerValues!;
  await unit.insertAll(
    to,
    records.map((record) => ({
      ...Object.fromEntries(Object.entries(named).map(([field, own]) => [field, record[own]!])),
      resource: name,
      until: unit.now,
      values: fields.map((field) => record[field] ?? null),
    })),
  );
}
