/** A request that is as one before it gets the answer that the whole server would give: the same bytes, the same headers. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../../src/engine/unit/service.ts';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import { createKey, revokeKey } from '../../src/store/keys.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { changed, made, type OpenedStore, openedStore, withOverrides } from '../support/opened-store.ts';

const HANDLED = 'tracing:fastify.request.handler:start';

/** Title, headers, whether the third answer is sent without the rest of the server. */
const SCENARIOS: readonly [title: string, path: string, headers: Record<string, string>, isRepeat: boolean][] = [
  ['a record', '/api/products/1', {}, true],
  ['a list', '/api/products?itemsPerPage=5', {}, true],
  ['a list with its filters', '/api/products?enabled=1&order[price]=asc', {}, true],
  ['some of the fields', '/api/products/1?fields=id,name', {}, true],
  ['JSON-LD', '/api/products/1', { accept: 'application/ld+json' }, true],
  ['another language', '/api/products/1', { 'accept-language': 'de' }, true],
  ['leniency', '/api/products?unknown=1', { prefer: 'handling=lenient' }, true],
  ['a view', '/api/categories/1/stats', {}, true],
  ['a record below another', '/api/products/1/images', {}, true],
  ['an encoding, where the answer is small', '/api/products/1?fields=id', { 'accept-encoding': 'gzip' }, true],
  ['an encoding, where it is large', '/api/products/1', { 'accept-encoding': 'gzip' }, true],
  ['a condition', '/api/products/1', { 'if-none-match': '"1-x"' }, false],
  ['texts by language', '/api/products/1/translations', {}, false],
  ['a refusal', '/api/products/1?unknown=1', {}, false],
  ['no record', '/api/products/999', {}, false],
  ['a form that is not offered', '/api/products/1', { accept: 'text/csv' }, false],
  ['a public document', '/api/openapi.json', {}, false],
];

