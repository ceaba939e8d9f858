/** The audit entries of one record, with those that are not in the chain yet. */
import { sql } from 'kysely';
import { AUDIT_INBOX, AUDIT_TABLE } from '../../model/audit-tables.ts';
import type { ModelResource } from '../../model/model.ts';
import { BindParam, type Dialect, type Value } from '../../ports.ts';
import type { Reads } from '../reads.ts';
import { isOf } from './path-index.ts';
import type { Changes } from './record-changes.ts';

interface PastEntry {
  /** Version of the record after the change. */
  readonly version: number;
  readonly changes: Changes;
}

/** @param path of the record @param from entries of earlier versions are not read @returns the oldest entry first */
export async function readRecordEntries(
  reads: Reads,
  { name }: ModelResource,
  id: Value,
  path: string,
  from: number,
): Promise<readonly PastEntry[]> {
  const text = (dialect: Dialect, param: string) => dialect.placeholder(new BindParam(param, 'text'));
  const ofTable = (table: string) =>
    reads.query(
      `of one record in ${table}`,
      (dialect) => sql`select changes_hash, version, changes from ${sql.table(table)} where ${isOf(dialect, table)}
        and resource = ${text(dialect, 'resource')} and record = ${text(dialect, 'record')}
        and version >= ${dialect.placeholder(new BindParam('from', 'integer'))} order by id`,
      { resource: name, record: String(id), paths: [path], from },
    );
  // An entry may move from the inbox to the chain between the two statements. Its hash is unique, because of its salt.
  const waiting = await ofTable(AUDIT_INBOX);
  const chained = await ofTable(AUDIT_TABLE);
  const known = new Set(chained.map(([hash]) => hash));
  const rows = [...chained, ...waiting.filter(([hash]) => !known.has(hash))];
  return rows.map(([, version, changes]) => ({
    version: Number(version),
    changes: JSON.parse(changes as string) as Changes,
  }));
}
