/**
 * The fast path sends what Fastify would send: the same status, headers and body. It also has the same side effects: log
 * line, metrics, use of the key.
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../../src/engine/unit/service.ts';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import type { HttpOptions } from '../../src/http/server/context.ts';
import type { Metrics } from '../../src/metrics/metrics.ts';
import { revokeKey } from '../../src/store/keys.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { ACTOR, changed, made, newKey, type OpenedStore, openedStore, withOverrides } from '../support/opened-store.ts';

const HANDLED = 'tracing:fastify.request.handler:start';

const DAY_SECONDS = 24 * 3600;

/** Title, path, headers. Repeated requests of this kind are served by the fast path. */
const REPEATABLE: readonly [title: string, path: string, headers?: Record<string, string>][] = [
  ['a record', '/api/products/1'],
  ['a list', '/api/products?itemsPerPage=5'],
  ['a list with filters and order', '/api/products?enabled=1&order[price]=asc'],
  ['a record with selected fields', '/api/products/1?fields=id,name'],
  ['JSON-LD', '/api/products/1', { accept: 'application/ld+json' }],
  ['another language', '/api/products/1', { 'accept-language': 'de' }],
  ['a lenient request', '/api/products?unknown=1', { prefer: 'handling=lenient' }],
  ['a view', '/api/categories/1/stats'],
  ['a list below a parent', '/api/products/1/images'],
  ['a small response to a client that accepts gzip', '/api/products/1?fields=id', { 'accept-encoding': 'gzip' }],
  ['a compressed response', '/api/products/1', { 'accept-encoding': 'gzip' }],
];

/** Fastify always serves requests of this kind. */
const NOT_REPEATABLE: readonly [title: string, path: string, headers?: Record<string, string>][] = [
  ['a conditional request', '/api/products/1', { 'if-none-match': '"1-x"' }],
  ['texts in all languages', '/api/products/1/translations'],
  ['a rejected request', '/api/products/1?unknown=1'],
  ['an unknown record', '/api/products/999'],
  ['an unsupported media type', '/api/products/1', { accept: 'text/csv' }],
  ['a public document', '/api/openapi.json'],
  ['a request for Server-Timing', '/api/products/1', { prefer: 'timing' }],
  ['a request with a body', '/api/products/1', { 'content-length': '0' }],
];

/** Every hook that Fastify runs for a request. The comment of `fast-path.ts` says what the fast path does withOverrides. */
const HOOKS: readonly string[] = [
  'src/http/responses/encodings.ts onSend',
  'src/http/server/server-timing.ts onSend',
  'src/http/server/stages.ts onRequest',
  'src/http/server/stages.ts onRequest',
  'src/http/server/stages.ts onRequest',
  'src/http/server/stages.ts onSend',
  'src/http/server/stages.ts onSend',
  'src/http/server/stages.ts preHandler',
];

test('the fast path has a counterpart of every hook', () => {
  const hooks = globSync('src/http/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\.addHook\(\s*'(\w+)'/g)].map(([, kind]) => `${file} ${kind}`),
  );
  const ofRequests = hooks.filter((hook) => !/ (?:onRoute|onReady|onListen|onClose|preClose)$/.test(hook));
  assert.deepEqual(
    ofRequests.sort(),
    HOOKS,
    'a new hook: add it to the table in fast-path.ts, test it here, list it above',
  );
});

