/** Schema changes as SQLite statements. */
import { type RawBuilder, sql } from 'kysely';
import type { Column, ColumnType, StructureStep, Table } from '../../engine/ports.ts';
import { encode } from './encode.ts';
import { createTextIndex, dropTextIndex } from './text-index.ts';

/** Returns the statements of one change, in order. */
export function schemaStatements(change: StructureStep): RawBuilder<unknown>[] {
  switch (change.step) {
    case 'create table':
      return [createTable(change.table)];
    case 'add column':
      return [sql`alter table ${sql.id(change.table)} add column ${column(change.column)}`];
    case 'create index': {
      const { name, table, columns, unique } = change.index;
      const kind = unique ? sql`unique index` : sql`index`;
      return [sql`create ${kind} ${sql.id(name)} on ${sql.id(table)} (${names(columns)})`];
    }
    case 'create text index':
      return createTextIndex(change.index);
    case 'drop table':
      return [sql`drop table ${sql.id(change.table)}`];
    case 'drop column':
      return [sql`alter table ${sql.id(change.table)} drop column ${sql.id(change.column)}`];
    case 'drop index':
      return [sql`drop index ${sql.id(change.index)}`];
    case 'drop text index':
      return dropTextIndex(change.index);
  }
}

const TYPES: Readonly<Record<ColumnType, RawBuilder<unknown>>> = {
  text: sql`text`,
  integer: sql`integer`,
  decimal: sql`integer`,
  boolean: sql`integer`,
  timestamp: sql`integer`,
  json: sql`text`,
};

function createTable(table: Table): RawBuilder<unknown> {
  const parts = table.columns.map((each) =>
    table.counted && table.primaryKey.includes(each.name)
      ? sql`${sql.id(each.name)} integer primary key autoincrement`
      : column(each),
  );
  if (!table.counted) parts.push(sql`primary key (${names(table.primaryKey)})`);
  // A table with little more than its key is stored in the index of its key alone.
  const kind = table.primaryKey.length > 1 ? sql`strict, without rowid` : sql`strict`;
  return sql`create table ${sql.id(table.name)} (${sql.join(parts)}) ${kind}`;
}

function column({ name, type, nullable, default: preset, references }: Column): RawBuilder<unknown> {
  const parts = [sql.id(name), TYPES[type]];
  if (!nullable) parts.push(sql`not null`);
  if (preset !== undefined) parts.push(sql`default ${sql.lit(encode[type](preset))}`);
  if (references) parts.push(sql`references ${sql.id(references.table)} on delete ${sql.raw(references.onDelete)}`);
  return sql.join(parts, sql` `);
}

function names(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.id(name)));
}
