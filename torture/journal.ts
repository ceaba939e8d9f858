/**
 * Several clients write concurrently to few records of one store, through one or several servers, which are killed and
 * restarted. At the end the journal must match the tables: no entry is lost, duplicated or out of order, and every
 * acknowledged write has one. A follower of the journal must never find that a position it passed is filled later. Followers
 * of the change feed must end with copies of the store.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../src/adapters/postgres/database.ts';
import type { Database } from '../src/engine/ports.ts';
import { orderChanges } from '../src/engine/unit/journal-order.ts';
import { readConfig } from '../src/wiring/config.ts';
import { openStore } from '../src/wiring/open.ts';
import { assertInOrder, type Entry, entriesAfter, versionsIn } from '../test/support/journal.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { Client, type HttpResponse } from './client.ts';
import { FeedFollower } from './feed-follower.ts';
import { KilledByWrites } from './killed-by-writes.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server, type StoreLocation } from './server.ts';

export interface JournalOptions {
  /** Number of requests, including failed ones. */
  readonly operations: number;
  /** Average number of requests between kills. */
  readonly killEvery: number;
  /** Uses two servers on PostgreSQL; if undefined, one server on SQLite. */
  readonly postgresUrl?: string | undefined;
}

export interface JournalResult {
  readonly acknowledged: number;
  readonly withoutResponse: number;
  readonly refused: number;
  readonly kills: number;
  readonly entries: number;
  /** Interruptions of the followers of the change feed. */
  readonly interruptions: number;
}

const CLIENTS = 8;

export async function journal({ seed, folder, say }: Run, options: JournalOptions): Promise<JournalResult> {
  const { postgresUrl, operations, killEvery } = options;
  const location = placeIn(folder, postgresUrl);
  const ports = await Promise.all(Array.from({ length: postgresUrl === undefined ? 1 : 2 }, freePort));
  const servers: Server[] = [];
  const addresses: string[] = [];
  const start = async (index: number): Promise<void> => {
    const environment = { PORT: String(ports[index]), BASE_URL: 'http://store.test', LANGUAGES: 'de' };
    servers[index] = new Server(location, { environment });
    addresses[index] = await servers[index].ready();
  };
  const killing = new KilledByWrites(servers, start, new Random(seed, 'kills'), killEvery);
  let follower: Follower | undefined;
  const followers: FeedFollower[] = [];
  const follow = (kind: 'pages' | 'stream', name: string): void => {
    followers.push(new FeedFollower(kind, name, addresses, seed));
  };
  const writers = new Writers(addresses, seed);
  try {
    for (const index of ports.keys()) await start(index);
    if (postgresUrl !== undefined) follower = new Follower(await openPostgres(postgresUrl));
    follow('pages', 'a follower by pages');
    follow('stream', 'a follower of the stream');
    writers.each = (count) => {
      if (count === Math.floor(operations / 2)) follow('pages', 'a follower that came late');
      if (count < operations) killing.written(count);
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => writers.run(number, operations)));
    await killing.settled();
    for (const each of followers) await each.catchUp();
    const living = await livingIn(location);
    for (const each of followers) await each.assertIsCopy(living);
    for (const each of followers) await each.stop();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw new Broken(error.message);
    throw error;
  } finally {
    for (const server of servers) await server.end('SIGKILL');
    await follower?.stop();
  }
  writeFileSync(join(folder, 'acknowledged.json'), JSON.stringify(writers.acknowledged));
  const entries = await checkJournal(location, writers.acknowledged, follower?.entries ?? []);
  const { acknowledged, withoutResponse, refused } = writers;
  const interruptions = followers.reduce((sum, each) => sum + each.interruptions, 0);
  say(
    `${acknowledged.length} writes acknowledged, ${withoutResponse} without a response, ${refused} rejected, ${killing.kills} kills: ` +
      `${entries} entries, none lost, duplicated or out of order. ${followers.length} followers of the feed were ` +
      `interrupted ${interruptions} times; their copies equal the store.`,
  );
  return { acknowledged: acknowledged.length, withoutResponse, refused, kills: killing.kills, entries, interruptions };
}

