/** Orders that the store calculates, quotes, and uses of coupons (pricing.md §5). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { bulk } from '../support/lines.ts';
import { assertBroken, orderItem, orderOf } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const GERMAN_ADDRESS = { country_code: 'DE', city: 'Berlin', zipcode: '10115', street: 'Hauptstr. 1' };

let count = 0;

/** Returns a code that no other coupon has. */
function newCode(): string {
  count += 1;
  return `CODE-${count}`;
}

onEachDatabase('calculated orders', { STORE_CURRENCY: 'EUR' }, (store) => {
  let germany: number;
  let reduced: number;
  const coupon = (fields: Json = {}) => store.made('/api/coupons', { code: newCode(), ...fields });
  const place = (items: Json[], fields: Json = {}) =>
    store.post('/api/orders', orderOf(items, { calculate: true, shipping_address: GERMAN_ADDRESS, ...fields }));
  const ordered = async (items: Json[], fields: Json = {}) => {
    const response = await place(items, fields);
    assert.equal(response.status, 201, response.text);
    return response.json;
  };
  const usesOf = async ({ id }: Json): Promise<number> => (await store.get(`/api/coupons/${id}`)).json.uses;
  const pay = (order: Json, code: string) => store.put(`/api/orders/${order.id}/payment_status`, { code });

  before(async () => {
    germany = (await store.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] })).id;
    reduced = (await store.made('/api/tax_classes', { name: 'Reduced' })).id;
    const vat = { tax: 'VAT', zone: germany };
    await store.made('/api/tax_rates', { ...vat, name: 'VAT 19 %', value: 19 });
    await store.made('/api/tax_rates', { ...vat, name: 'VAT 7 %', value: 7, tax_class: reduced });
    const settings = { prices_include_tax: true, default_zone: germany, shipping: 'proportional' };
    assert.equal((await store.patch('/api/tax_settings', settings)).status, 200);
  });

  test('have the discounts and taxes of the example of Germany, and shares in their items', async () => {
    const [full, book] = [
      await store.product({ amount: 9, price: 119 }),
      await store.product({ amount: 9, price: 21.4, tax_class: reduced }),
    ];
    const { id, code } = await coupon({ value: 10 });
    const charge = { type: 'shipping', value: 4.9, name: 'Parcel' };
    const order = await ordered([orderItem(full, 1), orderItem(book, 1)], { surcharges: [charge], coupons: [code] });
    assert.deepEqual([order.sub_total, order.total], [140.4, 131.26]);
    const tax = { type: 'tax', code: 'VAT', include: true, weight: 50 };
    const shown = order.surcharges.map(({ type, code: its, name, include, value, weight }: Json) => ({
      ...{ type, code: its, name, include, value, weight },
    }));
    assert.deepEqual(shown, [
      { type: 'discount', code: 'COUPON', name: `Coupon ${code}`, include: false, value: -14.04, weight: 20 },
      { ...charge, code: 'SHIPPING', include: false, weight: 30 },
      { ...tax, name: 'VAT 19 %', value: 17.76 },
      { ...tax, name: 'VAT 7 %', value: 1.31 },
    ]);
    const [discount, shipping, vat] = order.surcharges;
    assert.deepEqual(discount.source, {
      ...{ kind: 'coupon', id, type: '%', value: 10 },
      ...{ base: null, rounding: null, rounding_target: null },
    });
    assert.equal(shipping.source, null);
    assert.deepEqual(
      [vat.source.kind, vat.source.base, vat.source.rounding_target],
      [...['tax_rate', 'discounted_subtotal', 'line']],
    );
    const shares = order.items.map((item: { surcharges: Json[] }) =>
      item.surcharges.map(({ id: of, value }) => [of, value]),
    );
    assert.deepEqual(shares, [
      [
        [discount.id, -11.9],
        [vat.id, 17.1],
      ],
      [
        [discount.id, -2.14],
        [order.surcharges[3].id, 1.26],
      ],
    ]);
    assert.deepEqual(
      order.used_coupons.map(({ id: _, ...used }: Json) => used),
      [{ code, value: 14.04, type: '%', coupon_id: id }],
    );
    assert.deepEqual((await store.get(`/api/orders/${order.id}`)).json, order);
    const sentBack = { ...order, calculate: false, coupons: [], expected_total: null };
    assert.equal((await store.patch(`/api/orders/${order.id}`, sentBack)).status, 200);
    assertBroken(await store.patch(`/api/orders/${order.id}`, { calculate: true }), ['calculate', 'read_only']);
  });

  test('have the same result as a quote, which saves nothing, and store it with its input', async () => {
    const product = await store.product({ amount: 50, price: 100 });
    const { code } = await coupon({ type: '$', value: 5 });
    await store.made(`/api/products/${product.id}/wholesale_prices`, { price: 90, quantity_range_begin: 3 });
    const body = {
      items: [orderItem(product, 3)],
      coupons: [code.toLowerCase()],
      shipping_address: GERMAN_ADDRESS,
      surcharges: [{ type: 'handling', value: 2, tax_class: reduced }],
    };
    const quote = await assertUnchanged(store, () => store.post('/api/orders/quote', body));
    assert.equal(quote.status, 200, quote.text);
    assert.deepEqual([quote.json.lines[0].price, quote.json.totals.total, quote.json.explanation], [90, 267, null]);
    const explained = await store.post('/api/orders/quote?explain=true', body);
    const { explanation, ...result } = explained.json;
    const [won] = explanation.filter(({ scope, won: isWinner }: Json) => scope === 'items[0]' && isWinner);
    assert.deepEqual([won.kind, won.value, won.reason], ['wholesale_price', 90, 'won']);
    assert.deepEqual({ ...result, explanation: null }, quote.json);
    const order = await ordered(body.items, { ...body, expected_total: 267 });
    const calculation = await store.get(`/api/orders/${order.id}/calculation`);
    assert.deepEqual({ ...calculation.json.result, shipping_options: null }, quote.json);
    assert.deepEqual(calculation.json.input.buyer, { membership: null, tax_exempt: false, vat_id: '' });
    const other = await place(body.items, { ...body, expected_total: 266.99 });
    assertBroken(other, ['expected_total', 'conflict']);
  });

  test('have no taxes for a buyer with a VAT id in the exempt zone, and do not show it in their calculation', async () => {
    const product = await store.product({ amount: 5, price: 119 });
    assert.equal((await store.patch('/api/tax_settings', { vat_id_exempt_zone: germany })).status, 200);
    const { json: profile } = await store.post('/api/profiles', { login: 'vat@example.com', vat_id: 'DE136695976' });
    const order = await ordered([orderItem(product, 1)], { customer_id: profile.id });
    assert.deepEqual([order.vat_id, order.total, order.surcharges], ['DE136695976', 100, []]);
    const { text } = await store.get(`/api/orders/${order.id}/calculation`);
    assert.ok(!text.includes('136695976'));
    assert.equal((await ordered([orderItem(product, 1)], { vat_id: 'de 136 695 976' })).vat_id, 'DE136695976');
    assertBroken(await place([orderItem(product, 1)], { vat_id: 'DE1' }), ['vat_id', 'format']);
    assert.equal((await store.patch('/api/tax_settings', { vat_id_exempt_zone: null })).status, 200);
  });

  test('are rejected if they cannot be calculated', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const items = [orderItem(product, 1)];
    const { code } = await coupon();
    const [disabled, costly] = [await coupon({ enabled: false }), await coupon({ total_range_begin: 100 })];
    const rejected: [Json, ...[string, string][]][] = [
      [{ surcharges: [{ type: 'tax', value: 1 }] }, ['surcharges[0].type', 'conflict']],
      [{ surcharges: [{ type: 'shipping', value: -1 }] }, ['surcharges[0].value', 'range']],
      [{ surcharges: [{ type: 'shipping', value: 1, weight: 3 }] }, ['surcharges[0].weight', 'conflict']],
      [{ surcharges: [{ type: 'shipping', value: 1, tax_class: 9999 }] }, ['surcharges[0].tax_class', 'unknown_link']],
      [{ currency: 'USD' }, ['currency', 'conflict']],
      [{ coupons: ['NO-SUCH'] }, ['coupons[0]', 'unknown_link']],
      [{ coupons: [code, code.toLowerCase()] }, ['coupons[1]', 'conflict']],
      [{ coupons: [code, disabled.code] }, ['coupons[1]', 'conflict']],
      [{ coupons: [costly.code] }, ['coupons[0]', 'conflict']],
      [{ calculate: false, coupons: [code] }, ['coupons', 'conflict']],
      [{ calculate: false, expected_total: 1 }, ['expected_total', 'conflict']],
      [
        { calculate: false, surcharges: [{ type: 'shipping', value: 1, tax_class: reduced }] },
        ['surcharges[0].tax_class', 'conflict'],
      ],
      [{ calculate: false, vat_id: 'DE136695976' }, ['vat_id', 'conflict']],
    ];
    for (const [fields, ...violations] of rejected)
      assertBroken(await assertUnchanged(store, () => place(items, fields)), ...violations);
    const { json } = await place(items, { coupons: [costly.code] });
    assert.match(json.violations[0].message, /\(subtotal\)/);
    const { id: gold } = await store.made('/api/memberships', { name: `Gold ${code}` });
    const forGold = await store.product({ amount: 1, memberships: [gold] });
    assertBroken(await place([orderItem(forGold, 1)]), ['items[0]', 'conflict']);
    assertProblem(await store.post('/api/orders/quote?dry_run', { items }), 400);
    const keyed = await store.request('POST', '/api/orders/quote', {
      body: { items },
      headers: { 'idempotency-key': newCode() },
    });
    assertProblem(keyed, 400);
    const plain = (await store.post('/api/orders', orderOf(items))).json;
    assertProblem(await store.get(`/api/orders/${plain.id}/calculation`), 404);
  });

  test('count as uses of their coupons while they are not canceled', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const items = [orderItem(product, 1)];
    const limited = await coupon({ value: 1, uses_limit: 1 });
    const before = await store.get(`/api/coupons/${limited.id}`);
    const order = await ordered(items, { coupons: [limited.code] });
    const after = await store.get(`/api/coupons/${limited.id}`);
    assert.equal(after.json.uses, 1);
    assert.equal(after.headers.etag?.split('-')[0], before.headers.etag?.split('-')[0]);
    assertBroken(await place(items, { coupons: [limited.code] }), ['coupons[0]', 'conflict']);
    assert.equal((await pay(order, 'C')).status, 200);
    assert.equal(await usesOf(limited), 0);
    const second = await ordered(items, { coupons: [limited.code] });
    assertProblem(await pay(order, 'Q'), 409);
    assert.equal((await pay(second, 'D')).status, 200);
    assert.equal((await pay(order, 'Q')).status, 200);
    assert.equal(await usesOf(limited), 1);
    await ordered(items, { coupons: [(await coupon()).code], payment_status: 'C' });
    assert.equal((await store.delete(`/api/coupons/${limited.id}`)).status, 204);
    const [used] = (await store.get(`/api/orders/${order.id}`)).json.used_coupons;
    assert.deepEqual([used.code, used.coupon_id], [limited.code, null]);
    assert.equal((await pay(order, 'C')).status, 200);
  });

  test('count as uses of one customer, identified by profile or by e-mail', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const items = [orderItem(product, 1)];
    const once = await coupon({ value: 1, uses_limit_per_user: 1 });
    const coupons = [once.code];
    await ordered(items, { coupons, email: 'ada@example.com' });
    assertBroken(await place(items, { coupons, email: 'ADA@example.com' }), ['coupons[0]', 'conflict']);
    await ordered(items, { coupons, email: 'bob@example.com' });
    const { json: profile } = await store.post('/api/profiles', { login: 'carl@example.com' });
    await ordered(items, { coupons, customer_id: profile.id });
    assertBroken(await place(items, { coupons, customer_id: profile.id }), ['coupons[0]', 'conflict']);
    assert.equal((await store.post('/api/orders/quote', { items, coupons })).status, 200);
    assert.equal(await usesOf(once), 3);
    const email = 'dora@example.com';
    const order = await ordered(items, { coupons, email });
    assert.equal((await store.patch(`/api/orders/${order.id}`, { email: 'eve@example.com' })).status, 200);
    assertBroken(await place(items, { coupons, email: 'eve@example.com' }), ['coupons[0]', 'conflict']);
    await ordered(items, { coupons, email });
  });

  test('do not name their buyer after an erasure, and then do not count for that buyer', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const items = [orderItem(product, 1)];
    const once = await coupon({ value: 1, uses_limit_per_user: 1 });
    const fields = { coupons: [once.code], email: 'fay@example.com', vat_id: 'DE136695976' };
    const { id } = await ordered(items, fields);
    assert.equal((await store.post('/api/privacy/erase', { email: fields.email })).status, 200);
    const { json: order, text } = await store.get(`/api/orders/${id}`);
    assert.deepEqual([order.vat_id, order.used_coupons[0].code], ['', once.code]);
    assert.ok(!text.includes('136695976'));
    await ordered(items, fields);
    assert.equal(await usesOf(once), 2);
  });

  test('are imported from another store with copies of their coupons', async () => {
    const product = await store.product({ amount: 50, price: 119 });
    const { code } = await coupon({ value: 10 });
    const order = await ordered([orderItem(product, 1)], { coupons: [code], vat_id: 'DE136695976' });
    const send = () =>
      bulk(store, '/api/orders/bulk?past', [
        { ...order, order_number: `past-${code}`, payment_status: 'Q', shipping_status: 'N' },
      ]);
    for (const counts of ['created 1', 'unchanged 1']) {
      const sent = await send();
      assert.equal(sent.counts, counts, sent.response.text);
    }
    const copy = (await store.get(`/api/orders/by_number/past-${code}`)).json;
    assert.deepEqual([copy.total, copy.vat_id], [order.total, order.vat_id]);
    const [{ id: _, ...used }] = copy.used_coupons;
    assert.deepEqual(used, { code, value: 11.9, type: '%', coupon_id: null });
  });

  test('are unchanged if a bulk repeats them, and a conflict if charges, tax class, coupons or VAT id differ', async () => {
    const product = await store.product({ amount: 50, price: 100 });
    const [used, other] = [await coupon({ value: 10 }), await coupon()];
    const charges = [
      { type: 'handling', value: 2 },
      { type: 'shipping', value: 5, name: 'Parcel', tax_class: reduced },
    ];
    const line = orderOf([orderItem(product, 2)], {
      order_number: `bulk-${used.code}`,
      ...{ calculate: true, coupons: [used.code], surcharges: charges, shipping_address: GERMAN_ADDRESS },
      ...{ vat_id: 'de 136 695 976', expected_total: 187 },
    });
    const send = async (fields: Json = {}) => {
      const { counts, response } = await bulk(store, '/api/orders/bulk', [{ ...line, ...fields }]);
      return [counts, response.text] as const;
    };
    const [created, text] = await send();
    assert.equal(created, 'created 1', text);
    for (const same of [
      {},
      { coupons: [used.code.toLowerCase()], surcharges: charges.toReversed(), vat_id: 'DE136695976' },
      { items: [orderItem(product, 2, { price: 100 })], coupons: undefined, surcharges: undefined },
    ]) {
      const [counts, body] = await assertUnchanged(store, () => send(same));
      assert.equal(counts, 'unchanged 1', body);
    }
    const differing: [Json, RegExp][] = [
      [{ surcharges: charges.slice(1) }, /surcharges has 4 elements in the store and 3 in the line/],
      [{ surcharges: [charges[0], { ...charges[1], value: 4 }] }, /surcharges\[1\]\.value is 5 in the store and 4/],
      [
        { surcharges: [charges[0], { ...charges[1], tax_class: null }] },
        /surcharges\[0\]\.tax_class is \d+ in the store and null/,
      ],
      [{ coupons: [] }, /coupons is \[\\"CODE-\d+\\"\] in the store and \[\] in the line/],
      [{ coupons: [used.code, other.code] }, /coupons is/],
      [{ vat_id: '' }, /vat_id is \\"DE136695976\\" in the store and \\"\\" in the line/],
      [{ expected_total: 186 }, /total is 187 in the store and 186 in the line/],
      [{ items: [orderItem(product, 3)] }, /items\[0\]\.amount is 2 in the store and 3 in the line/],
    ];
    for (const [fields, difference] of differing) {
      const [counts, body] = await assertUnchanged(store, () => send(fields));
      assert.equal(counts, 'failed 1', body);
      assert.match(body, difference);
    }
    const { json: plain } = await store.post(
      '/api/orders',
      orderOf([orderItem(product, 2)], { order_number: `p-${used.code}` }),
    );
    const [counts, body] = await send({ order_number: plain.order_number });
    assert.equal(counts, 'failed 1', body);
    assert.match(body, /the order in the store has no calculation/);
  });

  test('keep a price that the client sends', async () => {
    const product = await store.product({ amount: 50, price: 119 });
    await store.made(`/api/products/${product.id}/wholesale_prices`, { price: 1, quantity_range_begin: 2 });
    const order = await ordered([{ ...orderItem(product, 2), price: 59.5 }, orderItem(product, 1)]);
    assert.deepEqual(
      order.items.map(({ price }: Json) => price),
      [59.5, 1],
    );
  });

  test('never exceed the limit of a coupon, however many are placed at the same time', async () => {
    const products = await Promise.all(Array.from({ length: 20 }, () => store.product({ amount: 5, price: 10 })));
    const last = await coupon({ value: 1, uses_limit: 3 });
    const orders = await Promise.all(
      products.map((product) => place([orderItem(product, 1)], { coupons: [last.code] })),
    );
    const created = orders.filter(({ status }) => status === 201);
    assert.equal(created.length, 3);
    assert.equal(await usesOf(last), 3);
    await Promise.all(created.map(({ json }) => pay(json, 'C')));
    assert.equal(await usesOf(last), 0);
  });

  test('lose their calculation when an edit changes items or surcharges', async () => {
    const product = await store.product({ amount: 50, price: 119 });
    const { code } = await coupon({ value: 10 });
    const order = await ordered([orderItem(product, 2)], {
      coupons: [code],
      surcharges: ['handling', 'shipping'].map((type) => ({ type, value: 1 })),
    });
    const edit = (body: Json) => store.post(`/api/orders/${order.id}/edit`, body);
    const surcharges = order.surcharges.map(({ id: _id, source: _source, ...sent }: Json) => sent);
    const unchanged = await edit({ surcharges });
    assert.deepEqual([unchanged.status, unchanged.json.surcharges], [200, order.surcharges], unchanged.text);
    assert.equal((await store.get(`/api/orders/${order.id}/calculation`)).status, 200);
    const { json } = await edit({ change: [{ item_id: order.items[0].id, amount: 1 }] });
    assert.deepEqual([json.items[0].amount, json.items[0].surcharges], [1, []]);
    assert.equal(json.used_coupons.length, 1);
    assertProblem(await store.get(`/api/orders/${order.id}/calculation`), 404);
  });

  test('credit units one by one, with parts of discounts and taxes that add up', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const { code } = await coupon({ type: '$', value: 1 });
    const order = await ordered([orderItem(product, 3)], {
      coupons: [code],
      surcharges: [{ type: 'shipping', value: 5 }],
    });
    const path = `/api/orders/${order.id}/invoices`;
    const invoice = await store.made(path, {});
    assert.equal(invoice.total, 34);
    const credit = { kind: 'credit_note', of: invoice.id, lines: [{ item_id: order.items[0].id, amount: 1 }] };
    const parts: number[][] = [];
    for (let units = 1; units <= 3; units += 1) {
      const { surcharges, sub_total, total } = await store.made(path, credit);
      const [discount, tax, ...others] = surcharges;
      assert.deepEqual([others, sub_total, discount.type, tax.type], [[], 10, 'discount', 'tax']);
      parts.push([discount.value, tax.value, total]);
    }
    assert.deepEqual(parts, [
      [-0.33, 1.54, 9.67],
      [-0.34, 1.55, 9.66],
      [-0.33, 1.54, 9.67],
    ]);
  });

  test('do not include orders without `calculate`, which get no discounts', async () => {
    const product = await store.product({ amount: 5, price: 10 });
    await store.made('/api/volume_discounts', { value: 10 });
    const { json } = await store.post('/api/orders', orderOf([orderItem(product, 2)], { calculate: false }));
    assert.deepEqual([json.total, json.surcharges, json.used_coupons, json.vat_id], [20, [], [], '']);
    assert.deepEqual(json.items[0].surcharges, []);
  });
});
