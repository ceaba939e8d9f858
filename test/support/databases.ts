/** Creates databases for tests: one SQLite file or one PostgreSQL database for each call. Needs the global setup. */
import { statfsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../../src/adapters/postgres/database.ts';
import { openSqlite } from '../../src/adapters/sqlite/database.ts';
import type { Database } from '../../src/engine/ports.ts';
import { readMigrations } from '../../src/wiring/open.ts';

export interface FreshDatabase {
  readonly name: DatabaseName;
  /** For `DATABASE_URL`. */
  readonly url: string;
  open(): Promise<Database>;
  /** Deletes the database; close its connections first. */
  remove(): Promise<void>;
}

export type DatabaseName = 'sqlite' | 'postgres';

/** The databases that tests run on; `TEST_DATABASES=sqlite` (`npm run test:quick`) omits PostgreSQL. */
export const databaseNames: readonly DatabaseName[] =
  process.env.TEST_DATABASES === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres'];

export function freshDatabases(): Promise<FreshDatabase[]> {
  return Promise.all(databaseNames.map((name) => freshDatabase(name)));
}

/** @param content `migrated` copies a database with the newest schema, which is faster than a migration */
export function freshDatabase(name: DatabaseName, content: 'empty' | 'migrated' = 'empty'): Promise<FreshDatabase> {
  return name === 'sqlite' ? freshSqlite(content) : freshPostgres(content);
}

/**
 * Creates the migrated databases that `freshDatabase` copies; called once in a run.
 * @returns a function that removes them
 */
export async function makeTemplates(): Promise<() => Promise<void>> {
  const templates = await freshDatabases();
  const makeEach = templates.map(async ({ open }) => {
    const database = await open();
    await database.migrate(readMigrations());
    await database.close();
  });
  await Promise.all(makeEach);
  const [sqlite, postgres] = templates as [FreshDatabase, FreshDatabase?];
  process.env.TEST_SQLITE_TEMPLATE = sqlite.url.slice('sqlite:'.length);
  if (postgres) process.env.TEST_POSTGRES_TEMPLATE = new URL(postgres.url).pathname.slice(1);
  return async () => {
    for (const { remove } of templates) await remove();
  };
}

/**
 * The folder for test databases: in memory if the machine has at least 2 GiB free there, so that commits do not wait for the
 * disk. Tests of disks use other folders.
 */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES_MIN = 2 ** 31;

async function freshSqlite(content: 'empty' | 'migrated'): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(quickFolder(), 'purveyor-sqlite-'));
  const file = join(folder, 'store.db');
  if (content === 'migrated') await copyFile(fromSetup('TEST_SQLITE_TEMPLATE'), file);
  return {
    name: 'sqlite',
    url: `sqlite:${file}`,
    open: () => openSqlite(file),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function freshPostgres(content: 'empty' | 'migrated'): Promise<FreshDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(fromSetup('TEST_POSTGRES_URL'));
  url.pathname = `/${name}`;
  const template = content === 'migrated' ? ` template ${fromSetup('TEST_POSTGRES_TEMPLATE')}` : '';
  // Copying files takes a third of the time of copying through the WAL.
  await administrate(`create database ${name}${template} strategy file_copy`);
  return {
    name: 'postgres',
    url: url.href,
    open: () => openPostgres(url.href),
    remove: () => administrate(`drop database ${name} with (force)`),
  };
}

async function administrate(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: fromSetup('TEST_POSTGRES_URL') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** An environment variable that the global setup sets. */
function fromSetup(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Add --test-global-setup=test/support/global-setup.ts.`);
  return value;
}
