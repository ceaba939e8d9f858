/** The journal beside the tables of the resources: both must tell the same changes. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { ModelResource } from '../../src/engine/model/model.ts';
import type { Database } from '../../src/engine/ports.ts';
import { Statements } from '../../src/engine/sql/shapes.ts';
import { orderChanges } from '../../src/engine/unit/journal-order.ts';
import { storeModel } from '../../src/wiring/open.ts';

export interface Entry {
  readonly position: number;
  readonly resource: string;
  readonly record: string;
  readonly path: string;
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly version: number;
  readonly fields: readonly string[];
  readonly keyName: string;
}

const RESOURCES: readonly ModelResource[] = [...storeModel().resources.values()];

/** Resources whose records have entries of their own. */
const TOLD = RESOURCES.filter(({ isPublishedByOwner, isUnpublished }) => !isPublishedByOwner && !isUnpublished);

/** Every record's version, by resource and identifier. */
export async function versionsIn(database: Database): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const { name, table, identifierField } of TOLD) {
    const select = sql`select ${sql.id(identifierField)}, version from ${sql.table(table)}`;
    for (const [id, version] of await database.query(database.dialect.compile(select), {}))
      versions.set(`${name} ${id}`, Number(version));
  }
  return versions;
}

/** The entries after a position, in their order. Changes that have no position yet are in none. */
export async function entriesAfter(database: Database, position: number): Promise<Entry[]> {
  const select = sql`select position, resource, record, kind, version, fields, key_name, path
    from ${sql.table('change')} where position > ${sql.lit(position)} order by position`;
  const rows = await database.query(database.dialect.compile(select), {});
  return rows.map((row) => ({
    position: Number(row[0]),
    resource: row[1] as string,
    record: row[2] as string,
    kind: row[3] as Entry['kind'],
    version: Number(row[4]),
    fields: database.dialect.decode.json(row[5] as never) as string[],
    keyName: row[6] as string,
    path: row[7] as string,
  }));
}

/** Of every living record, however old it is, the newest entry has its version and its path. */
export async function assertAllTold(database: Database): Promise<void> {
  await orderChanges({ database, statements: new Statements(database.dialect) });
  const newest = new Map<string, Entry>();
  for (const entry of await entriesAfter(database, 0)) newest.set(`${entry.resource} ${entry.record}`, entry);
  for (const [key, version] of await versionsIn(database)) {
    const { path, version: told } = newest.get(key) ?? {};
    assert.equal(told, version, key);
    assert.match(path!, /^\/api\/\w+\//, key);
  }
}

/** One entry for each record that differs, and none for any other; `before` and `after` are `versionsIn`. */
export function assertTold(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  entries: readonly Entry[],
): void {
  const changed = new Map<string, string>();
  for (const [key, version] of after) {
    if (!before.has(key)) changed.set(key, `created ${version}`);
    else if (before.get(key) !== version) changed.set(key, `updated ${version}`);
  }
  for (const [key, version] of before) if (!after.has(key)) changed.set(key, `deleted ${version + 1}`);
  const told = entries.map(({ resource, record, kind, version }) => [`${resource} ${record}`, `${kind} ${version}`]);
  assert.deepEqual(told.sort(), [...changed].sort());
}

/**
 * Holds of every journal, however it came to be: positions without gaps; of each record versions that ascend, no
 * life before its making or after its end; and its last entry is what the tables hold.
 */
export function assertInOrder(entries: readonly Entry[], living: ReadonlyMap<string, number>): void {
  const known = new Map<string, Entry>();
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.position, entries[0]!.position + index, 'positions have no gaps');
    const key = `${entry.resource} ${entry.record}`;
    const before = known.get(key);
    if (before) {
      assert.notEqual(before.kind, 'deleted', `${key} lives after its end at ${entry.position}`);
      assert.equal(entry.path, before.path, `${key} has one path`);
      assert.ok(entry.version > before.version, `${key} has version ${entry.version} after ${before.version}`);
    }
    assert.equal(entry.kind === 'created', before === undefined, `${key} is ${entry.kind} at ${entry.position}`);
    known.set(key, entry);
  }
  for (const [key, version] of living) assert.equal(known.get(key)?.version, version, `the last entry of ${key}`);
  for (const [key, { kind }] of known) assert.equal(kind === 'deleted', !living.has(key), `${key} is gone or told`);
}
