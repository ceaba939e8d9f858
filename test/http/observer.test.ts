/** Metrics and the request log contain every request, and there is one time series per route. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ended, Folder, type Running } from '../cli/program.ts';
import { closeIdleConnections, type HttpResponse, type RequestOptions, sendRequest } from '../support/client.ts';
import { databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { attached, png } from '../support/images.ts';
import { sendRaw } from '../support/raw-request.ts';
import { startOf } from '../support/start-line.ts';

const KEY = 'key-of-the-observed-store';
const TRACE = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;

/** A served store whose figures and log are read. */
class Observed {
  readonly #folder: Folder;
  readonly #database: FreshDatabase;
  readonly #running: Running;
  address = '';
  metrics = '';

  private constructor(folder: Folder, database: FreshDatabase, settings: Record<string, string>) {
    this.#folder = folder;
    this.#database = database;
    this.#running = folder.start(['serve'], {
      ...{ DATABASE_URL: database.url, API_KEY_READ_WRITE: KEY, LOG_LEVEL: 'error', FAILED_KEYS_PER_MINUTE: '0' },
      ...{ METRICS_PORT: '0', LOG_REQUESTS: '1', ...settings },
    });
  }

  static async start(name: (typeof databaseNames)[number], settings = {}): Promise<Observed> {
    const store = new Observed(await Folder.make(), await freshDatabase(name, 'migrated'), settings);
    const { address, metrics } = await startOf(store.#running);
    return Object.assign(store, { address, metrics });
  }

  send(method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    return sendRequest(this.address, method, path, { key: KEY, ...options });
  }

  /** Once no request is on its way any more. */
  async figures(): Promise<Figure[]> {
    for (;;) {
      const figures = figuresIn(await (await fetch(this.metrics)).text());
      const active = figures.filter(({ name }) => name === 'http_server_active_requests');
      if (active.every(({ value }) => value === 0)) return figures;
      await sleep(10);
    }
  }

  async end(): Promise<Ended> {
    closeIdleConnections(this.address);
    this.#running.signal('SIGTERM');
    return this.#running.ended;
  }

  async remove(): Promise<void> {
    await this.#folder.remove();
    await this.#database.remove();
  }
}

