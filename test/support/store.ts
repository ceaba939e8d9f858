/**
 * Real stores for tests of what a client sees: the server that `purveyor serve` starts, on a database and an image folder
 * of its own. `onEachDatabase` plays a table of scenarios on SQLite and on PostgreSQL; `onOneDatabase` those that are
 * decided before the store's SQL.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import type { RunningServer } from '../../src/cli/serve.ts';
import { type Answer, leave, type RequestOptions, sendRequest } from './client.ts';
import { type DatabaseName, databaseNames, freshDatabase } from './databases.ts';
import { type Tables, tablesAt } from './dump.ts';
import { imageFilesIn } from './files.ts';
import { serveBeside } from './store-threads.ts';

export const READ_WRITE_KEY = 'read-write-key-of-the-tests';
export const READ_ONLY_KEY = 'read-only-key-of-the-tests';

export type Settings = Readonly<Record<string, string>>;
export type Json = Readonly<Record<string, unknown>>;

const USUAL_SETTINGS: Settings = {
  PORT: '0',
  API_KEY_READ_WRITE: READ_WRITE_KEY,
  API_KEY_READ_ONLY: READ_ONLY_KEY,
  LANGUAGES: 'de,fr,pt-BR',
  LOG_LEVEL: 'silent',
  IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32',
  FAILED_KEYS_PER_MINUTE: '0',
  // Tests of races send more at once than a store takes as it comes; door-overload.test.ts shows what it does then.
  WAIT_MS_MAX: '0',
};

/**
 * For tests that follow what a server hears of its connections, one step after the other: it is served in the test's own
 * thread. A server in another one hears of a connection's end a moment later.
 */
export const SERVED_HERE: Settings = { TEST_SERVED: 'here' };

/** For tests of the hashes of passwords. */
export const USUAL_SECRETS: Settings = { TEST_SECRETS: 'usual' };

/** A running store, as its clients see it; requests carry the read/write key unless they say otherwise. */
export class Store {
  readonly database: DatabaseName;
  readonly #settings: Settings;
  #running:
    | { address: string; imagesFolder: string; tables: Tables; settled(): Promise<void>; stop(): Promise<void> }
    | undefined;

  constructor(database: DatabaseName, settings: Settings = {}) {
    this.database = database;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const isGiven = this.#settings.DATABASE_URL !== undefined;
    const database = isGiven ? undefined : await freshDatabase(this.database, 'migrated');
    const own = this.#settings.IMAGES_URL === undefined;
    const imagesFolder = own
      ? await mkdtemp(join(tmpdir(), 'purveyor-images-'))
      : this.#settings.IMAGES_URL!.slice('file:'.length);
    const environment = {
      ...USUAL_SETTINGS,
      DATABASE_URL: database?.url,
      IMAGES_URL: `file:${imagesFolder}`,
      ERASURES_FILE: `${imagesFolder}.erasures.jsonl`,
      ...this.#settings,
    };
    const isHere = this.#settings.TEST_SERVED === 'here';
    const tables = tablesAt(environment.DATABASE_URL!);
    const server = await (isHere ? serveHere(environment) : serveBeside(environment));
    this.#running = {
      address: server.address,
      imagesFolder,
      tables,
      settled: () => server.settled(),
      async stop() {
        leave(server.address);
        await tables.close();
        await server.stop();
        await database?.remove();
        if (own) await rm(imagesFolder, { recursive: true });
        if (own) await rm(`${imagesFolder}.erasures.jsonl`, { force: true });
      },
    };
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  /** Serves the same store again; one that was made for these tests is not left there, so its settings name it. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  get address(): string {
    return this.#running!.address;
  }

  /** Resolves when released files are removed. */
  settled(): Promise<void> {
    return this.#running!.settled();
  }

  /** Names of the image files that are kept. */
  async imageFiles(): Promise<string[]> {
    await this.settled();
    return imageFilesIn(this.#running!.imagesFolder);
  }

  /** Every row of every table, as `dumpTables` has them. */
  rows(): Promise<string[]> {
    return this.#running!.tables.read();
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    return sendRequest(this.address, method, path, { key: READ_WRITE_KEY, ...options });
  }

  get(path: string, headers?: RequestOptions['headers']): Promise<Answer> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: unknown, headers?: RequestOptions['headers']): Promise<Answer> {
    return this.request('POST', path, { body, headers });
  }

  put(path: string, body: unknown, headers?: RequestOptions['headers']): Promise<Answer> {
    return this.request('PUT', path, { body, headers });
  }

  patch(path: string, body: unknown, headers?: RequestOptions['headers']): Promise<Answer> {
    return this.request('PATCH', path, { body, headers });
  }

  delete(path: string, headers?: RequestOptions['headers']): Promise<Answer> {
    return this.request('DELETE', path, { headers });
  }

  /** Makes a record that must be taken. @returns its output */
  async made(path: string, body: Json, headers?: RequestOptions['headers']): Promise<Answer['json']> {
    const answer = await this.post(path, body, headers);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  }

  /** A product that differs from every other. @returns its output */
  product(fields: Json = {}, headers?: RequestOptions['headers']): Promise<Answer['json']> {
    products += 1;
    return this.made('/api/products', { sku: `SKU-${products}`, name: `Product ${products}`, ...fields }, headers);
  }
}

/** The program is loaded only where it runs: mostly that is another thread. */
async function serveHere(environment: Readonly<Record<string, string | undefined>>): Promise<RunningServer> {
  const { serveStore } = await import('./serving.ts');
  return serveStore(environment);
}

let products = 0;

/** One running store for each database. */
export async function startStores(settings: Settings = {}): Promise<Store[]> {
  const stores = databaseNames.map((name) => new Store(name, settings));
  await Promise.all(stores.map((store) => store.start()));
  return stores;
}

/** Declares the same tests for each database. The store runs while they run, not yet while they are declared. */
export function onEachDatabase(name: string, settings: Settings, declare: (store: Store) => void): void {
  for (const database of databaseNames) onDatabase(database, name, settings, declare);
}

/** As `onEachDatabase`, for tests that mostly wait: both databases are tried at once. */
export function onEachDatabaseAtOnce(name: string, settings: Settings, declare: (store: Store) => void): void {
  describe(`${name}, at once`, { concurrency: true }, () => onEachDatabase(name, settings, declare));
}

/**
 * Declares tests whose outcome is the same whatever the database: of connections, of the form of requests and answers, of
 * pictures before they are rows. Tests of SQL, locks or transactions belong on each (test/README.md).
 */
export function onOneDatabase(name: string, settings: Settings, declare: (store: Store) => void): void {
  onDatabase('sqlite', name, settings, declare);
}

function onDatabase(database: DatabaseName, name: string, settings: Settings, declare: (store: Store) => void): void {
  // One after the other, also where the databases take their turns at once.
  describe(`${name} (${database})`, { concurrency: 1 }, () => {
    const store = new Store(database, settings);
    before(() => store.start());
    after(() => store.stop());
    declare(store);
  });
}

/** Declares tests that need both databases at once. */
export function onBothDatabases(name: string, settings: Settings, declare: (stores: readonly Store[]) => void): void {
  describe(`${name} (both databases)`, () => {
    const stores: Store[] = [];
    before(async () => void stores.push(...(await startStores(settings))));
    after(() => Promise.all(stores.map((store) => store.stop())));
    declare(stores);
  });
}
