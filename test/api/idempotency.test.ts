/** Safe retries: a POST with an Idempotency-Key takes effect once and is then replayed (http.md §10). */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { HttpResponse, RequestOptions } from '../support/client.ts';
import { run } from '../support/database-scenario.ts';
import { databaseNames } from '../support/databases.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { attached, fileAt, png, testImage } from '../support/images.ts';
import {
  countOrders,
  orderItem,
  orderOf,
  placed,
  type Servers,
  startServers,
  statuses,
  stockOf,
  times,
} from '../support/orders.ts';
import { type Json, onEachDatabase, onOneDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';

/** Returns an idempotency key that no other test uses. */
const newKey = () => `key-${crypto.randomUUID()}`;

/** Headers that a replay must repeat in addition to the body. */
const REPLAYED_HEADERS = ['content-type', 'content-language', 'location', 'etag'];

function assertReplayed(response: HttpResponse, first: HttpResponse): void {
  assert.equal(response.status, first.status, response.text);
  assert.ok(response.bytes.equals(first.bytes), response.text);
  for (const name of REPLAYED_HEADERS) assert.equal(response.headers[name], first.headers[name], name);
  assert.equal(response.headers['idempotency-replayed'], 'true');
}

function assertFirst(response: HttpResponse, status = 201): void {
  assert.equal(response.status, status, response.text);
  assert.equal(response.headers['idempotency-replayed'], undefined);
}

/** A retryable POST and its observable effect. */
interface Scenario {
  readonly path: string;
  readonly body: Json;
  readonly status?: number;
  /** A value that changes whenever the POST takes effect. */
  count(): Promise<number>;
  /** Changes the record between the first request and the retry. */
  later?(first: HttpResponse): Promise<HttpResponse>;
}

const total = async (store: Store, path: string) => Number((await store.get(path)).headers['x-total-count']);

const SCENARIOS: Record<string, (store: Store) => Promise<Scenario>> = {
  'an order': async (store) => {
    const product = await store.product({ amount: 100 });
    return {
      path: '/api/orders',
      body: orderOf([orderItem(product, 1)], { notes: 'Once' }),
      count: () => stockOf(store, product),
      later: ({ json }) => store.put(`/api/orders/${json.id}/payment_status`, { code: 'P' }),
    };
  },
  'a product': async (store) => ({
    path: '/api/products',
    body: { sku: `ONCE-${crypto.randomUUID().slice(0, 8)}`, name: 'Once', clean_url: '' },
    count: () => total(store, '/api/products'),
    later: ({ json }) => store.patch(`/api/products/${json.id}`, { name: 'Changed', price: 7 }),
  }),
  'an action': async (store) => {
    const product = await store.product({ amount: 100 });
    return {
      path: `/api/products/${product.id}/stock`,
      body: { delta: -3 },
      status: 200,
      count: () => stockOf(store, product),
      later: () => store.patch(`/api/products/${product.id}`, { price: 9 }),
    };
  },
  'an order detail': async (store) => {
    const { id } = await placed(store, [orderItem(await store.product(), 1)]);
    return {
      path: `/api/orders/${id}/details`,
      body: { name: 'Gift', value: 'Yes' },
      count: () => total(store, `/api/orders/${id}/details`),
      later: ({ json }) => store.delete(`/api/orders/${id}/details/${json.id}`),
    };
  },
  'an image': async (store) => {
    const { id } = await store.product();
    return {
      path: `/api/products/${id}/images`,
      body: await attached(png(), { alt: 'Once' }),
      count: () => total(store, `/api/products/${id}/images`),
      later: ({ json }) => store.delete(`/api/products/${id}/images/${json.id}`),
    };
  },
  'a tag': async (store) => ({
    path: '/api/tags',
    body: { name: `Once ${crypto.randomUUID()}` },
    count: () => total(store, '/api/tags'),
    later: ({ json }) => store.delete(`/api/tags/${json.id}`),
  }),
};

onEachDatabase('a repeated request with the same key', {}, (store) => {
  for (const [title, prepare] of Object.entries(SCENARIOS)) {
    test(`creates ${title} once and is replayed`, async () => {
      const { path, body, status, count } = await prepare(store);
      const headers = { 'idempotency-key': newKey() };
      const first = await store.post(path, body, headers);
      assertFirst(first, status);
      const after = await count();
      for (let round = 0; round < 3; round += 1) assertReplayed(await store.post(path, body, headers), first);
      assert.equal(await count(), after);
    });

    test(`is replayed for ${title} after a later change or deletion`, async () => {
      const { path, body, status, count, later } = await prepare(store);
      const headers = { 'idempotency-key': newKey() };
      const first = await store.post(path, body, headers);
      assertFirst(first, status);
      const changed = await later!(first);
      assert.ok(changed.status === 200 || changed.status === 204, changed.text);
      const after = await count();
      assertReplayed(await store.post(path, body, headers), first);
      assert.equal(await count(), after);
    });

    // More concurrent images than the queue holds are rejected with 503.
    const clients = title === 'an image' ? 5 : 20;
    test(`creates ${title} once for ${clients} concurrent clients`, async () => {
      const { path, body, status = 201, count } = await prepare(store);
      const headers = { 'idempotency-key': newKey() };
      const earlier = await count();
      const responses = await times(clients, () => store.post(path, body, headers));
      assert.deepEqual(statuses(responses), { [status]: clients });
      const firsts = responses.filter((response) => response.headers['idempotency-replayed'] === undefined);
      assert.equal(firsts.length, 1);
      for (const response of responses) if (response !== firsts[0]) assertReplayed(response, firsts[0]!);
      const step = Math.abs((await count()) - earlier);
      assert.equal(step, path.endsWith('/stock') ? 3 : 1);
    });

    test(`is rejected with 422 if the body or path differs (${title})`, async () => {
      const { path, body, status } = await prepare(store);
      const headers = { 'idempotency-key': newKey() };
      const first = await store.post(path, body, headers);
      assertFirst(first, status);
      await assertUnchanged(store, () =>
        assertUnchanged(store, async () => {
          const text = JSON.stringify(body);
          const others: [string, unknown][] = [
            [path, `${text} `],
            [path, ` ${text}`],
            [path, JSON.stringify(body, undefined, 1)],
            [path, { ...body, unknown_field: 1 }],
            [path, {}],
            [
              path,
              Object.fromEntries(
                Object.entries(body)
                  .toReversed()
                  .concat([['notes', 'x']]),
              ),
            ],
            [path === '/api/tags' ? '/api/memberships' : '/api/tags', body],
            ['/api/products/999999/stock', body],
            ['/api/products/999999/images', body],
          ];
          for (const [target, sent] of others)
            assertProblem(await store.post(target, sent, headers), 422, /Idempotency-Key/i);
        }),
      );
      assertReplayed(await store.post(path, body, headers), first);
    });
  }

  test('is rejected with 422 if a header differs that affects the stored data', async () => {
    const sent = { 'accept-language': 'de', 'content-type': 'application/json', prefer: 'handling=lenient' };
    const headers = { 'idempotency-key': newKey(), ...sent };
    const body = { name: 'In German' };
    const first = await store.post('/api/tags', body, headers);
    assertFirst(first);
    const others = {
      'accept-language': [undefined, 'fr', 'de, en;q=0.5', '*'],
      'content-type': ['application/ld+json', 'application/json; charset=utf-8'],
      prefer: [undefined, 'handling=strict', 'return=minimal'],
    };
    await assertUnchanged(store, async () => {
      for (const [name, values] of Object.entries(others))
        for (const value of values) {
          const rejected = await store.post('/api/tags', body, { ...headers, [name]: value });
          assertProblem(rejected, 422, /Idempotency-Key.*Accept-Language, Content-Type or Prefer/);
          assert.equal(rejected.headers['content-language'], undefined, 'the response has no other language');
        }
    });
    assertReplayed(await store.post('/api/tags', body, headers), first);
    const spaced = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, ` ${value} `]));
    assertReplayed(await store.post('/api/tags', body, { ...headers, ...spaced }), first);
  });

  test('treats an absent header like an empty one', async () => {
    const headers = { 'idempotency-key': newKey() };
    const first = await store.post('/api/tags', { name: 'Plain' }, headers);
    assertFirst(first);
    const empty = { ...headers, 'accept-language': '', prefer: '' };
    assertReplayed(await store.post('/api/tags', { name: 'Plain' }, empty), first);
  });

  test('is rejected with 422 if the query differs', async () => {
    const headers = { 'idempotency-key': newKey(), prefer: 'handling=lenient' };
    const body = { name: 'Queried' };
    const first = await store.post('/api/tags?x=1', body, headers);
    assertFirst(first);
    await assertUnchanged(store, async () => {
      for (const query of ['', '?x=2', '?x=1&y=1'])
        assertProblem(await store.post(`/api/tags${query}`, body, headers), 422, /Idempotency-Key/i);
    });
    assertReplayed(await store.post('/api/tags?x=1', body, headers), first);
  });

  test('takes the stock of an order once', async () => {
    const product = await store.product({ amount: 3 });
    const before = await countOrders(store);
    const headers = { 'idempotency-key': newKey() };
    const body = orderOf([orderItem(product, 3)]);
    const first = await store.post('/api/orders', body, headers);
    assertFirst(first);
    // Without the key, a new order is rejected for lack of stock.
    assertProblem(await store.post('/api/orders', body), 422);
    assertReplayed(await store.post('/api/orders', body, headers), first);
    assert.deepEqual([await stockOf(store, product), await countOrders(store)], [0, before + 1]);
  });

  test('is replayed in the language of the first request', async () => {
    const headers = { 'idempotency-key': newKey() };
    const body = { sku: 'SPRACHE', name: 'Sprache' };
    const first = await store.post('/api/products', body, { ...headers, 'accept-language': 'de' });
    assertFirst(first);
    assert.equal(first.headers['content-language'], 'de');
    await store.patch(`/api/products/${first.json.id}`, { name: 'Renamed' }, { 'accept-language': 'de' });
    assertReplayed(await store.post('/api/products', body, { ...headers, 'accept-language': 'de' }), first);
  });

  test('is replayed in the format of the first request', async () => {
    const ld = 'application/ld+json';
    for (const [accept, other] of [
      [ld, 'application/json'],
      ['application/json', ld],
    ]) {
      const headers = { 'idempotency-key': newKey() };
      const body = { sku: `FORM-${accept!.length}`, name: 'Form' };
      const first = await store.post('/api/products', body, { ...headers, accept });
      assertFirst(first);
      assert.ok(first.headers['content-type']!.startsWith(accept!));
      for (const others of [{ accept: other }, {}, { accept }])
        assertReplayed(await store.post('/api/products', body, { ...headers, ...others }), first);
    }
  });

  test('does not restore a deleted product', async () => {
    const headers = { 'idempotency-key': newKey() };
    const body = { sku: 'DELETED', name: 'Deleted' };
    const first = await store.post('/api/products', body, headers);
    await store.delete(`/api/products/${first.json.id}`);
    assertReplayed(await store.post('/api/products', body, headers), first);
    assertProblem(await store.get(`/api/products/${first.json.id}`), 404);
    assert.equal((await store.get('/api/products?sku=DELETED')).json.length, 0);
  });

  test('does not restore a removed file', async () => {
    const { id } = await store.product();
    const headers = { 'idempotency-key': newKey() };
    const body = await attached(png());
    const first = await store.post(`/api/products/${id}/images`, body, headers);
    await store.delete(`/api/products/${id}/images/${first.json.id}`);
    assertReplayed(await store.post(`/api/products/${id}/images`, body, headers), first);
    assert.equal((await fileAt(store, first.json.url)).status, 404);
  });
});

