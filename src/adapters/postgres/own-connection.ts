/**
 * Transactions on a connection outside of the pools, for work that may take longer than a request: schema migrations,
 * copies of the whole store. The time limits of requests do not apply.
 */
import pg from 'pg';
import type { Row, Statement, Value } from '../../engine/ports.ts';
import { CONNECT_MILLISECONDS_MAX, isPooled, POOL_SETTINGS } from './connection.ts';
import { Prepared } from './encode.ts';
import { unavailableOr } from './errors.ts';

export type Run = (statement: Statement, values?: Readonly<Record<string, Value>>) => Promise<Row[]>;

/** Commits when `work` resolves, otherwise rolls back. */
export function inOwnTransaction<T>(url: string, begin: string, work: (run: Run) => Promise<T>): Promise<T> {
  return onOwnConnection(url, async (client) => {
    const prepared = new Prepared(await translated(isPooled(client)));
    await translated(client.query(`${begin}; ${WITHOUT_LIMITS}`));
    const result = await work(
      async (statement, values = {}) => (await translated(client.query(prepared.bind(statement, values)))).rows,
    );
    await translated(client.query('COMMIT'));
    return result;
  });
}

/** Runs work on a new connection. Changes that `work` has not committed are rolled back. */
export async function onOwnConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  limits: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    keepAlive: true,
    types: POOL_SETTINGS.types!,
    ...limits,
  });
  // A connection error also rejects the running statement. Without a listener the event would end the process.
  client.on('error', () => {});
  try {
    await translated(client.connect());
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Overrides limits that the server sets for all sessions. */
const WITHOUT_LIMITS =
  'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** Translates errors of the driver. */
export function translated<T>(response: Promise<T>): Promise<T> {
  return response.catch((error) => {
    throw unavailableOr(error);
  });
}
