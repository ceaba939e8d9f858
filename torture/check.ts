/**
 * Compares a store with the ledger: over HTTP, in the image folder, and with the integrity checks of the database. Every
 * record must be explained by a write, and every acknowledged write must be present.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWNER_FILE } from '../src/adapters/images-disk/index.ts';
import { releaseLeftFiles, sweepFiles } from '../src/engine/unit/released-files.ts';
import { readConfig } from '../src/wiring/config.ts';
import { openStore } from '../src/wiring/open.ts';
import { Client } from './client.ts';
import { Broken, type Ledger, type State } from './ledger.ts';
import { STOCK_SKUS, STOCK_UNITS } from './load.ts';
import type { StoreLocation } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: records as the store shows them
type Shown = any;

/** Remembers between checks which record has which id, and the orders, which are never deleted. */
export class Checker {
  readonly #ledger: Ledger;
  readonly #location: StoreLocation;
  readonly #missing: Set<string> | undefined;
  /** `product 7` → its SKU. An id is never reused, even after its record was deleted. */
  readonly #holders = new Map<string, string>();
  readonly #orders = new Map<string, { id: number; state: State }>();
  #newestOrder = 0;
  files = 0;
  orphans = 0;

  /** @param missing receives missing image files; if undefined, a missing file is a failure */
  constructor(ledger: Ledger, location: StoreLocation, missing?: Set<string>) {
    this.#ledger = ledger;
    this.#location = location;
    this.#missing = missing;
  }

  /** @param everything read all orders, not only those written since the last check */
  async check(address: string, everything = false): Promise<void> {
    const client = new Client(address);
    try {
      const stock = await this.#checkProducts(client);
      await this.#checkOrders(client, everything);
      this.#checkSum(stock);
    } finally {
      client.close();
    }
    this.#checkDatabase();
  }

  async #checkProducts(client: Client): Promise<Map<string, number>> {
    const stock = new Map<string, number>();
    const seen = new Set<string>();
    const named = new Set<string>();
    for await (const product of pages(client, '/api/products?itemsPerPage=100')) {
      this.#hold('product', product.id, product.sku);
      const state = this.#stateOf(product, named);
      if (STOCK_SKUS.includes(product.sku)) {
        stock.set(product.sku, product.amount);
        continue;
      }
      if (seen.has(product.sku)) throw new Broken(`There are two products ${product.sku}.`);
      seen.add(product.sku);
      this.#ledger.check(product.sku, state, product.id);
    }
    const orders = new Set(this.#orders.keys());
    for (const [subject, { found }] of [...this.#ledger.subjects]) {
      const isOrder =
        orders.has(subject) ||
        found?.kind === 'order' ||
        this.#ledger.possible(subject).some((state) => state?.kind === 'order');
      if (!isOrder && !seen.has(subject)) this.#ledger.check(subject, null, undefined);
    }
    this.#checkFiles(named);
    return stock;
  }

  #stateOf(product: Shown, named: Set<string>): State {
    const { name, brief_description, meta_title, price } = product;
    const texts = [...new Set([name, brief_description, meta_title])];
    const images = Object.fromEntries(
      product.images.map(({ id, alt, url }: Shown) => {
        this.#hold('image', id, product.sku);
        const file = basename(new URL(url).pathname);
        named.add(file);
        return [String(id), { alt, digest: file.split('.')[0]! }];
      }),
    );
    // Each write sets all three texts, so different texts are a partial write.
    return { kind: 'product', nonce: texts.join(' and '), price, images };
  }

  async #checkOrders(client: Client, everything: boolean): Promise<void> {
    const known = everything ? 0 : this.#newestOrder;
    const left = new Set(this.#ledger.touched());
    const seen = new Set<string>();
    for await (const order of pages(client, '/api/orders?itemsPerPage=100&order[id]=desc')) {
      if (order.id <= known) break;
      if (seen.has(order.notes)) throw new Broken(`The order ${order.notes} was placed twice.`);
      seen.add(order.notes);
      this.#checkOrder(order);
      left.delete(order.notes);
    }
    if (everything)
      for (const notes of this.#orders.keys()) if (!seen.has(notes)) throw new Broken(`The order ${notes} is missing.`);
    for (const notes of left) {
      const placed = this.#orders.get(notes);
      if (placed === undefined) this.#ledger.check(notes, null, undefined);
      else this.#checkOrder((await client.expect('GET', `/api/orders/${placed.id}`)).json);
    }
  }

  #checkOrder(order: Shown): void {
    this.#hold('order', order.id, order.notes);
    const [item] = order.items;
    const state: State = { kind: 'order', sku: item.sku, amount: item.amount, status: order.payment_status.code };
    this.#ledger.check(order.notes, state, order.id);
    this.#orders.set(order.notes, { id: order.id, state });
    this.#newestOrder = Math.max(this.#newestOrder, order.id);
  }

