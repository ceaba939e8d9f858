/** Clients that write to all collections that followers of the change feed copy, singly and in bulk, through any server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import { KEY } from './server.ts';

/** Few records of each kind, so that writes conflict. */
const SLOTS = 30;
const NAMES = { tags: 8, memberships: 3, stickers: 3, tax_classes: 3, product_classes: 3 };
const BULK_LINES = 40;
const BULK_SECONDS_MAX = 30;
const AWAY_MS = 20;

const CATALOG_WRITES = {
  product: 12,
  price: 12,
  stock: 6,
  german: 4,
  'delete product': 4,
  category: 8,
  move: 4,
  'delete category': 3,
};
const OTHER_WRITES = { name: 8, 'delete name': 4, order: 5, status: 5, language: 2 };
const BULKS = {
  'products in bulk': 4,
  'stock in bulk': 2,
  'names in bulk': 2,
  'categories in bulk': 2,
  'orders in bulk': 2,
};
/** How often each kind of write is sent, relative to the others. */
const WEIGHTS = { ...CATALOG_WRITES, ...OTHER_WRITES, ...BULKS };

type CatalogWrite = keyof typeof CATALOG_WRITES;
type OtherWrite = keyof typeof OTHER_WRITES;
type Bulk = keyof typeof BULKS;
type Collection = keyof typeof NAMES;

/** The random content of a write. Each kind of write uses a part of it. */
interface RandomWrite {
  readonly client: Client;
  readonly random: Random;
  readonly text: string;
  readonly id: number;
  readonly collection: Collection;
  readonly links: { readonly tags: string[]; readonly memberships: string[]; readonly tax_class: string };
}

