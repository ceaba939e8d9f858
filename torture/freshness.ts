/**
 * Writers and readers of one store, through several servers and past them: whatever was acknowledged before a read began is
 * in its answer, and every answer is of one moment. Servers keep answers; this run looks for one that is used too long.
 *
 * Each writer has records of its own and counts up what it writes into them, so an answer tells which writes it has seen. A
 * read has to see at least those that were acknowledged when it began, and none that had not begun when it ended.
 */

import { isProblem, type Service, save } from '../src/engine/index.ts';
import { ownRequestOptions, routeOf, targetAt } from '../src/store/own-requests.ts';
import { readConfig } from '../src/wiring/config.ts';
import { openStore } from '../src/wiring/open.ts';
import { Client } from './client.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server } from './server.ts';

export interface FreshnessOptions {
  /** Acknowledged writes. */
  readonly writes: number;
  /** Of one database; a file has one. */
  readonly servers: number;
  /** Of each server. Each client has a connection of its own to one of them. */
  readonly workers?: number | undefined;
  readonly postgresUrl?: string | undefined;
  /** Settings of the servers. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface FreshnessResult {
  readonly writes: number;
  readonly reads: number;
}

const WRITERS = 6;
/** Readers that follow no write: they keep answers warm, and meet writes half-way. */
const READERS = 4;

export async function freshness({ seed, folder, say }: Run, options: FreshnessOptions): Promise<FreshnessResult> {
  const location = placeIn(folder, options.postgresUrl, options.workers);
  const servers: Server[] = [];
  const start = async (): Promise<string> => {
    const server = new Server(location, { environment: { LANGUAGES: 'de', ...options.environment } });
    servers.push(server);
    return server.ready();
  };
  try {
    const addresses = [await start()];
    while (addresses.length < options.servers) addresses.push(await start());
    // A connection stays with one worker: several for each client, so that it meets them all.
    const ways = Array.from({ length: options.workers ?? 1 }, () => addresses).flat();
    const environment = {
      DATABASE_URL: location.databaseUrl,
      IMAGES_URL: `file:${location.imagesFolder}`,
      LANGUAGES: 'de',
    };
    const { service, close } = await openStore(readConfig(environment));
    const watch = new Watch(ways, service, options.writes);
    try {
      await watch.prepare();
      await Promise.all([
        ...watch.pairs.map((pair, number) => watch.write(pair, new Random(seed, `writer ${number}`))),
        ...Array.from({ length: READERS }, (_, number) => watch.readOn(new Random(seed, `reader ${number}`))),
      ]);
    } finally {
      watch.close();
      await close();
    }
    const { writes, reads } = watch;
    say(`${writes} writes acknowledged, ${reads} reads on ${servers.length} servers: none stale, none of two moments.`);
    return { writes, reads };
  } finally {
    for (const server of servers) await server.end('SIGKILL');
  }
}

/** A count that is written again and again by one writer. */
interface Count {
  acknowledged: number;
  begun: number;
}

/** Two products of one writer, and a tag that both show. */
interface Pair {
  readonly ids: readonly [number, number];
  readonly tag: number;
  /** The names of the two: the second follows the first. */
  readonly names: readonly [Count, Count];
  readonly tagName: Count;
  /** The second product is on sale while this is even. */
  readonly enabled: Count;
  /** Orders of one of each. */
  readonly orders: Count;
}

const STOCK = 1_000_000;

/** Bounds of what a read may see. */
type Bounds = ReadonlyMap<Count, number>;

const WEIGHTS = { names: 10, tag: 2, enabled: 4, order: 2 };

class Watch {
  readonly pairs: Pair[] = [];
  writes = 0;
  reads = 0;
  readonly #addresses: readonly string[];
  readonly #service: Service;
  readonly #writesMax: number;
  readonly #clients: Client[] = [];
  #isBroken = false;

  constructor(addresses: readonly string[], service: Service, writesMax: number) {
    this.#addresses = addresses;
    this.#service = service;
    this.#writesMax = writesMax;
  }

