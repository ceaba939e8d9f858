/** Finding categories at every level by their fields and products, and their path of ancestors. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

interface Shop {
  readonly root: Json;
  readonly shoes: Json;
  readonly boots: Json;
  readonly empty: Json;
  readonly boot: Json;
  readonly both: Json;
}

/** Clothes > Shoes > Boots, and Empty as a sibling of Clothes. `boot` is in Boots, `both` in Clothes and Boots. */
async function fill(store: Store): Promise<Shop> {
  const category = (name: string, fields: Json = {}) => store.made('/api/categories', { name, ...fields });
  const root = await category('Clothes', { position: 2 });
  const shoes = await category('Shoes', { parent: root.id, enabled: false });
  const boots = await category('Boots', { parent: shoes.id, clean_url: 'Ärzte-boots' });
  const empty = await category('Empty', { position: 1 });
  const [boot, both] = [await store.product(), await store.product()];
  for (const [at, product] of [
    [boots, boot],
    [root, both],
    [boots, both],
  ])
    await store.made(`/api/categories/${at.id}/products`, { product_id: product.id });
  return { root, shoes, boots, empty, boot, both };
}

onEachDatabase('categories', {}, (store) => {
  let shop: Shop;
  before(async () => {
    shop = await fill(store);
  });

  const FILTERS: [title: string, query: (shop: Shop) => string, names: string[]][] = [
    ['no filter (top level only)', () => '', ['Empty', 'Clothes']],
    ['another filter (top level only)', () => 'enabled=true', ['Empty', 'Clothes']],
    ['its id', ({ boots }) => `id=${boots.id}`, ['Boots']],
    ['several ids', ({ boots, root }) => `id[]=${boots.id}&id[]=${root.id}`, ['Boots', 'Clothes']],
    ['its address', ({ boots }) => `id=/api/categories/${boots.id}`, ['Boots']],
    ['its clean URL', () => 'clean_url=%C3%84rzte-boots', ['Boots']],
    ['clean URLs', () => 'clean_url[]=shoes&clean_url[]=clothes', ['Shoes', 'Clothes']],
    ['a clean URL in another case', () => 'clean_url=%C3%A4rzte-boots', []],
    ['its name', () => 'name=boo', ['Boots']],
    ['a product', ({ boot }) => `product=${boot.id}`, ['Boots']],
    ['a product by its address', ({ both }) => `product=/api/products/${both.id}`, ['Boots', 'Clothes']],
    ['products', ({ boot, both }) => `product[]=${boot.id}&product[]=${both.id}`, ['Boots', 'Clothes']],
    ['a product without categories', () => 'product=999999', []],
    ['a product and the parent', ({ both, shoes }) => `product=${both.id}&parent=${shoes.id}`, ['Boots']],
    ['its id below another parent', ({ boots, root }) => `id=${boots.id}&parent=${root.id}`, []],
    ['a name and enabled', () => 'name=s&enabled=false', ['Shoes']],
    ['all levels', () => 'parent=all&order[name]=asc', ['Boots', 'Clothes', 'Empty', 'Shoes']],
    ['all, by clean URL', () => 'parent=all&order[clean_url]=asc', ['Boots', 'Clothes', 'Empty', 'Shoes']],
    ['all, by clean URL backwards', () => 'parent=all&order[clean_url]=desc', ['Shoes', 'Empty', 'Clothes', 'Boots']],
  ];
  for (const [title, query, names] of FILTERS)
    test(`are found by ${title}`, async () => {
      const response = await store.get(`/api/categories?${query(shop)}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(
        response.json.map(({ name }: Json) => name),
        names,
      );
      assert.equal(response.headers['x-total-count'], String(names.length));
    });

  for (const query of [
    'product=x',
    'product[gt]=1',
    'product=',
    'clean_url[gt]=a',
    'order[product]=asc',
    'order[path]=asc',
  ])
    test(`rejects ?${query} with 400`, async () => assertProblem(await store.get(`/api/categories?${query}`), 400));

  test('show their path of ancestors in the language of the request', async () => {
    const { root, shoes, boots } = shop;
    const de = { 'accept-language': 'de' };
    await store.patch(`/api/categories/${shoes.id}`, { name: 'Schuhe' }, de);
    const pathOf = (names: string[]) => [root, shoes, boots].map(({ id }, index) => ({ id, name: names[index] }));
    const path = `/api/categories/${boots.id}`;
    assert.deepEqual((await store.get(path)).json.path, pathOf(['Clothes', 'Shoes', 'Boots']));
    assert.deepEqual((await store.get(path, de)).json.path, pathOf(['Clothes', 'Schuhe', 'Boots']));
    assert.deepEqual((await store.get(`/api/categories/${root.id}`)).json.path, [{ id: root.id, name: 'Clothes' }]);
    const [listed] = (await store.get(`/api/categories?id=${boots.id}`)).json;
    assert.deepEqual(listed, (await store.get(path)).json);
    const linked = (await store.get(path, { accept: 'application/ld+json' })).json.path;
    assert.deepEqual(linked[1], {
      '@id': `/api/categories/${shoes.id}`,
      '@type': 'Category',
      id: shoes.id,
      name: 'Shoes',
    });
  });

  test('change their ETag but not their version when an ancestor is renamed', async () => {
    const path = `/api/categories/${shop.boots.id}`;
    const earlier = await store.get(path);
    await store.patch(`/api/categories/${shop.root.id}`, { name: 'Clothing' });
    const later = await store.get(path);
    assert.equal(later.json.path[0].name, 'Clothing');
    assert.notEqual(later.headers.etag, earlier.headers.etag);
    assert.equal(later.headers.etag!.split('-')[0], earlier.headers.etag!.split('-')[0]);
    assert.equal(later.json.update_date, earlier.json.update_date);
    await store.patch(`/api/categories/${shop.root.id}`, { name: 'Clothes' });
  });

  test('show their new path after a branch has moved', async () => {
    const { json: top } = await store.post('/api/categories', { name: 'Top' });
    const { json: low } = await store.post('/api/categories', { name: 'Low', parent: top.id });
    const names = async () => (await store.get(`/api/categories/${low.id}`)).json.path.map(({ name }: Json) => name);
    assert.deepEqual(await names(), ['Top', 'Low']);
    await store.put(`/api/categories/${top.id}/move`, { parent: shop.empty.id });
    assert.deepEqual(await names(), ['Empty', 'Top', 'Low']);
    await store.delete(`/api/categories/${top.id}`);
  });

  test('have read-only creation and update times', async () => {
    const started = Math.floor(Date.now() / 1000);
    const made = await store.made('/api/categories', { name: 'Dated' });
    const path = `/api/categories/${made.id}`;
    for (const date of [made.create_date, made.update_date]) {
      const seconds = Date.parse(date) / 1000;
      assert.ok(seconds >= started && seconds <= started + 60, date);
    }
    const back = await store.put(path, made);
    assert.equal(back.status, 200, back.text);
    assert.deepEqual(back.json, made);
  });
});

onEachDatabase('categories of a product', {}, (store) => {
  let shop: Shop;
  before(async () => {
    shop = await fill(store);
  });

  const QUERIES = ['', 'order[name]=desc', 'name=boo', 'enabled=false', 'itemsPerPage=1&page=2'];
  for (const query of QUERIES)
    test(`equal the categories with the product filter: ?${query}`, async () => {
      const { id } = shop.both;
      for (const accept of [undefined, 'application/ld+json']) {
        const own = await store.get(`/api/products/${id}/categories?${query}`, { accept });
        const filtered = await store.get(`/api/categories?product=${id}&${query}`, { accept });
        assert.equal(own.status, 200, own.text);
        const shown = ({ json }: typeof own) => json['hydra:member'] ?? json;
        assert.ok(query === 'enabled=false' || shown(own).length > 0);
        assert.deepEqual(shown(own), shown(filtered));
        assert.equal(own.headers['x-total-count'], filtered.headers['x-total-count']);
      }
    });

  test('are empty without links and return 400 for an unknown product', async () => {
    const { id } = await store.product();
    const none = await store.get(`/api/products/${id}/categories`);
    assert.deepEqual([none.status, none.json, none.headers['x-total-count']], [200, [], '0']);
    for (const unknown of ['999999', 'x']) assertProblem(await store.get(`/api/products/${unknown}/categories`), 400);
  });

  test('are read-only', async () => {
    const path = `/api/products/${shop.both.id}/categories`;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assertProblem(await store.request(method, path, method === 'DELETE' ? {} : { body: {} }), 405);
    assertProblem(await store.get(`${path}/${shop.boots.id}`), 404);
  });
});

onEachDatabase('positions of products in a category', {}, (store) => {
  let category: string;
  let products: number[];
  before(async () => {
    category = `/api/categories/${(await store.made('/api/categories', { name: 'Sorted' })).id}`;
    products = [];
    for (let count = 0; count < 3; count += 1) products.push((await store.product()).id);
  });
  const shown = async (query = '') => (await store.get(`${category}/products?${query}`)).json;
  const versionOf = async () => Number((await store.get(category)).headers.etag!.slice(1).split('-')[0]);

  test('are set by POST, default to 0 and sort', async () => {
    const [a, b, c] = products as [number, number, number];
    await store.made(`${category}/products`, { product_id: a, position: 5 });
    await store.made(`${category}/products`, { product_id: c });
    await store.made(`${category}/products`, { product_id: b });
    assert.deepEqual(await shown(), [
      whole('CategoryProduct', { product_id: b, position: 0 }),
      whole('CategoryProduct', { product_id: c, position: 0 }),
      whole('CategoryProduct', { product_id: a, position: 5 }),
    ]);
    const ids = async (query: string) => (await shown(query)).map(({ product_id }: Json) => product_id);
    // Links with equal positions are sorted by creation.
    assert.deepEqual(await ids('order[position]=desc'), [a, c, b]);
    assert.deepEqual(await ids('order[product_id]=desc'), [c, b, a]);
  });

  test('are updated by PATCH, which changes the version of the category', async () => {
    const path = `${category}/products/${products[1]}`;
    const [earlier, version] = [await store.get(path), await versionOf()];
    const response = await store.patch(path, { position: -3 }, { 'if-match': earlier.headers.etag });
    assert.deepEqual(
      [response.status, response.json],
      [200, whole('CategoryProduct', { product_id: products[1], position: -3 })],
    );
    assert.ok((await versionOf()) > version);
    assert.equal((await shown())[0].product_id, products[1]);
    assertProblem(await store.patch(path, { position: 9 }, { 'if-match': earlier.headers.etag }), 412);
    const now = await versionOf();
    assert.equal((await store.patch(path, { product_id: products[1], position: -3 })).status, 200);
    assert.equal(await versionOf(), now);
    assertViolations(await store.patch(path, { product_id: products[0] }), ['product_id', 'conflict']);
    assertViolations(await store.patch(path, { position: 'x' }), ['position', 'type']);
    assertViolations(await store.patch(path, { place: 1 }), ['place', 'unknown_field']);
    assertProblem(await store.patch(`${category}/products/999999`, { position: 1 }), 404);
    assert.equal(await versionOf(), now);
    assertProblem(await store.put(path, { position: 1 }), 405);
  });

  test('are updated by POST of an existing link only if sent', async () => {
    const path = `${category}/products/${products[2]}`;
    const version = await versionOf();
    const again = await store.post(`${category}/products`, { product_id: products[2], position: 7 });
    assert.equal(again.status, 201, again.text);
    assert.equal(again.headers.etag, (await store.get(category)).headers.etag);
    assert.equal((await store.get(path)).json.position, 7);
    assert.ok((await versionOf()) > version);
    const now = await versionOf();
    await store.made(`${category}/products`, { product_id: products[2] });
    await store.made(`${category}/products`, { product_id: products[2], position: 7 });
    assert.equal((await store.get(path)).json.position, 7);
    assert.equal(await versionOf(), now);
  });
});
