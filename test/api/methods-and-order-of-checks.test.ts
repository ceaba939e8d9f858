/** The methods of each path, their success responses, and which check comes first if several fail (http.md §2). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { RequestOptions } from '../support/client.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';

const COLLECTION = ['GET', 'HEAD', 'POST'];
const ITEM = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];

const SUPPORTED: Record<string, string[]> = {
  '/api/products': COLLECTION,
  '/api/products/1': ITEM,
  '/api/products/bulk': ['POST'],
  '/api/products/stock/bulk': ['POST'],
  '/api/products/1/stock': ['POST'],
  '/api/products/1/images': COLLECTION,
  '/api/products/1/images/1': ITEM,
  '/api/product_classes': COLLECTION,
  '/api/product_classes/1': ITEM,
  '/api/tax_classes': COLLECTION,
  '/api/tax_classes/1': ITEM,
  '/api/memberships': COLLECTION,
  '/api/memberships/1': ITEM,
  '/api/tags': COLLECTION,
  '/api/tags/1': ITEM,
  '/api/stickers': COLLECTION,
  '/api/stickers/1': ITEM,
  '/api/languages': COLLECTION,
  '/api/languages/de': ITEM,
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'REPORT', 'LINK', 'PURGE'];

onOneDatabase('methods', {}, (store) => {
  before(() => store.product());

  for (const [path, supported] of Object.entries(SUPPORTED))
    test(`${path} supports ${supported.join(', ')} and rejects others with 405`, () =>
      assertUnchanged(store, async () => {
        for (const method of METHODS.filter((each) => !supported.includes(each))) {
          const response = await store.request(method, path, { headers: { 'x-echo': 'echoed' } });
          assert.equal(response.status, 405, `${method}: ${response.text}`);
          const allowed = response.headers.allow!.split(', ').filter((each) => each !== 'OPTIONS');
          assert.deepEqual(allowed.sort(), supported.toSorted(), method);
          assert.doesNotMatch(response.text, /echoed/);
          if (method !== 'HEAD') assertProblem(response, 405);
        }
        for (const method of supported) {
          const response = await store.request(method, path, { headers: { accept: 'text/csv' } });
          assert.equal(response.status, 406, `${method} is supported`);
        }
      }));
});

onEachDatabase('successful requests', {}, (store) => {
  test('create returns 201 with the record, its address and its ETag', async () => {
    const created = await store.post('/api/tags', { name: 'Created' });
    assert.equal(created.status, 201);
    assert.equal(created.headers.location, `${store.address}/api/tags/${created.json.id}`);
    const read = await store.get(`/api/tags/${created.json.id}`);
    assert.equal(read.text, created.text);
    assert.equal(read.headers.etag, created.headers.etag);
  });

  test('PUT and PATCH return 200 with the new record', async () => {
    const { id } = await store.made('/api/tags', { name: 'First' });
    const path = `/api/tags/${id}`;
    for (const response of [await store.put(path, { name: 'Second' }), await store.patch(path, { name: 'Third' })]) {
      assert.equal(response.status, 200);
      assert.equal(response.headers.location, undefined);
      assert.match(response.headers.etag!, /^"[^"]+"$/);
    }
    const read = await store.get(path);
    assert.deepEqual(read.json, whole('Tag', { id, name: 'Third' }));
  });

  test('PUT does not create records', () =>
    assertUnchanged(store, async () => {
      assertProblem(await store.put('/api/tags/999999', { id: 999999, name: 'New' }), 404);
      assertProblem(await store.put('/api/languages/it', { code: 'it', name: 'Italiano' }), 404);
    }));

  test('DELETE returns 204 without a body, then 404', async () => {
    const { id } = await store.made('/api/tags', { name: 'Going' });
    const deleted = await store.delete(`/api/tags/${id}`);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    assert.equal(deleted.headers['content-type'], undefined);
    for (const method of ['GET', 'DELETE']) assertProblem(await store.request(method, `/api/tags/${id}`), 404);
    assertProblem(await store.put(`/api/tags/${id}`, { name: 'Back' }), 404);
    assertProblem(await store.patch(`/api/tags/${id}`, { name: 'Back' }), 404);
  });

  test('DELETE accepts a content type without a body', async () => {
    const { id } = await store.made('/api/tags', { name: 'Going' });
    const deleted = await store.delete(`/api/tags/${id}`, { 'content-type': 'application/json' });
    assert.equal(deleted.status, 204, deleted.text);
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const { id } = await store.made('/api/tags', { name: 'Head' });
    for (const path of ['/api/tags', `/api/tags/${id}`, '/api/tags?page=2']) {
      const [get, head] = [await store.get(path), await store.request('HEAD', path)];
      assert.deepEqual([head.status, head.text], [200, '']);
      for (const name of ['etag', 'content-type', 'content-language', 'x-total-count', 'link', 'vary', 'cache-control'])
        assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
    }
    assert.equal((await store.request('HEAD', '/api/tags/999999')).status, 404);
    assert.equal((await store.request('HEAD', '/api/tags?page=0')).status, 400);
  });
});

/** Each request violates the rule of its status and all later ones. */
type Row = [title: string, status: number, method: string, path: string, options?: RequestOptions, detail?: RegExp];

