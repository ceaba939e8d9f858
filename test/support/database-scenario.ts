/** Helpers for tests of a database adapter: a scenario on an empty database, queries, writes and tables. */
import { type TestContext, test } from 'node:test';
import type { RawBuilder } from 'kysely';
import {
  BindParam,
  type Column,
  type ColumnType,
  type Database,
  type Row,
  type SchemaStep,
  type Value,
} from '../../src/engine/ports.ts';
import { type DatabaseName, type FreshDatabase, freshDatabase } from './databases.ts';

export interface ScenarioContext {
  readonly database: Database;
  readonly fresh: FreshDatabase;
  readonly context: TestContext;
  /** Opens the same database again, as another process would; the scenario closes it. */
  open(): Promise<Database>;
}

export function scenario(name: DatabaseName, title: string, play: (scene: ScenarioContext) => Promise<void>): void {
  test(title, async (context) => {
    const fresh = await freshDatabase(name);
    const opened: Database[] = [];
    const open = async () => {
      const database = await fresh.open();
      opened.push(database);
      return database;
    };
    try {
      await play({ database: await open(), fresh, context, open });
    } finally {
      for (const database of opened) await database.close();
      await fresh.remove();
    }
  });
}

export function runQuery(database: Database, statement: RawBuilder<unknown>, values: Record<string, Value> = {}) {
  return database.query(database.dialect.compile(statement), values);
}

export function search(database: Database, statement: RawBuilder<unknown>, values: Record<string, Value> = {}) {
  return database.search(database.dialect.compile(statement), values);
}

/** Runs one statement in its own transaction. */
export function run(
  database: Database,
  statement: RawBuilder<unknown>,
  values: Record<string, Value> = {},
): Promise<Row[]> {
  const compiled = database.dialect.compile(statement);
  return database.transaction((transaction) => transaction.run(compiled, values));
}

export function placeholder(database: Database, name: string, type: ColumnType): RawBuilder<unknown> {
  return database.dialect.placeholder(new BindParam(name, type));
}

export function decode(database: Database, type: ColumnType, raw: unknown): Value {
  return database.dialect.decode[type](raw as never);
}

/** Decodes the outer array of a JSON value; its elements remain encoded. */
export function parsed(database: Database, raw: unknown): unknown[] {
  return decode(database, 'json', raw) as unknown[];
}

/** A nullable column. */
export function column(name: string, type: ColumnType): Column {
  return { name, type, nullable: true };
}

/** @param key the columns of the primary key; by default the first column */
export function create(name: string, columns: readonly Column[], ...key: string[]): SchemaStep {
  const primaryKey = key.length > 0 ? key : [columns[0]!.name];
  const keyed = columns.map((each) => (primaryKey.includes(each.name) ? { ...each, nullable: false } : each));
  return { step: 'create table', table: { name, columns: keyed, primaryKey, counted: false } };
}