for (const name of databaseNames)
  describe(`the fast path (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let app: FastifyInstance;
    let observed: Observed;
    /** Seconds that the store's clock is ahead. */
    let ahead = 0;
    /** Requests that Fastify has handled. */
    let handled = 0;
    const count = (): void => {
      handled += 1;
    };
    before(async () => {
      subscribe(HANDLED, count);
      opened = await openedStore(name);
      const { clock } = opened.service;
      service = { ...opened.service, clock: { ...clock, now: () => clock.now() + ahead } };
      await made(service, 'Category', { name: 'All' });
      for (const sku of ['A', 'B', 'C']) await made(service, 'Product', { sku, name: sku, price: 1 });
      observed = new Observed();
      app = await listening(service, { LOG_REQUESTS: '1' }, undefined, observed.options);
    });
    after(async () => {
      unsubscribe(HANDLED, count);
      await app.close();
      await opened.remove();
    });

    /** Repeats a request on one connection until the fast path serves it. @returns that response */
    const repeat = async (client: Client, path: string, headers?: Record<string, string>): Promise<Received> => {
      // On PostgreSQL, the check that validates the first response may still be running.
      for (let times = 0; times < 3; times += 1) await client.get(path, headers);
      const before = handled;
      const response = await client.get(path, headers);
      assert.equal(handled, before, 'the fast path serves the repeated request');
      return response;
    };

    for (const [title, path, headers] of REPEATABLE)
      test(`sends and records ${title} like Fastify`, async (context) => {
        const fast = new Client(app);
        context.after(() => fast.close());
        await repeat(fast, path, headers);

        const effects = async (client: Client): Promise<{ received: Received; effects: Effects }> => {
          observed.reset();
          const received = await client.get(path, { ...headers, 'x-request-id': 'compared' });
          return { received, effects: await observed.ofOneRequest() };
        };
        const repeated = await effects(fast);
        // The first request of a connection is never repeated.
        const normal = new Client(app);
        context.after(() => normal.close());
        const before = handled;
        const expected = await effects(normal);
        assert.equal(handled, before + 1, 'Fastify serves the first request of a connection');

        assert.equal(repeated.received.status, 200);
        assert.deepEqual(repeated.received, expected.received);
        assert.deepEqual(repeated.effects.log, expected.effects.log);
        assert.deepEqual(repeated.effects.metrics, expected.effects.metrics);
        assert.deepEqual([repeated.effects.sources, expected.effects.sources], [['repeated'], ['kept']]);
      });

    for (const [title, path, headers] of NOT_REPEATABLE)
      test(`leaves ${title} to Fastify`, async (context) => {
        const client = new Client(app);
        context.after(() => client.close());
        const first = await client.get(path, headers);
        await client.get(path, headers);
        const before = handled;
        const last = await client.get(path, headers);
        // Rejected requests do not reach their handler.
        if (last.status === 200) assert.equal(handled, before + 1);
        assert.equal(last.body, first.body);
      });

    test('never sends a response older than a committed write', async (context) => {
      const client = new Client(app);
      context.after(() => client.close());
      for (const price of [2, 3, 4]) {
        for (let times = 0; times < 3; times += 1) await client.get('/api/products/2');
        await changed(service, 'Product', 2, { price });
        assert.equal(JSON.parse((await client.get('/api/products/2')).body).price, price);
        const { body } = await client.get('/api/products');
        assert.equal(JSON.parse(body).find(({ id }: { id: number }) => id === 2).price, price);
      }
    });

    test('rejects revoked and different keys', async (context) => {
      const key = await newKey(service, { name: 'short-lived', kind: 'read-only' });
      const client = new Client(app);
      context.after(() => client.close());
      const statuses: number[] = [];
      for (let times = 0; times < 3; times += 1)
        statuses.push((await client.get('/api/products/1', { 'x-auth-token': key })).status);
      statuses.push((await client.get('/api/products/1', { 'x-auth-token': `${key}x` })).status);
      statuses.push((await client.get('/api/products/1', { 'x-auth-token': key })).status);
      await revokeKey(service, 'short-lived', ACTOR);
      statuses.push((await client.get('/api/products/1', { 'x-auth-token': key })).status);
      assert.deepEqual(statuses, [200, 200, 200, 401, 200, 401]);
    });

    test('rejects a key that has expired', async (context) => {
      context.after(() => {
        ahead = 0;
      });
      const expires = service.clock.now() + 3600;
      const key = await newKey(service, { name: 'expiring', kind: 'read-only', expires });
      const client = new Client(app);
      context.after(() => client.close());
      assert.equal((await repeat(client, '/api/products/1', { 'x-auth-token': key })).status, 200);
      ahead = 3601;
      const { status, body } = await client.get('/api/products/1', { 'x-auth-token': key });
      assert.deepEqual([status, /has expired/.test(body)], [401, true]);
    });

    test('records the day on which a key was used', async (context) => {
      context.after(() => {
        ahead = 0;
      });
      const key = await newKey(service, { name: 'daily', kind: 'read-only' });
      const client = new Client(app);
      context.after(() => client.close());
      await repeat(client, '/api/products/1', { 'x-auth-token': key });
      ahead = DAY_SECONDS;
      const before = handled;
      await client.get('/api/products/1', { 'x-auth-token': key });
      assert.equal(handled, before);
      const today = service.clock.now() - (service.clock.now() % DAY_SECONDS);
      const lastUsed = async (): Promise<string> => {
        const keys = JSON.parse((await client.get('/api/keys')).body);
        return keys.find(({ name }: { name: string }) => name === 'daily').last_used_at;
      };
      while (Date.parse(await lastUsed()) / 1000 < today) await sleep(5);
    });

    test('rejects a key that was revoked while the previous request was in progress', async (context) => {
      const key = await newKey(service, { name: 'revoked', kind: 'read-only' });
      const cacheValidator = new CacheValidator(service);
      let duringCheck: (() => Promise<void>) | undefined;
      const check = async () => {
        const state = await cacheValidator.check();
        const run = duringCheck;
        duringCheck = undefined;
        await run?.();
        return state;
      };
      const slow = await listening(service, {}, withOverrides(cacheValidator, { check }));
      context.after(() => slow.close());
      const [client, other] = [new Client(slow), new Client(slow)];
      for (const each of [client, other]) context.after(() => each.close());
      const get = (): Promise<Received> => client.get('/api/products/1', { 'x-auth-token': key });
      await get();
      duringCheck = async () => {
        await revokeKey(service, 'revoked', ACTOR);
        // The response is cached again meanwhile.
        for (let times = 0; times < 3; times += 1) await other.get('/api/products/1');
      };
      assert.deepEqual([(await get()).status, (await get()).status], [200, 401]);
    });

    test('gives each response its own request id and trace', async (context) => {
      const client = new Client(app);
      context.after(() => client.close());
      const traces = ['1', '2', '3', '4'].map((digit) => digit.repeat(32));
      let before = handled;
      for (const [index, trace] of traces.entries()) {
        if (index === 3) before = handled;
        await client.get('/api/products/1', {
          'x-request-id': `id-${index}`,
          traceparent: `00-${trace}-${'a'.repeat(16)}-01`,
          tracestate: `shop=${index}`,
        });
      }
      assert.equal(handled, before, 'the fast path serves the last request');
      assert.deepEqual(
        client.ids.map(({ id }) => id),
        ['id-0', 'id-1', 'id-2', 'id-3'],
      );
      for (const [index, trace] of traces.entries()) {
        const [version, traceId, ownId, flags] = client.ids[index]!.trace!.split('-');
        assert.deepEqual([version, traceId, flags], ['00', trace, '01']);
        assert.match(ownId!, /^(?!a{16})[0-9a-f]{16}$/);
      }
      // A key of this or another store is not an id.
      for (const invalid of [INJECT_KEY, 'pv_sc_0123456789', 'pv_pk_0123456789', 'not an id']) {
        await client.get('/api/products/1', { 'x-request-id': invalid });
        assert.match(client.ids.at(-1)!.id!, UUID);
      }
    });

    test('sends current Server-Timing to a client that has used the fast path', async (context) => {
      const client = new Client(app);
      context.after(() => client.close());
      await repeat(client, '/api/products/1');
      for (let times = 0; times < 3; times += 1) {
        const { headers } = await client.get('/api/products/1', { prefer: 'timing' });
        assert.match(headers.get('server-timing')!, TIMING);
      }
      assert.equal((await client.get('/api/products/1')).headers.has('server-timing'), false);
    });

    test('waits for an earlier write on its connection', async () => {
      const { port } = app.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      const head = `Host: store\r\nX-Auth-Token: ${INJECT_KEY}\r\n`;
      const get = `GET /api/products/3?fields=id,price HTTP/1.1\r\n${head}\r\n`;
      const responses = async (number: number): Promise<void> => {
        while (text.split('HTTP/1.1 ').length <= number || !text.endsWith('}')) await once(socket, 'data');
      };
      for (const number of [1, 2, 3]) {
        socket.write(get);
        await responses(number);
      }
      const body = '{"price":77}';
      const type = 'Content-Type: application/merge-patch+json\r\n';
      socket.write(
        `PATCH /api/products/3 HTTP/1.1\r\n${head}${type}Content-Length: ${body.length}\r\n\r\n${body}${get}`,
      );
      await responses(5);
      assert.match(text, /"price":77\}$/);
      socket.destroy();
    });

    test('sends current rate limits, and closes a connection after its last response', async (context) => {
      const limited = await listening(service, { RATE_LIMIT_PER_MINUTE: '100', REQUESTS_PER_CONNECTION_MAX: '6' });
      context.after(() => limited.close());
      const client = new Client(limited);
      context.after(() => client.close());
      const left: (string | undefined)[] = [];
      let last: Received | undefined;
      for (let times = 0; times < 6; times += 1) {
        last = await client.get('/api/products/1');
        left.push(/r=(\d+)/.exec(last.headers.get('ratelimit') ?? '')?.[1]);
      }
      assert.deepEqual(left, ['99', '98', '97', '96', '95', '94']);
      assert.equal(last!.headers.get('connection'), 'close');
    });
  });

/** What one request has left behind besides its response. */
interface Effects {
  /** The request's log line without times. */
  readonly log: object;
  /** Calls of the metrics without durations. */
  readonly metrics: readonly unknown[];
  /** The cache layers that were counted. */
  readonly sources: readonly string[];
}

/** Collects the log lines and metrics of a server. */
class Observed {
  #lines: Record<string, unknown>[] = [];
  #calls: unknown[] = [];
  #sources: string[] = [];
  #line = Promise.withResolvers<void>();

  get options(): Partial<HttpOptions> {
    const metrics: Partial<Metrics> = {
      showWork: () => {},
      showResponseBacklog: () => {},
      requestBegan: (...call) => void this.#calls.push(['began', ...call]),
      requestEnded: (...call) => void this.#calls.push(['ended', ...call]),
      requestCompleted: (method, route, status) => void this.#calls.push(['answered', method, route, status]),
      readCompleted: (source) => void this.#sources.push(source),
    };
    const write = (line: string): void => {
      this.#lines.push(JSON.parse(line));
      this.#line.resolve();
    };
    return { metrics: metrics as Metrics, logStream: { write } };
  }

  reset(): void {
    this.#lines = [];
    this.#calls = [];
    this.#sources = [];
    this.#line = Promise.withResolvers();
  }

  /** The client may have the response before the server has written its log line. */
  async ofOneRequest(): Promise<Effects> {
    await this.#line.promise;
    assert.equal(this.#lines.length, 1);
    const { time: _, ms, ...log } = this.#lines[0]!;
    assert.equal(typeof ms, 'number');
    return { log, metrics: this.#calls, sources: this.#sources };
  }
}

/** Headers that differ from response to response. */
const OWN = new Set(['date', 'x-request-id', 'traceresponse']);

/** A problem names its request. */
const INSTANCE = /urn:uuid:[\w-]+/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMING = /^wait;dur=\d+\.\d\d, db;dur=\d+\.\d\d, total;dur=\d+\.\d\d$/;

async function listening(
  service: Service,
  settings: Record<string, string> = {},
  cacheValidator?: CacheValidator,
  options: Partial<HttpOptions> = {},
): Promise<FastifyInstance> {
  const app = await serverOf(service, settings, cacheValidator, undefined, options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

interface Received {
  readonly status: number;
  /** Without those of each response only. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A client with one connection. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  /** `X-Request-Id` and `traceresponse` of each response. */
  readonly ids: { readonly id: string | undefined; readonly trace: string | undefined }[] = [];

  constructor(app: FastifyInstance) {
    this.#port = (app.server.address() as AddressInfo).port;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Received> {
    const sending = request({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      path,
      headers: { 'x-auth-token': INJECT_KEY, ...headers },
    });
    sending.end();
    const [response] = await once(sending, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    this.ids.push({ id: response.headers['x-request-id'], trace: response.headers.traceresponse });
    const named = (response.rawHeaders as string[]).flatMap((text, index, all): [string, string][] =>
      index % 2 === 0 && !OWN.has(text.toLowerCase()) ? [[text.toLowerCase(), all[index + 1]!]] : [],
    );
    assert.equal(new Set(named.map(([header]) => header)).size, named.length, 'no header is sent twice');
    return {
      status: response.statusCode,
      headers: new Map(named),
      body: Buffer.concat(chunks).toString('latin1').replace(INSTANCE, ''),
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}
