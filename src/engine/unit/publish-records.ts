/**
 * The migration step that publishes every existing record to the journal, because some are older than the journal or
 * than the paths in it. Runs in the migration's transaction.
 */
import { sql } from 'kysely';
import { VERSION } from '../model/tables.ts';
import { BindParam, type Dialect, type PublishRecords } from '../ports.ts';
import type { Run } from '../sql/run.ts';
import type { Expression } from '../sql/source.ts';
import { LAST_POSITION } from './journal.ts';
import { CHANGES_PER_MOVE, moveChanges } from './journal-order.ts';
import { pathIn } from './paths.ts';

/** @param now time of the migration, seconds since 1970 */
export async function publishRecords(
  dialect: Dialect,
  { records }: PublishRecords,
  run: Run,
  now: number,
): Promise<void> {
  // Changes in the inbox are older than the entries of this step.
  const query = (_: string, build: (dialect: Dialect) => Expression) => run(dialect.compile(build(dialect)), {});
  for (let moved = CHANGES_PER_MOVE; moved === CHANGES_PER_MOVE; ) moved = await moveChanges(query, dialect);
  const [fields, at] = [
    dialect.placeholder(new BindParam('fields', 'json')),
    dialect.placeholder(new BindParam('at', 'timestamp')),
  ];
  for (const { resource, table, key, path } of records) {
    const id = sql.id(table, key);
    // One statement, regardless of the number of records.
    const insertEntries = sql`insert into ${sql.table('change')} (position, resource, record, path, kind, version, fields, key_name, at)
      select ${LAST_POSITION} + row_number() over (order by ${id}), ${sql.lit(resource)}, cast(${id} as text), ${pathIn(table, path)},
        'created', ${sql.id(table, VERSION)}, ${fields}, 'purveyor', ${at} from ${sql.table(table)}`;
    await run(dialect.compile(insertEntries), { fields: [], at: now });
  }
}
