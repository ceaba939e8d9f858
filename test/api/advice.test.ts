/** Advice in error messages: typical wrong requests and the hint that each response gives. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { onOneDatabase } from '../support/store.ts';

onOneDatabase('advice in problems', {}, (store) => {
  let product: number;
  let select: string;
  let values: string;
  let option: number;
  before(async () => {
    product = (await store.product({ name: 'Advised' })).id;
    const { id } = await store.made('/api/attributes_select', { name: 'Size' });
    select = `/api/attributes_select/${id}`;
    values = `/api/products/${product}/attributes_select/${id}/values`;
    option = (await store.made(`${select}/options`, { value: 'Large' })).id;
  });

  describe('query parameters', () => {
    for (const [query, advice] of [
      ['enabled=true&enabled=false', '"enabled" is given more than once. Send it once.'],
      ['page=1&page=2', '"page" is given more than once. Send it once.'],
      ['itemsPerPage=1&itemsPerPage=2', '"itemsPerPage" is given more than once. Send it once.'],
      ['price[gte]=1&price[gte]=2', '"price[gte]" is given more than once. Send it once.'],
      ['order[price]=asc&order[price]=desc', '"order[price]" is given more than once. Send it once.'],
      ['sku=A&sku=B', 'For a list, send "sku[]=…" for each value.'],
      ['order=price', '"order" should name the field in brackets: "order[price]=asc".'],
      ['order=-price', '"order[price]=desc"'],
      ['order=prise', '"order[price]=asc"'],
      ['sort=price&sort=name', 'Unknown parameter "sort"'],
    ] as const)
      test(`rejects ?${query} with a hint unless the client is lenient`, async () => {
        const response = await store.get(`/api/products?${query}`);
        assert.equal(response.status, 400, response.text);
        assert.ok(response.json.detail.includes(advice), response.json.detail);
        assert.equal((await store.get(`/api/products?${query}`, { prefer: 'handling=lenient' })).status, 200);
      });

    test('accepts the queries that the hints recommend', async () => {
      for (const query of ['order[price]=asc', 'order[price]=desc', 'sku[]=A&sku[]=B'])
        assert.equal((await store.get(`/api/products?${query}`)).status, 200, query);
    });
  });

  test('quotes the sent path if a record of it does not exist', async () => {
    const response = await store.get('/api/orders/999/items');
    assert.equal(response.status, 404);
    assert.match(response.json.detail, /There is no order at \/orders\/999\. In the path, /);
    assert.doesNotMatch(response.json.detail, /[{}]/);
    const below = await store.get(`/api/products/${product}/attributes_select/none/values`);
    assert.match(below.json.detail, new RegExp(`/products/${product}/attributes_select/none`));
  });

  test('rejects an option named by its value and asks for its id', async () => {
    const named = await store.post(values, { option: 'Large' });
    assert.deepEqual([named.status, named.json.violations.length], [422, 1]);
    const [violation] = named.json.violations;
    assert.deepEqual([violation.propertyPath, violation.code], ['option', 'unknown_link']);
    assert.match(violation.message, /named by its id/);
    const none = await store.post(values, {});
    assert.match(none.json.violations[0].message, /option_id or option/);
    const empty = await store.post(values, { option: null });
    assert.equal(empty.json.violations[0].propertyPath, 'option');
    assert.deepEqual((await store.get(values)).json, []);
    assert.equal((await store.post(values, { option })).status, 201);
  });

  test('rejects an order item without product_id and sku', async () => {
    const { 'x-total-count': count } = (await store.get('/api/orders')).headers;
    const rejected = await store.post('/api/orders', { email: 'ada@example.com', items: [{ amount: 1 }] });
    assert.equal(rejected.status, 422);
    assert.deepEqual(rejected.json.violations, [
      {
        propertyPath: 'items[0].product_id',
        message: 'The item needs a product. Send product_id or sku.',
        code: 'required',
      },
    ]);
    assert.equal((await store.get('/api/orders')).headers['x-total-count'], count);
  });
});
