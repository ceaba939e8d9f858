/** Writes the journal entries and the audit entries of a unit of work, on PostgreSQL with one statement. */
import { sql } from 'kysely';
import type { ModelResource } from '../../model/model.ts';
import { VERSION } from '../../model/tables.ts';
import { BindParam, type Dialect, type Transaction, type Value } from '../../ports.ts';
import type { Actor } from '../../rules.ts';
import type { Expression } from '../../sql/source.ts';
import type { Change } from '../commits.ts';
import { type Insert, journalInsert } from '../journal.ts';
import { pathOf } from '../paths.ts';
import type { Reads } from '../reads.ts';
import { addToChain } from './chain.ts';
import { withoutPersonal } from './personal-values.ts';
import { type Changes, type RecordChanges, recordKey } from './record-changes.ts';
import { auditInsert, type NewEntry, rowOf } from './write-entries.ts';

interface WritingUnit extends Reads, Pick<Transaction, 'group'> {
  readonly now: number;
  readonly requestOptions: { readonly actor: Actor };
}

/** Writes one journal entry and one audit entry of each change. */
export async function writeChanges(
  unit: WritingUnit,
  changes: readonly Change[],
  records: RecordChanges,
): Promise<void> {
  const { service, now } = unit;
  const { actor } = unit.requestOptions;
  const entries = await entriesOf(unit, changes, records);
  const mark = Number.parseInt(service.uuid().slice(0, 8), 16);
  const journal = changes.length > 0 ? [journalInsert(changes, { keyName: actor.keyName, now, mark })] : [];
  const rows = entries.map((entry) => rowOf(service, actor, now, entry));
  // A database that takes one transaction at a time has no round trips to save, and commits in the order of the writes.
  const isInTurn = service.database.dialect.writesInTurn;
  if (isInTurn && rows.length > 0) await addToChain(service, unit, rows);
  const inserts = isInTurn || rows.length === 0 ? journal : [auditInsert(rows), ...journal];
  if (inserts.length === 0) return;
  const { key, build, values } = inserts.length > 1 ? together(inserts) : inserts[0]!;
  await unit.query(key, build, values);
}

/** One statement that runs all of these. */
function together(inserts: readonly Insert[]): Insert {
  const first = inserts.slice(0, -1);
  const last = inserts.at(-1)!;
  return {
    key: inserts.map(({ key }) => key).join(),
    build: (dialect) => {
      const written = first.map(({ build }, index) => sql`${sql.id(`written_${index}`)} as (${build(dialect)})`);
      return sql`with ${sql.join(written)} ${last.build(dialect)}`;
    },
    values: Object.assign({}, ...inserts.map(({ values }) => values)),
  };
}

async function entriesOf(unit: WritingUnit, changes: readonly Change[], records: RecordChanges): Promise<NewEntry[]> {
  const recorded = records.all();
  const entries = changes.map(({ resource, id, path, kind, version }): NewEntry => {
    const key = recordKey(resource, id);
    const own = recorded.get(key)?.changes ?? {};
    return {
      action: records.isRestored(key) ? 'restored' : kind,
      resource,
      record: String(id),
      path,
      version,
      changes: own,
    };
  });
  const journaled = new Set(changes.map(({ resource, id }) => recordKey(resource, id)));
  const others = [...recorded].filter(([key, each]) => !journaled.has(key) && Object.keys(each.changes).length > 0);
  const byResource = Map.groupBy(others, ([, { resource }]) => resource);
  for (const [resource, each] of byResource) {
    const owners = each.map(([, owner]) => owner);
    entries.push(...(await unjournaled(unit, resource, owners)));
  }
  const about = { resource: null, record: null, path: null, version: null };
  return [
    ...entries.map((entry) => withoutErased(unit, entry, records)),
    ...records.events.map((event): NewEntry => ({ ...about, ...event })),
  ];
}

/** The entry of an erasure does not repeat the values that it erases. */
function withoutErased({ service }: WritingUnit, entry: NewEntry, records: RecordChanges): NewEntry {
  const { path, resource, changes } = entry;
  if (path === null || !records.isErased(path)) return entry;
  return { ...entry, changes: withoutPersonal(service.model, resource, changes, ['before']) ?? changes };
}

/** Entries of records whose parts were deleted because of another record, which is no change in the feed (http.md §10). */
async function unjournaled(
  unit: WritingUnit,
  resource: ModelResource,
  owners: readonly { readonly id: Value; readonly changes: Changes }[],
): Promise<NewEntry[]> {
  const ids = owners.map(({ id }) => id);
  const rows = await unit.query(`versions of ${resource.name}`, currentVersions(resource), { ids });
  const changesById = new Map(owners.map(({ id, changes }) => [id, changes]));
  return rows.map(([id, version, path]) => ({
    ...{ action: 'updated', resource: resource.name, record: String(id), path: path as string },
    ...{ version: Number(version), changes: changesById.get(id as Value)! },
  }));
}

/** Rows: id, version and path of the records `ids`. */
function currentVersions(resource: ModelResource) {
  return ({ listed }: Dialect): Expression => {
    const { table, identifierField, identifierType } = resource;
    const id = sql.id(identifierField);
    return sql`select ${id}, ${sql.id(VERSION)}, ${pathOf(resource)} from ${sql.table(table)}
      where ${id} in (select ${sql.id('listed', 'value')} from ${listed(new BindParam('ids', identifierType, true))})`;
  };
}
