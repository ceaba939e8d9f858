/** Links from categories to products, each with its own path (catalog.md §4). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { whole } from '../support/fields.ts';
import { onEachDatabase } from '../support/store.ts';

const idsOf = (links: readonly { product_id: number }[]): number[] => links.map(({ product_id }) => product_id);
const versionOf = (etag: string | undefined): number => Number(etag!.slice(1).split('-')[0]);

onEachDatabase('category product links', {}, (store) => {
  let category: string;
  let other: string;
  let product_id: number;
  before(async () => {
    category = `/api/categories/${(await store.made('/api/categories', { name: 'One' })).id}`;
    other = `/api/categories/${(await store.made('/api/categories', { name: 'Other' })).id}`;
    product_id = (await store.product()).id;
  });

  test('return 404 before they are created', async () => {
    assertProblem(await store.get(`${category}/products/${product_id}`), 404);
    assertProblem(await store.delete(`${category}/products/${product_id}`), 404);
    assert.deepEqual((await store.get(`${category}/products`)).json, []);
  });

  test('are created with 201, the category and the address of the link', async () => {
    const response = await store.post(`${category}/products`, { product_id });
    assert.equal(response.status, 201, response.text);
    assert.equal(response.headers.location, `${store.address}${category}/products/${product_id}`);
    const read = await store.get(category);
    assert.equal(response.text, read.text);
    assert.equal(response.headers.etag, read.headers.etag);
  });

  test('return the same response to a second POST and change nothing', async () => {
    const earlier = await store.get(category);
    const link = await store.get(`${category}/products/${product_id}`);
    const response = await store.post(`${category}/products`, { product_id });
    assert.equal(response.status, 201, response.text);
    assert.equal(response.headers.location, `${store.address}${category}/products/${product_id}`);
    assert.deepEqual([response.text, response.headers.etag], [earlier.text, earlier.headers.etag]);
    assert.equal((await store.get(`${category}/products/${product_id}`)).headers.etag, link.headers.etag);
    assert.deepEqual((await store.get(`${category}/products`)).json, [
      whole('CategoryProduct', { product_id, position: 0 }),
    ]);
  });

  test('are read alone and in the list with the same fields', async () => {
    const one = await store.get(`${category}/products/${product_id}`);
    assert.equal(one.status, 200, one.text);
    assert.deepEqual(one.json, whole('CategoryProduct', { product_id, position: 0 }));
    assert.ok(one.headers.etag);
    const same = await store.get(`${category}/products/${product_id}`, { 'if-none-match': one.headers.etag });
    assert.equal(same.status, 304);
    assert.deepEqual((await store.get(`${category}/products`)).json, [
      whole('CategoryProduct', { product_id, position: 0 }),
    ]);
    assertProblem(await store.get(`${other}/products/${product_id}`), 404);
    assert.deepEqual((await store.get(`${other}/products`)).json, []);
  });

  test('change the version of the category once when created or deleted', async () => {
    const { id } = await store.product();
    const versions = [versionOf((await store.get(category)).headers.etag)];
    const steps = [
      () => store.post(`${category}/products`, { product_id: id }),
      () => store.post(`${category}/products`, { product_id: id }),
      () => store.delete(`${category}/products/${id}`),
      () => store.delete(`${category}/products/${id}`),
    ];
    for (const act of steps) {
      await act();
      versions.push(versionOf((await store.get(category)).headers.etag));
    }
    const changed = versions.slice(1).map((version, index) => version > versions[index]!);
    assert.deepEqual(changed, [true, false, true, false]);
  });

  test('check If-Match on DELETE', async () => {
    const { id } = await store.product();
    await store.made(`${category}/products`, { product_id: id });
    const path = `${category}/products/${id}`;
    assertProblem(await store.delete(path, { 'if-match': '"0-0"' }), 412);
    assert.equal((await store.delete(path, { 'if-match': (await store.get(path)).headers.etag })).status, 204);
  });

  test('are deleted with 204, then return 404', async () => {
    const path = `${category}/products/${product_id}`;
    const response = await store.delete(path);
    assert.deepEqual([response.status, response.text], [204, '']);
    assertProblem(await store.get(path), 404);
    assertProblem(await store.delete(path), 404);
    assert.equal((await store.get(`/api/products/${product_id}`)).status, 200);
    assert.equal((await store.get(category)).status, 200);
  });

  test('are deleted together with their product', async () => {
    const { id } = await store.product();
    await store.made(`${category}/products`, { product_id: id });
    await store.delete(`/api/products/${id}`);
    assertProblem(await store.get(`${category}/products/${id}`), 404);
    assert.deepEqual((await store.get(`${category}/products`)).json, []);
  });

  test('ten concurrent POSTs create one link', async () => {
    const { id } = await store.product();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => store.post(`${category}/products`, { product_id: id })),
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      Array(10).fill(201),
      responses.map(({ text }) => text).join(),
    );
    assert.deepEqual((await store.get(`${category}/products`)).json, [
      whole('CategoryProduct', { product_id: id, position: 0 }),
    ]);
  });

  test('a link that is created while its product is deleted does not remain', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await store.product();
      const [deleted, linked] = await Promise.all([
        store.delete(`/api/products/${id}`),
        store.post(`${other}/products`, { product_id: id }),
      ]);
      assert.equal(deleted.status, 204, deleted.text);
      if (linked.status !== 201) assertViolations(linked, ['product_id', 'unknown_link']);
      assertProblem(await store.get(`${other}/products/${id}`), 404);
    }
  });

  const rejected: [title: string, body: unknown, violation: ExpectedViolation][] = [
    ['an empty body', {}, ['product_id', 'required']],
    ['null', { product_id: null }, ['product_id', 'null']],
    ['an unknown product', { product_id: 999999 }, ['product_id', 'unknown_link']],
    ['the product 0', { product_id: 0 }, ['product_id', 'unknown_link']],
    ['another field', { product_id: 1, place: 1 }, ['place', 'unknown_field']],
  ];
  for (const [title, body, violation] of rejected)
    test(`rejects ${title}`, async () => {
      const earlier = await store.get(category);
      assertViolations(await store.post(`${category}/products`, body), violation);
      assert.equal((await store.get(category)).headers.etag, earlier.headers.etag);
    });

  for (const value of ['1', 1.5, true, [1]])
    test(`rejects the product_id ${JSON.stringify(value)}`, async () => {
      const response = await store.post(`${category}/products`, { product_id: value });
      assertProblem(response, 422);
      assert.match(response.json.violations[0].propertyPath, /^product_id/);
    });

  const statuses: [method: string, path: string, status: number, body?: unknown][] = [
    ['GET', '/products/999999', 404],
    ['GET', '/products/abc', 404],
    ['GET', '/products/01', 404],
    ['DELETE', '/products/999999', 404],
    ['PUT', '/products/1', 405, { product_id: 1 }],
    ['POST', '/products/1', 405, {}],
    ['PUT', '/products', 405, []],
    ['DELETE', '/products', 405],
    ['GET', '/products?name=x', 400],
    ['GET', '/products?itemsPerPage=0', 400],
  ];
  for (const [method, path, status, body] of statuses)
    test(`responds to ${method} ${path} with ${status}`, async () =>
      assertProblem(await store.request(method, `${category}${path}`, { body }), status));
});

const LINK_COUNT = 150;

onEachDatabase(`${LINK_COUNT} category product links`, {}, (store) => {
  const products: number[] = [];
  let path: string;
  before(async () => {
    path = `/api/categories/${(await store.made('/api/categories', { name: 'Large' })).id}/products`;
    const second = `/api/categories/${(await store.made('/api/categories', { name: 'Second' })).id}/products`;
    for (let count = 0; count < LINK_COUNT; count += 1) products.push((await store.product()).id);
    // Created in reverse, so that the list order differs from the creation order.
    for (const product_id of [...products].reverse()) await store.made(path, { product_id });
    for (const product_id of products.slice(0, 3)) await store.made(second, { product_id });
  });

  for (const size of [undefined, 1, 7, 30, 100, 1000])
    test(`are listed by product_id in pages of ${size ?? 'the default size'}`, async () => {
      const length = Math.min(size ?? 30, 100);
      const pages = size === 1 ? 3 : Math.ceil(LINK_COUNT / length);
      const listed: number[] = [];
      for (let page = 1; page <= pages; page += 1) {
        const response = await store.get(`${path}?page=${page}${size ? `&itemsPerPage=${size}` : ''}`);
        assert.equal(response.headers['x-total-count'], String(LINK_COUNT));
        assert.equal(response.json.length, Math.min(length, LINK_COUNT - (page - 1) * length));
        listed.push(...idsOf(response.json));
      }
      assert.deepEqual(listed, products.slice(0, listed.length));
      if (size !== 1) assert.equal(listed.length, LINK_COUNT);
    });

  test('have links to the first, previous and last page', async () => {
    const link = String((await store.get(`${path}?page=2&itemsPerPage=100`)).headers.link);
    for (const [rel, page] of [
      ['first', 1],
      ['prev', 1],
      ['last', 2],
    ] as const)
      assert.match(link, new RegExp(`<[^>]*/products\\?[^>]*\\bpage=${page}\\b[^>]*>; rel="${rel}"`));
    assert.doesNotMatch(link, /rel="next"/);
  });

  test('return an empty page after the last one', async () =>
    assert.deepEqual((await store.get(`${path}?page=6`)).json, []));

  test('can be sorted in descending order', async () => {
    const { json } = await store.get(`${path}?order[product_id]=desc&itemsPerPage=2`);
    assert.deepEqual(idsOf(json), [products.at(-1), products.at(-2)]);
  });
});

onEachDatabase('category filter of products', {}, (store) => {
  let p: number[];
  before(async () => {
    p = [(await store.product({ enabled: false })).id, (await store.product()).id, (await store.product()).id];
    for (const fields of [{}, { parent: 1 }, {}, {}]) await store.made('/api/categories', { name: 'C', ...fields });
    const links: [category: number, products: number[]][] = [
      [1, [p[0]!, p[1]!]],
      [2, [p[1]!, p[2]!]],
      [3, [p[2]!]],
    ];
    for (const [category, linked] of links)
      for (const product_id of linked) await store.made(`/api/categories/${category}/products`, { product_id });
  });

  const found: [query: string, products: number[]][] = [
    ['category=1', [0, 1]],
    ['category=2', [1, 2]],
    ['category=3', [2]],
    ['category=4', []],
    ['category=999999', []],
    ['category[]=1&category[]=2', [0, 1, 2]],
    ['category[]=1&category[]=3&category[]=999999', [0, 1, 2]],
    ['category=/api/categories/2', [1, 2]],
    ['category=1&enabled=true', [1]],
    ['category=2&order[id]=desc', [2, 1]],
    ['category=2&itemsPerPage=1&page=2', [2]],
  ];
  for (const [query, indexes] of found)
    test(`finds products by ?${query}`, async () => {
      const response = await store.get(`/api/products?${query}`);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(
        response.json.map(({ id }: { id: number }) => id),
        indexes.map((index) => p[index]),
      );
    });

  test('counts a product in two categories once', async () => {
    const { headers } = await store.get('/api/products?category[]=1&category[]=2&itemsPerPage=1');
    assert.equal(headers['x-total-count'], '3');
  });

  for (const query of ['category=abc', 'category=', 'category=1&category=2', 'category[gt]=1', 'order[category]=asc'])
    test(`rejects ?${query} with 400`, async () => assertProblem(await store.get(`/api/products?${query}`), 400));

  test('no longer finds unlinked products or products of a deleted category', async () => {
    await store.delete(`/api/categories/1/products/${p[0]}`);
    assert.equal((await store.get('/api/products?category=1')).headers['x-total-count'], '1');
    await store.delete('/api/categories/3');
    assert.deepEqual((await store.get('/api/products?category=3')).json, []);
  });

  test('is not a field of a product', async () => {
    assert.ok(!('category' in (await store.get(`/api/products/${p[1]}`)).json));
    assertViolations(await store.patch(`/api/products/${p[1]}`, { category: 1 }), ['category', 'unknown_field']);
  });
});