interface Figure {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function figuresIn(text: string): Figure[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]): [string, string] => [label!, text!]);
    return { name: name!, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

/** How many requests of this kind are told. */
function requestsIn(figures: readonly Figure[], labels: Readonly<Record<string, string>>): number {
  return figures
    .filter(({ name }) => name === 'http_server_request_duration_seconds_count')
    .filter((figure) => Object.entries(labels).every(([label, value]) => figure.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

for (const name of databaseNames)
  describe(`metrics and request log (${name})`, () => {
    let store: Observed;
    before(async () => {
      store = await Observed.start(name);
    });
    after(() => store.remove());

    test('records each request once, also before routing, and docs/reference/metrics.md lists every metric', async () => {
      for (const sku of ['A', 'B'])
        assert.equal((await store.send('POST', '/api/products', { body: { sku, name: sku } })).status, 201);
      const image = await store.send('POST', '/api/products/1/images', { body: await attached(png(20, 20)) });
      assert.equal(image.status, 201, image.text);
      for (let times = 0; times < 8; times += 1) assert.equal((await store.send('GET', '/api/products/1')).status, 200);
      const headers = { 'x-request-id': 'asked.by:me-1', traceparent: TRACE };
      const one = await store.send('GET', '/api/products/2', { headers });
      assert.equal(one.headers['x-request-id'], 'asked.by:me-1');
      assert.match(one.headers.traceresponse as string, /^00-1{32}-[0-9a-f]{16}-01$/);
      const unknown = await store.send('GET', '/api/products/99', { headers });
      assert.deepEqual([unknown.status, unknown.json.instance], [404, 'urn:request:asked.by:me-1']);
      const list = await store.send('GET', '/api/products', { headers: { 'accept-encoding': 'gzip' } });
      const lines = await store.send('GET', '/api/products', { headers: { accept: 'application/x-ndjson' } });
      assert.equal((await store.send('HEAD', '/api/products/1')).status, 200);
      await store.send('GET', '/api/nowhere');
      await store.send('GET', '/api/%zz');
      assert.equal((await store.send('GET', '/api/tags', { key: null })).status, 401);
      assert.equal((await store.send('GET', '/api/tags', { headers: { expect: 'wonders' } })).status, 417);
      await sendRaw(store.address, 'nonsense\r\n\r\n');

      const figures = await store.figures();
      const read = { http_request_method: 'GET', http_route: '/api/products/{id}', http_response_status_code: '200' };
      assert.equal(requestsIn(figures, read), 9);
      assert.equal(requestsIn(figures, { ...read, http_response_status_code: '404' }), 1);
      assert.equal(requestsIn(figures, { ...read, http_route: '/api/products' }), 2);
      assert.equal(requestsIn(figures, { ...read, http_request_method: 'HEAD' }), 1);
      assert.equal(requestsIn(figures, { http_request_method: 'POST', http_response_status_code: '201' }), 3);
      assert.equal(requestsIn(figures, { http_route: 'unknown', http_response_status_code: '404' }), 2);
      assert.equal(requestsIn(figures, { http_response_status_code: '401' }), 1);
      assert.equal(requestsIn(figures, { http_response_status_code: '417' }), 1);
      assert.equal(requestsIn(figures, { http_request_method: '_OTHER', http_response_status_code: '400' }), 1);
      assert.equal(requestsIn(figures, {}), 21);
      const reads = Object.fromEntries(
        figures
          .filter(({ name }) => name === 'purveyor_read_answers_total')
          .map((each) => [each.labels.source, each.value]),
      );
      assert.ok(reads.repeated! > 0, JSON.stringify(reads));
      const taken = figures.find(
        ({ name, labels }) => name.startsWith('purveyor_picture') && labels.outcome === 'taken',
      );
      assert.equal(taken?.labels.source, 'body');
      const put = figures.filter(
        ({ name, labels }) => name.startsWith('purveyor_images') && labels.operation === 'put',
      );
      assert.ok(put.length > 0 && put.every(({ labels }) => labels.error_type === ''));
      const system = name === 'sqlite' ? 'sqlite' : 'postgresql';
      assert.ok(
        figures.some(({ labels }) => labels.db_system_name === system && labels.db_operation_name === 'transaction'),
      );

      assertOnThePage(await (await fetch(store.metrics)).text());

      const { stdout } = await store.end();
      const logged = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ route }) => route !== undefined);
      assert.equal(logged.length, 21, stdout);
      for (const { level, ms, client, msg } of logged) {
        assert.deepEqual([level, client, msg], [30, '127.0.0.1', 'request completed']);
        assert.ok(ms >= 0);
      }
      const repeated = logged.filter(({ method, route }) => method === 'GET' && route === '/api/products/{id}');
      assert.equal(repeated.length, 10);
      const [first, last] = [repeated[0], repeated[7]];
      assert.deepEqual(
        { ...last, time: 0, ms: 0, reqId: '' },
        { ...first, time: 0, ms: 0, reqId: '' },
        'a repeated response is logged like the first',
      );
      assert.equal(first.key, 'read/write');
      assert.notEqual(first.reqId, last.reqId);
      const traced = logged.find(({ reqId, status }) => reqId === 'asked.by:me-1' && status === 200);
      assert.deepEqual([traced.trace_id, traced.parent_span_id], ['1'.repeat(32), '2'.repeat(16)]);
      assert.equal(one.headers.traceresponse, `00-${traced.trace_id}-${traced.span_id}-01`);
      assert.equal(traced.bytes, one.bytes.length);
      const whole = logged.filter(({ route, method }) => route === '/api/products' && method === 'GET');
      assert.deepEqual(
        whole.map(({ bytes }) => bytes),
        [list.bytes.length, lines.bytes.length],
      );
      assert.equal(logged.find(({ method }) => method === 'HEAD').bytes, 0);
      assert.equal(logged.find(({ status }) => status === 401).key, null);
      assert.ok(!stdout.includes(KEY));
    });
  });

describe('metrics endpoint', () => {
  let store: Observed;
  before(async () => {
    store = await Observed.start('sqlite', { LOG_REQUESTS: '0' });
  });
  after(() => store.remove());

  test('adds no series for random paths, methods, keys or headers', async () => {
    const letters = (length: number): string =>
      Array.from({ length }, () => 'abcdefghij0123456789-._~%7B'[Math.floor(Math.random() * 26)]).join('');
    const play = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        const made = letters(1 + (round % 12));
        for (const path of [
          `/api/${made}`,
          `/api/products/${made}`,
          `/images/${made}`,
          `/${made}`,
          `/api/orders?${made}=1`,
        ])
          for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND', 'MKCOL'])
            await store.send(method, path, { key: round % 2 === 0 ? KEY : made, headers: { 'x-request-id': made } });
      }
    };
    await play(12);
    const before = await store.figures();
    await play(24);
    const after = await store.figures();
    const routes = new Set(after.map(({ labels }) => labels.http_route).filter((route) => route !== undefined));
    const methods = new Set(after.map(({ labels }) => labels.http_request_method).filter(Boolean));
    assert.deepEqual([...methods].sort(), ['DELETE', 'GET', 'POST', '_OTHER']);
    assert.deepEqual([...routes].sort(), ['/api/orders', '/api/products/{id}', '/images/{name}', 'unknown']);
    assert.equal(requestsIn(after, {}), 36 * 25);
    // A status may come for the first time; an address or a key makes no series.
    assert.ok(after.length - before.length <= 200, `${before.length} became ${after.length}`);
  });

  test('counts a request whose client disconnects before the response', async () => {
    const { hostname, port } = new URL(store.address);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /api/changes?after=now&wait=30 HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${KEY}\r\n\r\n`);
    const active = /^http_server_active_requests\{http_request_method="GET"\} 1$/m;
    while (!active.test(await (await fetch(store.metrics)).text())) await sleep(10);
    socket.destroy();
    const figures = await store.figures();
    assert.equal(requestsIn(figures, { http_route: '/api/changes', http_response_status_code: '' }), 1);
  });

  test('serves metrics at one path without a key', async () => {
    const { origin } = new URL(store.metrics);
    const { status, headers } = await fetch(store.metrics, { method: 'HEAD' });
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    assert.equal((await fetch(`${origin}/api/products`)).status, 404);
    assert.equal((await fetch(store.metrics, { method: 'POST', body: 'x' })).status, 405);
    const taken = await (await Folder.make()).run(['serve'], { METRICS_PORT: new URL(store.metrics).port });
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^Port \d+ on 127\.0\.0\.1 is in use\. Set METRICS_PORT to another port, .*\n$/);
  });
});

/** Each name, kind and label of the output stands on the page, and the page has no other. */
function assertOnThePage(text: string): void {
  const page = readFileSync('docs/reference/metrics.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|([^|]*)\| \S+ \|/gm)];
  const logLines = rows.map(([, name, kind, labels]) => [name, kind, (labels!.match(/\w+/g) ?? []).sort()]);
  const kinds = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const shown = kinds.map(([, name, kind]) => {
    const own = figuresIn(text).filter(
      (figure) => figure.name.replace(/_(bucket|sum|count)$/, '') === name || figure.name === name,
    );
    const labels = new Set(own.flatMap((figure) => Object.keys(figure.labels)));
    labels.delete('le');
    return [name, kind, [...labels].sort()];
  });
  const byName = (one: unknown[], other: unknown[]): number => (String(one[0]) < String(other[0]) ? -1 : 1);
  assert.deepEqual(shown.sort(byName), logLines.sort(byName));
  const values = new Map<string, string>();
  for (const [, label, cell] of page.matchAll(/^\| `(\w+)`(?: of \w+)? \| ([^|]*) \|$/gm))
    values.set(label!, `${values.get(label!) ?? ''} ${cell}`);
  for (const { labels } of figuresIn(text))
    for (const [label, value] of Object.entries(labels)) {
      if (['le', 'http_route', 'http_response_status_code'].includes(label) || value === '') continue;
      assert.ok(values.get(label)?.includes(`\`${value}\``), `${label}="${value}" stands on the page`);
    }
}