const xml = { accept: 'application/xml' };
const plain = { 'content-type': 'text/plain' };
const stale = { 'if-match': '"0-stale"' };
const TOO_LARGE = '['.repeat(2_000_000);

onOneDatabase('order of checks', {}, (store) => {
  before(async () => {
    assert.equal((await store.product()).id, 1);
  });

  const rows: Row[] = [
    ['no key before the route', 401, 'PURGE', '/api/nothing', { key: null, headers: xml }],
    ['no key before the method', 401, 'DELETE', '/api/products', { key: null, headers: xml }],
    ['no key before the identifier', 401, 'GET', '/api/products/x', { key: 'wrong-key' }],
    ['no key before the size', 401, 'POST', '/api/products', { key: null, body: TOO_LARGE }],
    ['the route before the method', 404, 'PURGE', '/api/nothing', { key: READ_ONLY_KEY, headers: xml }],
    ['the route before the right', 404, 'POST', '/api/nothing', { key: READ_ONLY_KEY, headers: xml, body: {} }],
    ['the method before the right', 405, 'DELETE', '/api/products', { key: READ_ONLY_KEY, headers: xml }],
    ['the method before Accept', 405, 'PUT', '/api/products', { headers: { ...xml, ...plain }, body: 'x' }],
    ['the method before the identifier', 405, 'POST', '/api/products/x', { body: {} }],
    ['the right before Accept', 403, 'PUT', '/api/products/1', { key: READ_ONLY_KEY, headers: xml, body: {} }],
    ['the right before the identifier', 403, 'PUT', '/api/products/x', { key: READ_ONLY_KEY, body: {} }],
    ['the right before the record', 403, 'DELETE', '/api/products/999999', { key: READ_ONLY_KEY }],
    ['Accept before the identifier', 406, 'GET', '/api/products/x', { headers: xml }],
    ['Accept before the query', 406, 'GET', '/api/products?page=0', { headers: xml }],
    ['Accept before the media type', 406, 'POST', '/api/products', { headers: { ...xml, ...plain }, body: 'x' }],
    ['the identifier before the query', 404, 'GET', '/api/products/x?page=0'],
    ['the identifier before the media type', 404, 'PUT', '/api/products/x', { headers: plain, body: 'x' }],
    ['the identifier before JSON', 404, 'PUT', '/api/products/x', { body: '{' }],
    [
      'an unreadable parent before the media type',
      400,
      'POST',
      '/api/products/x/images',
      { headers: plain, body: 'x' },
    ],
    ['an unreadable parent before its part', 400, 'GET', '/api/products/x/images/y'],
    ['the query before the media type', 400, 'POST', '/api/products?x=1', { headers: plain, body: 'x' }, /"?x"?/],
    ['the query before JSON', 400, 'PUT', '/api/products/1?filter=1', { body: '{' }, /filter/],
    ['the query before the record', 400, 'GET', '/api/products/999999?filter=1', {}, /filter/],
    ['the media type before the size', 415, 'POST', '/api/products', { headers: plain, body: TOO_LARGE }],
    ['the media type before the record', 415, 'PUT', '/api/products/999999', { headers: plain, body: '{' }],
    ['no media type before an empty body', 415, 'POST', '/api/products'],
    ['the size before JSON', 413, 'POST', '/api/tags', { body: TOO_LARGE }],
    ['the size before the record', 413, 'PUT', '/api/products/999999', { body: TOO_LARGE }],
    ['JSON before the record', 400, 'PUT', '/api/products/999999', { body: '{' }],
    ['JSON before an unknown parent', 400, 'POST', '/api/products/999999/images', { body: '{' }, /JSON|body/i],
    ['JSON before If-Match', 400, 'PUT', '/api/products/1', { body: '{', headers: stale }],
    ['an unknown parent before the record', 400, 'PUT', '/api/products/999999/images/9', { body: { x: 1 } }],
    ['an unknown parent before the rules', 400, 'POST', '/api/products/999999/images', { body: { x: 1 } }],
    ['the record before If-Match', 404, 'PUT', '/api/products/999999', { body: {}, headers: stale }],
    ['the record before the rules', 404, 'PATCH', '/api/products/999999', { body: { sku: '' } }],
    [
      'the record before If-Match on a part',
      404,
      'PUT',
      '/api/products/1/images/9',
      { body: { x: 1 }, headers: stale },
    ],
    ['If-Match before the rules', 412, 'PUT', '/api/products/1', { body: { sku: '', x: 1 }, headers: stale }],
    ['If-Match before the rules of a patch', 412, 'PATCH', '/api/products/1', { body: { sku: 1 }, headers: stale }],
    ['If-Match before what refers to it', 412, 'DELETE', '/api/languages/en', { headers: stale }],
    ['If-Match before the rules of an action', 412, 'POST', '/api/products/1/stock', { body: {}, headers: stale }],
    [
      'If-Match on a collection before the media type',
      400,
      'POST',
      '/api/products',
      { body: 'x', headers: { ...stale, ...plain } },
      /If-Match/,
    ],
  ];
  for (const [title, status, method, path, options, detail] of rows)
    test(`checks ${title}: ${status}`, () =>
      assertUnchanged(store, async () => assertProblem(await store.request(method, path, options), status, detail)));
});