/** Returns the version of every existing record, by the path in its last entry. */
async function livingIn({ databaseUrl, imagesFolder }: StoreLocation): Promise<Map<string, number>> {
  const environment = { DATABASE_URL: databaseUrl, IMAGES_URL: `file:${imagesFolder}` };
  const { service, close } = await openStore(readConfig(environment));
  try {
    await orderChanges(service);
    const paths = new Map(
      (await entriesAfter(service.database, 0)).map(({ resource, record, path }) => [`${resource} ${record}`, path]),
    );
    const versions = await versionsIn(service.database);
    return new Map([...versions].map(([key, version]) => [paths.get(key)!, version]));
  } finally {
    await close();
  }
}

/** Checks the journal. @returns the number of entries @throws {Broken} if it does not match the writes */
async function checkJournal(
  { databaseUrl, imagesFolder }: StoreLocation,
  acknowledged: readonly Acknowledged[],
  followed: readonly Entry[],
): Promise<number> {
  const environment = { DATABASE_URL: databaseUrl, IMAGES_URL: `file:${imagesFolder}` };
  const { service, close } = await openStore(readConfig(environment));
  try {
    await orderChanges(service);
    const entries = await entriesAfter(service.database, 0);
    assertInOrder(entries, await versionsIn(service.database));
    assertFollowed(followed, entries);
    assertAcknowledged(acknowledged, entries);
    assertWithoutGaps(entries);
    return entries.length;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw new Broken(error.message);
    throw error;
  } finally {
    await close();
  }
}

/** The follower must have read every entry once and in order: none was added at a position that it had passed. */
function assertFollowed(followed: readonly Entry[], entries: readonly Entry[]): void {
  for (const [index, entry] of followed.entries())
    assert.deepEqual(entry, entries[index], `what a follower read at ${entry.position} is the journal’s entry there`);
}

function assertAcknowledged(acknowledged: readonly Acknowledged[], entries: readonly Entry[]): void {
  const recorded = new Set(
    entries.flatMap(({ resource, record, kind, version }) => [
      `${resource} ${record} at ${version}`,
      ...(kind === 'updated' ? [] : [`${resource} ${record} ${kind}`]),
    ]),
  );
  for (const { resource, id, what } of acknowledged)
    assert.ok(recorded.has(`${resource} ${id} ${what}`), `the journal has no entry for ${resource} ${id} ${what}`);
}

/** In this run each unit of work increments a record's version by one, so a missing version is a lost entry. */
function assertWithoutGaps(entries: readonly Entry[]): void {
  const known = new Map<string, number>();
  for (const { resource, record, version, position } of entries) {
    const key = `${resource} ${record}`;
    assert.equal(version, (known.get(key) ?? 0) + 1, `the version of ${key} at ${position}`);
    known.set(key, version);
  }
}

/** Reads the journal during the run. */
class Follower {
  readonly entries: Entry[] = [];
  readonly #database: Database;
  readonly #reading: Promise<void>;
  #isStopped = false;

  constructor(database: Database) {
    this.#database = database;
    this.#reading = this.#read();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reading.finally(() => this.#database.close());
  }

