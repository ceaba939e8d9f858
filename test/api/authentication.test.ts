/** Requests are authenticated by the key in `X-Auth-Token` only (http.md §4). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { settings } from '../../src/wiring/settings/index.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

/** Documents without store data. */
const PUBLIC = [
  ...['/api', '/api/openapi.json', '/api/docs.json', '/api/docs.jsonld', '/api/contexts/Entrypoint'],
  ...['/healthz', '/readyz'],
];

onEachDatabase('authentication', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}`;
  });

  const wrongKeys: Record<string, string | null> = {
    'no key': null,
    'an empty key': '',
    'a blank key': '   ',
    'a wrong key': 'wrong-key-of-the-tests',
    'the beginning of the key': READ_WRITE_KEY.slice(0, -1),
    'the key and more': `${READ_WRITE_KEY}x`,
    'the key in capitals': READ_WRITE_KEY.toUpperCase(),
    'two keys in one header': `${READ_WRITE_KEY}, ${READ_WRITE_KEY}`,
    'bytes that are no ASCII': '\u00e9\u00ff\u00e9\u00ff\u00e9\u00ff',
    'a very long key': 'k'.repeat(7000),
  };
  for (const [title, key] of Object.entries(wrongKeys))
    test(`rejects ${title} with 401 for every method`, () =>
      assertUnchanged(store, async () => {
        for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST']) {
          const response = await store.request(method, path, { key });
          assert.equal(response.status, 401, `${method}: ${response.text}`);
          assert.ok(response.headers['www-authenticate'], 'WWW-Authenticate is sent');
          if (method !== 'HEAD') assertProblem(response, 401);
        }
        const created = await store.request('POST', '/api/products', { key, body: { sku: 'X', name: 'X' } });
        assertProblem(created, 401);
      }));

  test('returns 401 for unknown paths without a key and 404 with one', async () => {
    for (const unknown of ['/api/nothing', '/api/products/1/nothing', '/api/_admin']) {
      assertProblem(await store.request('GET', unknown, { key: null }), 401);
      assertProblem(await store.get(unknown), 404);
    }
  });

  test('rejects a key that is sent twice with 401', async () => {
    const key = `X-Auth-Token: ${READ_WRITE_KEY}`;
    const send = (...keys: string[]) => sendRaw(store.address, head(`GET ${path}`, 'Connection: close', ...keys));
    assert.match(await send(key), /^HTTP\/1\.1 200 /);
    assert.match(await send(key, key), /^HTTP\/1\.1 401 /);
  });

  test('ignores keys in other headers, the query and the body', async () => {
    const elsewhere = [
      { headers: { authorization: `Bearer ${READ_WRITE_KEY}` } },
      { headers: { authorization: `Basic ${Buffer.from(`:${READ_WRITE_KEY}`).toString('base64')}` } },
      { headers: { cookie: `X-Auth-Token=${READ_WRITE_KEY}` } },
      { headers: { 'x-auth-key': READ_WRITE_KEY } },
    ];
    for (const options of elsewhere) assertProblem(await store.request('GET', path, { key: null, ...options }), 401);
    const inQuery = await store.request('GET', `${path}?X-Auth-Token=${READ_WRITE_KEY}`, { key: null });
    assertProblem(inQuery, 401);
    const inBody = { body: { 'X-Auth-Token': READ_WRITE_KEY, sku: 'B', name: 'B' }, key: null };
    assertProblem(await store.request('POST', '/api/products', inBody), 401);
  });

  test('does not include the key in any response', async () => {
    for (const response of [
      await store.get('/api/nothing'),
      await store.get(path),
      await store.get('/api/products?x=1'),
    ])
      assert.ok(!(response.text + JSON.stringify(response.headers)).includes(READ_WRITE_KEY));
  });

  test('lets a read-only key read', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await store.request(method, path, { key: READ_ONLY_KEY });
      assert.equal(response.status, 200);
      assert.equal(response.headers.etag, (await store.get(path)).headers.etag);
    }
    assert.equal((await store.request('GET', '/api/products', { key: READ_ONLY_KEY })).status, 200);
    assert.equal((await store.request('OPTIONS', path, { key: READ_ONLY_KEY })).status, 204);
  });

  test('rejects every write of a read-only key with 403', () =>
    assertUnchanged(store, async () => {
      const writes: [string, string, unknown?][] = [
        ['POST', '/api/products', { sku: 'NEW', name: 'New' }],
        ['PUT', path, { sku: 'NEW', name: 'New' }],
        ['PATCH', path, { name: 'New' }],
        ['DELETE', path],
        ['POST', `${path}/stock`, { delta: 1 }],
        ['POST', `${path}/images`, { externalUrl: 'http://127.0.0.1/a.png' }],
        ['POST', '/api/tags', { name: 'New' }],
        ['DELETE', '/api/languages/de'],
        ['DELETE', '/api/products/999999'],
      ];
      for (const [method, target, body] of writes)
        assertProblem(await store.request(method, target, { key: READ_ONLY_KEY, body }), 403);
    }));

  test('responses name a configured key by its rights and contain no names of settings', async () => {
    const rejected = await store.request('DELETE', path, { key: READ_ONLY_KEY });
    assertProblem(rejected, 403, /The key “read-only” is read-only/);
    const { id: product } = await store.product({ amount: 1 });
    const order = { email: 'ann@example.com', items: [{ product_id: product, amount: 1 }] };
    const { id } = await store.made('/api/orders', order);
    const [event] = (await store.get(`/api/orders/${id}/history`)).json;
    assert.equal(event.profile_name, 'read/write');
    const documents = await Promise.all(['/api/openapi.json', '/api/docs.jsonld'].map((each) => store.get(each)));
    const texts = [rejected, ...documents].map(({ text }) => text).join();
    const names = Object.values(settings)
      .map(({ name }) => name)
      .filter((name) => name.includes('_'));
    for (const name of names) assert.ok(!texts.includes(name), name);
  });

  test('ignores method override headers', () =>
    assertUnchanged(store, async () => {
      for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
        const response = await store.request('GET', path, { key: READ_ONLY_KEY, headers: { [name]: 'DELETE' } });
        assert.equal(response.status, 200);
        const written = await store.request('POST', '/api/products', {
          key: READ_ONLY_KEY,
          body: {},
          headers: { [name]: 'GET' },
        });
        assertProblem(written, 403);
      }
    }));

  for (const document of PUBLIC)
    test(`serves ${document} with any key`, async () => {
      for (const key of [null, '', 'wrong-key-of-the-tests', READ_ONLY_KEY])
        assert.equal((await store.request('GET', document, { key })).status, 200);
    });

  for (const document of [...PUBLIC, '/admin', '/images/nothing.png', '/files/x'])
    test(`rejects writes to ${document} with 405, with and without a key`, async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND'])
        for (const key of [null, 'wrong-key-of-the-tests', READ_ONLY_KEY, READ_WRITE_KEY]) {
          const response = await store.request(method, document, { key });
          assertProblem(response, 405);
          assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
        }
    });

  const missing = ['/images/nothing.png', '/images/a/b', '/files/x', '/files/a/b', '/files/a/b/c'];
  for (const path of [...missing, '/sitemaps/x', '/sitemaps/a/b', '/feeds/x.xml', '/feeds/a/b', '/admin/x'])
    test(`returns 404 for ${path}, which does not exist, with and without a key`, async () => {
      for (const key of [null, READ_ONLY_KEY]) assertProblem(await store.request('GET', path, { key }), 404);
    });
});

onOneDatabase('authentication in a store with only a read-only key', { API_KEY_READ_WRITE: '' }, (store) => {
  test('allows reads only', async () => {
    assert.equal((await store.request('GET', '/api/products', { key: READ_ONLY_KEY })).status, 200);
    assertProblem(await store.request('POST', '/api/products', { key: READ_ONLY_KEY, body: {} }), 403);
    assertProblem(await store.request('GET', '/api/products', { key: READ_WRITE_KEY }), 401);
    assertProblem(await store.request('GET', '/api/products', { key: '' }), 401);
  });
});

onOneDatabase('authentication in a store without keys', { API_KEY_READ_WRITE: '', API_KEY_READ_ONLY: '' }, (store) => {
  test('rejects every request with 401', async () => {
    for (const key of [null, '', READ_WRITE_KEY, READ_ONLY_KEY])
      for (const path of ['/api/products', '/api/nothing']) {
        assertProblem(await store.request('GET', path, { key }), 401);
        assertProblem(await store.request('POST', path, { key, body: {} }), 401);
      }
  });

  for (const document of PUBLIC)
    test(`serves ${document} without a key`, async () => {
      assert.equal((await store.request('GET', document, { key: null })).status, 200);
    });
});
