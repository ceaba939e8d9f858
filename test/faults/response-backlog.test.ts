/** Responses that their clients do not read: the memory for all of them, and the time for each (sync.md §3, http.md §2). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../support/client.ts';
import { Connection, statusesIn } from '../support/connection.ts';
import { assertProblem } from '../support/expect.ts';
import { asLines, LINES, readLines } from '../support/lines.ts';
import { head } from '../support/raw-request.ts';
import { Shop } from '../support/shop.ts';

const READ_ONLY = 'read-only-key-of-the-shop';
const KEY = `X-Auth-Token: ${READ_ONLY}`;
const LAST = 'Connection: close';
const PAGE = head('GET /api/products?itemsPerPage=100', KEY, LAST);
const CHANGES_PATH = '/api/changes?include=record';
const CHANGES = head(`GET ${CHANGES_PATH}`, KEY, LAST);
const EXPORT = head('GET /api/products', KEY, `Accept: ${LINES}`, LAST);

/** The default of CHANGES_READERS_PER_KEY_MAX. */
const READERS = 20;

const RECORDS = 30;
/** More than the system buffers for a connection. */
const PAGE_BYTES = RECORDS * 900_000;
/** Two pages fit, and a third or a single record beside them does not. */
const BACKLOG_BYTES_MAX = 2 * PAGE_BYTES + 800_000;

const SETTINGS = {
  ...{ API_KEY_READ_ONLY: READ_ONLY, METRICS_PORT: '0', RESPONSE_CACHE_BYTES_MAX: '500000000' },
  ...{ STALLED_SECONDS_MAX: '600', EXPORT_STALLED_SECONDS_MAX: '600' },
};

/** A shop whose records have 900 KB each. */
class LargeShop {
  readonly shop: Shop;
  readonly #opened: Connection[] = [];
  #metrics = '';

  private constructor(shop: Shop) {
    this.shop = shop;
  }

  static async make(settings: Record<string, string>): Promise<LargeShop> {
    const large = new LargeShop(await Shop.make('sqlite', { ...SETTINGS, ...settings }));
    large.#metrics = (await large.shop.serve()).metrics!;
    // A text that search does not index.
    const own = { name: 'Large', og_meta_tags_type: 'C', og_meta_tags: 'x'.repeat(898_000) };
    const lines = Array.from({ length: RECORDS }, (_, index) => ({ ...own, sku: `L-${index}`, price: index }));
    const headers = { 'content-type': LINES };
    const { text } = await large.shop.request('POST', '/api/products/bulk', { body: asLines(lines), headers });
    assert.equal(readLines(text).at(-1).summary.created, RECORDS);
    return large;
  }

  /** Sends a request and reads only the beginning of the response. */
  async open(text: string): Promise<Connection> {
    const connection = new Connection(this.shop.address).send(text);
    this.#opened.push(connection);
    await connection.waitFor(/\r\n\r\n/);
    connection.socket.pause();
    return connection;
  }

