/**
 * Connection settings for PostgreSQL, and checks of a new connection: poolers in between, and settings that lose data.
 */
import pg from 'pg';

/** Also the maximum wait for a free connection of the pool. */
export const CONNECT_MILLISECONDS_MAX = 2_000;

export const POOL_SETTINGS: pg.PoolConfig = {
  /** For each of the two pools. */
  max: 6,
  /** Ends the wait for a server that does not respond, slightly later than the server's own timeout. */
  query_timeout: 12_000,
  keepAlive: true,
  types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
};

/** Milliseconds. */
const LIMITS = { statement_timeout: 10_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 };

/**
 * Startup parameters of direct connections. Compiling takes longer than it saves: statements that read whole tables run within
 * the time limits in any case, and all others are short.
 */
export const STARTUP_PARAMETERS = { ...LIMITS, options: '-c jit=off' };

/** For connections through a transaction pooler, which rejects or loses startup parameters. */
export const LIMITS_OF_TRANSACTION = Object.entries(LIMITS)
  .map(([name, milliseconds]) => `SET LOCAL ${name} = ${milliseconds}`)
  .join('; ');

/**
 * Whether a pooler such as PgBouncer is in between; it assigns its own process ids. State of a connection, such as a
 * prepared statement, may then appear on a different connection.
 */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid !== (client as pg.Client & { readonly processID: number }).processID;
}

/** @throws {Error} with a message for the operator if the server's settings could lose or garble data */
export async function rejectUnsafe(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [[...DURABILITY_SETTINGS, 'server_encoding']],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const off = DURABILITY_SETTINGS.find((name) => settings.get(name) === 'off');
  if (off) {
    throw new Error(
      `PostgreSQL runs with ${off} = off, so acknowledged orders could be lost. ` +
        `Set ${off} = on in postgresql.conf and restart PostgreSQL.`,
    );
  }
  if (settings.get('server_encoding') !== 'UTF8') {
    throw new Error(
      `The PostgreSQL database has the encoding ${settings.get('server_encoding')}, which cannot store every text. ` +
        'Create a database with: create database … encoding UTF8 template template0.',
    );
  }
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Only for these connections; other users of `pg` in the process have its default parsers. */
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
