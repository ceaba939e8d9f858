/**
 * Followers of the change feed, which maintain a copy of the store over HTTP while its servers are killed. The copy must equal
 * the store at the end. One kind long-polls pages, one reads a stream. Both continue at any server from their last cursor.
 */
import assert from 'node:assert/strict';
import { EventStream, type FeedEntry } from '../test/support/feed.ts';
import { Client, type HttpResponse } from './client.ts';
import { Random } from './random.ts';
import { KEY } from './server.ts';

/** The last state of a record in the feed. */
interface Copied {
  readonly version: number;
  readonly resource: string;
  readonly record: Readonly<Record<string, unknown>> | null;
}

/** Pause before retrying an unavailable server. */
const PAUSE_MS = 20;

export class FeedFollower {
  readonly name: string;
  readonly #addresses: readonly string[];
  readonly #random: Random;
  readonly #copy = new Map<string, Copied>();
  /** The last version of each record in the feed, including deleted ones. */
  readonly #versions = new Map<string, number>();
  readonly #reading: Promise<void>;
  #failure: unknown;
  #cursor: string | undefined;
  #isStopped = false;
  #stream: EventStream | undefined;
  entries = 0;
  /** Responses and streams that were cut off or never started. */
  interruptions = 0;

  constructor(kind: 'pages' | 'stream', name: string, addresses: readonly string[], seed: number) {
    this.name = name;
    this.#addresses = addresses;
    this.#random = new Random(seed, `follower ${name}`);
    this.#reading = (kind === 'pages' ? this.#readPages() : this.#readStream()).catch((error) => {
      this.#failure = error;
    });
  }

  /** Waits until it has read to the end of the feed. Writers must be stopped. */
  async catchUp(): Promise<void> {
    const client = new Client(this.#addresses[0]!);
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const { headers } = await client.expect('GET', '/api/changes?after=now');
      if (headers['changes-cursor'] === this.#cursor) break;
      await pause(PAUSE_MS);
    }
    client.close();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stream?.close();
    await this.#reading;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** @param living the versions of all existing records, by path */
  async assertIsCopy(living: ReadonlyMap<string, number>): Promise<void> {
    const versions = [...this.#copy].map(([path, { version }]) => `${path} ${version}`);
    assert.deepEqual(versions.sort(), [...living].map(([path, version]) => `${path} ${version}`).sort(), this.name);
    const client = new Client(this.#addresses[0]!);
    for (const [path, { record, resource }] of this.#copy) {
      const { json } = await client.expect('GET', path);
      assert.deepEqual(own(record!, resource), own(json, resource), `${this.name} at ${path}`);
    }
    client.close();
  }

  async #readPages(): Promise<void> {
    while (!this.#isStopped) {
      const client = new Client(this.#random.pick(this.#addresses));
      const after = this.#cursor === undefined ? '' : `&after=${this.#cursor}`;
      const limit = this.#random.whole(1, 40);
      const response = await client.send('GET', `/api/changes?include=record&wait=1&limit=${limit}${after}`);
      client.close();
      if (response.status !== 200) await this.#interrupted(response.status);
      else {
        const { json, headers } = response as HttpResponse;
        for (const entry of json as FeedEntry[]) this.#apply(entry);
        this.#cursor = headers['changes-cursor'] as string;
      }
    }
  }

  async #readStream(): Promise<void> {
    while (!this.#isStopped) {
      const address = this.#random.pick(this.#addresses);
      const seen: Record<string, string> = this.#cursor === undefined ? {} : { 'last-event-id': this.#cursor };
      const url = `${address}/api/changes?include=record`;
      const stream = await EventStream.open(url, { 'x-auth-token': KEY, ...seen }).catch(() => undefined);
      this.#stream = stream;
      if (this.#isStopped) stream?.close();
      if (stream?.status === 200)
        for (let entry = await stream.next(); entry; entry = await stream.next()) {
          this.#apply(entry);
          this.#cursor = entry.cursor;
        }
      stream?.close();
      if (!this.#isStopped) await this.#interrupted(stream?.status ?? 0);
    }
  }

  /** Tolerates unavailable or overloaded servers. Any other error response is a fault of the feed. */
  async #interrupted(status: number): Promise<void> {
    assert.ok([0, 200, 503].includes(status), `${this.name} got a ${status}`);
    this.interruptions += 1;
    await pause(PAUSE_MS);
  }

  #apply({ resource, path, version, action, record, id }: FeedEntry): void {
    const key = `${resource} ${id}`;
    const before = this.#versions.get(key);
    assert.ok(before === undefined || version > before, `${this.name}: version ${version} of ${key} after ${before}`);
    this.#versions.set(key, version);
    this.entries += 1;
    if (action === 'deleted') this.#copy.delete(path);
    else this.#copy.set(path, { version, resource, record });
  }
}

/**
 * Removes the fields that show other records. Changes of those have their own entries, without an entry for the records that
 * link to them.
 */
function own(record: Readonly<Record<string, unknown>>, resource: string): object {
  const others = SHOWN_OF_OTHERS[resource] ?? [];
  return JSON.parse(JSON.stringify(record, (name, value) => (others.includes(name) ? undefined : value)));
}

const SHOWN_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  Product: ['tags'],
  Category: ['path'],
  Order: ['product_id'],
};

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
