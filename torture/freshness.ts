/**
 * Writers and readers of one store, through several servers and bypassing them. Every response must contain all writes that
 * were acknowledged before its request, and be a single snapshot. The run detects response cache entries that are used too
 * long.
 *
 * Each writer has its own records and increments a count in them, so a response shows which writes it contains. A read must
 * show at least the writes acknowledged when it started, and none that had not started when it ended.
 */
import { isProblem, type Service, writeRecord } from '../src/engine/index.ts';
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
  /** Servers on one database; SQLite supports one. */
  readonly servers: number;
  /** Worker processes of each server. Each client has its own connection to one of them. */
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
/** Readers without writes: they keep the response cache warm and read during writes. */
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
    // A connection stays with one worker, so each client opens several to reach all workers.
    const connections = Array.from({ length: options.workers ?? 1 }, () => addresses).flat();
    const environment = {
      DATABASE_URL: location.databaseUrl,
      IMAGES_URL: `file:${location.imagesFolder}`,
      LANGUAGES: 'de',
    };
    const { service, close } = await openStore(readConfig(environment));
    const watch = new Watch(connections, service, options.writes);
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
    say(
      `${writes} writes acknowledged, ${reads} reads on ${servers.length} servers: no stale response, no mixed snapshots.`,
    );
    return { writes, reads };
  } finally {
    for (const server of servers) await server.end('SIGKILL');
  }
}

/** A count that one writer increments. */
interface Count {
  acknowledged: number;
  started: number;
}

/** Two products of one writer, and a tag of both. */
interface Pair {
  readonly ids: readonly [number, number];
  readonly tag: number;
  /** The names of the two: the second follows the first. */
  readonly names: readonly [Count, Count];
  readonly tagName: Count;
  /** The second product is enabled while this is even. */
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
      const count = (): Count => ({ acknowledged: 0, started: 0 });
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

  /** Writes to its pair until there are enough writes. After each write it reads through a random server. */
  async write(pair: Pair, random: Random): Promise<void> {
    const clients = this.#addresses.map((address) => this.#connect(address));
    while (this.writes < this.#writesMax && !this.#isBroken)
      for (const { count, send } of this.#next(pair, random)) {
        count.started += 1;
        // Also bypasses the servers, as a command does.
        const own = random.chance(0.2) ? undefined : random.pick(clients);
        await this.#done(send(own, count.started));
        count.acknowledged = count.started;
        this.writes += 1;
        await this.#read(random.pick(clients), pair, random);
      }
  }

  /** Reads records of all writers. */
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
    const outcome = await writeRecord(
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
    const ceilings = new Map(this.#counts().map((count) => [count, count.started]));
    this.reads += 1;
    const records = recordsOf(response.json);
    const fault = this.#faults(records, floors, ceilings, whole);
    if (fault === undefined) return;
    this.#isBroken = true;
    throw new Broken(
      `GET ${path} ${JSON.stringify(headers)} at ${client.address}: ${fault}\n${response.text.slice(0, 2000)}`,
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

  /**
   * @param whole whether the response must contain every product, or every enabled one
   * @returns the first fault, as a clause
   */
  #faults(records: readonly Shown[], floors: Bounds, ceilings: Bounds, whole: boolean | 'enabled'): string | undefined {
    for (const [number, pair] of this.pairs.entries()) {
      const read: PairRead = {
        pair,
        number,
        halves: pair.ids.map((id) => records.find((record) => record.id === id && 'name' in record && !isTag(record))),
        tag: records.find((record) => record.id === pair.tag && isTag(record)),
        isWithin: (count, seen) => seen >= floors.get(count)! && seen <= ceilings.get(count)!,
        fault: (what, count, seen) =>
          `${what} of pair ${number} is ${seen}; it was ${floors.get(count)} before and ${ceilings.get(count)} after`,
      };
      const isSettled = floors.get(pair.enabled) === ceilings.get(pair.enabled);
      const isEnabled = isSettled ? floors.get(pair.enabled)! % 2 === 0 : undefined;
      const fault = staleFault(read) ?? missingFault(read, whole, isEnabled) ?? mixedFault(read);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}

/** What one response shows of a pair. */
interface PairRead {
  readonly pair: Pair;
  readonly number: number;
  /** The records of the two products. */
  readonly halves: readonly (Shown | undefined)[];
  readonly tag: Shown | undefined;
  isWithin(count: Count, seen: number): boolean;
  fault(what: string, count: Count, seen: unknown): string;
}

/** A value that was overwritten before the read started, or not yet written when it ended. */
function staleFault({ pair, halves, tag, isWithin, fault }: PairRead): string | undefined {
  const { names, tagName, orders } = pair;
  for (const [half, record] of halves.entries()) {
    if (!record) continue;
    const name = Number(record.name);
    if (!isWithin(names[half]!, name)) return fault(`the name ${half}`, names[half]!, name);
    const shown = tagIn(record);
    if (shown !== undefined && !isWithin(tagName, shown)) return fault('the tag', tagName, shown);
    if (record.amount !== undefined && !isWithin(orders, STOCK - record.amount))
      return fault('the stock', orders, STOCK - record.amount);
  }
  if (tag && !isWithin(tagName, Number(tag.name!.split('-')[2]))) return fault('the tag itself', tagName, tag.name);
  return undefined;
}

/** @param isEnabled whether the second product is enabled; undefined while a write of that is in progress */
function missingFault(
  { pair, number, halves, fault }: PairRead,
  whole: boolean | 'enabled',
  isEnabled: boolean | undefined,
): string | undefined {
  const [first, second] = halves;
  if (whole === true && (!first || !second)) return `pair ${number} is not on the page`;
  if (whole === 'enabled' && isEnabled !== undefined && (second !== undefined) !== isEnabled)
    return fault('the presence of the second product', pair.enabled, second !== undefined);
  return undefined;
}

/** Values of two different points in time in one response. */
function mixedFault({ number, halves: [first, second] }: PairRead): string | undefined {
  if (!first || !second) return undefined;
  const ahead = Number(first.name) - Number(second.name);
  if (ahead < 0 || ahead > 1)
    return `the names of pair ${number} are ${first.name} and ${second.name}, which never existed together`;
  if (tagIn(first) !== tagIn(second)) return `pair ${number} shows its tag with two names`;
  if (first.amount !== second.amount) return `the stock of pair ${number} is ${first.amount} and ${second.amount}`;
  return undefined;
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
  /** Whether the response must contain every product, or every enabled one. */
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

// biome-ignore lint/suspicious/noExplicitAny: a JSON response
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
