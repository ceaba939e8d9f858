/**
 * Several clients write to few records through one or several servers, which are killed, while webhooks are delivered to
 * receivers that sometimes fail. At the end each receiver must have accepted every event of its subscription, none that was
 * never committed, and none after a later event.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { readCursor } from '../src/engine/index.ts';
import { type FeedEntry, pages } from '../test/support/feed.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { Receiver } from '../test/support/receiver.ts';
import { Client } from './client.ts';
import { Writers } from './journal.ts';
import { KilledByWrites } from './killed-by-writes.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server } from './server.ts';

export interface WebhooksOptions {
  /** Number of requests of the writers, including failed ones. */
  readonly operations: number;
  /** Average number of requests between kills. */
  readonly killEvery: number;
  /** Uses two servers on PostgreSQL; if undefined, one server on SQLite. */
  readonly postgresUrl?: string | undefined;
}

export interface WebhooksResult {
  readonly kills: number;
  readonly events: number;
  /** Deliveries beyond the first of each event. */
  readonly repeated: number;
  /** Deliveries that the receiver rejected or did not respond to. */
  readonly failed: number;
}

const CLIENTS = 8;

/** More than a receiver needs that fails half of the time. */
const RETRIES = Array(50).fill('0').join();

/** The webhooks, and the share of deliveries that their receivers fail. */
const RECEIVERS = [
  { events: ['*'], payload: 'thin', failing: 0 },
  { events: ['product.*', 'category.*'], payload: 'record', failing: 0.2 },
  { events: ['order.created', 'tag.*'], payload: 'thin', failing: 0.5 },
] as const;

export async function webhooks({ seed, folder, say }: Run, options: WebhooksOptions): Promise<WebhooksResult> {
  const { postgresUrl, operations, killEvery } = options;
  const location = placeIn(folder, postgresUrl);
  const ports = await Promise.all(Array.from({ length: postgresUrl === undefined ? 1 : 2 }, freePort));
  const servers: Server[] = [];
  const addresses: string[] = [];
  const start = async (index: number): Promise<void> => {
    const environment = {
      ...{ PORT: String(ports[index]), BASE_URL: 'http://store.test', LANGUAGES: 'de' },
      ...{ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WEBHOOK_RETRY_SECONDS: RETRIES },
    };
    servers[index] = new Server(location, { environment });
    addresses[index] = await servers[index].ready();
  };
  const killing = new KilledByWrites(servers, start, new Random(seed, 'kills'), killEvery);
  const writers = new Writers(addresses, seed);
  const hooks: Hook[] = [];
  try {
    for (const index of ports.keys()) await start(index);
    for (const subscription of RECEIVERS)
      hooks.push(await Hook.open(addresses[0]!, subscription, new Random(seed, subscription.events.join())));
    writers.each = (count) => {
      if (count < operations) killing.written(count);
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => writers.run(number, operations)));
    await killing.settled();
    for (const hook of hooks) {
      const entries = await entriesAfter(addresses[0]!, hook.startCursor);
      await hook.settled(entries);
      hook.assertRight(entries);
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw new Broken(error.message);
    throw error;
  } finally {
    for (const server of servers) await server.end('SIGKILL');
    for (const hook of hooks) await hook.close();
  }
  const sum = (of: (hook: Hook) => number): number => hooks.reduce((total, hook) => total + of(hook), 0);
  const events = sum((hook) => hook.ids.size);
  const repeated = sum((hook) => hook.sent - hook.ids.size);
  const failed = sum((hook) => hook.failed);
  say(
    `${killing.kills} kills: ${events} events delivered, ${repeated} repeated deliveries (${failed} failed); ` +
      'none missing, none uncommitted, none after a later one.',
  );
  return { kills: killing.kills, events, repeated, failed };
}

async function entriesAfter(address: string, cursor: string): Promise<readonly FeedEntry[]> {
  const client = new Client(address);
  const { entries } = await pages(async (path) => (await client.send('GET', path)) as never, `after=${cursor}`, 1000);
  client.close();
  return entries;
}

type Subscription = (typeof RECEIVERS)[number];

const SETTLING_SECONDS_MAX = 120;

/** A webhook and its receiver. */
class Hook {
  readonly #receiver: Receiver;
  readonly #subscription: Subscription;
  readonly #accepted = new Set<string>();
  /** The end of the change feed when the webhook was created. */
  startCursor = '';
  failed = 0;

  private constructor(receiver: Receiver, subscription: Subscription) {
    this.#receiver = receiver;
    this.#subscription = subscription;
  }

  static async open(address: string, subscription: Subscription, random: Random): Promise<Hook> {
    const receiver = await Receiver.open();
    const hook = new Hook(receiver, subscription);
    receiver.respondBy(({ headers }) => {
      if (random.whole(1, 100) > subscription.failing * 100) {
        hook.#accepted.add(String(headers['webhook-id']));
        return 200;
      }
      hook.failed += 1;
      return random.pick([500, 429, (response: ServerResponse) => void response.destroy()]);
    });
    const client = new Client(address);
    const { events, payload } = subscription;
    await client.expect('POST', '/api/webhooks', { url: receiver.url, events, payload });
    const { headers } = await client.expect('GET', '/api/changes?after=now');
    hook.startCursor = headers['changes-cursor'] as string;
    client.close();
    return hook;
  }

  get sent(): number {
    return this.#receiver.received.length;
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#receiver.received.map(({ headers }) => String(headers['webhook-id'])));
  }

  /** Resolves when the receiver has accepted the last event of its subscription. */
  async settled(entries: readonly FeedEntry[]): Promise<void> {
    const last = entries.filter((entry) => this.#wants(entry)).at(-1);
    const until = performance.now() + SETTLING_SECONDS_MAX * 1000;
    while (last && !this.#accepted.has(idOf(last))) {
      assert.ok(performance.now() < until, `the last event of ${this.#subscription.events} never came`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  assertRight(entries: readonly FeedEntry[]): void {
    const name = this.#subscription.events.join();
    const committed = new Map(entries.map((entry) => [idOf(entry), entry]));
    let last = 0;
    for (const { headers, json } of this.#receiver.received) {
      const id = String(headers['webhook-id']);
      const entry = committed.get(id);
      assert.ok(entry, `${name} was sent ${id}, which was never committed`);
      assert.ok(this.#wants(entry), `${name} was sent ${json.type}`);
      assert.equal(json.data.version, entry.version, `the version of ${id}`);
      const { position } = readCursor(entry.cursor)!;
      assert.ok(position >= last, `${name} was sent the event at ${position} after that at ${last}`);
      last = position;
    }
    const later = new Set<string>();
    for (const entry of entries.toReversed()) {
      if (!this.#wants(entry)) continue;
      const record = `${entry.resource} ${entry.id}`;
      const mayBeReplaced = entry.action === 'updated' && later.has(record);
      assert.ok(
        mayBeReplaced || this.#accepted.has(idOf(entry)),
        `${name} never accepted ${entry.cursor} of ${record}`,
      );
      if (entry.action !== 'created') later.add(record);
    }
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #wants({ resource, action }: FeedEntry): boolean {
    const events: readonly string[] = this.#subscription.events;
    const kind = resource.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return ['*', `${kind}.*`, `${kind}.${action}`].some((event) => events.includes(event));
  }
}

function idOf({ cursor }: FeedEntry): string {
  const { position, mark } = readCursor(cursor)!;
  return `evt_${position}_${mark}`;
}
