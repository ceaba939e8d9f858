/**
 * The migration step that fills a column in every row with a value that SQL cannot compute alike on every database.
 * Runs in the migration's transaction.
 */
import { sql } from 'kysely';
import { BindParam, type Dialect, type FillColumn } from '../ports.ts';
import { TEXT_FORMS } from '../text-forms.ts';
import type { Run } from './run.ts';
import { readRows } from './table-rows.ts';

/** @param now time of the migration, seconds since 1970 */
export async function fillColumn(
  dialect: Dialect,
  { table, column, key, from }: FillColumn,
  run: Run,
  now: number,
): Promise<void> {
  const target = sql`update ${sql.table(table)} set ${sql.id(column)} =`;
  if (from === 'moment') {
    const timestamp = dialect.placeholder(new BindParam('timestamp', 'timestamp'));
    await run(dialect.compile(sql`${target} ${timestamp}`), { timestamp: now });
    return;
  }
  const isThis = key.map(({ name, type }) => sql`${sql.id(name)} = ${dialect.placeholder(new BindParam(name, type))}`);
  const fill = dialect.compile(
    sql`${target} ${dialect.placeholder(new BindParam('filled', 'text'))} where ${sql.join(isThis, sql` and `)}`,
  );
  const columns = [...key, { name: from.of, type: 'text' as const }].map((one) => ({ ...one, nullable: true }));
  const read = { name: table, columns, primaryKey: key.map(({ name }) => name), counted: false };
  for await (const row of readRows(dialect, read, run)) {
    const text = row.at(-1) as string | null;
    if (text === null) continue;
    const own = Object.fromEntries(key.map(({ name }, index) => [name, row[index]!]));
    await run(fill, { ...own, filled: TEXT_FORMS[from.form](text) });
  }
}