  async prepare(): Promise<void> {
    const client = this.#connect(this.#addresses[0]!);
    for (let number = 0; number < WRITERS; number += 1) {
      const tag = (await client.expect('POST', '/api/tags', { name: `tag-${number}-0` })).json.id;
      const ids: number[] = [];
      for (const half of ['a', 'b']) {
        const body = { sku: `${half}-${number}`, name: '0', amount: STOCK, price: 1, tags: [`tag-${number}-0`] };
        ids.push((await client.expect('POST', '/api/products', body)).json.id);
      }
      const count = (): Count => ({ acknowledged: 0, begun: 0 });
      this.pairs.push({
        ids: [ids[0]!, ids[1]!],
        tag,
        names: [count(), count()],
        tagName: count(),
        enabled: count(),
        orders: count(),
      });
    }
  }

  /** Writes to its pair until there are enough writes, and reads elsewhere after each. */
  async write(pair: Pair, random: Random): Promise<void> {
    const clients = this.#addresses.map((address) => this.#connect(address));
    while (this.writes < this.#writesMax && !this.#isBroken)
      for (const { count, send } of this.#next(pair, random)) {
        count.begun += 1;
        // Past the servers too, as an import or a command does.
        const own = random.chance(0.2) ? undefined : random.pick(clients);
        await this.#done(send(own, count.begun));
        count.acknowledged = count.begun;
        this.writes += 1;
        await this.#read(random.pick(clients), pair, random);
      }
  }

  /** Reads what anybody writes. */
  async readOn(random: Random): Promise<void> {
    const clients = this.#addresses.map((address) => this.#connect(address));
    while (this.writes < this.#writesMax && !this.#isBroken)
      await this.#read(random.pick(clients), random.pick(this.pairs), random);
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  #connect(address: string): Client {
    const client = new Client(address);
    this.#clients.push(client);
    return client;
  }

  #next(
    pair: Pair,
    random: Random,
  ): { count: Count; send: (client: Client | undefined, to: number) => Promise<unknown> }[] {
    const { ids, tag, names, tagName, enabled, orders } = pair;
    const number = this.pairs.indexOf(pair);
    const patch = (resource: string, path: string, id: number, body: object) => (client: Client | undefined) =>
      client ? client.expect('PATCH', `/api/${path}/${id}`, body, MERGE) : this.#patch(resource, id, body);
    switch (random.weighted(WEIGHTS)) {
      case 'names':
        return names.map((count, half) => ({
          count,
          send: (client, to) => patch('Product', 'products', ids[half]!, { name: String(to) })(client),
        }));
      case 'tag':
        return [
          { count: tagName, send: (client, to) => patch('Tag', 'tags', tag, { name: `tag-${number}-${to}` })(client) },
        ];
      case 'enabled':
        return [
          {
            count: enabled,
            send: (client, to) => patch('Product', 'products', ids[1], { enabled: to % 2 === 0 })(client),
          },
        ];
      case 'order': {
        const items = ids.map((id) => ({ product_id: id, amount: 1 }));
        return [
          {
            count: orders,
            send: (client) =>
              (client ?? this.#clients[0]!).expect('POST', '/api/orders', { email: 'ada@example.com', items }),
          },
        ];
      }
    }
  }

  async #patch(resource: string, id: number, body: object): Promise<void> {
    const service = this.#service;
    const outcome = await save(
      service,
      ownRequestOptions('en'),
      targetAt(routeOf(service, resource), { id }),
      'patch',
      {
        ...body,
      },
    );
    if (isProblem(outcome)) throw new Error(`${resource} ${id}: ${outcome.detail}`);
  }

  async #read(client: Client, pair: Pair, random: Random): Promise<void> {
    const { path, headers = {}, whole = false } = random.pick(readsOf(pair));
    const floors = new Map(this.#counts().map((count) => [count, count.acknowledged]));
    const response = await this.#done(client.expect('GET', path, undefined, headers));
    const ceilings = new Map(this.#counts().map((count) => [count, count.begun]));
    this.reads += 1;
    const records = recordsOf(response.json);
    const wrong = this.#faults(records, floors, ceilings, whole);
    if (wrong === undefined) return;
    this.#isBroken = true;
    throw new Broken(
      `GET ${path} ${JSON.stringify(headers)} at ${client.address}: ${wrong}\n${response.text.slice(0, 2000)}`,
    );
  }

  async #done<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  #counts(): Count[] {
    return this.pairs.flatMap(({ names, tagName, enabled, orders }) => [...names, tagName, enabled, orders]);
  }

  /** @param isWhole every product of the store should be among the records. @returns a sentence on the first fault */
  #faults(records: readonly Shown[], floors: Bounds, ceilings: Bounds, whole: boolean | 'enabled'): string | undefined {
    const between = (count: Count, seen: number): boolean => seen >= floors.get(count)! && seen <= ceilings.get(count)!;
    for (const [number, { ids, tag, names, tagName, enabled, orders }] of this.pairs.entries()) {
      const halves = ids.map((id) => records.find((record) => record.id === id && 'name' in record && !isTag(record)));
      const told = (what: string, count: Count, seen: unknown): string =>
        `${what} of pair ${number} is ${seen}; it was ${floors.get(count)} before and ${ceilings.get(count)} after`;
      for (const [half, record] of halves.entries()) {
        if (!record) continue;
        const name = Number(record.name);
        if (!between(names[half]!, name)) return told(`the name ${half}`, names[half]!, name);
        const shown = tagIn(record);
        if (shown !== undefined && !between(tagName, shown)) return told('the tag', tagName, shown);
        if (record.amount !== undefined && !between(orders, STOCK - record.amount))
          return told('the stock', orders, STOCK - record.amount);
      }
      const own = records.find((record) => record.id === tag && isTag(record));
      if (own && !between(tagName, Number(own.name!.split('-')[2]))) return told('the tag itself', tagName, own.name);
      const [first, second] = halves;
      if (whole === true && (!first || !second)) return `pair ${number} is not on the page`;
      // Even counts are on sale: where no write of it is under way, the page has to say so.
      const isSettled = floors.get(enabled) === ceilings.get(enabled);
      if (whole === 'enabled' && isSettled && (second !== undefined) !== (floors.get(enabled)! % 2 === 0))
        return told('being on sale', enabled, second !== undefined);
      if (!first || !second) continue;
      const ahead = Number(first.name) - Number(second.name);
      if (ahead < 0 || ahead > 1)
        return `the names of pair ${number} are ${first.name} and ${second.name}: of no one moment`;
      if (tagIn(first) !== tagIn(second)) return `pair ${number} shows its tag by two names`;
      if (first.amount !== second.amount) return `the stock of pair ${number} is ${first.amount} and ${second.amount}`;
    }
    return undefined;
  }
}

interface Shown {
  readonly id?: number;
  readonly name?: string;
  readonly amount?: number;
  readonly tags?: readonly { readonly name: string }[];
}

const MERGE = { 'content-type': 'application/merge-patch+json' };

interface Read {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer has every product, or every one that is on sale. */
  readonly whole?: boolean | 'enabled';
}

function readsOf({ ids, tag }: Pair): Read[] {
  const all = 'itemsPerPage=100';
  return [
    { path: `/api/products/${ids[0]}` },
    { path: `/api/products/${ids[1]}` },
    { path: `/api/products/${ids[0]}`, headers: { accept: 'application/ld+json' } },
    { path: `/api/products?${all}`, whole: true },
    { path: `/api/products?${all}`, whole: true },
    { path: `/api/products?${all}&order[name]=asc`, whole: true },
    { path: `/api/products?${all}`, whole: true, headers: { accept: 'application/ld+json' } },
    { path: `/api/products?${all}`, whole: true, headers: { 'accept-language': 'de' } },
    { path: `/api/products?${all}&fields=id,name,tags`, whole: true },
    { path: `/api/products?${all}&enabled=1`, whole: 'enabled' },
    { path: `/api/products?itemsPerPage=4&page=2` },
    { path: `/api/products?tags.id=${tag}` },
    { path: `/api/tags/${tag}` },
    { path: `/api/tags?${all}` },
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
function recordsOf(json: any): Shown[] {
  if (Array.isArray(json)) return json;
  return json['hydra:member'] ?? [json];
}

function isTag(record: Shown): boolean {
  return record.name?.startsWith('tag-') ?? false;
}

/** The count in the name of the tag that a product shows. */
function tagIn({ tags }: Shown): number | undefined {
  const [tag] = tags ?? [];
  return tag && Number(tag.name.split('-')[2]);
}
