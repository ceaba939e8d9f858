/** Former addresses of products and categories, and the resolution of shop paths (catalog.md §16). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { onEachDatabase, onOneDatabase, type Store } from '../support/store.ts';

const historyOf = async (store: Store, path: string): Promise<string[]> =>
  (await store.get(`${path}/old_urls`)).json.map(({ clean_url }: { clean_url: string }) => clean_url);

const resolve = (store: Store, path: string, headers = {}) =>
  store.get(`/api/urls/resolve?path=${encodeURIComponent(path)}`, headers);

onEachDatabase('former clean URLs', {}, (store) => {
  test('are recorded newest first, without a change of version', async () => {
    const { id } = await store.product({ clean_url: 'first' });
    const path = `/api/products/${id}`;
    assert.deepEqual((await store.get(`${path}/old_urls`)).json, []);
    const changed = await store.patch(path, { clean_url: 'second' });
    await store.patch(path, { clean_url: 'third' });
    await store.put(path, { ...(await store.get(path)).json });
    const { json, headers } = await store.get(`${path}/old_urls`);
    assert.deepEqual(
      json.map(({ clean_url }: { clean_url: string }) => clean_url),
      ['second', 'first'],
    );
    assert.equal(json[1].until, changed.json.update_date);
    assert.equal((await store.get(`${path}/old_urls`, { 'if-none-match': headers.etag })).status, 304);
    const before = await store.get(path);
    const cursor = await now((url) => store.get(url));
    assert.equal((await store.delete(`${path}/old_urls/first`)).status, 204);
    assertProblem(await store.delete(`${path}/old_urls/first`), 404);
    assert.deepEqual(await historyOf(store, path), ['second']);
    assert.equal((await store.get(path)).headers.etag, before.headers.etag);
    assert.deepEqual((await pages((url) => store.get(url), `after=${cursor}`)).entries, []);
    assertProblem(await store.get('/api/products/999999/old_urls'), 404);
    assertProblem(await store.delete('/api/products/999999/old_urls/second'), 404);
    assertProblem(await store.get(`${path}/old_urls?page=1`), 400);
  });

  test('are the last 50 of a record', async () => {
    const { id } = await store.made('/api/categories', { name: 'Renamed', clean_url: 'renamed-0' });
    for (let number = 1; number <= 55; number += 1)
      await store.patch(`/api/categories/${id}`, { clean_url: `renamed-${number}` });
    const history = await historyOf(store, `/api/categories/${id}`);
    assert.equal(history.length, 50);
    assert.deepEqual([history[0], history.at(-1)], ['renamed-54', 'renamed-5']);
  });

  test('give way to current ones, and generated ones avoid them', async () => {
    const product = await store.product({ clean_url: 'wanted' });
    await store.patch(`/api/products/${product.id}`, { clean_url: 'moved' });
    const generated = await store.made('/api/categories', { name: 'Wanted' });
    assert.equal(generated.clean_url, 'wanted-1');
    assert.deepEqual(await historyOf(store, `/api/products/${product.id}`), ['wanted']);
    await store.made('/api/categories', { name: 'Given', clean_url: 'wanted' });
    assert.deepEqual(await historyOf(store, `/api/products/${product.id}`), []);
    await store.patch(`/api/products/${product.id}`, { clean_url: 'again' });
    await store.patch(`/api/products/${product.id}`, { clean_url: 'moved' });
    assert.deepEqual(await historyOf(store, `/api/products/${product.id}`), ['again']);
  });

  test('end with their record, also if it is deleted with its parent', async () => {
    const parent = await store.made('/api/categories', { name: 'Parent' });
    const child = await store.made('/api/categories', { name: 'Child', parent: parent.id, clean_url: 'child-one' });
    await store.patch(`/api/categories/${child.id}`, { clean_url: 'child-two' });
    assert.equal((await resolve(store, '/child-one')).status, 200);
    await store.delete(`/api/categories/${parent.id}`);
    assertProblem(await resolve(store, '/child-one'), 404);
    assertProblem(await resolve(store, '/child-two'), 404);
    assert.equal((await store.made('/api/categories', { name: 'Child one' })).clean_url, 'child-one');
  });

  test('survive a swap of two addresses', async () => {
    const [one, two] = [await store.product({ clean_url: 'swap-a' }), await store.product({ clean_url: 'swap-b' })];
    const change = (id: number, clean_url: string) => store.patch(`/api/products/${id}`, { clean_url });
    await change(one.id, 'swap-c');
    await change(two.id, 'swap-a');
    await change(one.id, 'swap-b');
    const found = async (path: string) => {
      const { status, id } = (await resolve(store, path)).json;
      return [status, id];
    };
    assert.deepEqual(await found('/swap-a'), [200, two.id]);
    assert.deepEqual(await found('/swap-b'), [200, one.id]);
    assert.deepEqual(await found('/swap-c'), [301, one.id]);
  });

  test('lose no race with a record that takes them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const url = `race-${round}`;
      const { id } = await store.product({ clean_url: url });
      const [renamed, taken, generated] = await Promise.all([
        store.patch(`/api/products/${id}`, { clean_url: `${url}-old` }),
        store.post('/api/categories', { name: 'Taker', clean_url: url }),
        store.made('/api/categories', { name: url }),
      ]);
      assert.equal(renamed.status, 200);
      assert.ok(taken.status === 201 || taken.status === 422, taken.text);
      assert.notEqual(generated.clean_url, url);
      assert.deepEqual(await historyOf(store, `/api/products/${id}`), taken.status === 201 ? [] : [url]);
    }
  });
});

onOneDatabase('shop paths without a shop', {}, (store) => {
  test('resolve to a path, in one step from any former address', async () => {
    const { id } = await store.product({ clean_url: 'größe' });
    for (const clean_url of ['a', 'b', 'c']) await store.patch(`/api/products/${id}`, { clean_url });
    const expected = { status: 301, location: '/c', resource: 'Product', id };
    for (const path of ['/größe', '/gr%C3%B6%C3%9Fe', '/a', '/b/', '/x/c', '/c.html', '/b.html?x=1#y'])
      assert.deepEqual((await resolve(store, path)).json, expected, path);
    for (const path of ['/c', '/c/', '/c?x=/a', '/%63#a'])
      assert.deepEqual((await resolve(store, path)).json, { ...expected, status: 200 }, path);
    for (const path of ['/C', '/none', '/', '/c/none', '/%ff', '/%2563'])
      assertProblem(await resolve(store, path), 404);
    await store.patch(`/api/products/${id}`, { enabled: false });
    for (const path of ['/c', '/a']) assertProblem(await resolve(store, path), 404);
  });

  test('are rejected if they are missing, relative or too long', () =>
    assertUnchanged(store, async () => {
      for (const query of ['', '?path=', '?path=c', '?path=/a&path=/b', '?path=/a&x=1', `?path=/${'x'.repeat(2048)}`])
        assertProblem(await store.get(`/api/urls/resolve${query}`), 400);
      assertProblem(await store.get(`/api/urls/resolve?path=/${'x'.repeat(2047)}`), 404);
      assertProblem(await store.request('GET', '/api/urls/resolve?path=/a', { key: null }), 401);
    }));

  test('prefer the whole segment to the one without .html', async () => {
    const plain = await store.product({ clean_url: 'page' });
    const dotted = await store.product({ clean_url: 'page.html' });
    assert.equal((await resolve(store, '/page.html')).json.id, dotted.id);
    await store.delete(`/api/products/${dotted.id}`);
    assert.equal((await resolve(store, '/page.html')).json.id, plain.id);
  });
});

const SHOP = {
  SHOP_URL: 'https://shop.example/store/',
  SHOP_PRODUCT_PATH: '/{language}/p/{id}-{clean_url}.htm',
  SHOP_CATEGORY_PATH: '/{language}/{clean_url}',
};

onOneDatabase('shop paths with templates', SHOP, (store) => {
  let product: number;
  let category: number;
  before(async () => {
    product = (await store.product({ clean_url: 'shirt', name: 'Shirt' })).id;
    category = (await store.made('/api/categories', { name: 'Shirts', clean_url: 'shirts' })).id;
    await store.patch(`/api/categories/${category}`, { clean_url: 'tops' });
  });

  test('resolve to the address in the language of the request', async () => {
    const inGerman = { 'accept-language': 'de' };
    const location = `https://shop.example/store/de/p/${product}-shirt.htm`;
    const found = { location, resource: 'Product', id: product };
    for (const language of ['de', 'en', 'pt-BR'])
      assert.deepEqual((await resolve(store, `/store/${language}/p/${product}-shirt.htm`, inGerman)).json, {
        status: 200,
        ...found,
      });
    const others = [
      '/shirt',
      `/de/p/${product}-shirt.htm`,
      `/store/xx/p/${product}-shirt.htm`,
      '/store/de/p/9-shirt.htm',
    ];
    for (const path of others)
      assert.deepEqual((await resolve(store, path, inGerman)).json, { status: 301, ...found }, path);
    const tops = { location: 'https://shop.example/store/en/tops', resource: 'Category', id: category };
    assert.deepEqual((await resolve(store, '/store/fr/tops')).json, { status: 200, ...tops });
    assert.deepEqual((await resolve(store, '/store/fr/shirts')).json, { status: 301, ...tops });
  });

  test('are the addresses in Open Graph markup', async () => {
    const { og_meta_tags } = (await store.get(`/api/products/${product}`, { 'accept-language': 'de' })).json;
    assert.ok(og_meta_tags.includes(`content="https://shop.example/store/de/p/${product}-shirt.htm"`), og_meta_tags);
    assert.match(
      (await store.get(`/api/categories/${category}`)).json.og_meta_tags,
      /"https:\/\/shop\.example\/store\/en\/tops"/,
    );
  });
});
