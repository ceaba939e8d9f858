/** Grows small stores with SQL, which is faster than the API and not measured. */
import { DatabaseSync } from 'node:sqlite';
import { schemaOf } from '../src/engine/model/tables.ts';
import { storeModel } from '../src/wiring/open.ts';
import { PRODUCTS } from './constants.ts';
import type { Grown } from './grown.ts';

/** Grows a SQLite store of 10,000 records. No process may have it open. */
export function growSqlite(file: string, grown: Grown, total: number): void {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off');
  database.exec('begin');
  for (const statement of growth(grown, total)) database.exec(statement);
  database.exec('commit');
  database.exec('analyze');
  database.close();
}

/** Returns statements, valid on both databases, that copy the records with their dependent rows. */
export function growth(grown: Grown, total: number): string[] {
  const tables = schemaOf(storeModel()).tables.filter(({ name }) => name === grown.table || grown.parts.includes(name));
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join();
  return Array.from({ length: total / PRODUCTS - 1 }, (_, index) => index + 1).flatMap((copy) =>
    tables.map(({ name, columns }) => {
      const values = columns.map((column) => copied(grown, name, column.name, copy));
      const range = name === grown.table ? 'id' : `${grown.table}_id`;
      const names = quoted(columns.map((column) => column.name));
      return `insert into "${name}" (${names}) select ${values.join()} from "${name}" where ${range} between 1 and ${PRODUCTS}`;
    }),
  );
}

function copied(grown: Grown, table: string, column: string, copy: number): string {
  if (column === `${grown.table}_id` || (table === grown.table && column === 'id'))
    return `"${column}" + ${copy * PRODUCTS}`;
  if (column === 'id') return `"id" + ${copy * PRODUCTS * 10}`;
  const isUnique = grown.unique.includes(column) || table === 'unique_clean_url';
  return isUnique && column !== 'category_id' ? `"${column}" || '-${copy}'` : `"${column}"`;
}
