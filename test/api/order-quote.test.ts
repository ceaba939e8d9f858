/** Quotes (orders.md §1): `POST /orders?dry_run` returns the order as it would be and saves no change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { assertBroken, countOrders, orderItem, orderOf, placed, stockOf } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

onEachDatabase('the quote of an order', {}, (store) => {
  test('is the order as a POST would create it, without identifier, number, ETag and Location', async () => {
    const product = await store.product({ amount: 5, price: 19.99 });
    const body = orderOf([orderItem(product, 2)], {
      surcharges: [{ type: 'shipping', value: 4.5 }],
      billing_address: { firstname: 'Ada' },
      create_date: '2026-01-01T00:00:00+00:00',
    });
    const quote = await assertUnchanged(store, () => store.post('/api/orders?dry_run', body));
    assert.equal(quote.status, 200, quote.text);
    const { etag, location } = quote.headers;
    assert.deepEqual([etag, location], [undefined, undefined]);
    assert.deepEqual([quote.json.id, quote.json.order_number], [null, null]);
    assert.deepEqual([quote.json.sub_total, quote.json.total, quote.json.stock_status], [39.98, 44.48, 'reduced']);
    assert.equal(await stockOf(store, product), 5);
    const { json: order } = await store.post('/api/orders', body);
    const comparable = ({ update_date, items, surcharges, ...fields }: Json): Json => ({
      ...fields,
      id: null,
      order_number: null,
      items: (items as Json[]).map((item) => ({ ...item, id: 0, update_date: '' })),
      surcharges: (surcharges as Json[]).map((surcharge) => ({ ...surcharge, id: 0 })),
    });
    assert.deepEqual(comparable(quote.json), comparable(order));
  });

  test('takes no order number, also if the client sends one', async () => {
    const product = await store.product({ amount: 50 });
    const before = Number((await placed(store, [orderItem(product, 1)])).order_number);
    for (const fields of [{}, { order_number: String(before + 1000) }]) {
      const { json } = await store.post('/api/orders?dry_run=true', orderOf([orderItem(product, 1)], fields));
      assert.equal(json.order_number, null);
    }
    assert.equal((await placed(store, [orderItem(product, 1)])).order_number, String(before + 1));
    const taken = await store.post(
      '/api/orders?dry_run',
      orderOf([orderItem(product, 1)], { order_number: String(before) }),
    );
    assertBroken(taken, ['order_number', 'not_unique']);
  });

  test('is rejected like the order itself', async () => {
    const product = await store.product({ amount: 1 });
    const orders = await countOrders(store);
    const short = await store.post('/api/orders?dry_run', orderOf([orderItem(product, 2)]));
    assertBroken(short, ['items[0].amount', 'range']);
    assert.equal(await countOrders(store), orders);
  });

  test('takes no Idempotency-Key, condition or other parameter', async () => {
    const product = await store.product({ amount: 5 });
    const body = orderOf([orderItem(product, 1)]);
    const keyed = await store.request('POST', '/api/orders?dry_run', { body, headers: { 'idempotency-key': 'quote' } });
    assertProblem(keyed, 400, /Idempotency-Key/);
    const conditional = await store.request('POST', '/api/orders?dry_run', { body, headers: { 'if-match': '*' } });
    assertProblem(conditional, 400, /If-Match/);
    for (const query of ['dry_run=maybe', 'dry_run&dry_run', 'dryrun', 'dry_run&page=1'])
      assertProblem(await store.post(`/api/orders?${query}`, body), 400);
    assertProblem(await store.post('/api/products?dry_run', { sku: 'QUOTE', price: 1 }), 400);
    assertProblem(await store.get('/api/orders?dry_run'), 400);
    assert.equal((await store.post('/api/orders?dry_run=false', body)).status, 201);
  });

  test('as JSON-LD has no @id, because no address leads to it', async () => {
    const product = await store.product({ amount: 5 });
    const body = orderOf([orderItem(product, 1)]);
    const accept = { accept: 'application/ld+json' };
    const { status, json } = await store.post('/api/orders?dry_run', body, accept);
    assert.deepEqual([status, json['@type'], json['@id']], [200, 'Order', undefined]);
    assert.equal(json.items[0]['@id'], undefined);
  });
});
