/** Counters of order lines: derived, read-only in input, and imported with past orders (orders.md §10). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulk } from '../support/lines.ts';
import { assertBroken, orderItem, orderOf, place, placed } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const past = (order_number: string, counters: Json): Json => ({
  order_number,
  email: 'ann@example.com',
  items: [{ product_id: null, sku: 'GONE', name: 'Gone', price: 10, ...counters }],
});

onEachDatabase('counters of order lines', {}, (store) => {
  test('start with all units ordered', async () => {
    const { items } = await placed(store, [orderItem(await store.product({ amount: 5 }), 2)]);
    const { amount, ordered_amount, shipped_amount, cancelled_amount, returned_amount, restocked_amount } = items[0];
    assert.deepEqual([amount, ordered_amount, items[0].refunded_value], [2, 2, 0]);
    assert.deepEqual([shipped_amount, cancelled_amount, returned_amount, restocked_amount], [0, 0, 0, 0]);
  });

  test('are accepted if unchanged and otherwise rejected as read-only', async () => {
    const product = await store.product({ amount: 5 });
    const order = await placed(store, [orderItem(product, 2, { ordered_amount: 2, shipped_amount: 0 })]);
    const rejected = await place(store, [orderItem(product, 2, { ordered_amount: 3, shipped_amount: 1 })]);
    assertBroken(rejected, ['items[0].ordered_amount', 'read_only'], ['items[0].shipped_amount', 'read_only']);
    // As with totals, outdated values are ignored in a change.
    const items = [{ ...order.items[0], shipped_amount: 1 }];
    const sent = await store.patch(`/api/orders/${order.id}`, { notes: 'x', items });
    assert.equal(sent.status, 200, sent.text);
    assert.equal(sent.json.items[0].shipped_amount, 0);
  });

  test('of past orders are imported if they are consistent', async () => {
    const { results } = await bulk(store, '/api/orders/bulk?past', [
      past('C-1', { amount: 3, cancelled_amount: 1, shipped_amount: 2, returned_amount: 1, restocked_amount: 1 }),
      past('C-2', { amount: 3, shipped_amount: 4 }),
      past('C-3', { amount: 0, cancelled_amount: 2, refunded_value: 20 }),
      past('C-4', { amount: 3, shipped_amount: 2, returned_amount: 1, restocked_amount: 2 }),
      past('C-5', { amount: 3, cancelled_amount: 1, ordered_amount: 3 }),
      past('C-6', { amount: 3, cancelled_amount: 1, ordered_amount: 4 }),
    ]);
    assert.deepEqual(
      results.map(({ result }) => result),
      ['created', 'failed', 'created', 'failed', 'failed', 'created'],
      JSON.stringify(results),
    );
    assert.equal(results[1].problem.violations[0].propertyPath, 'items[0].shipped_amount');
    assert.equal(results[3].problem.violations[0].propertyPath, 'items[0].restocked_amount');
    const [wrong] = results[4].problem.violations;
    assert.deepEqual([wrong.propertyPath, wrong.code], ['items[0].ordered_amount', 'read_only']);
    const { json } = await store.get('/api/orders/by_number/C-1');
    assert.deepEqual([json.items[0].ordered_amount, json.items[0].shipped_amount], [4, 2]);
    const again = await bulk(store, '/api/orders/bulk?past', [
      past('C-1', { ...json.items[0], id: undefined, update_date: undefined, product_id: null }),
    ]);
    assert.equal(again.results[0].result, 'unchanged', JSON.stringify(again.results));
  });

  test('a line with amount 0 is accepted in past orders only', async () => {
    const response = await store.post('/api/orders', orderOf([orderItem(await store.product(), 0)]));
    assertBroken(response, ['items[0].amount', 'range', 'This value should be positive.']);
  });
});
