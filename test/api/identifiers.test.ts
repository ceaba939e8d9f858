/** Only a plain id addresses a record; other texts read, change and delete nothing (http.md §2). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { onEachDatabase, onOneDatabase, READ_WRITE_KEY, type Store } from '../support/store.ts';

/** Malformed ids. Ten products exist, so lenient parsing of one of these would find a record. */
const MALFORMED = [
  ...[
    '0',
    '-1',
    '+1',
    '01',
    '007',
    '1.0',
    '1.',
    '1e0',
    '1e1',
    '0x1',
    '0b11',
    '0o7',
    '%201',
    '1%20',
    '1%09',
    '1_0',
    '1,2',
  ],
  ...[
    '%EF%BC%95',
    '%D9%A5',
    '%C2%B2',
    '1n',
    'NaN',
    'null',
    'undefined',
    'true',
    '[1]',
    '{1}',
    '{id}',
    ':id',
    '*',
    '1*',
  ],
  ...[
    '9007199254740992',
    '9007199254740993',
    '9223372036854775808',
    '18446744073709551617',
    '9'.repeat(100),
    '1'.repeat(300),
  ],
  ...[
    '%00',
    '1%00',
    '%001',
    '1;',
    '1;x=1',
    '%2531',
    '1%2F',
    '..%2f..%2f1',
    '%2e%2e',
    '1%23',
    '1%3F',
    '1.json',
    '1.jsonld',
  ],
  ...["1'", '1%20or%201=1', '1--', '1%3Bdrop%20table%20product', 'x', 'a'.repeat(200)],
];
/** Malformed percent-encoding: the router may reject these with 400. */
const UNREADABLE = ['%zz', '1%', '%ff', '%C0%AE', '%C0%B1', '%ed%a0%80'];

const WRITTEN = { sku: 'CHANGED', name: 'Changed' };

/** Declares that no request finds a product or an image with this id. */
function declareNoRecord(store: Store, id: string): void {
  test(`returns 404 for /products/${id.slice(0, 30)}`, () =>
    assertUnchanged(store, async () => {
      for (const response of await everyMethod(store, `/api/products/${id}`))
        assertProblem(response, 404, id.includes('%2F') ? undefined : /^Invalid identifier value or configuration\.$/);
      for (const response of await everyMethod(store, `/api/products/1/images/${id}`)) assertProblem(response, 404);
      const ofParent = /^0\d+$/.test(id) ? 404 : 400;
      for (const response of await everyMethod(store, `/api/products/${id}/images/1`))
        assertProblem(response, ofParent);
      assertProblem(await store.get(`/api/products/${id}/images`), ofParent);
      assertProblem(await store.post(`/api/products/${id}/images`, { alt: 'x' }), ofParent);
      assertProblem(await store.post(`/api/products/${id}/stock`, { delta: 1 }), 404);
    }));
}

onOneDatabase('forms of ids', {}, (store) => {
  before(async () => {
    for (let count = 1; count <= 10; count += 1) await store.product();
  });

  for (const id of MALFORMED) declareNoRecord(store, id);

  for (const id of UNREADABLE)
    test(`returns 400 or 404 for /products/${id}`, () =>
      assertUnchanged(store, async () => {
        for (const response of await everyMethod(store, `/api/products/${id}`))
          assertProblem(response, response.status === 400 ? 400 : 404);
        assertProblem(await store.request('GET', `/api/products/${id}`, { key: null }), 401);
      }));

  const variants = [
    ...[
      '/api//products/1',
      '//api/products/1',
      '/api/./products/1',
      '/api/products/../products/1',
      '/api/products/./1',
    ],
    ...['/api/products/1//', '/API/products/1', '/api/Products/1', '/api/PRODUCTS/1'],
    ...['/api/products;x=1/1', '/api;x=1/products/1', '/api/products.json', '/api/products.jsonld', '/api/product/1'],
    ...['/api%2fproducts/1', '/api/products%2f1', '/api/%70roducts%00/1', '/x/../api/products/1'],
    ...[`/api/products/1${'/x'.repeat(1000)}`, `/api/${'x'.repeat(2000)}`, '/api/products/1/images/1/x', '/products/1'],
  ];
  for (const path of variants)
    test(`returns 401 without a key and 404 with one for ${path.slice(0, 60)}`, () =>
      assertUnchanged(store, async () => {
        assertProblem(await store.request('GET', path, { key: null }), 401);
        assertProblem(await store.request('DELETE', path, { key: 'wrong-key' }), 401);
        for (const response of await everyMethod(store, path)) assertProblem(response, 404);
      }));

  test('rejects absolute request targets of another host', async () => {
    const send = (path: string, ...headers: string[]) =>
      sendRaw(store.address, head(`GET http://evil.example${path}`, 'Connection: close', ...headers));
    assert.match(await send('/api/products/1'), /^HTTP\/1\.1 40[01] /);
    assert.doesNotMatch(await send('/api/tags', `X-Auth-Token: ${READ_WRITE_KEY}`), /evil/);
  });
});

onEachDatabase('ids', {}, (store) => {
  before(async () => {
    for (let count = 1; count <= 10; count += 1) await store.product();
  });

  test('return 404 if no product has them', () =>
    assertUnchanged(store, async () => {
      for (const id of ['11', '2147483648', '4294967297', '9007199254740991'])
        for (const response of await everyMethod(store, `/api/products/${id}`)) assertProblem(response, 404);
    }));

  test('may be percent-encoded', async () => {
    assert.equal((await store.get('/api/products/%31')).json.id, 1);
  });

  // A database might reach these numbers.
  for (const id of MALFORMED.filter((each) => /^\d{16,}$/.test(each))) declareNoRecord(store, id);
});

onOneDatabase('forms of language codes', {}, (store) => {
  for (const code of [
    'DE',
    'De',
    'd',
    'deu',
    'de-at',
    'de-AT-x',
    'de_AT',
    'de%20',
    '%20de',
    'de%00',
    'de.json',
    'pt-br',
    '1',
    '%C3%A9e',
  ])
    test(`returns 404 for /languages/${code}`, () =>
      assertUnchanged(store, async () => {
        for (const response of await everyMethod(store, `/api/languages/${code}`, { code: 'de', name: 'X' }))
          assertProblem(response, 404);
      }));
});

onEachDatabase('language codes', {}, (store) => {
  test('return 404 if they are valid but unknown', () =>
    assertUnchanged(store, async () => {
      for (const code of ['it', 'de-AT'])
        for (const response of await everyMethod(store, `/api/languages/${code}`, { code, name: 'X' }))
          assertProblem(response, 404);
    }));
});

async function everyMethod(store: Store, path: string, body: object = WRITTEN) {
  return [await store.get(path), await store.put(path, body), await store.patch(path, body), await store.delete(path)];
}
