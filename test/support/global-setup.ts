/**
 * Global setup of a test run. Starts one PostgreSQL server, whose URL all test processes inherit as `TEST_POSTGRES_URL`, and
 * creates the migrated databases that tests copy. If `TEST_POSTGRES_URL` is set already, that server is used.
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
