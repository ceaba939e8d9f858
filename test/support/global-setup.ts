/**
 * Starts one real PostgreSQL for a whole run of the tests and removes it afterwards; every test process finds it at
 * TEST_POSTGRES_URL. A server that is named there already is used as it is.
 */
import { PostgresServer } from './postgres-server.ts';

let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_POSTGRES_URL) return;
  server = await PostgresServer.make();
  process.env.TEST_POSTGRES_URL = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.remove();
}