/** Expected: another client was faster, or a restore removed the record. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 412, 422]);

export class FollowedWriters {
  readonly #addresses: readonly string[];
  readonly #seed: number;
  readonly #clients: number;
  #rounds = 0;
  #isEnded = false;
  #untilResumed: Promise<void> = Promise.resolve();
  #resume: () => void = () => {};
  #writing = 0;
  acknowledged = 0;
  withoutResponse = 0;

  constructor(addresses: readonly string[], seed: number, clients: number) {
    this.#addresses = addresses;
    this.#seed = seed;
    this.#clients = clients;
  }

  /** Writes until `end` is called. @throws {Broken} for an unexpected response */
  async run(): Promise<void> {
    this.#isEnded = false;
    this.#rounds += 1;
    await Promise.all(Array.from({ length: this.#clients }, (_, number) => this.#client(number)));
  }

  /** Pauses new writes. Resolves when every write in progress has an outcome. */
  async pause(): Promise<void> {
    this.#untilResumed = new Promise((resolve) => {
      this.#resume = resolve;
    });
    while (this.#writing > 0) await sleep(AWAY_MS);
  }

  resume(): void {
    this.#resume();
  }

  end(): void {
    this.#isEnded = true;
    this.#resume();
  }

  async #client(number: number): Promise<void> {
    const random = new Random(this.#seed, `writer ${this.#rounds} ${number}`);
    const clients = this.#addresses.map((address) => new Client(address));
    while (!this.#isEnded) {
      await this.#untilResumed;
      this.#writing += 1;
      const hasResponded = await this.#write(random.pick(clients), random).finally(() => {
        this.#writing -= 1;
      });
      if (!hasResponded) await sleep(AWAY_MS);
    }
    for (const client of clients) client.close();
  }

  /** Sends a random write. @returns whether a server responded */
  async #write(client: Client, random: Random): Promise<boolean> {
    const write: RandomWrite = {
      client,
      random,
      text: `${random.whole(0, 1e6)} \u2028 “☀️”`,
      id: random.whole(1, SLOTS * 2),
      collection: random.pick(Object.keys(NAMES) as Collection[]),
      links: {
        tags: [nameIn('tags', random), nameIn('tags', random)],
        memberships: [nameIn('memberships', random)],
        tax_class: nameIn('tax_classes', random),
      },
    };
    const what = random.weighted(WEIGHTS);
    if (what in BULKS) return this.#writeBulk(what as Bulk, write);
    return what in CATALOG_WRITES
      ? this.#writeCatalog(what as CatalogWrite, write)
      : this.#writeOther(what as OtherWrite, write);
  }

  #writeCatalog(what: CatalogWrite, { client, random, text, id, links }: RandomWrite): Promise<boolean> {
    switch (what) {
      case 'product':
        return this.#send(client, 'POST', '/products', { sku: skuOf(random), name: text, price: 1, tags: links.tags });
      case 'price':
        return this.#send(client, 'PATCH', `/products/${id}`, { price: random.whole(0, 1e6), name: text, ...links });
      case 'stock':
        return this.#send(client, 'POST', `/products/${id}/stock`, { delta: random.whole(-2, 3) });
      case 'german':
        return this.#send(client, 'PUT', `/products/${id}/translations/de`, { name: text });
      case 'delete product':
        return this.#send(client, 'DELETE', `/products/${id}`);
      case 'category': {
        const parent = random.chance(0.7) ? random.whole(1, SLOTS) : null;
        return this.#send(client, 'POST', '/categories', { name: text, parent, memberships: links.memberships });
      }
      case 'move': {
        const target = { parent: random.whole(1, SLOTS), position: random.whole(0, 9) };
        return this.#send(client, 'PUT', `/categories/${id}/move`, target);
      }
      case 'delete category':
        return this.#send(client, 'DELETE', `/categories/${id}`);
    }
  }

  #writeOther(what: OtherWrite, { client, random, text, id, collection }: RandomWrite): Promise<boolean> {
    switch (what) {
      case 'name':
        return random.chance(0.5)
          ? this.#send(client, 'POST', `/${collection}`, { name: nameIn(collection, random) })
          : this.#send(client, 'PATCH', `/${collection}/${random.whole(1, 12)}`, { name: nameIn(collection, random) });
      case 'delete name':
        return this.#send(client, 'DELETE', `/${collection}/${random.whole(1, 12)}`);
      case 'order': {
        const items = [{ sku: skuOf(random), amount: 1 }];
        return this.#send(client, 'POST', '/orders', { email: 'ada@example.com', items });
      }
      case 'status':
        return this.#send(client, 'PUT', `/orders/${id}/payment_status`, { code: random.pick(['Q', 'P', 'C', 'D']) });
      case 'language':
        return random.chance(0.5)
          ? this.#send(client, 'DELETE', '/languages/fr')
          : this.#send(client, 'POST', '/languages', { code: 'fr', name: text });
    }
  }

  #writeBulk(what: Bulk, { client, random, text, collection, links }: RandomWrite): Promise<boolean> {
    switch (what) {
      case 'products in bulk':
        return this.#bulk(client, 'products', random, () =>
          random.chance(0.1)
            ? { op: 'delete', key: skuOf(random) }
            : { sku: skuOf(random), name: text, price: random.whole(0, 99), ...(random.chance(0.2) && links) },
        );
      case 'stock in bulk':
        return this.#bulk(client, 'products/stock', random, () => ({
          sku: skuOf(random),
          amount: random.whole(0, 99),
        }));
      case 'names in bulk':
        return this.#bulk(client, collection, random, () =>
          random.chance(0.2) ? { op: 'delete', key: nameIn(collection, random) } : { name: nameIn(collection, random) },
        );
      case 'categories in bulk':
        return this.#bulk(client, 'categories', random, () =>
          random.chance(0.1)
            ? { op: 'delete', key: `c-${random.whole(1, SLOTS)}` }
            : { name: text, clean_url: `c-${random.whole(1, SLOTS)}`, parent: random.whole(1, SLOTS) },
        );
      case 'orders in bulk':
        return this.#bulk(client, 'orders', random, () => ({
          order_number: `N-${random.whole(1, 1000)}`,
          email: 'ada@example.com',
          items: [{ sku: skuOf(random), amount: 1 }],
        }));
    }
  }

  async #bulk(client: Client, collection: string, random: Random, line: () => object): Promise<boolean> {
    const lines = Array.from({ length: random.whole(1, BULK_LINES) }, () => `${JSON.stringify(line())}\n`);
    const atomic = random.chance(0.3) ? '?atomic' : '';
    try {
      const response = await fetch(`${client.address}/api/${collection}/bulk${atomic}`, {
        method: 'POST',
        headers: { 'x-auth-token': KEY, 'content-type': 'application/x-ndjson' },
        body: lines.join(''),
        signal: AbortSignal.timeout(BULK_SECONDS_MAX * 1000),
      });
      const { status } = response;
      const text = await response.text();
      const failed = text.split('\n').filter((each) => /"result":"failed"/.test(each));
      for (const each of failed) this.#judge(JSON.parse(each).status, `a line of ${collection}/bulk`, each);
      return this.#judge(status, `${collection}/bulk`, text);
    } catch (error) {
      if (error instanceof Broken) throw error;
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') return false;
      this.withoutResponse += 1;
      return false;
    }
  }

  async #send(client: Client, method: string, path: string, body?: object): Promise<boolean> {
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : undefined;
    const response = await client.send(method, `/api${path}`, body, headers);
    // The request never reached a server.
    if ('why' in response && !response.sent) return false;
    return this.#judge(response.status, `${method} ${path}`, 'why' in response ? response.why : response.text);
  }

  #judge(status: number, what: string, text: string): boolean {
    if (status >= 200 && status < 300) this.acknowledged += 1;
    else if (status === 0 || status === 503) this.withoutResponse += 1;
    else if (!REFUSALS.has(status)) {
      this.#isEnded = true;
      throw new Broken(`${what}: ${status} ${text}`);
    }
    return status !== 0;
  }
}

function skuOf(random: Random): string {
  return `SKU-${random.whole(1, SLOTS)}`;
}

function nameIn(collection: Collection, random: Random): string {
  return `${collection} ${random.whole(1, NAMES[collection])} \u2028 é`;
}
