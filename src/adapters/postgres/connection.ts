/** How connections to PostgreSQL are made, and what is looked at first: who answers, and whether it keeps data. */
import pg from 'pg';

/** Also the longest wait for a connection of the pool to become free. */
export const CONNECT_MILLISECONDS_MAX = 2_000;

export const POOL_SETTINGS: pg.PoolConfig = {
  /** Of the two pools each. */
  max: 6,
  /** Ends the wait for a server that has gone silent, a little after the server would have spoken. */
  query_timeout: 12_000,
  keepAlive: true,
  types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
};

/** Milliseconds. For connections to the server itself, which has them from the start. */
export const LIMITS = { statement_timeout: 10_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 };

/** For connections that a pooler may lend for one transaction: it refuses such settings at the start, or loses them. */
export const LIMITS_OF_TRANSACTION = Object.entries(LIMITS)
  .map(([name, milliseconds]) => `SET LOCAL ${name} = ${milliseconds}`)
  .join('; ');

/**
 * Whether a pooler such as PgBouncer is in between, which gives its clients process numbers of its own. Then the
 * remains of one connection, such as a prepared statement, may appear on another one and not on itself.
 */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid !== (client as pg.Client & { readonly processID: number }).processID;
}

/** Throws a sentence for the person who runs the store when the server's settings could lose or garble data. */
export async function rejectUnsafe(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [[...DURABILITY_SETTINGS, 'server_encoding']],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const off = DURABILITY_SETTINGS.find((name) => settings.get(name) === 'off');
  if (off) {
    throw new Error(
      `PostgreSQL runs with ${off} = off, so it could lose orders that were acknowledged. ` +
        `Set ${off} = on in postgresql.conf and restart it.`,
    );
  }
  if (settings.get('server_encoding') !== 'UTF8') {
    throw new Error(
      `The PostgreSQL database has the encoding ${settings.get('server_encoding')}, which cannot hold every text. ` +
        'Create one with: create database … encoding UTF8 template template0.',
    );
  }
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Local to our connections, so that another user of `pg` in the process keeps the parsers it expects. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.BOOL]: (text) => text === 't',
  [pg.types.builtins.INT2]: Number,
  [pg.types.builtins.INT4]: Number,
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
  [pg.types.builtins.JSON]: JSON.parse,
};

function typeParser(type: number): (text: string) => unknown {
  return PARSERS[type] ?? asText;
}

function asText(text: string): string {
  return text;
}
