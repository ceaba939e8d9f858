/** The client of the storefront against a real store: lists, sessions, carts and their tokens. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createStorefront,
  type Storefront,
  StoreProblem,
  type TokenStorage,
} from '../../src/client/storefront/index.ts';
import { onOneDatabase } from '../support/store.ts';

const PASSWORD = 'correct horse';
const PRODUCTS = 105;

/** A storage such as `localStorage`. */
function storageOf(values: Map<string, string>): TokenStorage {
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}

onOneDatabase('storefront client', {}, (store) => {
  const stored = new Map<string, string>();
  let key: string;
  let shop: Storefront;
  before(async () => {
    key = (await store.made('/api/keys', { name: 'Shop', kind: 'publishable', origins: ['https://shop.example'] })).key;
    shop = createStorefront({ baseUrl: store.address, key, storage: storageOf(stored) });
    await store.made('/api/profiles', { login: 'ada@example.com', password: PASSWORD });
    for (let number = 1; number <= PRODUCTS; number += 1)
      await store.product({ name: `Lamp ${String(number).padStart(3, '0')}`, price: number });
  });

  test('reads records and lists of the catalog', async () => {
    const { data, total, etag } = await shop.get('/products', { query: { 'order[name]': 'desc', itemsPerPage: 2 } });
    assert.deepEqual([data.map(({ name }) => name), total], [['Lamp 105', 'Lamp 104'], PRODUCTS]);
    assert.match(etag!, /^"/);
    const { id } = data[0]!;
    assert.equal((await shop.get('/products/{id}', { id }, { query: { fields: ['price'] } })).data.price, 105);
    const names = [];
    for await (const product of shop.list('/products', { query: { fields: ['name'] } })) names.push(product.name);
    assert.equal(new Set(names).size, PRODUCTS);
    await rejected(shop.get('/products/{id}', { id: 999 }), 'not-found', 404);
    await assert.rejects(shop.get('/products', { query: { 'tags[]': [] } as never }), /The list tags\[\] is empty/);
    assert.throws(() => shop.get('/products', { filter: {} } as never), /Unknown option “filter” of get/);
  });

  test('sends the session after a login, and forgets it when it has ended', async () => {
    await rejected(shop.get('/me'), 'unauthorized', 401);
    const { data } = await shop.post('/session', { login: 'ada@example.com', password: PASSWORD });
    assert.equal(shop.hasSession, true);
    assert.equal((await shop.get('/me')).data.login, 'ada@example.com');
    // The catalog does not depend on the session.
    assert.match((await shop.get('/products')).etag!, /^"/);
    assert.equal((await shop.get('/products', { query: { for: 'me' } })).etag, undefined);
    const other = createStorefront({ baseUrl: `${store.address}/`, key, storage: storageOf(stored) });
    const address = { firstname: 'Ada', street: 'Ring 1', city: 'Bonn', zipcode: '53113', country_code: 'DE' };
    const { id } = (await other.post('/me/addresses', address)).data as { id: number };
    const patched = await other.patch('/me/addresses/{id}', { id }, { city: 'Köln' });
    assert.deepEqual([patched.data.city, patched.data.street], ['Köln', 'Ring 1']);
    assert.equal((await other.delete('/me/addresses/{id}', { id })).status, 204);

    const { data: refreshed } = await shop.post('/session/refresh');
    assert.notEqual(refreshed.token, data.token);
    assert.equal((await other.get('/session')).data.profile.login, 'ada@example.com');
    await other.delete('/session');
    assert.deepEqual([shop.hasSession, [...stored.keys()]], [false, []]);
    await shop.post('/session', { login: 'ada@example.com', password: PASSWORD });
    await store.patch('/api/profiles/1', { password: 'another horse' });
    await rejected(shop.get('/me'), 'unauthorized', 401);
    assert.equal(shop.hasSession, false);
  });

  test('holds the token of the cart, and forgets it when the cart is gone', async () => {
    await assert.rejects(async () => shop.get('/carts/{token}'), /There is no cart/);
    const { data: made } = await shop.post('/carts', { lines: [{ product_id: 1, amount: 2 }] });
    const other = createStorefront({ baseUrl: store.address, key, storage: storageOf(stored) });
    const added = await other.post('/carts/{token}/lines', [{ product_id: 2, amount: 1 }]);
    assert.deepEqual([added.data.id, added.data.lines.length, added.data.total], [made.id, 2, 4]);
    const line = added.data.lines[1]!.id;
    const changed = await shop.patch('/carts/{token}/lines/{line}', { line }, { amount: 3 }, { ifMatch: added });
    assert.equal(changed.data.total, 8);
    const late = shop.patch('/carts/{token}/lines/{line}', { line }, { amount: 4 }, { ifMatch: added });
    await rejected(late, 'precondition-failed', 412);
    assert.equal((await shop.delete('/carts/{token}/lines/{line}', { line })).data.lines.length, 1);
    await shop.delete('/carts/{token}');
    assert.equal(other.hasCart, false);
    const { token } = (await shop.post('/carts', {})).data as { token: string };
    assert.equal((await store.request('DELETE', `/storefront/carts/${token}`, { key })).status, 204);
    await rejected(shop.get('/carts/{token}'), 'not-found', 404);
    assert.equal(shop.hasCart, false);
  });

  test('hands the cart of a guest over to the customer, and forgets it at the logout', async () => {
    const login = { login: 'ada@example.com', password: 'another horse' };
    await shop.post('/carts', { lines: [{ product_id: 1, amount: 1 }] });
    assert.notEqual((await shop.post('/session', login)).data.cart, null);
    assert.deepEqual([shop.hasSession, shop.hasCart], [true, false]);
    assert.equal((await shop.get('/carts/{token}')).data.lines.length, 1);
    const added = await shop.post('/carts', { lines: [{ product_id: 2, amount: 1 }] });
    assert.deepEqual([added.data.lines.length, shop.hasCart], [2, false]);
    await shop.delete('/session');
    await assert.rejects(async () => shop.get('/carts/{token}'), /There is no cart/);
    // A customer without a cart gets one of their own, whose token is not held either.
    await shop.post('/session', login);
    await shop.delete('/carts/{token}');
    await rejected(shop.get('/carts/{token}'), 'not-found', 404);
    await shop.post('/carts', { lines: [{ product_id: 3, amount: 1 }] });
    assert.deepEqual([(await shop.get('/carts/{token}')).data.lines.length, shop.hasCart], [1, false]);
    await shop.delete('/session');
    await shop.post('/carts', {});
    const wrong = createStorefront({ baseUrl: store.address, key: 'pv_pk_wrong', storage: storageOf(stored) });
    await rejected(wrong.get('/carts/{token}'), 'unauthorized', 401);
    assert.equal(shop.hasCart, true);
  });
});

async function rejected(request: Promise<unknown>, type: string, status: number): Promise<void> {
  await assert.rejects(request, (problem) => {
    assert.ok(problem instanceof StoreProblem, String(problem));
    assert.deepEqual([problem.type, problem.status], [type, status]);
    return true;
  });
}
