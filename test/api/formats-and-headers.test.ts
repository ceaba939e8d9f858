/** The form of records and numbers, and the headers of every response (http.md §1). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { RequestOptions } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { outputNames } from '../support/fields.ts';
import { onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';

onOneDatabase('formats', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}`;
  });

  const accepted = [
    undefined,
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.1',
  ];
  for (const accept of accepted)
    test(`Accept ${accept ?? '(absent)'} gets JSON`, async () => {
      for (const target of [path, '/api/products']) {
        const response = await store.get(target, { accept });
        assert.equal(response.status, 200, response.text);
        assert.match(response.headers['content-type']!, /^application\/json/);
      }
    });

  test('DELETE without other bodies accepts application/problem+json', async () => {
    const { id } = await store.made('/api/tags', { name: 'Gone soon' });
    const accept = 'application/problem+json';
    assert.equal((await store.delete(`/api/tags/${id}`, { accept })).status, 204);
    assertProblem(await store.delete(`/api/tags/${id}`, { accept }), 404);
  });

  for (const accept of [
    'application/problem+json',
    'application/problem+json; charset=utf-8',
    'text/csv, application/problem+json',
  ])
    test(`Accept ${accept} gets JSON from every JSON endpoint`, async () => {
      for (const target of [path, '/api/products', '/api', '/api/openapi.json', '/api/docs.jsonld', '/healthz']) {
        const response = await store.get(target, { accept });
        assert.equal(response.status, 200, response.text);
        assert.match(response.headers['content-type']!, /^application\/json/);
      }
      const made = await store.post('/api/tags', { name: `For ${accept}` }, { accept });
      assert.equal(made.status, 201, made.text);
      assert.equal((await store.delete(`/api/tags/${made.json.id}`, { accept })).status, 204);
      const rejected = await store.get('/api/products/999999', { accept });
      assertProblem(rejected, 404);
      assert.match(rejected.headers['content-type']!, /^application\/problem\+json/);
      assertProblem(await store.get('/api/_reference/problems', { accept }), 406);
    });

  const rejected = [
    'text/html',
    'text/csv',
    'application/xml',
    'application/json;q=0',
    'image/*',
    'application/hal+json',
  ];
  for (const accept of rejected)
    test(`Accept ${accept} gets 406 with the available types`, async () => {
      for (const target of [path, '/api/products'])
        assertProblem(await store.get(target, { accept }), 406, /application\/json/);
      assertProblem(await store.post('/api/tags', { name: 'Never' }, { accept }), 406);
      assert.deepEqual((await store.get('/api/tags')).json, []);
    });

  test('lists are bare arrays, absent records are null and empty lists are []', async () => {
    assert.deepEqual((await store.get('/api/stickers')).json, []);
    const [product] = (await store.get('/api/products')).json;
    assert.equal(product.product_class, null);
    assert.equal(product.tax_class, null);
    for (const list of ['stickers', 'tags', 'memberships', 'images']) assert.deepEqual(product[list], [], list);
  });

  test('a product has exactly the specified fields in their order', async () => {
    assert.deepEqual(Object.keys((await store.get(path)).json), outputNames('Product'));
  });

  const money = [
    '0',
    '0.0001',
    '0.1',
    '0.3',
    '19.99',
    '1.005',
    '1234567.8901',
    '9999999999.9999',
    '9999999999',
    '4.35',
  ];
  for (const text of money)
    test(`the price ${text} is stored exactly as written`, async () => {
      const product = await store.product();
      const address = `/api/products/${product.id}`;
      const patched = await store.patch(address, `{"price": ${text}, "weight": ${text}}`);
      assert.ok(patched.text.includes(`"price":${text},`), patched.text);
      const read = await store.get(address);
      assert.ok(read.text.includes(`"price":${text},`) && read.text.includes(`"weight":${text},`), read.text);
      const found = await store.get(`/api/products?price=${text}&id=${product.id}`);
      assert.deepEqual(found.json, [read.json]);
    });

  const numbers = { '1e2': '100', '1.50': '1.5', '0.10000': '0.1', '-0': '0', '1E-4': '0.0001', '-0.0': '0' };
  for (const [written, shown] of Object.entries(numbers))
    test(`the price ${written} is shown as ${shown}`, async () => {
      const response = await store.patch(path, `{"price": ${written}}`);
      assert.ok(response.text.includes(`"price":${shown},`), response.text);
    });

  test('stores names and texts as UTF-8', async () => {
    const name = 'Größe — 大 👩‍👩‍👧 e\u0301 <b>&"\\/\u007f\u2028';
    const { id } = await store.product({ name });
    assert.equal((await store.get(`/api/products/${id}`)).json.name, name);
  });
});

onOneDatabase('headers', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}`;
  });

  const responses: [status: number, method: string, path: string, options?: RequestOptions][] = [
    [200, 'GET', '/api/products'],
    [200, 'HEAD', '/api/products'],
    [200, 'GET', 'item'],
    [200, 'PATCH', 'item', { body: {} }],
    [201, 'POST', '/api/tags', { body: { name: 'One' } }],
    [204, 'DELETE', '/api/tags/1'],
    [204, 'OPTIONS', '/api/products', { key: null }],
    [304, 'GET', 'item', { headers: { 'if-none-match': '*' } }],
    [400, 'GET', '/api/products?page=0'],
    [400, 'POST', '/api/products', { body: '{' }],
    [401, 'GET', '/api/products', { key: null }],
    [403, 'DELETE', 'item', { key: READ_ONLY_KEY }],
    [404, 'GET', '/api/products/999999'],
    [404, 'GET', '/api/nothing'],
    [404, 'GET', '/api/%ff'],
    [405, 'DELETE', '/api/products'],
    [406, 'GET', '/api/products', { headers: { accept: 'text/html' } }],
    [409, 'DELETE', '/api/languages/en'],
    [412, 'PATCH', 'item', { body: {}, headers: { 'if-match': '"0-stale"' } }],
    [413, 'POST', '/api/tags', { body: ' '.repeat(1_048_577) }],
    [414, 'GET', `/api/products?sku=${'x'.repeat(16_400)}`],
    [415, 'POST', '/api/products', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    [417, 'POST', '/api/products', { body: '{}', headers: { expect: '200-ok' } }],
    [422, 'POST', '/api/products', { body: {} }],
    [431, 'GET', '/api/products', { headers: { 'x-long': 'x'.repeat(9000) } }],
  ];
  for (const [status, method, target, options] of responses)
    test(`are complete on ${status} of ${method} ${target.slice(0, 40)}`, async () => {
      const response = await store.request(method, target === 'item' ? path : target, options);
      assert.equal(response.status, status, response.text);
      assert.equal(response.headers['cache-control'], 'private, no-cache');
      assert.deepEqual(listed(response.headers.vary), ['accept', 'accept-encoding', 'accept-language', 'prefer']);
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      const documentation = `<${store.address}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
      assert.ok(String(response.headers.link).includes(documentation), String(response.headers.link));
      assert.equal(response.headers['x-powered-by'], undefined);
      assert.equal(response.headers.server, undefined);
      if (status >= 400 && method !== 'HEAD') assertProblem(response, status);
      if (status === 401) assert.ok(response.headers['www-authenticate']);
      if (status === 405) assert.ok(response.headers.allow);
    });
});

function listed(header: string | undefined): string[] {
  return (header ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .sort();
}
