/**
 * Stores for tests over HTTP: the server of `purveyor serve`, with a new database and image folder. `onEachDatabase` declares
 * tests for SQLite and PostgreSQL; `onOneDatabase` declares tests of behavior that does not depend on SQL (test/README.md).
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import type { RunningServer } from '../../src/cli/serve.ts';
import { closeIdleConnections, type HttpResponse, type RequestOptions, sendRequest } from './client.ts';
import { type DatabaseName, databaseNames, freshDatabase } from './databases.ts';
import { type Tables, tablesAt } from './dump.ts';
import { imageFilesIn } from './files.ts';
import { serveInThread } from './store-threads.ts';

export const READ_WRITE_KEY = 'read-write-key-of-the-tests';
export const READ_ONLY_KEY = 'read-only-key-of-the-tests';

export type Settings = Readonly<Record<string, string>>;
export type Json = Readonly<Record<string, unknown>>;

const DEFAULT_SETTINGS: Settings = {
  PORT: '0',
  API_KEY_READ_WRITE: READ_WRITE_KEY,
  API_KEY_READ_ONLY: READ_ONLY_KEY,
  LANGUAGES: 'de,fr,pt-BR',
  LOG_LEVEL: 'silent',
  IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32',
  FAILED_KEYS_PER_MINUTE: '0',
  // Tests of races send more requests at once than admission control accepts; admission-overload.test.ts tests the limit.
  WAIT_MS_MAX: '0',
  // A process that computes for seconds may send on an idle connection before it notices that the server has closed it.
  KEEP_ALIVE_SECONDS_MAX: '120',
};

/**
 * Serves the store in the test's own thread, for tests that depend on the order of connection events. A server in the worker
 * thread notices the end of a connection a little later.
 */
export const IN_PROCESS: Settings = { TEST_SERVED: 'in process' };

/** Hashes passwords at the real cost instead of quickly. */
export const REAL_PASSWORD_HASHES: Settings = { TEST_SECRETS: 'real' };

/** A running store. By default requests have the read/write key. */
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
      ...DEFAULT_SETTINGS,
      DATABASE_URL: database?.url,
      IMAGES_URL: `file:${imagesFolder}`,
      ERASURES_FILE: `${imagesFolder}.erasures.jsonl`,
      ...this.#settings,
    };
    const isInProcess = this.#settings.TEST_SERVED === 'in process';
    const tables = tablesAt(environment.DATABASE_URL!);
    const server = await (isInProcess ? serveInProcess(environment) : serveInThread(environment));
    this.#running = {
      address: server.address,
      imagesFolder,
      tables,
      settled: () => server.settled(),
      async stop() {
        closeIdleConnections(server.address);
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

  /** Restarts the server. The settings must name the database, because `stop` deletes a database of its own. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  get address(): string {
    return this.#running!.address;
  }

  /** Waits until released files are removed. */
  settled(): Promise<void> {
    return this.#running!.settled();
  }

  /** The names of the image files, after released files are removed. */
  async imageFiles(): Promise<string[]> {
    await this.settled();
    return imageFilesIn(this.#running!.imagesFolder);
  }

  /** Every row of every table, in the format of `dumpTables`. */
  rows(): Promise<string[]> {
    return this.#running!.tables.read();
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    return sendRequest(this.address, method, path, { key: READ_WRITE_KEY, ...options });
  }

  get(path: string, headers?: RequestOptions['headers']): Promise<HttpResponse> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: unknown, headers?: RequestOptions['headers']): Promise<HttpResponse> {
    return this.request('POST', path, { body, headers });
  }

  put(path: string, body: unknown, headers?: RequestOptions['headers']): Promise<HttpResponse> {
    return this.request('PUT', path, { body, headers });
  }

  patch(path: string, body: unknown, headers?: RequestOptions['headers']): Promise<HttpResponse> {
    return this.request('PATCH', path, { body, headers });
  }

  delete(path: string, headers?: RequestOptions['headers']): Promise<HttpResponse> {
    return this.request('DELETE', path, { headers });
  }

  /** Creates a record and asserts 201. @returns its output */
  async made(path: string, body: Json, headers?: RequestOptions['headers']): Promise<HttpResponse['json']> {
    const response = await this.post(path, body, headers);
    assert.equal(response.status, 201, response.text);
    return response.json;
  }

  /** Creates a product with a new SKU and name. @returns its output */
  product(fields: Json = {}, headers?: RequestOptions['headers']): Promise<HttpResponse['json']> {
    products += 1;
    return this.made('/api/products', { sku: `SKU-${products}`, name: `Product ${products}`, ...fields }, headers);
  }
}

/** Imports the program only when needed: usually it runs in the worker thread. */
async function serveInProcess(environment: Readonly<Record<string, string | undefined>>): Promise<RunningServer> {
  const { serveStore } = await import('./serving.ts');
  return serveStore(environment);
}

let products = 0;

/** Starts one store for each database. */
export async function startStores(settings: Settings = {}): Promise<Store[]> {
  const stores = databaseNames.map((name) => new Store(name, settings));
  await Promise.all(stores.map((store) => store.start()));
  return stores;
}

/** Declares tests for each database. The store is not running yet when `declare` is called. */
export function onEachDatabase(name: string, settings: Settings, declare: (store: Store) => void): void {
  for (const database of databaseNames) onDatabase(database, name, settings, declare);
}

/** Like `onEachDatabase`, but both databases run concurrently: for tests that mostly wait. */
export function onEachDatabaseAtOnce(name: string, settings: Settings, declare: (store: Store) => void): void {
  describe(`${name}, at once`, { concurrency: true }, () => onEachDatabase(name, settings, declare));
}

/**
 * Declares tests that do not depend on the database: of connections, of the form of requests and responses, of image decoding.
 * Tests of SQL, locks or transactions need `onEachDatabase` (test/README.md).
 */
export function onOneDatabase(name: string, settings: Settings, declare: (store: Store) => void): void {
  onDatabase('sqlite', name, settings, declare);
}

function onDatabase(database: DatabaseName, name: string, settings: Settings, declare: (store: Store) => void): void {
  // Tests of one database run sequentially, even if both databases run concurrently.
  describe(`${name} (${database})`, { concurrency: 1 }, () => {
    const store = new Store(database, settings);
    before(() => store.start());
    after(() => store.stop());
    declare(store);
  });
}

/** Declares tests that compare stores on both databases. */
export function onBothDatabases(name: string, settings: Settings, declare: (stores: readonly Store[]) => void): void {
  describe(`${name} (both databases)`, () => {
    const stores: Store[] = [];
    before(async () => void stores.push(...(await startStores(settings))));
    after(() => Promise.all(stores.map((store) => store.stop())));
    declare(stores);
  });
}
