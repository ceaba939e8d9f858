/**
 * Checks that the index tables of the audit have the rows of all entries up to the last indexed one, and no others. Without a row,
 * neither reads nor the rest of the check find the entry.
 */
import { sql } from 'kysely';
import { AUDIT_TABLE } from '../../model/audit-tables.ts';
import type { Database } from '../../ports.ts';
import type { Expression } from '../../sql/source.ts';
import { inSpans, SPAN } from '../journal-faults.ts';
import { INDEXED_PATHS, INDEXED_VALUES, indexedUpTo } from './index-progress.ts';
import { LACKS_PATH, PATH_ROWS } from './path-index.ts';
import { LACKS_HOUR, LACKS_VALUES, VALUE_ROWS } from './value-index.ts';

interface CheckedIndex {
  readonly table: string;
  /** Name of the setting with the id of the last entry in the index. */
  readonly setting: string;
  /** Condition for the entries without their rows. */
  readonly lacks: Expression;
  /** The number of rows that the entries need, if more rows are a fault. */
  readonly rows?: Expression;
}

const INDEXES: readonly CheckedIndex[] = [
  { table: 'audit_path', setting: INDEXED_PATHS, lacks: LACKS_PATH, rows: PATH_ROWS },
  { table: 'audit_value', setting: INDEXED_VALUES, lacks: LACKS_VALUES, rows: VALUE_ROWS },
  { table: 'audit_hour', setting: INDEXED_VALUES, lacks: LACKS_HOUR },
];

const CHAIN = sql.table(AUDIT_TABLE);
const ID = sql.id('id');

const FIX =
  'Build the index of the audit again (docs/guides/backup.md#build-the-index-of-the-audit-again), then repeat the check.';

/** @returns at most one sentence per table */
export async function* indexFaults(database: Database): AsyncGenerator<string> {
  for (const index of INDEXES) {
    const [count, first] = await lacking(database, index);
    if (count > 0)
      yield `The table ${index.table} lacks rows of audit entries: ${count}, first of entry ${first}. Changed values may go unnoticed. ${FIX}`;
    const more = count > 0 || !index.rows ? 0 : await surplus(database, index, index.rows);
    if (more > 0) yield `The table ${index.table} has rows that belong to no audit entry: ${more}. ${FIX}`;
  }
}

/** @returns the number of entries without their rows, and the id of the first one */
async function lacking(database: Database, { setting, lacks }: CheckedIndex): Promise<[number, number | undefined]> {
  const { dialect } = database;
  // Each page is one statement, because entries may expire meanwhile, with their rows.
  const rows = inSpans(
    database,
    'integer',
    (after) => sql`select ${ID}, ${lacks} from ${CHAIN}
      where ${after ? sql`${ID} > ${dialect.placeholder(after)}` : sql`1 = 1`} and ${ID} <= ${indexedUpTo(setting)}
      order by ${ID} limit ${sql.lit(SPAN)}`,
  );
  let count = 0;
  let first: number | undefined;
  for await (const [id, isLacking] of rows) {
    if (!dialect.decode.boolean(isLacking as never)) continue;
    count += 1;
    first ??= Number(id);
  }
  return [count, first];
}

/** The number of rows that no entry needs, if none is lacking. */
async function surplus(database: Database, { table, setting }: CheckedIndex, needed: Expression): Promise<number> {
  const statement = sql`select (select count(*) from ${sql.table(table)})
    - (select ${needed} from ${CHAIN} where ${ID} <= ${indexedUpTo(setting)})`;
  const [row] = await database.query(database.dialect.compile(statement), {});
  return Number(row![0]);
}
