/**
 * A transaction on a connection beside the pools, for what may take longer than a request ever should: a change of the
 * schema, a copy of the whole store. None of the limits of time that requests have are in force in it.
 */
import pg from 'pg';
import type { Row, Statement, Value } from '../../engine/ports.ts';
import { CONNECT_MILLISECONDS_MAX, isPooled, POOL_SETTINGS } from './connection.ts';
import { Prepared } from './encode.ts';
import { unavailableOr } from './errors.ts';

export type Run = (statement: Statement, values?: Readonly<Record<string, Value>>) => Promise<Row[]>;

/** The changes of `work` are committed when it resolves, and else undone. */
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

/** Changes that `work` did not commit are undone. */
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
  // An error of the connection also fails the running statement; without a listener the event would end the process.
  client.on('error', () => {});
  try {
    await translated(client.connect());
    return await work(client);
  } finally {
    await client.end();
  }
}

/** For a server that limits all sessions. */
const WITHOUT_LIMITS =
  'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

export function translated<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error) => {
    throw unavailableOr(error);
  });
}
