/**
 * Applies the migrations that a PostgreSQL database still lacks, all of them or none, and keeps the list of those
 * applied. Takes a connection of its own, as a change of the schema may take longer than a request ever should.
 */
import { sql } from 'kysely';
import pg from 'pg';
import {
  type Migration,
  NewerSchema,
  pendingMigrations,
  Slot,
  type Statement,
  type Value,
} from '../../engine/ports.ts';
import { CONNECT_MILLISECONDS_MAX } from './connection.ts';
import { postgresDialect } from './dialect.ts';
import { Prepared } from './encode.ts';
import { unavailableOr } from './errors.ts';
import { schemaStatement } from './schema.ts';

const { compile, place } = postgresDialect;

export const lockStatement = compile(
  sql`select pg_advisory_xact_lock(hashtextextended(${place(new Slot('name', 'text'))}, 0))`,
);

export async function migrate(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    keepAlive: true,
  });
  // What breaks the connection also fails the statement that runs; the event alone would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN');
    const applied = await applyPending(client, migrations);
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    throw error instanceof NewerSchema ? error : unavailableOr(error);
  } finally {
    // Without a COMMIT before it, this undoes everything.
    await client.end();
  }
}

/** Two programs that start at once must not both create the list. */
const LOCK_NAME = 'purveyor migrations';

const CREATE_LIST = compile(
  sql`create table if not exists migration (name text collate "C" primary key, applied_at bigint not null)`,
);
const READ_LIST = compile(sql`select name from migration`);
const ADD_TO_LIST = compile(
  sql`insert into migration values (${new Slot('name', 'text')}, ${new Slot('applied_at', 'timestamp')})`,
);

async function applyPending(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const prepared = new Prepared();
  const run = async (statement: Statement, values: Readonly<Record<string, Value>> = {}) =>
    (await client.query(prepared.bind(statement, values))).rows;

  await run(lockStatement, { name: LOCK_NAME });
  await run(CREATE_LIST);
  const applied = (await run(READ_LIST)).map(([name]) => name as string);
  const pending = pendingMigrations(migrations, applied);
  for (const { name, steps } of pending) {
    for (const step of steps) await run(compile(schemaStatement(step)));
    await run(ADD_TO_LIST, { name, applied_at: Math.floor(Date.now() / 1000) });
  }
  return pending.map(({ name }) => name);
}