  async closeAll(): Promise<void> {
    for (const connection of this.#opened.splice(0)) await connection.close();
    while ((await this.backlog) > 0) await sleep(20);
    await this.exported('/api/tags');
  }

  async figure(name: string): Promise<number> {
    const text = await (await fetch(this.#metrics)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  }

  /** Exports when there is a place: the server notices some milliseconds later that a connection is closed. */
  async exported(path: string): Promise<HttpResponse> {
    for (;;) {
      const response = await this.shop.request('GET', path, { headers: { accept: LINES } });
      if (response.status === 200) return response;
      assertProblem(response, 503);
      await sleep(20);
    }
  }

  get backlog(): Promise<number> {
    return this.figure('purveyor_response_backlog_bytes');
  }
}

function statusOf({ received }: Connection): number {
  return statusesIn(received)[0]!;
}

describe('memory for unread responses', () => {
  let large: LargeShop;
  before(async () => {
    large = await LargeShop.make({ RESPONSE_BACKLOG_BYTES_MAX: String(BACKLOG_BYTES_MAX) });
  });
  afterEach(() => large.closeAll());
  after(() => large.shop.remove());

  test('at most EXPORTS_AT_ONCE_MAX of 16 unread exports run, and each hands over a record at a time', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => large.open(EXPORT)));
    const rejected = all.filter((connection) => statusOf(connection) === 503);
    assert.equal(all.filter((connection) => statusOf(connection) === 200).length, 2);
    assert.equal(rejected.length, 14);
    for (const { received } of rejected) assert.match(received, /\r\nretry-after: 10\r\n/i);
    assert.ok((await large.backlog) < 4_000_000, `${await large.backlog} bytes are unsent`);
    await large.closeAll();
    assert.equal(readLines((await large.exported('/api/products')).text).length, RECORDS);
  });

  test('an export occupies its place until its client has received the last byte', async () => {
    await large.open(EXPORT);
    await sleep(300);
    const unsent = await large.backlog;
    // The smallest export that the system does not buffer: all of its records are handed over.
    for (let count = 1; ; count += 1) {
      assert.ok(count <= RECORDS);
      const few = await large.open(head(`GET /api/products?price[lt]=${count}`, KEY, `Accept: ${LINES}`, LAST));
      assert.equal(statusOf(few), 200);
      await sleep(300);
      if ((await large.backlog) > unsent) break;
      await few.close();
      await large.exported('/api/tags');
    }
    const third = await large.shop.request('GET', '/api/tags', { headers: { accept: LINES } });
    assertProblem(third, 503);
    await large.closeAll();
    await large.exported('/api/tags');
  });

  test('unread pages take at most RESPONSE_BACKLOG_BYTES_MAX, and a page that does not fit is a 503', async () => {
    const all = [];
    for (let count = 0; count < 8; count += 1) all.push(await large.open(PAGE));
    assert.deepEqual(all.map(statusOf), [200, 200, 503, 503, 503, 503, 503, 503]);
    for (const { received } of all.slice(2)) {
      assert.match(received, /\r\nretry-after: 5\r\n/i);
      assert.match(received, /\r\ncontent-type: application\/problem\+json/i);
      assert.doesNotMatch(received, /\r\n(?:etag|x-total-count|content-language):/i);
    }
    const unsent = await large.backlog;
    assert.ok(unsent > PAGE_BYTES && unsent <= BACKLOG_BYTES_MAX, `${unsent} bytes are unsent`);
    // Smaller responses still fit, and one that has begun is finished.
    assert.equal((await large.shop.request('GET', '/api/tags')).status, 200);
    all[0]!.socket.resume();
    assert.ok((await all[0]!.untilClosed()).endsWith(']'));
    assert.equal((await large.shop.request('GET', '/api/products?itemsPerPage=1')).status, 200);
  });

  test('pipelined responses of one connection count together, and are forgotten when it closes', async () => {
    await large.open(head('GET /api/products?itemsPerPage=100', KEY).repeat(16));
    await sleep(1000);
    const unsent = await large.backlog;
    assert.ok(unsent > PAGE_BYTES && unsent <= BACKLOG_BYTES_MAX + 100_000, `${unsent} bytes are unsent`);
  });

  test('sends up to CHANGES_READERS_PER_KEY_MAX pages of changes in parts, and rejects further ones with 503', async () => {
    const all = await Promise.all(Array.from({ length: 24 }, () => large.open(CHANGES)));
    const accepted = all.filter((connection) => statusOf(connection) === 200);
    const rejected = all.filter((connection) => statusOf(connection) === 503);
    assert.deepEqual([accepted.length, rejected.length], [READERS, 24 - READERS]);
    for (const { received } of rejected) assert.match(received, /\r\nretry-after: 5\r\n/i);
    await sleep(500);
    const unsent = await large.backlog;
    assert.ok(unsent < READERS * 2_000_000, `${unsent} bytes are unsent`);
    // Pages without large records, and the pages that have begun, are sent.
    assert.equal((await large.shop.request('GET', '/api/changes?include=record&after=now')).status, 200);
    accepted[0]!.socket.resume();
    assert.match(await accepted[0]!.untilClosed(), /\]\r\n0\r\n\r\n$/);
    assert.equal((await large.shop.request('GET', CHANGES_PATH)).json.at(-1).record.sku, 'L-29');
  });

  test('a HEAD of a page of changes with large records has the headers of the page', async () => {
    const [read, without] = [
      await large.shop.request('GET', CHANGES_PATH),
      await large.shop.request('HEAD', CHANGES_PATH),
    ];
    assert.deepEqual([without.status, without.text], [200, '']);
    for (const name of ['changes-cursor', 'content-type', 'link'])
      assert.equal(without.headers[name], read.headers[name]);
    assert.equal(without.headers['content-length'], undefined);
  });

  test('a page of changes with large records is compressed with gzip if the client accepts it', async () => {
    const plain = await large.shop.request('GET', CHANGES_PATH);
    const response = await fetch(`${large.shop.address}${CHANGES_PATH}`, {
      headers: { 'x-auth-token': READ_ONLY, 'accept-encoding': 'br, gzip' },
    });
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(await response.text(), plain.text);
  });

  test('a stream of changes hands over large records one at a time', async () => {
    await large.open(head('GET /api/changes?include=record', KEY, 'Accept: text/event-stream', LAST));
    await sleep(1000);
    assert.ok((await large.backlog) < 4_000_000, `${await large.backlog} bytes are unsent`);
  });

  test('a cached response of a repeated request counts too', async () => {
    const repeated = head('GET /api/products/1', KEY);
    const client = new Connection(large.shop.address);
    const send = async (): Promise<number> => {
      client.received = '';
      client.send(repeated);
      await client.waitFor(/\}$/);
      return statusOf(client);
    };
    for (let times = 0; times < 4; times += 1) assert.equal(await send(), 200);
    await large.open(PAGE);
    await large.open(PAGE);
    assert.equal(await send(), 503);
    await large.closeAll();
    assert.equal(await send(), 200);
    await client.close();
  });
});

