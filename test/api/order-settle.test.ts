/** Settling an order (orders.md §15): a payment, a shipment, a return and statuses in one transaction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { assertBroken, eventsOf, orderAt, orderItem, placed, stockOf, withStatus } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

onEachDatabase('settling an order', {}, (store) => {
  const ordered = async (amount = 3, fields: Json = {}) => {
    const product = await store.product({ amount: 10, price: 10 });
    const order = await placed(store, [orderItem(product, amount)], fields);
    const item = order.items[0].id as number;
    const lines = (units: number, more: Json = {}): Json[] => [{ item_id: item, amount: units, ...more }];
    return { product, order, item, lines, path: `/api/orders/${order.id}/settle` };
  };
  const countersOf = ({ items }: { readonly items: Json[] }) =>
    items.map((item: Json) => [item.shipped_amount, item.returned_amount, item.restocked_amount]);

  test('records payment, shipment, return and statuses in this order, and returns the order', async () => {
    const { product, order, lines, path } = await ordered();
    const events = await eventsOf(store, order.id, async () => {
      const response = await store.post(path, {
        shipping_status: 'S',
        payment_status: 'P',
        return: { status: 'received', lines: lines(1, { restock: true }) },
        shipment: { carrier: 'UPS', tracking_numbers: ['1Z'], lines: lines(2) },
        transaction: { type: 'sale', status: 'S', value: 30 },
      });
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers.etag, (await store.get(`/api/orders/${order.id}`)).headers.etag);
      assert.deepEqual(countersOf(response.json), [[2, 1, 1]]);
      assert.deepEqual([response.json.payment_status.code, response.json.shipping_status.code], ['P', 'S']);
    });
    assert.deepEqual(
      events.map(({ code }) => code),
      [
        'TRANSACTION',
        'SHIPMENT',
        'ORDER TRACKING',
        'RETURN',
        'CHANGE PRODUCT AMOUNT',
        'CHANGE PAYMENT STATUS ORDER',
        'CHANGE SHIPPING STATUS ORDER',
      ],
    );
    assert.equal(await stockOf(store, product), 8);
    const parts = ['payment_transactions', 'shipments', 'returns'].map(async (name) => {
      const { json } = await store.get(`/api/orders/${order.id}/${name}`);
      return json.length as number;
    });
    assert.deepEqual(await Promise.all(parts), [1, 1, 1]);
  });

  test('with an empty body or none changes nothing', async () => {
    const { path } = await ordered();
    for (const body of [{}, undefined])
      await assertUnchanged(store, async () => {
        const response = await store.request('POST', path, body === undefined ? {} : { body });
        assert.equal(response.status, 200, response.text);
      });
  });

  test('reports the violations of all parts at their paths and writes no part', async () => {
    const { order, item, lines, path } = await ordered();
    const rejected: [body: Json, ...broken: [path: string, code: string][]][] = [
      [
        { transaction: { type: 'refund', status: 'S', value: 5 }, shipment: { lines: lines(4) } },
        ['transaction.value', 'range'],
        ['shipment.lines[0].amount', 'range'],
      ],
      [
        { shipment: { lines: lines(4) }, return: { lines: lines(1, { restock: 'yes' }) } },
        ['shipment.lines[0].amount', 'range'],
        ['return.lines[0].restock', 'type'],
      ],
      [{ return: { lines: lines(1) }, transaction: { value: 1 } }, ['return.lines[0].amount', 'range']],
      [{ shipment: { lines: lines(1) }, return: { lines: lines(2) } }, ['return.lines[0].amount', 'range']],
      [{ shipment: {} }, ['shipment.lines', 'required']],
      [{ shipment: { lines: lines(1), shipping_status: 'S' } }, ['shipment.shipping_status', 'unknown_field']],
      [{ shipment: null }, ['shipment', 'null']],
      [{ transaction: [] }, ['transaction', 'type']],
      [{ shipping_status: 'XX' }, ['shipping_status', 'unknown_link']],
      [{ payment_status: { code: 'P' } }, ['payment_status', 'type']],
      [{ shipments: [] }, ['shipments', 'unknown_field']],
      [
        { shipment: { lines: [{ item_id: item + 1000, amount: 1 }] }, payment_status: 'XX' },
        ['shipment.lines[0].item_id', 'unknown_link'],
        ['payment_status', 'unknown_link'],
      ],
    ];
    await assertUnchanged(store, async () => {
      for (const [body, ...broken] of rejected) assertBroken(await store.post(path, body), ...broken);
    });
    assert.deepEqual(countersOf(await orderAt(store, order.id)), [[0, 0, 0]]);
  });

  test('judges each step by the statuses before the request', async () => {
    const { order, lines, path } = await ordered();
    await withStatus(store, order.id, 'payment', 'C');
    await assertUnchanged(store, async () => {
      const response = await store.post(path, {
        transaction: { value: 30, status: 'S' },
        payment_status: 'P',
        shipment: { lines: lines(1) },
      });
      assertProblem(response, 409, /canceled/);
    });
    const sent = { transaction: { value: 30, status: 'S' }, payment_status: 'P' };
    assert.equal((await store.post(path, sent)).status, 200);
    const { json } = await store.post(path, { payment_status: 'C', shipment: { lines: lines(1) } });
    assert.deepEqual(countersOf(json), [[1, 0, 0]], 'an order can be shipped and canceled at once');
  });

  test('moves the stock once, after the return', async () => {
    const { product, order, lines, path } = await ordered(3);
    await store.post(path, { shipment: { lines: lines(3) }, shipping_status: 'S', payment_status: 'P' });
    const events = await eventsOf(store, order.id, () =>
      store.post(path, {
        return: { status: 'received', lines: lines(1) },
        payment_status: 'R',
        shipping_status: 'R',
      }),
    );
    assert.equal(await stockOf(store, product), 9, 'the unit that was written off does not come back');
    assert.equal(events.filter(({ code }) => code === 'CHANGE PRODUCT AMOUNT').length, 1);
  });

  test('takes If-Match, Idempotency-Key and dry_run like an edit', async () => {
    const { order, lines, path } = await ordered();
    const body = { shipment: { lines: lines(1) }, shipping_status: 'S' };
    const stale = await store.request('POST', path, { body, headers: { 'if-match': '"0-stale"' } });
    assertProblem(stale, 412);
    await assertUnchanged(store, async () => {
      const tried = await store.post(`${path}?dry_run`, body);
      assert.equal(tried.status, 200, tried.text);
      assert.deepEqual(countersOf(tried.json), [[1, 0, 0]]);
      assert.equal(tried.headers.etag, undefined);
    });
    const headers = { 'idempotency-key': `settle-${order.id}` };
    const [first, second] = [
      await store.request('POST', path, { body, headers }),
      await store.request('POST', path, { body, headers }),
    ];
    assert.equal(first.status, 200, first.text);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.deepEqual(countersOf(await orderAt(store, order.id)), [[1, 0, 0]]);
    assertProblem(await store.post('/api/orders/999999/settle', body), 404);
  });

  test('in lenient mode ignores unknown fields of its parts', async () => {
    const { lines, path } = await ordered();
    const response = await store.request('POST', path, {
      body: { shipment: { lines: lines(1), shipping_status: 'S', weight: 1 } },
      headers: { prefer: 'handling=lenient' },
    });
    assert.equal(response.status, 200, response.text);
    assert.equal(response.json.shipping_status.code, 'N');
  });
});
