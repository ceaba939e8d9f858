/**
 * Starts one real PostgreSQL for a whole run of the tests and removes it afterwards; every test process finds it at
 * TEST_POSTGRES_URL. A server that is named there already is used as it is. Migrated databases are made once and copied.
 * Test processes inherit what is set here in the environment.
 */
import { COMPILED } from './compiled.ts';
import { databaseNames, makeTemplates, quickFolder } from './databases.ts';
import { PostgresServer } from './postgres-server.ts';

let server: PostgresServer | undefined;
let removeTemplates: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  Object.assign(process.env, COMPILED);
  if (databaseNames.includes('postgres') && !process.env.TEST_POSTGRES_URL) {
    server = await PostgresServer.make({ within: quickFolder() });
    process.env.TEST_POSTGRES_URL = server.url;
  }
  removeTemplates = await makeTemplates();
}

export async function globalTeardown(): Promise<void> {
  await removeTemplates?.();
  await server?.remove();
}
