/** Edits of an order (orders.md §13): changed lines, prices and surcharges, the resulting stock, and dry runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import {
  assertBroken,
  eventsOf,
  orderAt,
  orderItem,
  placed,
  statuses,
  stockOf,
  times,
  versionOf,
  withStatus,
} from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

onEachDatabase('order edits', {}, (store) => {
  const ordered = async (amount = 3, fields: Json = {}) => {
    const product = await store.product({ amount: 10, price: 10 });
    const order = await placed(store, [orderItem(product, amount)], fields);
    return { product, order, item: order.items[0].id as number, path: `/api/orders/${order.id}/edit` };
  };
  const edited = async (path: string, body: Json): Promise<HttpResponse['json']> => {
    const response = await store.post(path, body);
    assert.equal(response.status, 200, response.text);
    return response.json;
  };
  const counters = ({ items }: { readonly items: Json[] }) =>
    items.map((item) => [item.amount, item.ordered_amount, item.cancelled_amount]);

  test('cancel units, which returns them to stock, and add units, which takes them', async () => {
    const { product, item, path } = await ordered(5);
    const lowered = await edited(path, { change: [{ item_id: item, amount: 2 }] });
    assert.deepEqual(counters(lowered), [[2, 5, 3]]);
    assert.deepEqual([lowered.sub_total, lowered.total, lowered.items[0].discounted_subtotal], [20, 20, 20]);
    assert.equal(await stockOf(store, product), 8);
    const raised = await edited(path, { change: [{ item_id: item, amount: 4 }] });
    assert.deepEqual(counters(raised), [[4, 7, 3]]);
    assert.equal(await stockOf(store, product), 6);
    const emptied = await edited(path, { change: [{ item_id: item, amount: 0 }] });
    assert.deepEqual(counters(emptied), [[0, 7, 7]], 'the line remains');
    assert.deepEqual([emptied.total, await stockOf(store, product)], [0, 10]);
  });

  test('add lines like a new order and replace surcharges', async () => {
    const { order, item, path } = await ordered(1, { surcharges: [{ type: 'shipping', value: 5 }] });
    const other = await store.product({ amount: 4, price: 2.5 });
    const events = await eventsOf(store, order.id, () =>
      edited(path, { add: [orderItem(other, 2)], surcharges: [{ type: 'discount', value: -1 }] }),
    );
    assert.deepEqual(
      events.map(({ code }) => code),
      ['ORDER EDITED', 'CHANGE PRODUCT AMOUNT'],
    );
    const now = await orderAt(store, order.id);
    assert.deepEqual(now.items.map(({ name }: Json) => name).length, 2);
    assert.deepEqual([now.sub_total, now.total, now.surcharges.length], [15, 14, 1]);
    assert.equal(await stockOf(store, other), 2);
    const cheaper = await edited(path, { change: [{ item_id: item, price: 7.5 }] });
    assert.deepEqual([cheaper.sub_total, cheaper.total, cheaper.items[0].item_net_price], [12.5, 11.5, 7.5]);
    assert.equal(cheaper.surcharges.length, 1, 'omitted surcharges remain');
    assert.deepEqual((await edited(path, { surcharges: [] })).surcharges, []);
  });

  test('with the current surcharges change nothing', async () => {
    const { order, path } = await ordered(1, {
      surcharges: [
        { type: 'shipping', value: 5 },
        { type: 'tax', value: 2 },
      ],
    });
    const shown = order.surcharges.map(({ type, value, name }: Json) => ({ type, value, name }));
    for (const surcharges of [
      shown,
      [
        { type: 'shipping', value: 5 },
        { type: 'tax', value: 2 },
      ],
    ])
      await assertUnchanged(store, () => edited(path, { surcharges }));
    const reversed = await edited(path, { surcharges: shown.toReversed() });
    assert.deepEqual(
      reversed.surcharges.map(({ type }: Json) => type),
      ['tax', 'shipping'],
    );
  });

  test('replace a line by another one of the same product without a shortage', async () => {
    const product = await store.product({ amount: 3 });
    const order = await placed(store, [orderItem(product, 3)]);
    const path = `/api/orders/${order.id}/edit`;
    const now = await edited(path, {
      change: [{ item_id: order.items[0].id, amount: 0 }],
      add: [orderItem(product, 3, { price: 1 })],
    });
    assert.deepEqual(
      [counters(now), await stockOf(store, product)],
      [
        [
          [0, 3, 3],
          [3, 3, 0],
        ],
        0,
      ],
    );
  });

  test('are rejected with every violation and change nothing', async () => {
    const { product, order, item, path } = await ordered(5);
    await store.made(`/api/orders/${order.id}/shipments`, { lines: [{ item_id: item, amount: 2 }] });
    const change = (fields: Json) => ({ change: [{ item_id: item, ...fields }] });
    const rejected: [body: Json, ...broken: [path: string, code: string][]][] = [
      [change({ amount: 1 }), ['change[0].amount', 'range']],
      [change({ amount: -1 }), ['change[0].amount', 'range']],
      [change({ amount: 16 }), ['change[0].amount', 'range']],
      [change({ price: -1 }), ['change[0].price', 'range']],
      [change({ amount: 3, sku: 'X' }), ['change[0].sku', 'unknown_field']],
      [{ change: [{ item_id: 999_999, amount: 1 }] }, ['change[0].item_id', 'unknown_link']],
      [{ change: [{ amount: 1 }] }, ['change[0].item_id', 'required']],
      [{ change: [{ item_id: item }, { item_id: item }] }, ['change[1].item_id', 'not_unique']],
      [{ add: [orderItem(product, 6)] }, ['add[0].amount', 'range']],
      [{ add: [orderItem(product, 0)] }, ['add[0].amount', 'range']],
      [{ add: [{ amount: 1 }] }, ['add[0].product_id', 'required']],
      [{ add: [orderItem(product, 1, { shipped_amount: 1 })] }, ['add[0].shipped_amount', 'read_only']],
      [{ surcharges: [{ type: 'discount', value: 5 }] }, ['surcharges[0].value', 'range']],
      [{ surcharges: [{ type: 'discount', value: -51 }] }, ['surcharges', 'range']],
      [change({ price: 9999999999.9999 }), ['change', 'range']],
      [{ add: [orderItem(product, 2, { price: 9999999999.9999 })] }, ['add', 'range']],
      [{ items: [] }, ['items', 'unknown_field']],
    ];
    await assertUnchanged(store, async () => {
      for (const [body, ...broken] of rejected) {
        const response = await store.post(path, body);
        if (broken[0]![1] === 'unknown_field' && response.status === 200) assert.fail(response.text);
        assertBroken(response, ...broken);
      }
    });
    assertProblem(await store.post('/api/orders/999999/edit', {}), 404);
  });

  test('of a declined order are rejected with 409', async () => {
    const { order, item, path } = await ordered();
    await withStatus(store, order.id, 'payment', 'D');
    assertProblem(await store.post(path, { change: [{ item_id: item, amount: 1 }] }), 409, /declined/);
  });

  test('as a dry run return the result and change nothing', async () => {
    const { product, item, path } = await ordered();
    const body = { change: [{ item_id: item, amount: 1 }], add: [orderItem(product, 1)], surcharges: [] };
    const tried = await assertUnchanged(store, () => store.post(`${path}?dry_run`, body));
    assert.deepEqual([tried.status, tried.json.total, tried.headers.etag], [200, 20, undefined], tried.text);
    assert.deepEqual(counters(tried.json), [
      [1, 3, 2],
      [1, 1, 0],
    ]);
    assertBroken(await store.post(`${path}?dry_run=true`, { change: [{ item_id: item, amount: 99 }] }), [
      'change[0].amount',
      'range',
    ]);
    for (const query of ['dry_run=maybe', 'dry_run=1&dry_run=1', 'dryrun=1', 'dry_run[]=1'])
      assertProblem(await store.post(`${path}?${query}`, body), 400, /dry_run/);
    assertProblem(await store.post(`${path}?dry_run`, body, { 'idempotency-key': 'k' }), 400, /Idempotency-Key/);
    assertProblem(await store.post(`${path}?dry_run=no`, body, { prefer: 'handling=lenient' }), 400, /dry_run/);
    const done = await edited(`${path}?dry_run=false`, body);
    assert.equal(done.total, 20);
  });

  test('check If-Match and are replayed with an Idempotency-Key', async () => {
    const { product, order, item, path } = await ordered();
    const before = await store.get(`/api/orders/${order.id}`);
    const body = { change: [{ item_id: item, amount: 4 }] };
    const done = await store.post(path, body, { 'if-match': before.headers.etag!, 'idempotency-key': `edit-${item}` });
    assert.equal(done.status, 200, done.text);
    assert.equal(versionOf(done), versionOf(before) + 1, 'one change');
    assert.equal((await store.post(path, body, { 'if-match': before.headers.etag! })).status, 412);
    const again = await store.post(path, body, {
      'if-match': before.headers.etag!,
      'idempotency-key': `edit-${item}`,
    });
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'true']);
    assert.deepEqual([again.json, await stockOf(store, product)], [done.json, 6]);
    const events = await eventsOf(store, order.id, () => edited(path, {}));
    assert.deepEqual(events, [], 'an empty edit records no event');
  });

  test('that run concurrently take each unit once', async () => {
    const product = await store.product({ amount: 4 });
    const [one, other] = [await placed(store, [orderItem(product, 1)]), await placed(store, [orderItem(product, 1)])];
    const raise = (order: { id: number; items: Json[] }, amount: number) =>
      store.post(`/api/orders/${order.id}/edit`, { change: [{ item_id: order.items[0]!.id, amount }] });
    const responses = await times(6, (index) => raise(index % 2 === 0 ? one : other, 3));
    const [first, second] = [await orderAt(store, one.id), await orderAt(store, other.id)];
    assert.equal(first.items[0].amount + second.items[0].amount, 4);
    assert.deepEqual(statuses(responses), { 200: 3, 422: 3 });
    assert.equal(await stockOf(store, product), 0);
  });

  test('of an order that has taken no stock move none until its status changes', async () => {
    const { product, order, item, path } = await ordered(3, { payment_status: 'R' });
    assert.equal(await stockOf(store, product), 10);
    await edited(path, { change: [{ item_id: item, amount: 5 }] });
    assert.equal(await stockOf(store, product), 10);
    await withStatus(store, order.id, 'payment', 'P');
    assert.equal(await stockOf(store, product), 5);
  });

  test('backorder missing units and release them again', async () => {
    const product = await store.product({ amount: 2, available_for_backorder: true, backorder_limit: 5 });
    const order = await placed(store, [orderItem(product, 2)]);
    const path = `/api/orders/${order.id}/edit`;
    const change = (amount: number) => edited(path, { change: [{ item_id: order.items[0].id, amount }] });
    assert.equal((await change(5)).items[0].backordered_amount, 3);
    assert.equal((await change(3)).items[0].backordered_amount, 1);
    assert.equal((await change(1)).items[0].backordered_amount, 0);
    assert.equal(await stockOf(store, product), 1);
  });
});
