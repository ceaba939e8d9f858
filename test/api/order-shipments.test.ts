/** Shipments of an order (orders.md §11): what can be shipped, counted and deleted. */
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
  versionOf,
  withStatus,
} from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

onEachDatabase('order shipments', {}, (store) => {
  const ordered = async (amount = 3, fields: Json = {}) => {
    const product = await store.product({ amount: 10 });
    const order = await placed(store, [orderItem(product, amount)], fields);
    return { product, order, item: order.items[0].id as number, path: `/api/orders/${order.id}/shipments` };
  };

  test('count shipped units and change no stock', async () => {
    const { product, order, item, path } = await ordered();
    const body = {
      lines: [{ item_id: item, amount: 2 }],
      carrier: 'UPS',
      tracking_numbers: ['1Z1', '1Z2'],
      note: 'In the blue box',
      date: '2026-03-01T10:00:00+00:00',
    };
    const made = await store.post(path, body);
    assert.equal(made.status, 201, made.text);
    const [{ id: line }] = made.json.lines;
    assert.deepEqual(made.json, { id: made.json.id, ...body, lines: [{ id: line, ...body.lines[0] }] });
    assert.deepEqual((await store.get(path)).json, [made.json]);
    const now = await orderAt(store, order.id);
    assert.deepEqual([now.items[0].shipped_amount, now.items[0].amount, now.stock_status], [2, 3, 'reduced']);
    assert.deepEqual(
      now.tracking_numbers.map(({ value }: Json) => value),
      ['1Z1', '1Z2'],
    );
    assert.equal(now.shipping_status.code, 'N', 'the status changes only on request');
    assert.equal(await stockOf(store, product), 7);
    const whole = await store.get(`/api/orders/${order.id}`);
    assert.ok(versionOf(whole) > 1);
  });

  test('set the shipping status of the order on request', async () => {
    const { order, item, path } = await ordered();
    const lines = [{ item_id: item, amount: 3 }];
    const events = await eventsOf(store, order.id, () => store.made(path, { lines, shipping_status: 'S' }));
    assert.deepEqual(
      events.map(({ code }) => code),
      ['SHIPMENT', 'CHANGE SHIPPING STATUS ORDER'],
    );
    assert.equal((await orderAt(store, order.id)).shipping_status.code, 'S');
    const unknown = await store.post(path, { lines, shipping_status: 'XX' });
    assertBroken(unknown, ['lines[0].amount', 'range'], ['shipping_status', 'unknown_link']);
  });

  test('are rejected for units that the order does not have', async () => {
    const [{ item, path }, other] = [await ordered(), await ordered()];
    const rejected: [lines: Json[], path: string, code: string][] = [
      [[{ item_id: item, amount: 4 }], 'lines[0].amount', 'range'],
      [[{ item_id: item, amount: -1 }], 'lines[0].amount', 'range'],
      [[{ item_id: item, amount: 0 }], 'lines[0].amount', 'range'],
      [[{ item_id: other.item, amount: 1 }], 'lines[0].item_id', 'unknown_link'],
      [[{ item_id: 999_999, amount: 1 }], 'lines[0].item_id', 'unknown_link'],
      [
        [
          { item_id: item, amount: 2 },
          { item_id: item, amount: 2 },
        ],
        'lines[1].amount',
        'range',
      ],
      [[], 'lines', 'too_short'],
    ];
    await assertUnchanged(store, async () => {
      for (const [lines, at, code] of rejected) assertBroken(await store.post(path, { lines }), [at, code]);
    });
    assertProblem(await store.post('/api/orders/999999/shipments', { lines: [{ item_id: 1, amount: 1 }] }), 404);
  });

  test('of canceled and declined orders are rejected with 409', async () => {
    for (const code of ['C', 'D']) {
      const { order, item, path } = await ordered();
      await withStatus(store, order.id, 'payment', code);
      assertProblem(await store.post(path, { lines: [{ item_id: item, amount: 1 }] }), 409, /payment status/);
    }
  });

  test('can change only their tracking, which the order shows too', async () => {
    const { order, item, path } = await ordered();
    const made = await store.made(path, { lines: [{ item_id: item, amount: 1 }], tracking_numbers: ['A', 'B'] });
    const one = `${path}/${made.id}`;
    const changed = await store.patch(one, { tracking_numbers: ['B', 'C'], carrier: 'DHL' });
    assert.deepEqual([changed.status, changed.json.tracking_numbers], [200, ['B', 'C']]);
    const shown = async () => (await orderAt(store, order.id)).tracking_numbers.map(({ value }: Json) => value).sort();
    assert.deepEqual(await shown(), ['B', 'C']);
    assertBroken(await store.patch(one, { lines: [{ item_id: item, amount: 2 }] }), ['lines', 'read_only']);
    assert.equal((await store.patch(one, changed.json)).status, 200, 'as it was read');
    assert.equal((await store.put(one, changed.json)).status, 405);
    // A tracking number can also be changed and deleted below the order, and the shipment shows it.
    const [first, second] = (await store.get(`/api/orders/${order.id}/tracking_numbers`)).json;
    await store.patch(`/api/orders/${order.id}/tracking_numbers/${first.id}`, { value: 'D' });
    await store.delete(`/api/orders/${order.id}/tracking_numbers/${second.id}`);
    assert.deepEqual((await store.get(one)).json.tracking_numbers, ['D']);
    assertBroken(await store.patch(one, { tracking_numbers: [' '] }), ['tracking_numbers[0]', 'format']);
  });

  test('are deleted with their tracking numbers unless their units were returned', async () => {
    const { order, item, path } = await ordered();
    const lines = [{ item_id: item, amount: 2 }];
    const [one, other] = [
      await store.made(path, { lines, tracking_numbers: ['A'] }),
      await store.made(path, {
        lines: [{ item_id: item, amount: 1 }],
      }),
    ];
    const requested = await store.made(`/api/orders/${order.id}/returns`, { lines: [{ item_id: item, amount: 2 }] });
    assertProblem(await store.delete(`${path}/${one.id}`), 409, /returns/);
    assert.equal((await store.delete(`${path}/${other.id}`)).status, 204);
    assert.equal((await orderAt(store, order.id)).items[0].shipped_amount, 2);
    await store.patch(`/api/orders/${order.id}/returns/${requested.id}`, { status: 'refused' });
    assert.equal((await store.delete(`${path}/${one.id}`)).status, 204);
    const now = await orderAt(store, order.id);
    assert.deepEqual([now.items[0].shipped_amount, now.tracking_numbers], [0, []]);
  });

  test('of one order that run concurrently ship each unit once', async () => {
    const { order, item, path } = await ordered(3);
    const responses = await times(6, () => store.post(path, { lines: [{ item_id: item, amount: 1 }] }));
    assert.deepEqual(statuses(responses), { 201: 3, 422: 3 });
    assert.equal((await orderAt(store, order.id)).items[0].shipped_amount, 3);
  });

  test('of backordered units reduce the backordered amount', async () => {
    const product = await store.product({ amount: 1, available_for_backorder: true, backorder_limit: 5 });
    const order = await placed(store, [orderItem(product, 3)]);
    assert.equal(order.items[0].backordered_amount, 2);
    const path = `/api/orders/${order.id}/shipments`;
    await store.made(path, { lines: [{ item_id: order.items[0].id, amount: 2 }] });
    assert.equal((await orderAt(store, order.id)).items[0].backordered_amount, 1);
    assert.equal((await setStatus(store, order.id, 'shipping', 'P')).status, 200);
    assert.equal((await orderAt(store, order.id)).items[0].backordered_amount, 0);
  });

  test('are printed as packing slips with addresses, options and quantities, without prices', async () => {
    const shirt = await varied(store, { name: 'T-shirt <M>', price: 19.99, amount: 10 }, { Size: ['S', 'M'] });
    const variant = await madeVariant(store, shirt, ['M'], { sku: 'SLIP-M' });
    const order = await placed(store, [{ variant: variant.id, amount: 3 }], {
      billing_address: { firstname: 'Ada', lastname: 'Lovelace', city: 'London' },
      shipping_address: { company: 'Engine & Co', street: '12 St James Square', country_code: 'GB' },
    });
    const path = `/api/orders/${order.id}/shipments`;
    const mistaken = await store.made(path, { lines: [{ item_id: order.items[0].id, amount: 1 }] });
    await store.delete(`${path}/${mistaken.id}`);
    const { id } = await store.made(path, {
      lines: [{ item_id: order.items[0].id, amount: 2 }],
      carrier: 'UPS',
      tracking_numbers: ['1Z999', '1Z998'],
      note: 'Internal',
    });
    const page = await store.get(`${path}/${id}`, { accept: 'text/html', 'accept-language': 'de' });
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'], page.text);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
    const title = `Lieferschein · Bestellung ${order.order_number} · Sendung 2`;
    const shown = [
      `<title>${title}</title>`,
      `<h1>${title}</h1>`,
      'Vereinigtes Königreich',
      'Ada Lovelace',
      'London',
      'Engine &amp; Co',
      '12 St James Square',
    ];
    for (const text of [...shown, 'UPS', '1Z999\n1Z998', 'T-shirt &lt;M&gt;', 'Size: M', 'SLIP-M', '>2<'])
      assert.ok(page.text.includes(text), `${text}: ${page.text}`);
    assert.doesNotMatch(page.text, /19\.99|39\.98|USD|Internal|<script/);
    const slip = { accept: 'text/html', 'accept-language': 'de', 'if-none-match': page.headers.etag! };
    assert.equal((await store.get(`${path}/${id}`, slip)).status, 304);
    assertProblem(await store.get(path, { accept: 'text/html' }), 406);
    assertProblem(await store.get(`${path}/${id}?fields=id`, { accept: 'text/html' }), 400, /fields/);
    assertProblem(await store.get(`${path}/999999`, { accept: 'text/html' }), 404);
  });
});
