/** Returns of an order (orders.md §12): no unit is returned or restocked twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import {
  assertBroken,
  eventsOf,
  orderAt,
  orderItem,
  placed,
  setStatus,
  statuses,
  stockOf,
  times,
  withStatus,
} from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

onEachDatabase('order returns', {}, (store) => {
  /** Creates an order for `amount` of ten units in stock and ships it. */
  const shipped = async (amount = 3, product?: Json) => {
    const sold = (product ?? (await store.product({ amount: 10 }))) as { readonly id: number };
    const order = await placed(store, [orderItem(sold, amount)]);
    const item = order.items[0].id as number;
    await store.made(`/api/orders/${order.id}/shipments`, { lines: [{ item_id: item, amount }] });
    return { product: sold, order: order.id as number, item, path: `/api/orders/${order.id}/returns` };
  };
  const countersOf = async (order: number) => {
    const [{ returned_amount, restocked_amount, shipped_amount, amount }] = (await orderAt(store, order)).items;
    return { returned_amount, restocked_amount, shipped_amount, amount };
  };

  test('count when received, and restock the units marked for it', async () => {
    const { product, order, item, path } = await shipped();
    const lines = [
      { item_id: item, amount: 1, restock: true, reason: 'Too small' },
      { item_id: item, amount: 1, restock: false, reason: 'Torn' },
    ];
    const made = await store.made(path, { lines });
    assert.deepEqual([made.lines.map(({ id: _, ...line }: Json) => line), made.status], [lines, 'requested']);
    assert.equal((await countersOf(order)).returned_amount, 0);
    assert.equal(await stockOf(store, product), 7);
    const one = `${path}/${made.id}`;
    const events = await eventsOf(store, order, () => store.patch(one, { status: 'received' }));
    assert.deepEqual(
      events.map(({ code }) => code),
      ['RETURN', 'CHANGE PRODUCT AMOUNT'],
    );
    assert.deepEqual(await countersOf(order), {
      returned_amount: 2,
      restocked_amount: 1,
      shipped_amount: 3,
      amount: 3,
    });
    assert.equal(await stockOf(store, product), 8);
    const order2 = await orderAt(store, order);
    assert.deepEqual([order2.shipping_status.code, order2.payment_status.code], ['N', 'Q'], 'statuses stay');
  });

  test('are received or refused once and cannot change afterwards', async () => {
    const { product, order, item, path } = await shipped();
    const lines = [{ item_id: item, amount: 1, restock: true }];
    const [first, second] = [await store.made(path, { lines }), await store.made(path, { lines })];
    for (const [{ id }, status] of [
      [first, 'received'],
      [second, 'refused'],
    ] as const) {
      assert.equal((await store.patch(`${path}/${id}`, { status })).status, 200);
      assert.equal((await store.patch(`${path}/${id}`, { status })).status, 200, 'repeating the status has no effect');
      for (const other of ['requested', 'received', 'refused'].filter((each) => each !== status))
        assertProblem(await store.patch(`${path}/${id}`, { status: other }), 409, /cannot change again/);
    }
    assertBroken(await store.patch(`${path}/${first.id}`, { status: 'lost' }), ['status', 'choice']);
    assert.equal(await stockOf(store, product), 8);
    assert.equal((await countersOf(order)).returned_amount, 1);
  });

  test('cannot exceed the shipped units', async () => {
    const { order, item, path } = await shipped(2);
    const of = (amount: number) => ({ lines: [{ item_id: item, amount, restock: true }] });
    assertBroken(await store.post(path, of(3)), ['lines[0].amount', 'range']);
    const asked = await store.made(path, of(1));
    assertBroken(await store.post(path, of(2)), ['lines[0].amount', 'range', /Only 1 of the/]);
    await store.patch(`${path}/${asked.id}`, { status: 'refused' });
    await store.made(path, { ...of(2), status: 'received' });
    assertBroken(await store.post(path, of(1)), ['lines[0].amount', 'range', /Only 0 of the/]);
    assertBroken(await store.post(path, { lines: [{ item_id: 999_999, amount: 1 }] }), [
      'lines[0].item_id',
      'unknown_link',
    ]);
    assert.deepEqual((await countersOf(order)).returned_amount, 2);
  });

  test('that run concurrently return each unit once', async () => {
    const { product, order, item, path } = await shipped(2);
    const { id } = await store.made(path, { lines: [{ item_id: item, amount: 1, restock: true }] });
    const same = await times(4, () => store.patch(`${path}/${id}`, { status: 'received' }));
    assert.deepEqual(statuses(same), { 200: 4 });
    const lines = [{ item_id: item, amount: 1, restock: true }];
    const others = await times(4, () => store.post(path, { lines, status: 'received' }));
    assert.deepEqual(statuses(others), { 201: 1, 422: 3 });
    assert.equal(await stockOf(store, product), 10);
    assert.equal((await countersOf(order)).returned_amount, 2);
  });

  test('of canceled and declined orders are rejected with 409', async () => {
    const { product, order, item, path } = await shipped();
    const lines = [{ item_id: item, amount: 1, restock: true }];
    const { id } = await store.made(path, { lines });
    await withStatus(store, order, 'payment', 'C');
    assertProblem(await store.post(path, { lines }), 409, /canceled/);
    assertProblem(await store.patch(`${path}/${id}`, { status: 'received' }), 409, /canceled/);
    assert.equal((await store.patch(`${path}/${id}`, { status: 'refused' })).status, 200);
    assert.equal(await stockOf(store, product), 10);
  });

  test('are not restocked again by a status change', async () => {
    const { product, order, item, path } = await shipped(4);
    const lines = [
      { item_id: item, amount: 1, restock: true },
      { item_id: item, amount: 1, restock: false },
    ];
    await store.made(path, { lines, status: 'received' });
    assert.equal(await stockOf(store, product), 7);
    await withStatus(store, order, 'payment', 'C');
    assert.equal(await stockOf(store, product), 9, 'two units are restocked; one is in stock already and one is lost');
    await withStatus(store, order, 'payment', 'P');
    assert.equal(await stockOf(store, product), 7);
  });

  test('after a restocking status change only write off lost units', async () => {
    const { product, order, item, path } = await shipped(4);
    await withStatus(store, order, 'payment', 'R');
    assert.equal(await stockOf(store, product), 10);
    const lines = [
      { item_id: item, amount: 2, restock: true },
      { item_id: item, amount: 1, restock: false },
    ];
    await store.made(path, { lines, status: 'received' });
    assert.equal(await stockOf(store, product), 9);
    await withStatus(store, order, 'shipping', 'S');
    assert.equal(await stockOf(store, product), 8, 'the customer keeps one unit');
  });

  test('cannot write off units that another order has reserved meanwhile', async () => {
    const { product, order, item, path } = await shipped(4);
    await withStatus(store, order, 'payment', 'R');
    await placed(store, [orderItem(product, 10)]);
    const lines = [{ item_id: item, amount: 1, restock: false }];
    const response = await assertUnchanged(store, () => store.post(path, { lines, status: 'received' }));
    assertProblem(response, 409, /0 of 1 unit available/);
    assert.equal((await setStatus(store, order, 'shipping', 'S')).status, 409);
  });

  test('restock the variant that was sold', async () => {
    const shirt = await varied(store, { amount: 5 });
    const variant = await madeVariant(store, shirt, ['M', 'red'], { amount: 4 });
    const order = await placed(store, [{ variant: variant.id, amount: 3 }]);
    const item = order.items[0].id;
    await store.made(`/api/orders/${order.id}/shipments`, { lines: [{ item_id: item, amount: 3 }] });
    const lines = [{ item_id: item, amount: 2, restock: true }];
    await store.made(`/api/orders/${order.id}/returns`, { lines, status: 'received' });
    assert.equal((await store.get(`${shirt.variants}/${variant.id}`)).json.amount, 3);
    assert.equal(await stockOf(store, shirt.product), 5);
  });
});
