/** Related products (catalog.md §14): parts of their product, in one direction. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { manyProducts } from '../support/many-products.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('related products', {}, (store) => {
  let product: number;
  let path: string;
  before(async () => {
    product = (await store.product()).id;
    path = `/api/products/${product}/related_products`;
  });

  test('are created, listed by position, changed and deleted', async () => {
    const [one, two, three] = await manyProducts(store, 3, 'RELATED');
    const made = await store.post(path, { product_id: one, position: 2 });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.json, { id: made.json.id, product_id: one, position: 2 });
    assert.equal(made.headers.location, `${store.address}${path}/${made.json.id}`);
    const other = await store.made(path, { product_id: two });
    assert.deepEqual((await store.get(path)).json, [other, made.json]);
    assert.deepEqual((await store.get(`/api/products/${one}/related_products`)).json, []);
    const replaced = await store.put(`${path}/${other.id}`, { product_id: three });
    assert.deepEqual(replaced.json, { id: other.id, product_id: three, position: 0 });
    assert.equal((await store.patch(`${path}/${other.id}`, { position: 3 })).json.position, 3);
    assert.deepEqual((await store.get(`${path}?product_id=${three}&fields=position`)).json, [{ position: 3 }]);
    assert.equal((await store.delete(`${path}/${other.id}`)).status, 204);
    await store.delete(`/api/products/${one}`);
    assert.deepEqual((await store.get(path)).json, []);
  });

  test('reject the product itself, duplicates and unknown products', async () => {
    const [one, two] = await manyProducts(store, 2, 'REJECTED');
    const made = await store.made(path, { product_id: one });
    const other = await store.made(path, { product_id: two });
    assertViolations(await store.post(path, {}), ['product_id', 'required']);
    assertViolations(await store.post(path, { product_id: 999_999 }), ['product_id', 'unknown_link']);
    assertViolations(await store.post(path, { product_id: product }), ['product_id', 'conflict']);
    assertViolations(await store.post(path, { product_id: one }), ['product_id', 'not_unique']);
    assertViolations(await store.patch(`${path}/${other.id}`, { product_id: one }), ['product_id', 'not_unique']);
    assertViolations(await store.patch(`${path}/${other.id}`, { product_id: product }), ['product_id', 'conflict']);
    assertProblem(await store.get(`/api/products/${one}/related_products/${made.id}`), 404);
    assertProblem(await store.get('/api/products/999999/related_products'), 400);
  });

  test('are at most 100, even after concurrent requests', async () => {
    const owner = (await store.product()).id;
    const ids = await manyProducts(store, 103, 'LIMIT');
    const at = `/api/products/${owner}/related_products`;
    const statuses = await Promise.all(ids.map(async (product_id) => (await store.post(at, { product_id })).status));
    assert.equal(statuses.filter((status) => status === 201).length, 100);
    const [left] = ids.filter((_, index) => statuses[index] === 422);
    assertViolations(await store.post(at, { product_id: left }), ['product_id', 'too_long']);
  });

  test('are published as changes of their product', async () => {
    const [owner, one] = await manyProducts(store, 2, 'FEED');
    const cursor = await now((url) => store.get(url));
    const { id } = await store.made(`/api/products/${owner}/related_products`, { product_id: one });
    await store.patch(`/api/products/${owner}/related_products/${id}`, { position: 1 });
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, path: at, version, fields }) => ({ resource, action, at, version, fields })),
      [2, 3].map((version) => ({
        ...{ resource: 'Product', action: 'updated', at: `/api/products/${owner}` },
        ...{ version, fields: ['related_products'] },
      })),
    );
  });
});
