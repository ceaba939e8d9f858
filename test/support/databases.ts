/** Gives tests empty databases, one of each kind, that belong to nobody else. Tests run through `npm test`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../../src/adapters/postgres/database.ts';
import { openSqlite } from '../../src/adapters/sqlite/database.ts';
import type { Database } from '../../src/engine/ports.ts';

export interface FreshDatabase {
  readonly name: DatabaseName;
  /** As the store's configuration takes it. */
  readonly url: string;
  open(): Promise<Database>;
  /** Close what was opened first. */
  remove(): Promise<void>;
}

export type DatabaseName = (typeof databaseNames)[number];
export const databaseNames = ['sqlite', 'postgres'] as const;

export function freshDatabases(): Promise<FreshDatabase[]> {
  return Promise.all(databaseNames.map(freshDatabase));
}

export function freshDatabase(name: DatabaseName): Promise<FreshDatabase> {
  return name === 'sqlite' ? freshSqlite() : freshPostgres();
}

async function freshSqlite(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-sqlite-'));
  const file = join(folder, 'store.db');
  return {
    name: 'sqlite',
    url: `sqlite:${file}`,
    open: () => openSqlite(file),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function freshPostgres(): Promise<FreshDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(administratorUrl());
  url.pathname = `/${name}`;
  await administrate(`create database ${name}`);
  return {
    name: 'postgres',
    url: url.href,
    open: () => openPostgres(url.href),
    remove: () => administrate(`drop database ${name} with (force)`),
  };
}

async function administrate(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: administratorUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function administratorUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('No PostgreSQL for the tests: add --test-global-setup=test/support/global-setup.ts.');
  return url;
}
