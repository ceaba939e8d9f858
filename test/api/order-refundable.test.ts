/** `GET /orders/{id}/refundable`: the preview of a credit note equals the credit note (pricing.md §5). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { orderItem, orderOf } from '../support/orders.ts';
import { randomFrom } from '../support/random.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY } from '../support/store.ts';

const GERMAN_ADDRESS = { country_code: 'DE', city: 'Berlin', zipcode: '10115' };

onEachDatabase('previews of credit notes', { STORE_CURRENCY: 'EUR' }, (store) => {
  let coupon: Json;
  const ordered = async (items: Json[], fields: Json = {}) => {
    const response = await store.post('/api/orders', orderOf(items, { shipping_address: GERMAN_ADDRESS, ...fields }));
    assert.equal(response.status, 201, response.text);
    return response.json;
  };
  const preview = ({ id }: Json, items: readonly (readonly [id: unknown, amount: unknown])[] = []) =>
    store.get(`/api/orders/${id}/refundable?${items.map(([item, amount]) => `items[${item}]=${amount}`).join('&')}`);
  const invoiced = ({ id }: Json, fields: Json = {}) => store.made(`/api/orders/${id}/invoices`, fields);
  const content = ({ lines, surcharges, sub_total, total }: Json) => ({ lines, surcharges, sub_total, total });

  before(async () => {
    const { id: germany } = await store.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] });
    await store.made('/api/tax_rates', { tax: 'VAT', name: 'VAT 19 %', value: 19, zone: germany });
    await store.made('/api/volume_discounts', { value: 7.5, subtotal_range_begin: 50 });
    coupon = await store.made('/api/coupons', { code: 'REFUND', type: '$', value: 3 });
  });

  test('have the lines, discounts, taxes and totals of the example, and save nothing', async () => {
    // The example of credit notes (pricing.md §9), with added taxes.
    const product = await store.product({ amount: 50, price: 10 });
    const order = await ordered([orderItem(product, 3)], {
      ...{ calculate: true, coupons: [coupon.code], surcharges: [{ type: 'shipping', value: 5 }] },
    });
    const item = order.items[0].id;
    const { status, json } = await assertUnchanged(store, () => preview(order, [[item, 1]]));
    assert.equal(status, 200);
    assert.deepEqual(json.lines, [
      { item_id: item, name: product.name, sku: product.sku, options: [], amount: 1, price: 10, subtotal: 10 },
    ]);
    assert.deepEqual(
      json.surcharges.map(({ type, value }: Json) => [type, value]),
      [
        ['discount', -1],
        ['tax', 1.71],
      ],
    );
    assert.deepEqual([json.sub_total, json.total], [10, 10.71]);
    const all = await store.request('GET', `/api/orders/${order.id}/refundable`, { key: READ_ONLY_KEY });
    assert.deepEqual([all.status, all.json.sub_total, all.json.total], [200, 30, 32.13]);
  });

  test('equal the credit notes of random orders, until all units are credited', async () => {
    const random = randomFrom(1411);
    const integer = (max: number) => Math.floor(random() * max);
    const products = await Promise.all(
      [0, 0.01, 3.33, 19.99, 47.5].map((price) => store.product({ amount: 10_000, price })),
    );
    for (let round = 0; round < 20; round += 1) {
      const calculate = random() < 0.8;
      const order = await ordered(
        Array.from({ length: 1 + integer(4) }, () => orderItem(products[integer(5)]!, 1 + integer(4))),
        {
          surcharges: random() < 0.5 ? [{ type: 'shipping', value: 4.9 }] : [],
          ...(calculate ? { calculate, coupons: random() < 0.5 ? [coupon.code] : [] } : {}),
        },
      );
      const whole = await preview(order);
      const invoice = await invoiced(order);
      assert.deepEqual((await preview(order)).json, whole.json, 'without an invoice, the order decides');
      const left = new Map<number, number>(order.items.map(({ id, amount }: Json) => [id, amount]));
      const credited = { sub_total: 0, total: 0 };
      while (left.size > 0) {
        const chosen = [...left].filter(() => random() < 0.5).map(([id, units]) => [id, 1 + integer(units)] as const);
        if (chosen.length === 0) continue;
        const { status, json, text } = await preview(order, chosen);
        assert.equal(status, 200, text);
        const lines = chosen.map(([item_id, amount]) => ({ item_id, amount }));
        const note = await invoiced(order, { kind: 'credit_note', of: invoice.id, lines });
        assert.deepEqual(json, content(note), `round ${round}`);
        credited.sub_total += note.sub_total;
        credited.total += note.total;
        for (const [id, amount] of chosen)
          if (left.get(id) === amount) left.delete(id);
          else left.set(id, left.get(id)! - amount);
      }
      const rounded = (amount: number) => Math.round(amount * 100) / 100;
      assert.deepEqual(
        [rounded(credited.sub_total), rounded(credited.total)],
        [whole.json.sub_total, whole.json.total],
      );
      const none = await preview(order);
      assert.deepEqual(none.json, { lines: [], surcharges: [], sub_total: 0, total: 0 });
    }
  });

  test('are of the latest invoice, as the order was then', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const order = await ordered([orderItem(product, 3)], { calculate: true });
    const item = order.items[0].id;
    const { id: first } = await invoiced(order);
    const change = { change: [{ item_id: item, amount: 2, price: 5 }], calculate: true };
    assert.equal((await store.post(`/api/orders/${order.id}/edit`, change)).status, 200);
    assert.equal((await preview(order, [[item, 1]])).json.total, 11.9);
    await invoiced(order);
    assert.equal((await preview(order, [[item, 1]])).json.total, 5.95);
    const ofInvoice = (id: number) => store.get(`/api/orders/${order.id}/refundable?items[${item}]=1&invoice=${id}`);
    assert.equal((await ofInvoice(first)).json.total, 11.9, 'of an earlier invoice');
    assertProblem(await ofInvoice(first + 99), 400);
    assertProblem(await preview(order, [[item, 3]]), 400);
  });

  test('have everything that is left if a discount of the client makes the lines cost more than the order', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const order = await ordered([orderItem(product, 1), orderItem(product, 1)], {
      surcharges: [
        { type: 'discount', value: -9 },
        { type: 'shipping', value: 5 },
      ],
    });
    const whole = await preview(order);
    assert.equal(whole.status, 200, whole.text);
    const invoice = await invoiced(order);
    assert.deepEqual(content(whole.json), content(invoice), 'the whole invoice');
    const lines = [{ item_id: order.items[0].id, amount: 1 }];
    await invoiced(order, { kind: 'credit_note', of: invoice.id, lines });
    const { json: rest } = await preview(order);
    assert.deepEqual(content(rest), { ...content(invoice), lines: invoice.lines.slice(1), sub_total: 10, total: 6 });
    const cheaper = { lines: [{ item_id: order.items[1].id, amount: 1, price: 6 }] };
    await invoiced(order, { kind: 'credit_note', of: invoice.id, ...cheaper });
    const none = await preview(order);
    assert.deepEqual(none.json, { lines: [], surcharges: [], sub_total: 0, total: 0 });
    const other = await ordered([orderItem(product, 1)], { surcharges: [{ type: 'discount', value: -4 }] });
    const all = await invoiced(other);
    const note = await invoiced(other, { kind: 'credit_note', of: all.id });
    assert.equal(note.total, 6);
    assert.equal((await preview(other)).json.total, 0, 'a credit note of the whole invoice leaves nothing');
  });

  test('see one state of the order while it is edited', async () => {
    const product = await store.product({ amount: 500, price: 10 });
    const order = await ordered([orderItem(product, 3)]);
    const states = [
      { amount: 3, price: 10 },
      { amount: 2, price: 5 },
    ];
    let isEditing = true;
    const edits = async (): Promise<void> => {
      for (let round = 0; round < 60; round += 1) {
        const change = [{ item_id: order.items[0].id, ...states[(round + 1) % 2] }];
        assert.equal((await store.post(`/api/orders/${order.id}/edit`, { change })).status, 200);
      }
      isEditing = false;
    };
    const found = new Set<string>();
    const previews = async (): Promise<void> => {
      while (isEditing) {
        const { status, json, text } = await preview(order);
        assert.equal(status, 200, text);
        found.add(JSON.stringify([json.lines[0].amount, json.lines[0].price, json.sub_total, json.total]));
      }
    };
    await Promise.all([edits(), previews(), previews(), previews()]);
    assert.deepEqual([...found].sort(), ['[2,5,10,10]', '[3,10,30,30]']);
  });

  test('reject wrong ids and amounts with 400', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const order = await ordered([orderItem(product, 3)], { calculate: true });
    const item = order.items[0].id;
    const rejected = async (query: string, message: RegExp): Promise<void> => {
      const response = await store.get(`/api/orders/${order.id}/refundable?${query}`);
      assertProblem(response, 400);
      assert.match(response.json.detail, message);
    };
    await rejected(`items[${item}]=4`, /"items\[\d+\]" is 4\. The order has 3 units of item \d+\. Only 3 can/);
    await rejected('items[999999]=1', /"items\[999999\]" is 1\. The order has no line for item 999999\./);
    await rejected(`items[${item}]=0`, /"items\[\d+\]" is "0"\./);
    await rejected(`items[${item}]=1.5`, /"items\[\d+\]" should be a whole number/);
    await rejected(`items[${item}]=1&items[${item}]=1`, /more than once/);
    for (const name of ['items', 'items[]', 'items[x]', 'items[0]', `items[${item}`, `items[0${item}]`])
      await rejected(`${name}=1`, name === `items[${item}` ? /Unknown parameter/ : /has no id in brackets/);
    await rejected('item=1', /Unknown parameter "item"/);
    assertProblem(await store.get('/api/orders/999999/refundable?items[1]=1'), 404);
    const invoice = await invoiced(order);
    await invoiced(order, { kind: 'credit_note', of: invoice.id, lines: [{ item_id: item, amount: 2 }] });
    await rejected(`items[${item}]=2`, /The invoice has 3 units of item \d+\. Only 1 can still be credited/);
    const discounted = await ordered([orderItem(product, 1)], { surcharges: [{ type: 'discount', value: -4 }] });
    assertProblem(await preview(discounted, [[discounted.items[0].id, 1]]), 400);
  });
});
