/** A client of the change feed: reads it by pages or as a stream. */
import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { HttpResponse } from './client.ts';

export interface FeedEntry {
  readonly cursor: string;
  readonly resource: string;
  readonly id: number | string;
  readonly path: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly version: number;
  readonly date: string;
  readonly fields: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  readonly record?: any;
}

type Get = (path: string) => Promise<HttpResponse>;

export interface Page {
  readonly entries: readonly FeedEntry[];
  readonly cursor: string;
}

/** Reads one page, and checks that its `Link` continues at its cursor. */
export async function page(get: Get, query = ''): Promise<Page> {
  const { status, json, headers, text } = await get(`/api/changes${query}`);
  assert.equal(status, 200, text);
  const cursor = headers['changes-cursor'] as string;
  const [, next] = /<[^>]*\/api\/changes\?([^>]*)>; rel="next"/.exec(String(headers.link))!;
  assert.equal(new URLSearchParams(next).get('after'), cursor);
  return { entries: json, cursor };
}

/** Reads pages until one has fewer entries than the limit. */
export async function pages(get: Get, query = '', limit = 100): Promise<Page> {
  const entries: FeedEntry[] = [];
  for (let [from, cursor] = [query, '']; ; ) {
    const one = await page(get, `?limit=${limit}${from === '' ? '' : `&${from}`}`);
    entries.push(...one.entries);
    assert.notEqual(one.cursor, cursor, 'a full page has a new cursor');
    cursor = one.cursor;
    if (one.entries.length < limit) return { entries, cursor };
    from = [...new URLSearchParams(query)]
      .filter(([name]) => name !== 'after')
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
      .join('')
      .concat(`after=${cursor}`);
  }
}

/** The cursor of the end of the feed. */
export async function now(get: Get): Promise<string> {
  const { entries, cursor } = await page(get, '?after=now');
  assert.deepEqual(entries, []);
  return cursor;
}

/** An open stream of server-sent events, parsed as by `EventSource`. */
export class EventStream {
  readonly #outgoing: ClientRequest;
  #incoming: IncomingMessage | undefined;
  readonly #events: FeedEntry[] = [];
  #wake: () => void = () => {};
  #text = '';
  isEnded = false;
  lastId = '';
  /** The number of events before the `caught_up` event; undefined until it arrives. */
  caughtUpAfter: number | undefined;
  #count = 0;
  /** The number of comments, which the server sends when it has no events. */
  comments = 0;

  private constructor(outgoing: ClientRequest) {
    this.#outgoing = outgoing;
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    const outgoing = request(url, { headers: { accept: 'text/event-stream', ...headers } });
    const stream = new EventStream(outgoing);
    outgoing.end();
    stream.#incoming = await new Promise((resolve, reject) => outgoing.once('response', resolve).once('error', reject));
    const end = (): void => {
      stream.isEnded = true;
      stream.#wake();
    };
    stream
      .#incoming!.setEncoding('utf8')
      .on('data', (text) => stream.#take(text))
      .on('close', end)
      .on('error', end);
    outgoing.on('error', end);
    return stream;
  }

  get status(): number {
    return this.#incoming!.statusCode!;
  }

  get type(): string | undefined {
    return this.#incoming!.headers['content-type'];
  }

  /** Waits for the next event; undefined if the stream has ended. */
  async next(): Promise<FeedEntry | undefined> {
    while (this.#events.length === 0 && !this.isEnded)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#events.shift();
  }

  close(): void {
    this.#outgoing.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop()!;
    for (const block of blocks) {
      if (block.startsWith(':')) this.comments += 1;
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.id !== undefined) this.lastId = fields.id;
      if (fields.event === 'caught_up') this.caughtUpAfter = this.#count;
      else if (fields.data !== undefined) {
        this.#events.push(JSON.parse(fields.data));
        this.#count += 1;
      }
    }
    this.#wake();
  }
}
