/** Short words for tests of one database: a scenario on an empty one, a question, a change, a table. */
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

export interface Scene {
  readonly database: Database;
  readonly fresh: FreshDatabase;
  readonly context: TestContext;
  /** Opens the same database once more, as another process would; the scenario closes it. */
  open(): Promise<Database>;
}

export function scenario(name: DatabaseName, title: string, play: (scene: Scene) => Promise<void>): void {
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

export function ask(database: Database, query: RawBuilder<unknown>, values: Record<string, Value> = {}) {
  return database.query(database.dialect.compile(query), values);
}

export function search(database: Database, query: RawBuilder<unknown>, values: Record<string, Value> = {}) {
  return database.search(database.dialect.compile(query), values);
}

/** One statement in a transaction of its own. */
export function run(
  database: Database,
  query: RawBuilder<unknown>,
  values: Record<string, Value> = {},
): Promise<Row[]> {
  const statement = database.dialect.compile(query);
  return database.transaction((transaction) => transaction.run(statement, values));
}

export function place(database: Database, name: string, type: ColumnType): RawBuilder<unknown> {
  return database.dialect.placeholder(new BindParam(name, type));
}

export function decode(database: Database, type: ColumnType, raw: unknown): Value {
  return database.dialect.decode[type](raw as never);
}

/** The top of a JSON answer; what is inside is still to be decoded. */
export function parsed(database: Database, raw: unknown): unknown[] {
  return decode(database, 'json', raw) as unknown[];
}

/** A nullable column. */
export function column(name: string, type: ColumnType): Column {
  return { name, type, nullable: true };
}

/** A table whose key is the given columns, or else the first. */
export function create(name: string, columns: readonly Column[], ...key: string[]): SchemaStep {
  const primaryKey = key.length > 0 ? key : [columns[0]!.name];
  const keyed = columns.map((each) => (primaryKey.includes(each.name) ? { ...each, nullable: false } : each));
  return { step: 'create table', table: { name, columns: keyed, primaryKey, counted: false } };
}