  async #read(): Promise<void> {
    while (!this.#isStopped) {
      this.entries.push(...(await entriesAfter(this.#database, this.entries.at(-1)?.position ?? 0)));
      await pause(FOLLOWER_PAUSE_MS);
    }
  }
}

const FOLLOWER_PAUSE_MS = 10;

/** A result in a response: `created`, `deleted`, or `at` a version. */
interface Acknowledged {
  readonly resource: string;
  readonly id: number | string;
  readonly what: string;
}

/** Identifiers of the few records that are written, by resource. A deleted one is replaced. */
type Slots = Record<'Product' | 'Category' | 'Tag' | 'Order', (number | undefined)[]>;

const WEIGHTS = {
  product: 20,
  tags: 6,
  stock: 12,
  german: 6,
  'no german': 3,
  'delete product': 3,
  category: 8,
  move: 2,
  'delete category': 2,
  link: 8,
  unlink: 4,
  tag: 3,
  'delete tag': 2,
  order: 4,
  status: 8,
  tracking: 4,
};

/** Expected: another client was faster. The record was deleted (400 if it is a parent in the path), exists or has changed. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 412, 422]);
const UNAVAILABLE = 503;

export class Writers {
  readonly acknowledged: Acknowledged[] = [];
  withoutResponse = 0;
  refused = 0;
  each: (count: number) => void = () => {};
  readonly #addresses: readonly string[];
  readonly #seed: number;
  readonly #slots: Slots = { Product: [], Category: [], Tag: [], Order: [] };
  #count = 0;
  #isBroken = false;
  #names = 0;

  constructor(addresses: readonly string[], seed: number) {
    this.#addresses = addresses;
    this.#seed = seed;
  }

  async run(number: number, operations: number): Promise<void> {
    const random = new Random(this.#seed, `writer ${number}`);
    const clients = new Map<string, Client>();
    while (this.#count < operations && !this.#isBroken) {
      const address = random.pick(this.#addresses);
      const client = clients.get(address) ?? new Client(address);
      clients.set(address, client);
      const hasResponded = await this.#write(client, random, random.weighted(WEIGHTS));
      // A stopped server rejects connections faster than it restarts.
      if (!hasResponded) await pause(5);
    }
    for (const client of clients.values()) client.close();
  }

  async #write(client: Client, random: Random, what: keyof typeof WEIGHTS): Promise<boolean> {
    const slot = random.whole(0, SLOTS - 1);
    const text = String(random.whole(0, 1e6));
    const { Product, Category, Tag, Order } = this.#slots;
    const product = Product[slot];
    if (product === undefined) {
      const body = { sku: this.#name('S'), name: text, price: 1, amount: 5, tags: [`Tag ${slot}`] };
      return this.#create(client, 'Product', slot, '/products', body);
    }
    const category = Category[slot];
    const order = Order[slot];
    const tag = Tag[slot];
    const tracked = (resource: keyof Slots, id: number, method: string, path: string, body?: object) =>
      this.#change(client, resource, id, method, path, body);
    switch (what) {
      case 'product':
        return tracked('Product', product, 'PATCH', `/products/${product}`, { name: text, price: Number(text) });
      case 'tags': {
        const tags = [...new Set([slot, random.whole(0, SLOTS - 1)])].map((one) => `Tag ${one}`);
        return tracked('Product', product, 'PATCH', `/products/${product}`, { tags });
      }
      case 'stock':
        return tracked('Product', product, 'POST', `/products/${product}/stock`, { delta: random.whole(-2, 3) });
      case 'german':
        return tracked('Product', product, 'PUT', `/products/${product}/translations/de`, { name: text });
      case 'no german':
        return this.#send(client, 'DELETE', `/products/${product}/translations/de`);
      case 'delete product':
        return this.#delete(client, 'Product', slot, `/products/${product}`);
      default:
    }
    if (category === undefined) return this.#create(client, 'Category', slot, '/categories', { name: text });
    switch (what) {
      case 'category':
        return tracked('Category', category, 'PATCH', `/categories/${category}`, { name: text });
      case 'move':
        return tracked('Category', category, 'PUT', `/categories/${category}/move`, {
          parent: random.pick(Category) ?? null,
          position: random.whole(0, 9),
        });
      case 'delete category':
        return this.#delete(client, 'Category', slot, `/categories/${category}`);
      case 'link':
        return tracked('Category', category, 'POST', `/categories/${category}/products`, {
          product_id: random.pick(Product) ?? product,
          position: random.whole(0, 9),
        });
      case 'unlink':
        return this.#send(client, 'DELETE', `/categories/${category}/products/${random.pick(Product) ?? product}`);
      default:
    }
    if (what === 'tag' || what === 'delete tag') {
      if (tag === undefined) return this.#create(client, 'Tag', slot, '/tags', { name: this.#name('T') });
      return what === 'delete tag'
        ? this.#delete(client, 'Tag', slot, `/tags/${tag}`)
        : tracked('Tag', tag, 'PATCH', `/tags/${tag}`, { name: this.#name('T') });
    }
    if (what === 'order' || order === undefined) {
      const items = [{ product_id: product, amount: 1 }];
      return this.#create(client, 'Order', slot, '/orders', { email: 'ada@example.com', items });
    }
    if (what === 'tracking') return this.#send(client, 'POST', `/orders/${order}/tracking_numbers`, { value: text });
    return this.#send(client, 'PUT', `/orders/${order}/payment_status`, { code: random.pick(STATUSES) });
  }

  async #create(client: Client, resource: keyof Slots, slot: number, path: string, body: object): Promise<boolean> {
    return this.#send(client, 'POST', path, body, (response) => {
      const { id } = response.json;
      this.#slots[resource][slot] = id;
      this.acknowledged.push({ resource, id, what: 'created' });
    });
  }

  async #delete(client: Client, resource: keyof Slots, slot: number, path: string): Promise<boolean> {
    const id = this.#slots[resource][slot]!;
    this.#slots[resource][slot] = undefined;
    return this.#send(client, 'DELETE', path, undefined, () =>
      this.acknowledged.push({ resource, id, what: 'deleted' }),
    );
  }

  async #change(
    client: Client,
    resource: keyof Slots,
    id: number,
    method: string,
    path: string,
    body?: object,
  ): Promise<boolean> {
    return this.#send(client, method, path, body, ({ headers }) => {
      const [, version] = /^"(\d+)-/.exec(headers.etag ?? '') ?? [];
      assert.ok(version, `${method} ${path} returned the ETag ${headers.etag}`);
      this.acknowledged.push({ resource, id, what: `at ${version}` });
    });
  }

  /** @returns whether a server responded */
  async #send(
    client: Client,
    method: string,
    path: string,
    body?: object,
    onSuccess: (response: HttpResponse) => void = () => {},
  ): Promise<boolean> {
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : undefined;
    const response = await client.send(method, `/api${path}`, body, headers);
    // The request never reached a server.
    if ('why' in response && !response.sent) return false;
    this.#count += 1;
    this.each(this.#count);
    if (response.status >= 200 && response.status < 300) onSuccess(response as HttpResponse);
    else if (REFUSALS.has(response.status)) this.refused += 1;
    else if (response.status === 0 || response.status === UNAVAILABLE) this.withoutResponse += 1;
    else {
      // Stops the other writers.
      this.#isBroken = true;
      throw new Broken(`${method} ${path}: ${response.status} ${(response as HttpResponse).text}`);
    }
    if ((response.status === 400 || response.status === 404) && method !== 'DELETE') this.#forget(path);
    return response.status !== 0;
  }

  /** Forgets the deleted record in a path. */
  #forget(path: string): void {
    const [, name, id] = path.split('/');
    const resource = ({ products: 'Product', categories: 'Category', tags: 'Tag', orders: 'Order' } as const)[name!]!;
    const index = this.#slots[resource].indexOf(Number(id));
    if (index >= 0) this.#slots[resource][index] = undefined;
  }

  #name(kind: string): string {
    this.#names += 1;
    return `${kind}-${this.#seed}-${this.#names}`;
  }
}

/** Number of records of each resource. */
const SLOTS = 4;

const STATUSES = ['Q', 'P', 'C', 'D'];

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
