/** Returns of an order (orders.md §12): what comes back, what is sold again, and that no piece comes back twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import {
  assertBroken,
  eventsOf,
  orderAt,
  pieces,
  placed,
  setStatus,
  statuses,
  stockOf,
  times,
  withStatus,
} from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

onEachDatabase('returns', {}, (store) => {
  /** Ten in stock, of which so many were ordered and shipped. */
  const shipped = async (amount = 3, product?: Json) => {
    const sold = (product ?? (await store.product({ amount: 10 }))) as { readonly id: number };
    const order = await placed(store, [pieces(sold, amount)]);
    const item = order.items[0].id as number;
    await store.made(`/api/orders/${order.id}/shipments`, { lines: [{ item_id: item, amount }] });
    return { product: sold, order: order.id as number, item, path: `/api/orders/${order.id}/returns` };
  };
  const countersOf = async (order: number) => {
    const [{ returned_amount, restocked_amount, shipped_amount, amount }] = (await orderAt(store, order)).items;
    return { returned_amount, restocked_amount, shipped_amount, amount };
  };

  test('count once they are received, and bring back what can be sold again', async () => {
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

  test('move once, and then no more', async () => {
    const { product, order, item, path } = await shipped();
    const lines = [{ item_id: item, amount: 1, restock: true }];
    const [first, second] = [await store.made(path, { lines }), await store.made(path, { lines })];
    for (const [{ id }, status] of [
      [first, 'received'],
      [second, 'refused'],
    ] as const) {
      assert.equal((await store.patch(`${path}/${id}`, { status })).status, 200);
      assert.equal((await store.patch(`${path}/${id}`, { status })).status, 200, 'the same again changes nothing');
      for (const other of ['requested', 'received', 'refused'].filter((each) => each !== status))
        assertProblem(await store.patch(`${path}/${id}`, { status: other }), 409, /cannot change again/);
    }
    assertBroken(await store.patch(`${path}/${first.id}`, { status: 'lost' }), ['status', 'choice']);
    assert.equal(await stockOf(store, product), 8);
    assert.equal((await countersOf(order)).returned_amount, 1);
  });

  test('are never of more pieces than were shipped', async () => {
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

  test('at once bring each piece back once', async () => {
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

  test('are of no cancelled or declined order', async () => {
    const { product, order, item, path } = await shipped();
    const lines = [{ item_id: item, amount: 1, restock: true }];
    const { id } = await store.made(path, { lines });
    await withStatus(store, order, 'payment', 'C');
    assertProblem(await store.post(path, { lines }), 409, /cancelled/);
    assertProblem(await store.patch(`${path}/${id}`, { status: 'received' }), 409, /cancelled/);
    assert.equal((await store.patch(`${path}/${id}`, { status: 'refused' })).status, 200);
    assert.equal(await stockOf(store, product), 10);
  });

  test('leave to a status only what was neither restocked nor written off', async () => {
    const { product, order, item, path } = await shipped(4);
    const lines = [
      { item_id: item, amount: 1, restock: true },
      { item_id: item, amount: 1, restock: false },
    ];
    await store.made(path, { lines, status: 'received' });
    assert.equal(await stockOf(store, product), 7);
    await withStatus(store, order, 'payment', 'C');
    assert.equal(await stockOf(store, product), 9, 'two come back; one is here already, one is lost');
    await withStatus(store, order, 'payment', 'P');
    assert.equal(await stockOf(store, product), 7);
  });

  test('while a status has brought the pieces back move only what is lost', async () => {
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
    assert.equal(await stockOf(store, product), 8, 'the one that the customer keeps');
  });

  test('cannot lose pieces that another order has got meanwhile', async () => {
    const { product, order, item, path } = await shipped(4);
    await withStatus(store, order, 'payment', 'R');
    await placed(store, [pieces(product, 10)]);
    const lines = [{ item_id: item, amount: 1, restock: false }];
    const answer = await assertUnchanged(store, () => store.post(path, { lines, status: 'received' }));
    assertProblem(answer, 409, /0 of 1 unit available/);
    assert.equal((await setStatus(store, order, 'shipping', 'S')).status, 409);
  });

  test('come back to the variant that was sold', async () => {
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