describe('full memory for unread responses', () => {
  let large: LargeShop;
  before(async () => {
    large = await LargeShop.make({ RESPONSE_BACKLOG_BYTES_MAX: '1000000', CHANGES_READERS_MAX: '0' });
  });
  afterEach(() => large.closeAll());
  after(() => large.shop.remove());

  test('a page over the limit is sent if nothing else is unread; until it is read, only health checks respond', async () => {
    await large.open(PAGE);
    const { shop } = large;
    for (const [method, path] of [
      ['GET', '/api/tags'],
      ['GET', '/api/changes'],
      ['POST', '/api/tags'],
      ['GET', '/api/openapi.json'],
    ] as const) {
      const rejected = await shop.request(method, path, method === 'POST' ? { body: { name: 'Never' } } : {});
      assertProblem(rejected, 503);
      assert.equal(rejected.headers['retry-after'], '5');
    }
    assert.equal((await shop.request('GET', '/healthz')).status, 200);
    assert.equal((await shop.request('GET', '/readyz')).status, 200);
    await large.closeAll();
    assert.deepEqual((await shop.request('GET', '/api/tags')).json, []);
    const whole = await shop.request('GET', '/api/products?itemsPerPage=100');
    assert.equal(whole.json.length, RECORDS);
  });

  test('a page of changes has all records, however large, even if CHANGES_READERS_MAX is 0', async () => {
    const { shop } = large;
    const og_meta_tags = 'x'.repeat(28_000_000);
    for (let count = 0; count < 2; count += 1)
      await shop.made('/api/products', { sku: `HUGE-${count}`, name: 'Huge', og_meta_tags_type: 'C', og_meta_tags });
    const path = '/api/changes?resource[]=Product&include=record&limit=1000';
    const page = await shop.request('GET', path);
    assert.equal(page.status, 200, page.text.slice(0, 200));
    const skus = page.json.map(({ record }: { record: { sku: string } }) => record.sku);
    assert.deepEqual([skus.length, skus.at(-1)], [RECORDS + 2, 'HUGE-1']);
  });
});

describe('time without reading', () => {
  const SECONDS = 4;
  let large: LargeShop;
  before(async () => {
    const seconds = String(SECONDS);
    large = await LargeShop.make({
      ...{ STALLED_SECONDS_MAX: seconds, EXPORT_STALLED_SECONDS_MAX: seconds, BULK_STALLED_SECONDS_MAX: seconds },
    });
  });
  afterEach(() => large.closeAll());
  after(() => large.shop.remove());

  async function readSome({ socket }: Connection, bytes: number): Promise<void> {
    const before = socket.bytesRead;
    socket.resume();
    while (socket.bytesRead - before < bytes) await once(socket, 'data');
    socket.pause();
  }

  test('closes pages, exports and bulks whose clients have stopped reading', async () => {
    const wrong = asLines(Array.from({ length: 60_000 }, () => ({ sku: 'WRONG', wrong: true })));
    const bulkHeaders = [`X-Auth-Token: read-write-key-of-the-shop`, `Content-Type: ${LINES}`];
    const bulkRequest = head('POST /api/products/bulk', ...bulkHeaders, `Content-Length: ${wrong.length}`) + wrong;
    const stalled = [await large.open(PAGE), await large.open(EXPORT), await large.open(bulkRequest)];
    for (const connection of stalled) await readSome(connection, 2_000_000);
    const active = async (method: string): Promise<number> =>
      large.figure(`http_server_active_requests{http_request_method="${method}"}`);
    assert.deepEqual([await active('GET'), await active('POST')], [2, 1]);
    while ((await active('GET')) + (await active('POST')) > 0) await sleep(50);
    for (const connection of stalled) {
      connection.socket.resume();
      // A complete page ends with its list, the others with an empty chunk (RFC 9112 §7.1).
      assert.doesNotMatch((await connection.untilClosed()).slice(-10), /(?:\]|\r\n0\r\n\r\n)$/);
    }
  });

  test('does not close an export whose client reads slowly', async () => {
    const reading = await large.open(EXPORT);
    for (let ticks = 0; ticks < SECONDS * 6; ticks += 1) {
      await readSome(reading, 400_000);
      await sleep(500);
    }
    reading.socket.resume();
    assert.ok((await reading.untilClosed()).endsWith('\r\n0\r\n\r\n'));
  });
});
