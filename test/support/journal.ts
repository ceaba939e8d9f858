/** Compares the journal with the tables of the resources: both must contain the same changes. */
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

/** Resources whose records have separate journal entries. */
const PUBLISHED = RESOURCES.filter(({ isPublishedByOwner, isUnpublished }) => !isPublishedByOwner && !isUnpublished);

/** The version of every record, by resource and identifier. */
export async function versionsIn(database: Database): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const { name, table, identifierField } of PUBLISHED) {
    const select = sql`select ${sql.id(identifierField)}, version from ${sql.table(table)}`;
    for (const [id, version] of await database.query(database.dialect.compile(select), {}))
      versions.set(`${name} ${id}`, Number(version));
  }
  return versions;
}

/** The entries after a position, in order, without changes that have no position yet. */
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

/** Asserts that the newest entry of every existing record has its version and path. */
export async function assertJournalIsComplete(database: Database): Promise<void> {
  await orderChanges({ database, statements: new Statements(database.dialect) });
  const newest = new Map<string, Entry>();
  for (const entry of await entriesAfter(database, 0)) newest.set(`${entry.resource} ${entry.record}`, entry);
  for (const [key, version] of await versionsIn(database)) {
    const { path, version: journaled } = newest.get(key) ?? {};
    assert.equal(journaled, version, key);
    assert.match(path!, /^\/api\/\w+(\/|$)/, key);
  }
}

/** Asserts one entry for each record that differs, and no other; `before` and `after` come from `versionsIn`. */
export function assertJournaled(
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
  const journaled = entries.map(({ resource, record, kind, version }) => [
    `${resource} ${record}`,
    `${kind} ${version}`,
  ]);
  assert.deepEqual(journaled.sort(), [...changed].sort());
}

/**
 * Asserts the invariants of every journal: positions have no gaps; versions of a record ascend; a record has no entry before
 * its creation or after its deletion; its last entry has the version in the tables.
 */
export function assertInOrder(entries: readonly Entry[], existing: ReadonlyMap<string, number>): void {
  const known = new Map<string, Entry>();
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.position, entries[0]!.position + index, 'positions have no gaps');
    const key = `${entry.resource} ${entry.record}`;
    const before = known.get(key);
    if (before) {
      assert.notEqual(before.kind, 'deleted', `${key} has an entry after its deletion, at ${entry.position}`);
      assert.equal(entry.path, before.path, `${key} has one path`);
      assert.ok(entry.version > before.version, `${key} has version ${entry.version} after ${before.version}`);
    }
    assert.equal(entry.kind === 'created', before === undefined, `${key} is ${entry.kind} at ${entry.position}`);
    known.set(key, entry);
  }
  for (const [key, version] of existing) assert.equal(known.get(key)?.version, version, `the last entry of ${key}`);
  for (const [key, { kind }] of known)
    assert.equal(kind === 'deleted', !existing.has(key), `${key} exists or has a deletion entry`);
}
