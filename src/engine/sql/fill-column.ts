/**
 * The migration step that fills a column in every row with a value that SQL cannot compute alike on every database.
 * Runs in the migration's transaction.
 */
import { sql } from 'kysely';
import { BindParam, type Dialect, type FillColumn } from '../ports.ts';
import { searchKeyOf, TEXT_FORMS } from '../text-forms.ts';
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
  const members = 'members' in from ? from.members : undefined;
  const source = { name: from.of, type: members ? ('json' as const) : ('text' as const) };
  const columns = [...key, source].map((one) => ({ ...one, nullable: true }));
  const read = { name: table, columns, primaryKey: key.map(({ name }) => name), counted: false };
  for await (const row of readRows(dialect, read, run)) {
    const value = row.at(-1)!;
    if (value === null) continue;
    const own = Object.fromEntries(key.map(({ name }, index) => [name, row[index]!]));
    const filled = members ? searchKeyOf(value, members) : TEXT_FORMS[from.form](value as string);
    await run(fill, { ...own, filled });
  }
}
