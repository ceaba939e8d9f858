/** Wholesale prices of products and variants (pricing.md §1): rules, uniqueness, deletion, feed, bulk. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { outputNames } from '../support/fields.ts';
import { bulk, LINES, readLines } from '../support/lines.ts';
import { type Json, onEachDatabase } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

onEachDatabase('wholesale prices', {}, (store) => {
  let product: { readonly id: number; readonly sku: string };
  let path: string;
  let gold: number;
  const NO_SUCH = 999_999;
  const rowsOf = async (at: string): Promise<Json[]> => (await store.get(at)).json;
  const fieldsOf = async (at: string) =>
    (await rowsOf(at)).map(({ type, price, quantity_range_begin, membership }) => [
      ...[type, price, quantity_range_begin, membership],
    ]);
  const bulked = (lines: readonly Json[], query = '') => bulk(store, `/api/wholesale_prices/bulk${query}`, lines);
  before(async () => {
    gold = (await store.made('/api/memberships', { name: 'Gold' })).id;
    product = await store.product({ price: 20 });
    path = `/api/products/${product.id}/wholesale_prices`;
  });

  test('are created with their defaults, read, replaced, updated and deleted', async () => {
    const made = await store.post(path, {});
    assert.equal(made.status, 201, made.text);
    const { id, ...fields } = made.json;
    assert.deepEqual(Object.keys(made.json), outputNames('WholesalePrice'));
    assert.deepEqual(fields, {
      ...{ type: 'price', price: 0, quantity_range_begin: 2, membership: null },
      ...{ product_id: product.id, variant_id: null, sku: product.sku },
    });
    const one = `${path}/${id}`;
    assert.equal(made.headers.location, `${store.address}${one}`);
    const back = await store.put(one, made.json);
    assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
    const changed = await store.patch(one, { price: 12.3456, membership: gold });
    assert.deepEqual([changed.json.price, changed.json.membership], [12.3456, gold]);
    assertProblem(await store.patch(one, { price: 1 }, { 'if-match': made.headers.etag }), 412);
    const replaced = await store.put(one, { type: 'percent', price: 100, quantity_range_begin: 5 });
    assert.deepEqual(replaced.json, { ...made.json, type: 'percent', price: 100, quantity_range_begin: 5 });
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(one), 404);
    assertProblem(await store.get(`/api/products/${NO_SUCH}/wholesale_prices`), 400);
    assertProblem(await store.post('/api/wholesale_prices', {}), 405);
  });

  test('reject invalid values at their fields', async () => {
    assertViolations(
      await store.post(path, { type: 'amount', price: -1, quantity_range_begin: 0, membership: NO_SUCH }),
      ['type', 'choice'],
      ...(['price', 'quantity_range_begin'] as const).map((name) => [name, 'range'] as const),
      ['membership', 'unknown_link'],
    );
    assertViolations(
      await store.post(path, { price: 1.23456, quantity_range_begin: 2.5 }),
      ['price', 'decimals'],
      ['quantity_range_begin', 'type'],
    );
    assertViolations(await store.post(path, { type: 'percent', price: 100.01 }), ['price', 'range']);
    const { id } = await store.made(path, { price: 100.01, quantity_range_begin: 9 });
    assertViolations(await store.patch(`${path}/${id}`, { type: 'percent' }), ['price', 'range']);
    await store.delete(`${path}/${id}`);
  });

  test('begin at 1 only with a membership', async () => {
    assertViolations(await store.post(path, { quantity_range_begin: 1 }), ['quantity_range_begin', 'range']);
    const { id } = await store.made(path, { quantity_range_begin: 1, membership: gold });
    assertViolations(await store.patch(`${path}/${id}`, { membership: null }), ['quantity_range_begin', 'range']);
    assert.equal((await store.patch(`${path}/${id}`, { membership: null, quantity_range_begin: 2 })).status, 200);
    await store.delete(`${path}/${id}`);
  });

  test('are unique by owner, membership and quantity', async () => {
    const shirt = await varied(store);
    const { id: variant } = await madeVariant(store, shirt, ['M', 'red'], {});
    const { id: other } = await madeVariant(store, shirt, ['S', 'red'], {});
    const at = [
      `${shirt.path}/wholesale_prices`,
      ...[variant, other].map((id) => `${shirt.variants}/${id}/wholesale_prices`),
    ];
    for (const each of at)
      for (const membership of [null, gold]) {
        await store.made(each, { membership });
        assertViolations(await store.post(each, { membership }), ['quantity_range_begin', 'not_unique']);
      }
    const { id } = await store.made(at[0]!, { quantity_range_begin: 3 });
    assertViolations(await store.patch(`${at[0]}/${id}`, { quantity_range_begin: 2 }), [
      'quantity_range_begin',
      'not_unique',
    ]);
    assertViolations(await store.patch(`${at[0]}/${id}`, { membership: gold, quantity_range_begin: 2 }), [
      'quantity_range_begin',
      'not_unique',
    ]);
    const results = await Promise.all([1, 2, 3].map(() => store.post(at[1]!, { quantity_range_begin: 7 })));
    assert.deepEqual(results.map(({ status }) => status).sort(), [201, 422, 422]);
    assert.equal((await rowsOf(at[0]!)).length, 3);
    assert.equal((await rowsOf(at[1]!)).length, 3);
  });

  test('of a variant belong to it, are listed with the others, and have its own SKU', async () => {
    const shirt = await varied(store);
    const { id } = await madeVariant(store, shirt, ['M', 'red'], { sku: 'WHOLE-M' });
    const other = await madeVariant(store, shirt, ['S', 'red']);
    const at = `${shirt.variants}/${id}/wholesale_prices`;
    const row = await store.made(at, { price: 3 });
    assert.deepEqual([row.product_id, row.variant_id, row.sku], [shirt.product.id, id, 'WHOLE-M']);
    assertProblem(await store.get(`${shirt.path}/wholesale_prices/${row.id}`), 404);
    assertProblem(await store.get(`${shirt.variants}/${other.id}/wholesale_prices/${row.id}`), 404);
    assertProblem(await store.get(`${path.replace('wholesale_prices', 'variants')}/${id}/wholesale_prices`), 400);
    const own = await store.made(`${shirt.path}/wholesale_prices`, { price: 4 });
    const without = await store.made(`${shirt.variants}/${other.id}/wholesale_prices`, { price: 5, membership: gold });
    assert.equal(without.sku, null);
    const all = `/api/wholesale_prices?product_id=${shirt.product.id}`;
    assert.deepEqual(await rowsOf(all), [row, own, without]);
    assert.deepEqual(await rowsOf(`${all}&variant_id=${id}`), [row]);
    assert.deepEqual(await rowsOf(`${all}&variant_id[exists]=false`), [own]);
    assert.deepEqual(await rowsOf(`${all}&membership=${gold}`), [without]);
    assert.deepEqual(await rowsOf(`${all}&order[price]=desc`), [without, own, row]);
    await store.patch(`${shirt.variants}/${id}`, { sku: 'WHOLE-L' });
    assert.deepEqual(
      (await rowsOf(all)).map(({ sku }) => sku),
      ['WHOLE-L', shirt.product.sku, null],
    );
  });

  test('are deleted with their owner or membership, and are no part of the product', async () => {
    const shirt = await varied(store);
    const silver = (await store.made('/api/memberships', { name: 'Silver' })).id;
    const variant = await madeVariant(store, shirt, ['M', 'red']);
    const before = await store.get(shirt.path);
    const cursor = await now((url) => store.get(url));
    const own = await store.made(`${shirt.path}/wholesale_prices`, {});
    const at = `${shirt.variants}/${variant.id}/wholesale_prices`;
    const ofVariant = await store.made(at, {});
    const ofSilver = await store.made(at, { membership: silver });
    assert.equal((await store.get(shirt.path)).headers.etag, before.headers.etag);
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, path: each }) => [resource, action, each]),
      [
        ['WholesalePrice', 'created', `${shirt.path}/wholesale_prices/${own.id}`],
        ['WholesalePrice', 'created', `${at}/${ofVariant.id}`],
        ['WholesalePrice', 'created', `${at}/${ofSilver.id}`],
      ],
    );
    const left = async () => (await rowsOf(`/api/wholesale_prices?product_id=${shirt.product.id}`)).map(({ id }) => id);
    assert.equal((await store.delete(`/api/memberships/${silver}`)).status, 204);
    assert.deepEqual(await left(), [own.id, ofVariant.id]);
    assert.equal((await store.delete(`${shirt.variants}/${variant.id}`)).status, 204);
    assert.deepEqual(await left(), [own.id]);
    assert.equal((await store.delete(shirt.path)).status, 204);
    assert.deepEqual(await left(), []);
    const after = await pages((url) => store.get(url), `after=${cursor}`);
    const deleted = after.entries.filter(
      ({ resource, action }) => resource === 'WholesalePrice' && action === 'deleted',
    );
    assert.deepEqual(deleted.map(({ id }) => id).sort(), [own.id, ofVariant.id, ofSilver.id].sort());
  });

  test('are at most 500 for one owner', async () => {
    const { id, sku } = await store.product();
    const lines = Array.from({ length: 501 }, (_, index) => ({ sku, quantity_range_begin: index + 2 }));
    const { counts, results } = await bulked(lines);
    assert.equal(counts, 'created 500, failed 1');
    assert.deepEqual(
      results[500].problem.violations.map(({ propertyPath, code }: Json) => [propertyPath, code]),
      [['', 'too_long']],
    );
    assertViolations(await store.post(`/api/products/${id}/wholesale_prices`, { membership: gold }), ['', 'too_long']);
  });

  test('are written in bulk by SKU, membership and quantity', async () => {
    const shirt = await varied(store, { price: 10 });
    const { sku } = shirt.product;
    const { id: variant } = await madeVariant(store, shirt, ['M', 'red'], { sku: 'BULK-M' });
    const at = `${shirt.variants}/${variant}/wholesale_prices`;
    const key = { sku, membership: null, quantity_range_begin: 5 };
    const first = await bulked([
      { sku, quantity_range_begin: 5, price: 8 },
      { sku: 'BULK-M', membership: gold, quantity_range_begin: 1, type: 'percent', price: 5 },
      { sku, quantity_range_begin: 5, price: 7 },
      { sku: 'NO-SUCH-SKU', quantity_range_begin: 5 },
      { sku },
      { op: 'upsert', key, body: { price: 6, quantity_range_begin: 6 } },
      { op: 'upsert', key: { ...key, quantity_range_begin: 6 }, body: { sku: 'BULK-M' } },
      { op: 'delete', key: { sku: 'BULK-M', membership: gold, quantity_range_begin: 9 } },
      { op: 'delete', key: 'BULK-M' },
    ]);
    assert.deepEqual(
      first.results.map(({ status, result }) => [status, result]),
      [
        ...[
          [201, 'created'],
          [201, 'created'],
          [200, 'updated'],
          [422, 'failed'],
          [422, 'failed'],
        ],
        ...[
          [200, 'updated'],
          [422, 'failed'],
          [200, 'unchanged'],
          [422, 'failed'],
        ],
      ],
    );
    assert.deepEqual(first.results[0].key, key);
    const violations = [3, 4, 6, 8].map((index) => {
      const [{ propertyPath, code }] = first.results[index].problem.violations;
      return [propertyPath, code];
    });
    assert.deepEqual(violations, [
      ...[
        ['sku', 'unknown_link'],
        ['quantity_range_begin', 'required'],
        ['sku', 'read_only'],
        ['key', 'type'],
      ],
    ]);
    assert.deepEqual(await fieldsOf(`${shirt.path}/wholesale_prices`), [['price', 6, 6, null]]);
    assert.deepEqual(await fieldsOf(at), [['percent', 5, 1, gold]]);
    const [row] = await rowsOf(at);
    const byId = await bulked(
      [
        { id: row!.id, price: 4 },
        { id: NO_SUCH, price: 1 },
      ],
      '?key=id',
    );
    assert.deepEqual(
      byId.results.map(({ status, result }) => [status, result]),
      [
        [200, 'updated'],
        [404, 'failed'],
      ],
    );
    const limited = await bulked(
      [
        { sku, quantity_range_begin: 6, price: 1 },
        { sku, quantity_range_begin: 60, price: 1 },
      ],
      '?mode=create',
    );
    assert.deepEqual(
      limited.results.map(({ status }) => status),
      [409, 201],
    );
    const conditional = await bulked([
      { op: 'upsert', key: { sku, quantity_range_begin: 60 }, if_match: 2, body: { price: 2 } },
      { op: 'upsert', key: { sku, quantity_range_begin: 60 }, if_match: 1, body: { price: 2 } },
      { op: 'delete', key: { sku, quantity_range_begin: 60 } },
    ]);
    assert.deepEqual(
      conditional.results.map(({ status }) => status),
      [412, 200, 204],
    );
    const twice = await store.request('POST', '/api/wholesale_prices/bulk?atomic', {
      body: `${JSON.stringify({ sku, quantity_range_begin: 7 })}\n`.repeat(2),
      headers: { 'content-type': LINES },
    });
    assertProblem(twice, 422, /Line 2/);
  });

  test('of an export are taken by a bulk, also in another store', async () => {
    const shirt = await varied(store);
    await madeVariant(store, shirt, ['M', 'red'], { sku: 'EXPORT-M' });
    await bulked([
      { sku: shirt.product.sku, quantity_range_begin: 2, price: 8 },
      { sku: 'EXPORT-M', membership: gold, quantity_range_begin: 1, type: 'percent', price: 5 },
    ]);
    const lines = readLines(
      (await store.get(`/api/wholesale_prices?product_id=${shirt.product.id}`, { accept: LINES })).text,
    );
    assert.equal(lines.length, 2);
    assert.equal((await bulked(lines)).counts, 'unchanged 2');
    assert.equal((await bulked(lines, '?write=put')).counts, 'unchanged 2');
    assert.equal((await bulked(lines, '?key=id')).counts, 'unchanged 2');
    for (const { id, variant_id } of lines)
      await store.delete(
        `${variant_id === null ? shirt.path : `${shirt.variants}/${variant_id}`}/wholesale_prices/${id}`,
      );
    const elsewhere = lines.map((line) => ({ ...line, id: NO_SUCH, product_id: NO_SUCH }));
    assert.equal((await bulked(elsewhere)).counts, 'created 2');
    const again = await rowsOf(`/api/wholesale_prices?product_id=${shirt.product.id}`);
    const withoutId = ({ id: _, ...row }: Json) => row;
    assert.deepEqual(
      again.map(withoutId),
      lines.sort((one, other) => one.quantity_range_begin - other.quantity_range_begin).map(withoutId),
    );
  });
});
