/** A store in a separate process, controlled by the command line: served, filled, killed and copied. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Ended, Folder, type Running } from '../cli/program.ts';
import { closeIdleConnections, type HttpResponse, type RequestOptions, sendRequest } from './client.ts';
import { type DatabaseName, type FreshDatabase, freshDatabase } from './databases.ts';
import { imageFilesIn } from './files.ts';
import { attached, png } from './images.ts';
import { type StartLine, startOf } from './start-line.ts';

const KEY = 'read-write-key-of-the-shop';

export class Shop {
  readonly folder: Folder;
  readonly database: FreshDatabase;
  readonly #settings: Record<string, string>;
  #serving: Running | undefined;
  #address = '';

  private constructor(folder: Folder, database: FreshDatabase, settings: Record<string, string>) {
    this.folder = folder;
    this.database = database;
    this.#settings = settings;
  }

  static async make(name: DatabaseName, settings: Record<string, string> = {}): Promise<Shop> {
    return new Shop(await Folder.make(), await freshDatabase(name), settings);
  }

  get environment(): Record<string, string> {
    return {
      DATABASE_URL: this.database.url,
      IMAGES_URL: `file:${this.imagesFolder}`,
      API_KEY_READ_WRITE: KEY,
      LANGUAGES: 'de',
      LOG_LEVEL: 'silent',
      // The responses of old stores contain addresses of this shop.
      SHOP_URL: 'http://store',
      FAILED_KEYS_PER_MINUTE: '0',
      ...this.#settings,
    };
  }

  get imagesFolder(): string {
    return this.path('images');
  }

  /** The path of a file or folder of this shop. */
  path(name: string): string {
    return join(this.folder.path, name);
  }

  start(...args: string[]): Running {
    return this.folder.start(args, this.environment);
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  async serve(): Promise<StartLine> {
    this.#serving = this.start('serve');
    const start = await startOf(this.#serving);
    this.#address = start.address;
    return start;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#address !== '') closeIdleConnections(this.#address);
    this.#serving?.signal(signal);
    await this.#serving?.ended;
    this.#serving = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.folder.remove();
    await this.database.remove();
  }

  get address(): string {
    return this.#address;
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    return sendRequest(this.#address, method, path, { key: KEY, ...options });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  async made(path: string, body: unknown, headers: RequestOptions['headers'] = {}): Promise<any> {
    const response = await this.request('POST', path, { body, headers });
    assert.equal(response.status, 201, response.text);
    return response.json;
  }

  async addImage(product: number, size = 20): Promise<{ id: number; url: string }> {
    const { id, url } = await this.made(`/api/products/${product}/images`, await attached(png(size, size)));
    return { id, url };
  }

  /** Downloads an image without a key. */
  async imageBytes(url: string): Promise<Buffer> {
    const response = await this.request('GET', new URL(url).pathname, { key: null });
    assert.equal(response.status, 200, url);
    return response.bytes;
  }

  /** All pages of these lists as one text, with the store's origin replaced, for comparison. */
  async responses(paths: readonly string[] = LISTS): Promise<string> {
    const texts: string[] = [];
    for (const path of paths)
      for (let page = 1; ; page += 1) {
        const response = await this.request('GET', `${path}?page=${page}&itemsPerPage=100`);
        assert.equal(response.status, 200, response.text);
        texts.push(`${path} ${page}\n${response.text.replaceAll(this.#address, 'http://store')}\n`);
        if (response.json.length < 100) break;
      }
    return texts.join('');
  }

  /** The names of the image files. */
  async imageFiles(): Promise<string[]> {
    return imageFilesIn(this.imagesFolder);
  }
}

const LISTS = ['/api/products', '/api/categories', '/api/orders', '/api/languages', '/api/tags', '/api/memberships'];

/** Creates some of everything that a backup contains: a tree, two languages, images, orders, idempotency records. */
export async function fill(shop: Shop, products = 6): Promise<void> {
  const root = await shop.made('/api/categories', { name: 'All' });
  const below = await shop.made('/api/categories', { name: 'Below', parent: root.id });
  const tag = await shop.made('/api/tags', { name: 'Summer, “☀️” \u2028 é' });
  for (let number = 1; number <= products; number += 1) {
    const product = await shop.made('/api/products', {
      sku: `SKU-${number}`,
      name: `Product ${number}`,
      price: number + 0.0099,
      tags: [tag.name],
    });
    await shop.made(`/api/categories/${below.id}/products`, { product_id: product.id }).catch(() => {});
    await shop.request('PATCH', `/api/products/${product.id}`, {
      body: { name: `Produkt ${number}` },
      headers: { 'accept-language': 'de' },
    });
    await shop.addImage(product.id);
  }
  for (const email of ['ada@example.com', 'bob@example.com'])
    await shop.made('/api/orders', { email, items: [{ product_id: 1, amount: 2 }] }, { 'idempotency-key': email });
  // The highest identifier is used, but no row has it.
  const deleted = await shop.made('/api/products', { sku: 'GONE', name: 'Gone' });
  assert.equal((await shop.request('DELETE', `/api/products/${deleted.id}`)).status, 204);
}