onEachDatabase('replay after changes of the store', {}, (store) => {
  test('succeeds if the product was deleted', async () => {
    const { id } = await store.product({ amount: 9 });
    const imageBody = await attached(png());
    const tries: [string, Json, number][] = [
      [`/api/products/${id}/stock`, { delta: -1 }, 200],
      [`/api/products/${id}/images`, imageBody, 201],
    ];
    const firsts: [string, Json, RequestOptions['headers'], HttpResponse][] = [];
    for (const [path, body, status] of tries) {
      const headers = { 'idempotency-key': newKey() };
      const first = await store.post(path, body, headers);
      assertFirst(first, status);
      firsts.push([path, body, headers, first]);
    }
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    for (const [path, body, headers, first] of firsts) {
      assertReplayed(await store.post(path, body, headers), first);
      assert.ok((await store.post(path, body)).status >= 400);
    }
  });

  test('succeeds if If-Match no longer holds', async () => {
    const { id } = await store.product({ amount: 9 });
    const { etag } = (await store.get(`/api/products/${id}`)).headers;
    const headers = { 'idempotency-key': newKey(), 'if-match': etag };
    const first = await store.post(`/api/products/${id}/stock`, { delta: -1 }, headers);
    assertFirst(first, 200);
    assert.notEqual(first.headers.etag, etag);
    assertReplayed(await store.post(`/api/products/${id}/stock`, { delta: -1 }, headers), first);
    assertProblem(await store.post(`/api/products/${id}/stock`, { delta: -1 }, { 'if-match': etag }), 412);
    assert.equal(await stockOf(store, { id }), 8);
  });

  test('succeeds if the body would now violate a rule', async () => {
    const headers = { 'idempotency-key': newKey() };
    const body = { sku: 'UNIQUE', name: 'Unique', clean_url: 'unique' };
    const first = await store.post('/api/products', body, headers);
    assertFirst(first);
    assertProblem(await store.post('/api/products', body), 422);
    assertReplayed(await store.post('/api/products', body, headers), first);
  });

  test('requires a valid API key, request format and JSON', async () => {
    const headers = { 'idempotency-key': newKey() };
    const body = { name: 'Checked first' };
    const first = await store.post('/api/tags', body, headers);
    assertFirst(first);
    const rows: [status: number, path: string, options: RequestOptions][] = [
      [401, '/api/tags', { key: null, body, headers }],
      [401, '/api/tags', { key: 'no-such-key', body, headers }],
      [403, '/api/tags', { key: READ_ONLY_KEY, body, headers }],
      [404, '/api/tagz', { body, headers }],
      [405, '/api/tags/1', { body, headers }],
      [406, '/api/tags', { body, headers: { ...headers, accept: 'text/csv' } }],
      [400, '/api/tags?x=1', { body, headers }],
      [415, '/api/tags', { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'text/plain' } }],
      [400, '/api/tags', { body: '{', headers }],
      [400, '/api/tags', { body: '[]', headers }],
    ];
    for (const [status, path, options] of rows) {
      const response = await store.request('POST', path, options);
      assertProblem(response, status);
      assert.equal(response.headers['idempotency-replayed'], undefined);
    }
    assertReplayed(await store.post('/api/tags', body, headers), first);
  });
});