  /** The stock plus the units in orders must equal the initial stock. */
  #checkSum(stock: Map<string, number>): void {
    for (const sku of STOCK_SKUS) {
      let held = 0;
      for (const { state } of this.#orders.values())
        if (state?.kind === 'order' && state.sku === sku && state.status === 'Q') held += state.amount;
      if (stock.get(sku)! + held !== STOCK_UNITS)
        throw new Broken(`${sku}: ${stock.get(sku)} in stock and ${held} in orders are not ${STOCK_UNITS}.`);
    }
  }

  /** Every file that a row names must exist and match its hash. Orphaned files are allowed: the sweep deletes them. */
  #checkFiles(named: ReadonlySet<string>): void {
    for (const name of named) {
      const path = pathOf(this.#location, name);
      if (!existsSync(path)) {
        if (!this.#missing) throw new Broken(`The image file ${name} is missing, but a row names it.`);
        this.#missing.add(name);
        continue;
      }
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
      if (digest !== name.split('.')[0]) throw new Broken(`The image file ${name} has the hash ${digest}.`);
    }
    this.files = named.size;
    this.orphans = storedFiles(this.#location).filter((name) => !named.has(name)).length;
  }

  #checkDatabase(): void {
    if (this.#location.file === undefined) return;
    const database = new DatabaseSync(this.#location.file, { readOnly: true, timeout: 5000 });
    try {
      const integrity = database.prepare('PRAGMA integrity_check').all();
      const [first] = integrity as { integrity_check: string }[];
      if (integrity.length !== 1 || first!.integrity_check !== 'ok')
        throw new Broken(`integrity_check: ${JSON.stringify(integrity)}`);
      const foreign = database.prepare('PRAGMA foreign_key_check').all();
      if (foreign.length > 0) throw new Broken(`foreign_key_check: ${JSON.stringify(foreign)}`);
    } finally {
      database.close();
    }
  }

  #hold(kind: string, id: number, holder: string): void {
    const key = `${kind} ${id}`;
    const before = this.#holders.get(key) ?? holder;
    this.#holders.set(key, before);
    if (before !== holder)
      throw new Broken(`The id of ${key} was reused: it belonged to ${before} and now belongs to ${holder}.`);
  }

  /** Checks that the sweep deletes orphaned files and no others. The server must be stopped. @returns the number deleted */
  async checkSweep(): Promise<number> {
    const before = storedFiles(this.#location).length;
    const longAgo = new Date(Date.now() - 48 * 3600 * 1000);
    for (const path of filesBelow(this.#location.imagesFolder)) utimesSync(path, longAgo, longAgo);
    const environment = { DATABASE_URL: this.#location.databaseUrl, IMAGES_URL: `file:${this.#location.imagesFolder}` };
    const { service, close } = await openStore(readConfig(environment));
    const { signal } = new AbortController();
    const later = { ...service, clock: { ...service.clock, now: () => service.clock.now() + 48 * 3600 } };
    await releaseLeftFiles(later, signal);
    await sweepFiles(later, signal);
    await close();
    const after = storedFiles(this.#location).length;
    if (after !== this.files)
      throw new Broken(`After the sweep there are ${after} image files, but rows name ${this.files}.`);
    const left = readdirSync(join(this.#location.imagesFolder, 'tmp'));
    if (left.length > 0) throw new Broken(`After the sweep tmp still contains ${left.join(', ')}.`);
    return before - after;
  }
}

async function* pages(client: Client, path: string): AsyncGenerator<Shown> {
  for (let page = 1; ; page += 1) {
    const { json } = await client.expect('GET', `${path}&page=${page}`);
    yield* json;
    if (json.length < 100) return;
  }
}

function pathOf({ imagesFolder }: StoreLocation, name: string): string {
  return join(imagesFolder, name.slice(0, 2), name.slice(2, 4), name);
}

/** Returns the names of all complete image files. */
export function storedFiles({ imagesFolder }: StoreLocation): string[] {
  return filesBelow(imagesFolder)
    .filter((path) => !path.startsWith(join(imagesFolder, 'tmp')) && basename(path) !== OWNER_FILE)
    .map((path) => basename(path));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
