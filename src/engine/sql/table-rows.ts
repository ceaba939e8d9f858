/** Whole tables, row by row, in engine values: the form in which a store is copied from one database to another. */
import { sql } from 'kysely';
import { BindParam, type Dialect, type Table, type Value } from '../ports.ts';
import type { Run } from './run.ts';

const ROWS_PER_PAGE = 500;

/** Below the limit of bind parameters of every database. */
const VALUES_PER_INSERT_MAX = 3000;

/** Whether a table only generates numbers. Its rows, if the database stores any, have no meaning. */
export function onlyCounts({ columns, counted }: Table): boolean {
  return counted && columns.length === 1;
}

/** Reads all rows by primary key, with values in the order of the table's columns. */
export async function* readRows(dialect: Dialect, table: Table, run: Run): AsyncGenerator<Value[]> {
  const { columns, primaryKey } = table;
  const keys = primaryKey.map((name) => columns.findIndex((column) => column.name === name));
  const key = sql.join(primaryKey.map((name) => sql.id(name)));
  const select = sql`select ${sql.join(columns.map(({ name }) => sql.id(name)))} from ${sql.table(table.name)}`;
  const last = keys.map((index) => dialect.placeholder(new BindParam(`last_${index}`, columns[index]!.type)));
  const end = sql`order by ${key} limit ${sql.lit(ROWS_PER_PAGE)}`;
  const first = dialect.compile(sql`${select} ${end}`);
  const next = dialect.compile(sql`${select} where (${key}) > (${sql.join(last)}) ${end}`);
  let rows = await run(first, {});
  while (rows.length > 0) {
    const values = rows.map((row) =>
      columns.map(({ type }, index) => (row[index] === null ? null : dialect.decode[type](row[index] as never))),
    );
    yield* values;
    if (rows.length < ROWS_PER_PAGE) return;
    rows = await run(next, Object.fromEntries(keys.map((index) => [`last_${index}`, values.at(-1)![index]!])));
  }
}

/** The last number that a counted table has assigned. */
export async function readLastNumber(dialect: Dialect, table: Table, run: Run): Promise<number | null> {
  const [row] = await run(dialect.compile(dialect.lastNumber(table.name)), {});
  return (row?.[0] ?? null) as number | null;
}

/** Fills a new table. A counted one continues above `lastNumber`. */
export async function fillTable(
  dialect: Dialect,
  table: Table,
  { rows, lastNumber }: { readonly rows: AsyncIterable<Value[]>; readonly lastNumber: number | null },
  run: Run,
): Promise<void> {
  if (lastNumber !== null) {
    const start = dialect.startAfterNumber(table.name, new BindParam('number', 'integer'));
    await run(dialect.compile(start), { number: lastNumber });
  }
  const rowsPerInsert = Math.floor(VALUES_PER_INSERT_MAX / table.columns.length);
  const full = insertInto(dialect, table, rowsPerInsert);
  let batch: Value[][] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsPerInsert) continue;
    await run(full, paramValues(batch));
    batch = [];
  }
  if (batch.length > 0) await run(insertInto(dialect, table, batch.length), paramValues(batch));
}

function insertInto(dialect: Dialect, { name, columns }: Table, rowCount: number) {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const placeholders = columns.map(({ type }, column) =>
      dialect.placeholder(new BindParam(paramName(row, column), type)),
    );
    return sql`(${sql.join(placeholders)})`;
  });
  const names = sql.join(columns.map((column) => sql.id(column.name)));
  return dialect.compile(sql`insert into ${sql.table(name)} (${names}) values ${sql.join(rows)}`);
}

function paramValues(rows: readonly Value[][]): Record<string, Value> {
  return Object.fromEntries(
    rows.flatMap((row, index) => row.map((value, column) => [paramName(index, column), value])),
  );
}

function paramName(row: number, column: number): string {
  return `${row}_${column}`;
}