onOneDatabase('idempotency keys', {}, (store) => {
  const VISIBLE = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).join('');
  const invalid: [title: string, key: string | string[]][] = [
    ['an empty value', ''],
    ['a space', ' '],
    ['256 characters', 'k'.repeat(256)],
    ['a thousand characters', 'k'.repeat(1000)],
    ['a space inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['a letter outside ASCII', 'schlüssel'],
    ['a byte outside ASCII', 'a\u0080'],
    ['two headers', ['one', 'two']],
  ];
  for (const [title, key] of invalid)
    test(`reject ${title} with 400`, async () => {
      const { id } = await store.product({ amount: 5 });
      const headers = { 'idempotency-key': key };
      await assertUnchanged(store, () =>
        assertUnchanged(store, async () => {
          for (const [path, body] of [
            ['/api/tags', { name: 'Never' }],
            ['/api/products', { sku: 'NEVER', name: 'Never' }],
            [`/api/products/${id}/stock`, { delta: 1 }],
            ['/api/orders', orderOf([orderItem({ id }, 1)])],
            [`/api/products/${id}/images`, await attached(png())],
          ] as const)
            assertProblem(await store.post(path, body, headers), 400, /Idempotency-Key/i);
        }),
      );
    });

  test('may contain every visible ASCII character', async () => {
    for (const key of ['k', 'k'.repeat(255), VISIBLE, '"quoted"', ',', '0']) {
      const body = { name: `With ${key.slice(0, 20)} ${key.length}` };
      const first = await store.post('/api/tags', body, { 'idempotency-key': key });
      assertFirst(first);
      assertReplayed(await store.post('/api/tags', body, { 'idempotency-key': key }), first);
    }
  });

  test('are compared exactly', async () => {
    const key = newKey();
    const made = new Set<number>();
    for (const [index, each] of [key, key.toUpperCase(), `${key}.`, key.slice(0, -1)].entries()) {
      const response = await store.post('/api/tags', { name: `Exactly ${index}` }, { 'idempotency-key': each });
      assertFirst(response);
      made.add(response.json.id);
    }
    assert.equal(made.size, 4);
  });

  test('identify separate requests, like requests without a key', async () => {
    const product = await store.product({ amount: 10 });
    const body = orderOf([orderItem(product, 1)]);
    for (const headers of [{}, {}, { 'idempotency-key': newKey() }, { 'idempotency-key': newKey() }])
      assertFirst(await store.post('/api/orders', body, headers));
    assert.equal(await stockOf(store, product), 6);
  });

  for (const key of [newKey(), '', 'k'.repeat(256), 'a b'])
    test(`are ignored on PUT, PATCH and DELETE: ${JSON.stringify(key.slice(0, 10))}`, async () => {
      const headers = { 'idempotency-key': key };
      const { id, sku } = await store.product({ amount: 5 });
      const path = `/api/products/${id}`;
      for (const [method, body] of [
        ['PUT', { sku, name: 'One' }],
        ['PUT', { sku, name: 'Two' }],
        ['PUT', { sku, name: 'One' }],
        ['PATCH', { name: 'Three' }],
        ['PATCH', { name: 'Four' }],
        ['PATCH', { name: 'Three' }],
      ] as const) {
        const response = await store.request(method, path, { body, headers });
        assert.equal(response.status, 200, response.text);
        assert.equal(response.headers['idempotency-replayed'], undefined);
        assert.equal(response.json.name, body.name);
      }
      const order = await placed(store, [orderItem({ id }, 1)]);
      for (const code of ['P', 'Q', 'P'])
        assert.equal((await store.put(`/api/orders/${order.id}/payment_status`, { code }, headers)).json.code, code);
      assert.equal((await store.get(path, headers)).status, 200);
      assert.equal((await store.delete(path, headers)).status, 204);
      assertProblem(await store.delete(path, headers), 404);
    });

  test('of a POST do not affect a PUT', async () => {
    const headers = { 'idempotency-key': newKey() };
    const first = await store.post('/api/tags', { name: 'Posted' }, headers);
    const path = `/api/tags/${first.json.id}`;
    assert.equal((await store.put(path, { name: 'Put' }, headers)).json.name, 'Put');
    assertReplayed(await store.post('/api/tags', { name: 'Posted' }, headers), first);
    assert.equal((await store.get(path)).json.name, 'Put');
  });
});