for (const name of databaseNames)
  describe(`a request that is repeated (${name})`, () => {
    let opened: OpenedStore;
    let service: Service;
    let app: FastifyInstance;
    let handled = 0;
    const count = (): void => {
      handled += 1;
    };
    before(async () => {
      subscribe(HANDLED, count);
      opened = await openedStore(name);
      service = opened.service;
      await made(service, 'Category', { name: 'All' });
      for (const sku of ['A', 'B', 'C']) await made(service, 'Product', { sku, name: sku, price: 1 });
      app = await listening(service);
    });
    after(async () => {
      unsubscribe(HANDLED, count);
      await app.close();
      await opened.remove();
    });

    for (const [title, path, headers, isRepeat] of SCENARIOS)
      test(`${title}: is answered as before`, async () => {
        const client = new Client(app);
        const [first, second] = [await client.get(path, headers), await client.get(path, headers)];
        // Where looks are statements, the second one may be under way still.
        await client.get(path, headers);
        const before = handled;
        const last = await client.get(path, headers);
        assert.deepEqual(last, second);
        assert.equal(last.body, first.body);
        assert.deepEqual([...last.headers].sort(), [...first.headers].sort());
        if (isRepeat) assert.deepEqual([last.status, handled - before], [200, 0]);
        client.close();
      });

    test('shows what was written meanwhile, wherever', async () => {
      const client = new Client(app);
      for (const price of [2, 3, 4]) {
        for (let times = 0; times < 3; times += 1) await client.get('/api/products/2');
        await changed(service, 'Product', 2, { price });
        assert.equal(JSON.parse((await client.get('/api/products/2')).body).price, price);
        const { body } = await client.get('/api/products');
        assert.equal(JSON.parse(body).find(({ id }: { id: number }) => id === 2).price, price);
      }
      client.close();
    });

    test('is refused once its key is revoked, or is another', async () => {
      const key = (await createKey(service, { name: 'short-lived', kind: 'read-only' }))!;
      const client = new Client(app);
      const statuses: number[] = [];
      for (let times = 0; times < 3; times += 1)
        statuses.push((await client.get('/api/products/1', { 'x-auth-token': key })).status);
      statuses.push((await client.get('/api/products/1', { 'x-auth-token': `${key}x` })).status);
      statuses.push((await client.get('/api/products/1', { 'x-auth-token': key })).status);
      await revokeKey(service, 'short-lived');
      statuses.push((await client.get('/api/products/1', { 'x-auth-token': key })).status);
      assert.deepEqual(statuses, [200, 200, 200, 401, 200, 401]);
      client.close();
    });

    test('is refused where its key was revoked while the request before was on its way', async (context) => {
      const key = (await createKey(service, { name: 'revoked', kind: 'read-only' }))!;
      const cacheValidator = new CacheValidator(service);
      let onItsWay: (() => Promise<void>) | undefined;
      const look = async () => {
        const state = await cacheValidator.look();
        const meanwhile = onItsWay;
        onItsWay = undefined;
        await meanwhile?.();
        return state;
      };
      const slow = await listening(service, {}, withOverrides(cacheValidator, { look }));
      context.after(() => slow.close());
      const [client, other] = [new Client(slow), new Client(slow)];
      for (const each of [client, other]) context.after(() => each.close());
      const asked = (): Promise<Got> => client.get('/api/products/1', { 'x-auth-token': key });
      await asked();
      onItsWay = async () => {
        await revokeKey(service, 'revoked');
        // The answer is kept anew meanwhile.
        for (let times = 0; times < 3; times += 1) await other.get('/api/products/1');
      };
      assert.deepEqual([(await asked()).status, (await asked()).status], [200, 401]);
    });

    test('has an id and a trace of its own, by which alone it may differ', async () => {
      const client = new Client(app);
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
      assert.equal(handled - before, 0, 'the last was answered before the router');
      assert.deepEqual(
        client.ids.filter((_, index) => index % 2 === 0),
        ['id-0', 'id-1', 'id-2', 'id-3'],
      );
      for (const [index, trace] of traces.entries()) {
        const [version, traceId, ownId, flags] = client.ids[2 * index + 1]!.split('-');
        assert.deepEqual([version, traceId, flags], ['00', trace, '01']);
        assert.match(ownId!, /^(?!a{16})[0-9a-f]{16}$/);
      }
      await client.get('/api/products/1', { 'x-request-id': INJECT_KEY });
      await client.get('/api/products/1', { 'x-request-id': 'not an id' });
      for (const id of [client.ids[8], client.ids[10]]) assert.match(id!, UUID);
      const timed: Got[] = [];
      for (let times = 0; times < 4; times += 1) timed.push(await client.get('/api/products/1', { prefer: 'timing' }));
      for (const { headers } of timed) assert.match(headers.get('server-timing')!, TIMING);
      client.close();
    });

    test('waits for the write in front of it on its connection', async () => {
      const { port } = app.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (part) => {
        text += part;
      });
      const head = `Host: store\r\nX-Auth-Token: ${INJECT_KEY}\r\n`;
      const get = `GET /api/products/3?fields=id,price HTTP/1.1\r\n${head}\r\n`;
      const answers = async (number: number): Promise<void> => {
        while (text.split('HTTP/1.1 ').length <= number || !text.endsWith('}')) await once(socket, 'data');
      };
      for (const number of [1, 2, 3]) {
        socket.write(get);
        await answers(number);
      }
      const body = '{"price":77}';
      const type = 'Content-Type: application/merge-patch+json\r\n';
      socket.write(
        `PATCH /api/products/3 HTTP/1.1\r\n${head}${type}Content-Length: ${body.length}\r\n\r\n${body}${get}`,
      );
      await answers(5);
      assert.match(text, /"price":77\}$/);
      socket.destroy();
    });

    test('has the headers of a limit, and of the last answer of a connection', async (context) => {
      const limited = await listening(service, { RATE_LIMIT_PER_MINUTE: '100', REQUESTS_PER_CONNECTION_MAX: '6' });
      context.after(() => limited.close());
      const client = new Client(limited);
      context.after(() => client.close());
      const left: (string | undefined)[] = [];
      let last: Got | undefined;
      for (let times = 0; times < 6; times += 1) {
        last = await client.get('/api/products/1');
        left.push(/r=(\d+)/.exec(last.headers.get('ratelimit') ?? '')?.[1]);
      }
      assert.deepEqual(left, ['99', '98', '97', '96', '95', '94']);
      assert.equal(last!.headers.get('connection'), 'close');
    });
  });

/** Headers that differ from answer to answer. */
const OWN = new Set(['date', 'x-request-id', 'traceresponse']);

/** A problem names its request. */
const INSTANCE = /urn:uuid:[\w-]+/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMING = /^wait;dur=\d+\.\d\d, db;dur=\d+\.\d\d, total;dur=\d+\.\d\d$/;

async function listening(
  service: Service,
  settings: Record<string, string> = {},
  cacheValidator?: CacheValidator,
): Promise<FastifyInstance> {
  const app = await serverOf(service, settings, cacheValidator);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

interface Got {
  readonly status: number;
  /** Without those that are each answer’s own. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** One connection. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  /** `X-Request-Id` and `traceresponse` of each answer. */
  readonly ids: (string | undefined)[] = [];

  constructor(app: FastifyInstance) {
    this.#port = (app.server.address() as AddressInfo).port;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Got> {
    const sending = request({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      path,
      headers: { 'x-auth-token': INJECT_KEY, ...headers },
    });
    sending.end();
    const [answer] = await once(sending, 'response');
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part);
    this.ids.push(answer.headers['x-request-id'], answer.headers.traceresponse);
    const named = (answer.rawHeaders as string[]).flatMap((text, index, all): [string, string][] =>
      index % 2 === 0 && !OWN.has(text.toLowerCase()) ? [[text.toLowerCase(), all[index + 1]!]] : [],
    );
    return {
      status: answer.statusCode,
      headers: new Map(named),
      body: Buffer.concat(parts).toString('latin1').replace(INSTANCE, ''),
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}
