/** Regression tests for seven common complaints about other store systems (orders.md §§3, 5 and 10 to 14). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/expect.ts';
import { assertBroken, orderAt, orderItem, placed, setStatus, statuses, stockOf, times } from '../support/orders.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('order safeguards', {}, (store) => {
  /** Creates an order of three of ten units, paid and shipped. */
  const shipped = async () => {
    const product = await store.product({ amount: 10, price: 10 });
    const { id, items } = await placed(store, [orderItem(product, 3)]);
    const [item, path] = [items[0].id as number, `/api/orders/${id}`];
    await store.made(`${path}/payment_transactions`, { value: 30, status: 'S' });
    const lines = [{ item_id: item, amount: 3 }];
    const shipment = await store.made(`${path}/shipments`, { lines, shipping_status: 'S' });
    return { product, id: id as number, item, path, shipment: shipment.id as number };
  };
  const returned = (amount: number, restock: boolean, item_id: number) => ({
    lines: [{ item_id, amount, restock }],
    status: 'received',
  });

  test('canceling after a return does not restock the returned units twice', async () => {
    const { product, id, item, path } = await shipped();
    await store.made(`${path}/returns`, returned(3, true, item));
    assert.equal(await stockOf(store, product), 10);
    for (const code of ['R', 'C', 'P', 'C']) {
      assert.equal((await setStatus(store, id, 'payment', code)).status, 200);
      assert.equal(await stockOf(store, product), 10, code);
    }
  });

  test('units that were returned without restocking are not restocked when the order is canceled', async () => {
    const { product, id, item, path } = await shipped();
    await store.made(`${path}/returns`, returned(2, false, item));
    await setStatus(store, id, 'payment', 'C');
    assert.equal(await stockOf(store, product), 8);
  });

  test('refunds cannot exceed the bought amount or the paid value', async () => {
    const { item, path } = await shipped();
    const refund = (amount: number, value: number) => ({
      type: 'refundPart',
      status: 'S',
      value,
      lines: [{ item_id: item, amount, value }],
    });
    const refunds = `${path}/payment_transactions`;
    assertBroken(await store.post(refunds, refund(4, 5)), ['lines[0].amount', 'range']);
    assertBroken(await store.post(refunds, refund(1, 31)), ['value', 'range']);
    const responses = await times(4, () => store.post(refunds, refund(2, 10)));
    assert.deepEqual(statuses(responses), { 201: 1, 422: 3 });
  });

  test('amounts of lines and documents cannot become negative', async () => {
    const { item, path } = await shipped();
    for (const amount of [-1, -3])
      assertBroken(await store.post(`${path}/edit`, { change: [{ item_id: item, amount }] }), [
        'change[0].amount',
        'range',
      ]);
    for (const documents of ['shipments', 'returns'])
      assertBroken(await store.post(`${path}/${documents}`, { lines: [{ item_id: item, amount: -1 }] }), [
        'lines[0].amount',
        'range',
      ]);
  });

  test('an edit cannot remove units that were shipped', async () => {
    const { id, item, path } = await shipped();
    assertBroken(await store.post(`${path}/edit`, { change: [{ item_id: item, amount: 2 }] }), [
      'change[0].amount',
      'range',
    ]);
    assert.equal((await orderAt(store, id)).items[0].amount, 3);
  });

  test('a shipment with returned units cannot be deleted', async () => {
    const { item, path, shipment } = await shipped();
    await store.made(`${path}/returns`, returned(1, true, item));
    assertProblem(await store.delete(`${path}/shipments/${shipment}`), 409);
  });

  test('invoices do not change with their order and have numbers without gaps', async () => {
    const { item, path } = await shipped();
    const invoice = await store.made(`${path}/invoices`, {});
    await store.post(`${path}/edit`, { change: [{ item_id: item, amount: 5, price: 1 }] });
    assert.deepEqual((await store.get(`${path}/invoices/${invoice.id}`)).json, invoice);
    assertBroken(await store.post(`${path}/invoices`, { kind: 'credit_note', of: 999_999 }), ['of', 'unknown_link']);
    const next = await store.made(`${path}/invoices`, {});
    assert.deepEqual([invoice.number, next.number], ['INV-1', 'INV-2']);
  });
});