onOneDatabase('a path with a slash at its end', {}, (store) => {
  before(() => store.product());

  test('is redirected for GET and HEAD, with its query and without a key', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const [path, target] of Object.entries({
        '/api/': '/api',
        '/api/products/': '/api/products',
        '/api/products/1/': '/api/products/1',
        '/api/products/?page=2&sku=a%2F': '/api/products?page=2&sku=a%2F',
        '/admin/': '/admin',
      })) {
        const response = await store.request(method, path, { key: null });
        assert.deepEqual([response.status, response.headers.location], [308, target], path);
      }
  });

  test('is served for other methods', async () => {
    assert.equal((await store.post('/api/tags/', { name: 'Slash' })).status, 201);
    assert.equal((await store.patch('/api/products/1/', { name: 'Slash' })).json.name, 'Slash');
    assert.equal((await store.delete('/api/tags/1/')).status, 204);
    assertProblem(await store.request('PUT', '/api/products/'), 405);
  });

  test('is not found if the path is unknown or has two slashes', async () => {
    for (const path of ['/api/nothing/', '/api/products//', '/api//', '//', '/api/products/1//?x=1'])
      assertProblem(await store.get(path), 404);
    assertProblem(await store.request('GET', '/api/nothing/', { key: null }), 401);
  });

  test('is redirected in the absolute form of the URL', async () => {
    const { location } = (await store.get('http://elsewhere.example/api/products/')).headers;
    assert.equal(location, '/api/products');
  });
});