onEachDatabase('reuse of an idempotency key', {}, (store) => {
  test('succeeds with another body after a 422', async () => {
    const headers = { 'idempotency-key': newKey() };
    assertProblem(await store.post('/api/products', { sku: '', name: 'N' }, headers), 422);
    const first = await store.post('/api/products', { sku: 'CORRECTED', name: 'N' }, headers);
    assertFirst(first);
    assertReplayed(await store.post('/api/products', { sku: 'CORRECTED', name: 'N' }, headers), first);
  });

  test('succeeds with the same body after a 422 for stock', async () => {
    const product = await store.product({ amount: 0 });
    const headers = { 'idempotency-key': newKey() };
    const body = orderOf([orderItem(product, 1)]);
    for (let round = 0; round < 2; round += 1) {
      const response = await store.post('/api/orders', body, headers);
      assertProblem(response, 422);
      assert.equal(response.headers['idempotency-replayed'], undefined);
    }
    await store.patch(`/api/products/${product.id}`, { amount: 1 });
    const first = await store.post('/api/orders', body, headers);
    assertFirst(first);
    assertReplayed(await store.post('/api/orders', body, headers), first);
    assert.equal(await stockOf(store, product), 0);
  });

  const rejected: [title: string, status: number, path: string, options: RequestOptions][] = [
    ['a 400 for JSON', 400, '/api/tags', { body: '{' }],
    ['a 400 for a parent', 400, '/api/products/999999/images', { body: {} }],
    ['a 400 for If-Match', 400, '/api/tags', { body: { name: 'N' }, headers: { 'if-match': '*' } }],
    ['a 404', 404, '/api/products/999999/stock', { body: { delta: 1 } }],
    ['a 404 for a part of an order', 404, '/api/orders/999999/details', { body: { name: 'N' } }],
    ['a 406', 406, '/api/tags', { body: { name: 'N' }, headers: { accept: 'text/csv' } }],
    ['a 412', 412, '/api/products/1/stock', { body: { delta: 1 }, headers: { 'if-match': '"9-x"' } }],
    ['a 413', 413, '/api/tags', { body: `{"name":"${'x'.repeat(1_100_000)}"}` }],
    ['a 415', 415, '/api/tags', { body: 'x', headers: { 'content-type': 'text/plain' } }],
  ];
  before(() => store.product());
  for (const [title, status, path, options] of rejected)
    test(`succeeds after ${title}`, async () => {
      const key = { 'idempotency-key': newKey() };
      for (let round = 0; round < 2; round += 1) {
        const response = await store.request('POST', path, { ...options, headers: { ...options.headers, ...key } });
        assertProblem(response, status);
        assert.equal(response.headers['idempotency-replayed'], undefined);
      }
      const first = await store.post('/api/tags', { name: `After ${title}` }, key);
      assertFirst(first);
      assertReplayed(await store.post('/api/tags', { name: `After ${title}` }, key), first);
    });

  test('succeeds after a 409', async () => {
    const { id } = await store.product();
    const attribute = await store.made('/api/attributes_text', { name: 'Property' });
    const path = `/api/products/${id}/attributes/${attribute.id}/property`;
    await store.made(path, { position: 1 });
    const headers = { 'idempotency-key': newKey() };
    assertProblem(await store.post(path, { position: 2 }, headers), 409);
    assertFirst(await store.post('/api/tags', { name: 'After a 409' }, headers));
  });

  test('fails after a 422 for a different body, and the first response is still replayed', async () => {
    const headers = { 'idempotency-key': newKey() };
    const first = await store.post('/api/tags', { name: 'Stays with it' }, headers);
    for (let round = 0; round < 2; round += 1)
      assertProblem(await store.post('/api/tags', { name: 'Other' }, headers), 422);
    assertReplayed(await store.post('/api/tags', { name: 'Stays with it' }, headers), first);
  });
});

