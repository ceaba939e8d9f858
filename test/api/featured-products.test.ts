/** Featured products of categories and of the front page (catalog.md §14). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { manyProducts } from '../support/many-products.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('featured products', {}, (store) => {
  let category: number;
  before(async () => {
    category = (await store.made('/api/categories', { name: 'Featured' })).id;
  });

  for (const [page, pathOf] of [
    ['of a category', () => `/api/categories/${category}/featured`],
    ['of the front page', () => '/api/front_page/featured'],
  ] as const) {
    test(`${page} are created, listed by position, moved and deleted`, async () => {
      const path = pathOf();
      const [one, two] = (await manyProducts(store, 2, `ENTRY ${page}`)) as [number, number];
      const made = await store.post(path, { product_id: one, position: 2 });
      assert.equal(made.status, 201, made.text);
      assert.deepEqual(made.json, { product_id: one, position: 2 });
      assert.equal(made.headers.location, `${store.address}${path}/${one}`);
      const other = await store.made(path, { product_id: two });
      assert.deepEqual((await store.get(path)).json, [other, made.json]);
      assert.deepEqual((await store.get(`${path}/${one}`)).json, made.json);
      assert.deepEqual((await store.get(`${path}?product_id=${two}`)).json, [other]);
      const moved = await store.patch(`${path}/${one}`, { position: -1 });
      assert.deepEqual(moved.json, { product_id: one, position: -1 });
      assert.deepEqual((await store.get(path)).json, [moved.json, other]);
      assertViolations(await store.patch(`${path}/${one}`, { product_id: two }), ['product_id', 'conflict']);
      assertProblem(await store.put(`${path}/${one}`, { product_id: one }), 405);
      assert.equal((await store.delete(`${path}/${two}`)).status, 204);
      assertProblem(await store.delete(`${path}/${two}`), 404);
      await store.delete(`/api/products/${one}`);
      assert.deepEqual((await store.get(path)).json, []);
    });

    test(`${page} return the existing entry to a second POST, which changes only a given position`, async () => {
      const path = pathOf();
      const [product_id] = await manyProducts(store, 1, `TWICE ${page}`);
      await store.made(path, { product_id, position: 7 });
      assert.deepEqual(await store.made(path, { product_id }), { product_id, position: 7 });
      assert.deepEqual(await store.made(path, { product_id, position: 8 }), { product_id, position: 8 });
      const again = await Promise.all(Array.from({ length: 5 }, () => store.post(path, { product_id })));
      assert.deepEqual(
        again.map(({ status }) => status),
        Array(5).fill(201),
      );
      assert.equal((await store.get(path)).json.length, 1);
      await store.delete(`${path}/${product_id}`);
    });

    test(`${page} are at most 250, and an existing one can still be sent`, async () => {
      const path = pathOf();
      const ids = await manyProducts(store, 252, `LIMIT ${page}`);
      for (const product_id of ids.slice(0, 248)) await store.made(path, { product_id });
      const last = ids.slice(248);
      const responses = await Promise.all(last.map((product_id) => store.post(path, { product_id })));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 422, 422]);
      for (const response of responses)
        if (response.status === 422) assertViolations(response, ['product_id', 'too_long']);
      assert.deepEqual(await store.made(path, { product_id: ids[0], position: 3 }), {
        product_id: ids[0],
        position: 3,
      });
      assertViolations(
        await store.post(path, { product_id: 999_999 }),
        ['product_id', 'unknown_link'],
        ['product_id', 'too_long'],
      );
    });
  }

  test('of a category are changes of the category, those of the front page have entries of their own', async () => {
    const own = (await store.made('/api/categories', { name: 'Feed' })).id;
    const [product_id] = await manyProducts(store, 1, 'FEED');
    const cursor = await now((url) => store.get(url));
    await store.made(`/api/categories/${own}/featured`, { product_id });
    const front = '/api/front_page/featured';
    await store.delete(`${front}/${(await store.get(front)).json[0].product_id}`);
    await store.made(front, { product_id });
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, fields, path }) => [resource, action, fields, path]).slice(0, 1),
      [['Category', 'updated', ['featured'], `/api/categories/${own}`]],
    );
    assert.deepEqual(
      entries.slice(1).map(({ resource, action }) => [resource, action]),
      [
        ['FrontPageProduct', 'deleted'],
        ['FrontPageProduct', 'created'],
      ],
    );
    assert.equal(entries.at(-1)!.path, `/api/front_page/featured/${product_id}`);
    await store.delete(`/api/categories/${own}`);
    assertProblem(await store.get(`/api/categories/${own}/featured`), 400);
  });
});
