/** Refunds of order lines (orders.md §5): refunded values, and limits of ordered and paid amounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUnchanged } from '../support/expect.ts';
import { assertBroken, orderAt, orderItem, placed, statuses, stockOf, times } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

onEachDatabase('refunds of order lines', {}, (store) => {
  const paid = async (amount = 3) => {
    const product = await store.product({ amount: 10, price: 10 });
    const order = await placed(store, [orderItem(product, amount), orderItem(product, 1)]);
    const path = `/api/orders/${order.id}/payment_transactions`;
    await store.made(path, { value: (amount + 1) * 10, status: 'S' });
    const [item, other] = order.items.map(({ id }: Json) => id) as [number, number];
    return { product, order: order.id as number, item, other, path };
  };
  const refund = (lines: readonly Json[], value = 10, fields: Json = {}) => ({
    type: 'refundPart',
    status: 'S',
    value,
    lines,
    ...fields,
  });
  const refunded = async (order: number) =>
    (await orderAt(store, order)).items.map(({ refunded_value }: Json) => refunded_value);

  test('count while they are successful and change no stock', async () => {
    const { product, order, item, other, path } = await paid();
    const lines = [
      { item_id: item, amount: 1, value: 9.5 },
      { item_id: other, amount: 0, value: 0.5 },
    ];
    const made = await store.made(path, refund(lines, 12, { status: 'W' }));
    assert.deepEqual(made.lines, lines);
    assert.deepEqual(await refunded(order), [0, 0]);
    const one = `${path}/${made.id}`;
    assert.equal((await store.patch(one, { status: 'S' })).status, 200);
    assert.deepEqual(await refunded(order), [9.5, 0.5]);
    await store.made(path, refund([{ item_id: item, value: 3.25 }], 5));
    assert.deepEqual(await refunded(order), [12.75, 0.5]);
    assert.equal((await store.patch(one, { status: 'V' })).status, 200);
    assert.deepEqual(await refunded(order), [3.25, 0]);
    assert.equal(await stockOf(store, product), 6);
  });

  test('are rejected above the ordered amount and value', async () => {
    const [{ order, item, path }, other] = [await paid(2), await paid()];
    const of = (fields: Json) => refund([{ item_id: item, amount: 1, value: 5, ...fields }]);
    await store.made(path, of({}));
    const rejected: [body: Json, path: string, code: string][] = [
      [of({ amount: 2 }), 'lines[0].amount', 'range'],
      [of({ amount: -1 }), 'lines[0].amount', 'range'],
      [of({ value: -1 }), 'lines[0].value', 'range'],
      [of({ value: 11 }), 'lines', 'range'],
      [of({ item_id: other.item }), 'lines[0].item_id', 'unknown_link'],
      [{ ...of({}), type: 'sale' }, 'lines', 'conflict'],
      [{ ...of({}), currency: 'EUR' }, 'lines', 'conflict'],
      [{ ...of({}), value: 30 }, 'value', 'range'],
    ];
    await assertUnchanged(store, async () => {
      for (const [body, at, code] of rejected) {
        const response = await store.post(path, body);
        assertBroken(response, [at, code]);
      }
    });
    assert.deepEqual(await refunded(order), [5, 0]);
  });

  test('are checked again when they succeed', async () => {
    const { item, path } = await paid(2);
    const lines = [{ item_id: item, amount: 2, value: 10 }];
    const waiting = await store.made(path, refund(lines, 10, { status: 'W' }));
    await store.made(path, refund(lines));
    assertBroken(await store.patch(`${path}/${waiting.id}`, { status: 'S' }), ['status', 'range', /units ordered/]);
    assert.equal((await store.patch(`${path}/${waiting.id}`, { status: 'F' })).status, 200);
  });

  test('that run concurrently refund each unit once', async () => {
    const { order, item, path } = await paid(2);
    const responses = await times(5, () => store.post(path, refund([{ item_id: item, amount: 1, value: 5 }], 5)));
    assert.deepEqual(statuses(responses), { 201: 2, 422: 3 });
    assert.deepEqual(await refunded(order), [10, 0]);
  });
});
