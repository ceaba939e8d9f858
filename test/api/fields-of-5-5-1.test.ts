/** Fields of release 5.5.1 in products and categories (catalog.md §§1 and 4), which clients of 5.5.0 do not send. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertViolations } from '../support/expect.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('fields of release 5.5.1', {}, (store) => {
  test('follow the fields of 5.5.0 in the output of a product, and a PUT without them preserves them', async () => {
    const size = { separate_box: true, width: 1.5, length: 2.25, height: 0.0001 };
    const made = await store.product(size);
    assert.deepEqual(Object.keys(made).slice(-5), ['images', 'separate_box', 'width', 'length', 'height']);
    const path = `/api/products/${made.id}`;
    const replaced = (await store.put(path, { sku: made.sku, name: made.name })).json;
    assert.deepEqual({ ...replaced, ...size }, replaced);
    const cleared = { separate_box: false, width: 0, length: 0, height: 0 };
    const { json } = await store.put(path, { sku: made.sku, name: made.name, ...cleared });
    assert.deepEqual({ ...json, ...cleared }, json);
    assertViolations(
      await store.patch(path, { separate_box: 1, width: -1, length: 1.23456, height: '1' }),
      ...([
        ['separate_box', 'type'],
        ['width', 'range'],
        ['length', 'decimals'],
        ['height', 'type'],
      ] as const),
    );
  });

  test('of products are filters', async () => {
    const { id } = await store.product({ separate_box: true, width: 11, length: 12, height: 13 });
    const queries = [
      'separate_box=true&width=11',
      'length[gte]=12',
      'height[between]=12.5..13.5',
      'width[]=1&width[]=11',
    ];
    for (const query of queries)
      assert.deepEqual((await store.get(`/api/products?${query}&fields=id`)).json, [{ id }], query);
    assert.deepEqual((await store.get('/api/products?width[gt]=11')).json, []);
  });

  test('of categories are the columns of the menu', async () => {
    const made = await store.made('/api/categories', { name: 'Menu', flyout_columns: 3 });
    assert.equal(Object.keys(made).at(-1), 'flyout_columns');
    const path = `/api/categories/${made.id}`;
    assert.equal((await store.put(path, { name: 'Menu' })).json.flyout_columns, 3);
    assert.equal((await store.patch(path, { flyout_columns: 0 })).json.flyout_columns, 0);
    assertViolations(await store.patch(path, { flyout_columns: -1 }), ['flyout_columns', 'range']);
  });
});