onEachDatabase('concurrent requests with idempotency keys', {}, (store) => {
  test('create 20 orders from 200 requests with 20 keys', async () => {
    const product = await store.product({ amount: 100 });
    const before = await countOrders(store);
    const all = Array.from({ length: 20 }, newKey);
    const responses = await times(200, (index) => {
      const headers = { 'idempotency-key': all[index % 20] };
      return store.post('/api/orders', orderOf([orderItem(product, 1)], { notes: all[index % 20] }), headers);
    });
    assert.deepEqual(statuses(responses), { 201: 200 });
    assert.equal(new Set(responses.map(({ text }) => text)).size, 20);
    assert.equal(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 20);
    assert.deepEqual([await stockOf(store, product), await countOrders(store)], [80, before + 20]);
  });

  test('create one of two bodies with the same key', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await store.product({ amount: 50 }), await store.product({ amount: 50 })];
      const headers = { 'idempotency-key': newKey() };
      const responses = await times(20, (index) =>
        store.post('/api/orders', orderOf([orderItem(index % 2 ? one : other, 1)]), headers),
      );
      assert.deepEqual(statuses(responses), { 201: 10, 422: 10 });
      const won = responses.find(({ status }) => status === 201)!;
      for (const [index, { status, text }] of responses.entries()) {
        const isWinner = won.json.items[0].product_id === (index % 2 ? one : other).id;
        assert.equal(status, isWinner ? 201 : 422);
        if (isWinner) assert.equal(text, won.text);
      }
      assert.equal((await stockOf(store, one)) + (await stockOf(store, other)), 99);
    }
  });

  test('pass a key on to waiting requests if the first is rejected', async () => {
    const product = await store.product({ amount: 1 });
    const headers = { 'idempotency-key': newKey() };
    const responses = await times(20, () => store.post('/api/orders', orderOf([orderItem(product, 2)]), headers));
    assert.deepEqual(statuses(responses), { 422: 20 });
    for (const response of responses) assert.equal(response.headers['idempotency-replayed'], undefined);
    assertFirst(await store.post('/api/orders', orderOf([orderItem(product, 1)]), headers));
  });
});

