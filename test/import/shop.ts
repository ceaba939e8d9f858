/** Test fixture for imports: a store on a fresh database, files to import, and a server with images. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { type ShopifyImport as ImportOptions, importShopify } from '../../src/transfer/import/shopify/shopify.ts';
import { importWooCommerce } from '../../src/transfer/import/woocommerce/woocommerce.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { bareEnvironment } from '../support/compiled.ts';
import { type DatabaseName, databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { imageFilesIn } from '../support/files.ts';
import { READ_WRITE_KEY, Store } from '../support/store.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/purveyor.js', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Json = any;

interface Run {
  readonly status: number;
  /** Lines of stdout. */
  readonly report: string[];
  readonly errors: string;
}

/** How an import accesses the store: through its database, or over HTTP. */
export type Way = (typeof WAYS)[number];
const WAYS = ['in process', 'over HTTP'] as const;

/** Each way on one database. The Shopify import is tested with the other two combinations. */
export const EITHER_WAY = databaseNames.map((name, index) => [name, WAYS[index]!] as const);
export const THE_OTHER_WAY = databaseNames.map((name, index) => [name, WAYS[1 - index]!] as const);

/** A running store, the import command, and an image server. */
export class Shop {
  store!: Store;
  folder!: string;
  /** Paths requested from the image server. */
  requestedPaths: string[] = [];
  /** The path for which the image server responds with 404. */
  missing = '';
  importer = 'shopify';
  /** The option `--variants`. */
  variants: ImportOptions['variants'] = 'products';
  readonly #name: DatabaseName;
  readonly #way: Way;
  #database!: FreshDatabase;
  #images!: Server;
  #files = 0;

  constructor(name: DatabaseName, way: Way = 'in process') {
    this.#name = name;
    this.#way = way;
  }

  async open(): Promise<void> {
    this.#database = await freshDatabase(this.#name, 'migrated');
    this.folder = await mkdtemp(join(tmpdir(), 'purveyor-import-'));
    this.store = new Store(this.#name, this.#settings);
    await this.store.start();
    this.#images = createServer(async ({ url = '' }, response) => {
      this.requestedPaths.push(url);
      response.statusCode = url === this.missing ? 404 : 200;
      response.end(await imageOf(url));
    }).listen(0, '127.0.0.1');
    await once(this.#images, 'listening');
  }

  async close(): Promise<void> {
    await this.store.stop();
    await this.#database.remove();
    this.#images.closeAllConnections();
    this.#images.close();
    await rm(this.folder, { recursive: true });
  }

  get #isRemote(): boolean {
    return this.#way === 'over HTTP';
  }

  get #environment() {
    return { ...bareEnvironment(), IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32', ...this.#settings };
  }

  get #settings() {
    return { DATABASE_URL: this.#database.url, IMAGES_URL: `file:${join(this.folder, 'images')}` };
  }

  /** Runs `purveyor import …args` as a command. */
  command(...args: string[]): Promise<Run> {
    const command = [
      PROGRAM,
      'import',
      this.importer,
      ...args,
      `--variants=${this.variants}`,
      ...(this.#isRemote ? ['--store', this.store.address] : []),
    ];
    const env = this.#isRemote
      ? { ...bareEnvironment(), DATABASE_URL: 'sqlite:./none/none.db', PURVEYOR_KEY: READ_WRITE_KEY }
      : this.#environment;
    return new Promise((resolve) => {
      execFile(process.execPath, command, { env }, (error, output, errors) => {
        resolve({ status: error ? Number(error.code) : 0, report: linesOf(output), errors });
      });
    });
  }

  /** Runs the import in this process, which is faster. */
  async run(path: string, options: Partial<ImportOptions> = {}): Promise<Run> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const config = readConfig(this.#environment);
    const store = this.#isRemote ? { address: `${this.store.address}/api/`, key: READ_WRITE_KEY } : undefined;
    const importing = this.importer === 'shopify' ? importShopify : importWooCommerce;
    const status = await importing(
      config,
      path,
      { dryRun: false, variants: this.variants, store, ...options },
      { stdout, stderr },
    );
    stdout.end();
    stderr.end();
    return { status, report: linesOf(await text(stdout)), errors: await text(stderr) };
  }

  async file(content: string | Buffer): Promise<string> {
    this.#files += 1;
    const path = join(this.folder, `export-${this.#files}.csv`);
    await writeFile(path, content);
    return path;
  }

  /** Returns a real export with image addresses on the image server. */
  async real(name: string): Promise<string> {
    const content = await readFile(new URL(`../data/shopify-${name}.csv`, import.meta.url), 'utf8');
    return this.file(content.replaceAll('https://burst.shopifycdn.com/photos', this.imagesAddress));
  }

  get imagesAddress(): string {
    return `http://127.0.0.1:${(this.#images.address() as AddressInfo).port}`;
  }

  async records(path: string): Promise<Json[]> {
    const response = await this.store.get(path);
    assert.equal(response.status, 200, response.text);
    return response.json;
  }

  async product(sku: string): Promise<Json> {
    const [product, ...others] = await this.records(`/api/products?sku=${sku}`);
    assert.deepEqual(others, []);
    return product;
  }

  async imageFiles(): Promise<string[]> {
    return imageFilesIn(join(this.folder, 'images'));
  }

  /** Reads the ETag and the output of every record that an import can create, by path. */
  async everything(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    const collect = async (collection: string, query = '') => {
      const ids: number[] = (await this.records(`${collection}?itemsPerPage=100${query}`)).map(({ id }) => id);
      for (const id of ids) {
        const { headers, json } = await this.store.get(`${collection}/${id}`);
        found[`${collection}/${id}`] = [headers.etag, json];
      }
      return ids;
    };
    await collect('/api/tags');
    for (const category of await collect('/api/categories', '&parent=all'))
      found[`links ${category}`] = await this.records(`/api/categories/${category}/products?itemsPerPage=100`);
    const attributesOf = async (owner: string) => {
      const attributes = await collect(`${owner}/attributes_select`);
      for (const id of attributes) await collect(`${owner}/attributes_select/${id}/options`);
      return attributes;
    };
    const ofClass = new Map<number, number[]>();
    for (const id of await collect('/api/product_classes'))
      ofClass.set(id, await attributesOf(`/api/product_classes/${id}`));
    for (const id of await collect('/api/products')) {
      const own = await attributesOf(`/api/products/${id}`);
      const [, product] = found[`/api/products/${id}`] as [string, Json];
      for (const attribute of [...own, ...(ofClass.get(product.product_class?.id) ?? [])])
        await collect(`/api/products/${id}/attributes_select/${attribute}/values`);
    }
    return found;
  }
}

function linesOf(output: string): string[] {
  return output.trim().split('\n');
}

/** Creates a different image for every path. */
function imageOf(path: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(path).digest();
  return sharp({ create: { width: 8, height: 8, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}