onEachDatabase('downloads under an idempotency key', {}, (store) => {
  let host: Server;
  let address: string;
  let bytes: Buffer;
  const downloaded: (string | undefined)[] = [];
  before(async () => {
    bytes = await testImage(30, 20).png().toBuffer();
    host = createServer(async (request, response) => {
      downloaded.push(request.url);
      await sleep(Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0));
      response.end(bytes);
    });
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  after(() => {
    host.closeAllConnections();
    host.close();
  });

  test('create one image if they last a second, and concurrent requests get its response', async () => {
    const images = `/api/products/${(await store.product()).id}/images`;
    const headers = { 'idempotency-key': newKey() };
    const body = { externalUrl: `${address}/1000.png` };
    const responses = await times(3, (index) => sleep(index * 150).then(() => store.post(images, body, headers)));
    assert.deepEqual(statuses(responses), { 201: 3 });
    const firsts = responses.filter((response) => response.headers['idempotency-replayed'] === undefined);
    assert.equal(firsts.length, 1);
    for (const response of responses) if (response !== firsts[0]) assertReplayed(response, firsts[0]!);
    assert.equal((await store.get(images)).json.length, 1);
    assert.equal((await store.imageFiles()).length, 1);
    assert.deepEqual(downloaded, ['/1000.png'], 'it is downloaded once');
  });

  // On PostgreSQL, the test with three servers below covers this wait.
  if (store.database === 'sqlite')
    test('create one image if they last six seconds, and concurrent requests get 409 after the wait limit', async () => {
      const images = `/api/products/${(await store.product()).id}/images`;
      const headers = { 'idempotency-key': newKey() };
      const body = { externalUrl: `${address}/6000.png` };
      const responses = await times(2, (index) => sleep(index * 300).then(() => store.post(images, body, headers)));
      for (const response of responses) {
        if (response.status !== 409) assert.equal(response.status, 201, response.text);
        else assert.equal(response.headers['retry-after'], '1');
      }
      const first = responses.find(({ status, headers: sent }) => status === 201 && !sent['idempotency-replayed'])!;
      assertReplayed(await store.post(images, body, headers), first);
      assert.equal((await store.get(images)).json.length, 1);
    });
});

for (const database of databaseNames)
  describe(`idempotency keys of API keys (${database})`, () => {
    let servers: Servers;
    before(async () => {
      servers = await startServers(database, 1);
    });
    after(() => servers.stop());

    test('are separate: one Idempotency-Key under two API keys creates two orders', async () => {
      const [one, other] = [await servers.run('keys', 'create', 'one'), await servers.run('keys', 'create', 'other')];
      const send = (key: string, path: string, body: Json, headers: RequestOptions['headers'] = {}) =>
        servers.send(0, 'POST', path, { key, body, headers });
      const product = (await send(one, '/api/products', { sku: 'A', name: 'A', amount: 10 })).json;
      const headers = { 'idempotency-key': 'shared' };
      const body = orderOf([orderItem(product, 1)]);
      const firsts = [await send(one, '/api/orders', body, headers), await send(other, '/api/orders', body, headers)];
      for (const first of firsts) assertFirst(first);
      assert.notEqual(firsts[0]!.json.id, firsts[1]!.json.id);
      assertReplayed(await send(one, '/api/orders', body, headers), firsts[0]!);
      assertReplayed(await send(other, '/api/orders', body, headers), firsts[1]!);
      // The body of a request under one API key does not affect the other.
      assertProblem(await send(one, '/api/orders', { ...body, notes: 'x' }, headers), 422);
      assert.equal((await servers.send(0, 'GET', `/api/products/${product.id}`)).json.amount, 8);
    });

    test('survive an upgrade: records of an earlier version are replayed for the same address and body', async () => {
      const connection = await servers.database.open();
      try {
        const send = (key: string, body: Json, headers: RequestOptions['headers'] = {}) =>
          servers.send(0, 'POST', '/api/tags', { body, headers: { 'idempotency-key': key, ...headers } });
        const body = { name: 'Kept by an earlier version' };
        const first = await send('kept', body);
        assertFirst(first);
        const earlier = hash('sha256', `POST /api/tags\n${JSON.stringify(body)}`, 'hex');
        await run(connection, sql`update kept_answer set fingerprint = ${sql.lit(earlier)} where key = 'kept'`);
        assertReplayed(await send('kept', body), first);
        assertReplayed(await send('kept', body, { 'accept-language': 'de', prefer: 'handling=lenient' }), first);
        assertProblem(await send('kept', { name: 'Another' }), 422, /Idempotency-Key/);
        assert.equal((await servers.send(0, 'GET', '/api/tags')).headers['x-total-count'], '1');
      } finally {
        await connection.close();
      }
    });

    test('survive a restart', async () => {
      const headers = { 'idempotency-key': 'before-the-restart' };
      const first = await servers.send(0, 'POST', '/api/tags', { body: { name: 'Kept' }, headers });
      assertFirst(first);
      await servers.restart();
      const again = await servers.send(0, 'POST', '/api/tags', { body: { name: 'Kept' }, headers });
      assertReplayed(again, first);
    });
  });

describe('three server processes on one PostgreSQL', () => {
  let servers: Servers;
  /** A separate connection to the database of the servers. */
  let connection: pg.Client;
  before(async () => {
    servers = await startServers('postgres', 3);
    connection = new pg.Client({ connectionString: servers.database.url });
    await connection.connect();
  });
  after(async () => {
    await connection.end();
    await servers.stop();
  });

  test('create one order per idempotency key on any server', async () => {
    const product = (await servers.send(0, 'POST', '/api/products', { body: { sku: 'A', name: 'A', amount: 100 } }))
      .json;
    const body = orderOf([orderItem(product, 1)]);
    for (let round = 1; round <= 10; round += 1) {
      const headers = { 'idempotency-key': newKey() };
      const responses = await times(20, (index) => servers.send(index, 'POST', '/api/orders', { body, headers }));
      assert.deepEqual(statuses(responses), { 201: 20 });
      const firsts = responses.filter((response) => response.headers['idempotency-replayed'] === undefined);
      assert.equal(firsts.length, 1);
      for (const response of responses) if (response !== firsts[0]) assertReplayed(response, firsts[0]!);
      for (const server of [0, 1, 2])
        assertReplayed(await servers.send(server, 'POST', '/api/orders', { body, headers }), firsts[0]!);
      assertProblem(await servers.send(round, 'POST', '/api/orders', { body: { ...body, notes: 'x' }, headers }), 422);
      assert.equal((await servers.send(round, 'GET', '/api/orders')).headers['x-total-count'], String(round));
      assert.equal((await servers.send(round, 'GET', `/api/products/${product.id}`)).json.amount, 100 - round);
    }
  });

  /** Makes every change of a product's stock take that many seconds within its transaction. */
  async function slowDown(seconds: number): Promise<void> {
    await connection.query(
      `create or replace function slow() returns trigger language plpgsql as
        'begin perform pg_sleep(${seconds}); return new; end'`,
    );
    await connection.query(
      'create or replace trigger slow before update on product for each row execute function slow()',
    );
  }

  async function untilOneIsSlow(): Promise<void> {
    const slow = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    while ((await connection.query(slow)).rowCount === 0) await sleep(20);
  }

  for (const [seconds, title] of [
    [2, 'wait for a running first request and replay its response'],
    [8, 'return 409 after waiting five seconds for a running first request'],
  ] as const)
    test(title, async () => {
      const { id } = (
        await servers.send(0, 'POST', '/api/products', { body: { sku: `A${seconds}`, name: 'A', amount: 10 } })
      ).json;
      await slowDown(seconds);
      const send = (server: number) =>
        servers.send(server, 'POST', `/api/products/${id}/stock`, {
          body: { delta: -1 },
          headers: { 'idempotency-key': `slow-${seconds}` },
        });
      let waited = 0;
      const late = async () => {
        await untilOneIsSlow();
        const startedAt = performance.now();
        const response = await send(1);
        waited = performance.now() - startedAt;
        return response;
      };
      const [first, second] = await Promise.all([send(0), late()]);
      assertFirst(first, 200);
      if (seconds < 5) assertReplayed(second, first);
      else {
        assertProblem(second, 409);
        assert.equal(second.headers['retry-after'], '1');
        assert.ok(waited > 4000, `it waited ${waited} ms`);
      }
      assertReplayed(await send(2), first);
      assert.equal((await servers.send(2, 'GET', `/api/products/${id}`)).json.amount, 9);
    });
});
