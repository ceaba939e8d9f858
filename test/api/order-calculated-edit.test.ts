/** Edits with `calculate`: the order keeps its prices and rules, and gets new discounts and taxes (pricing.md §5). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { assertBroken, eventsOf, orderItem, orderOf, stockOf } from '../support/orders.ts';
import { randomFrom } from '../support/random.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const GERMAN_ADDRESS = { country_code: 'DE', city: 'Berlin', zipcode: '10115', street: 'Hauptstr. 1' };

const CHARGE = { type: 'shipping', value: 4.9, name: 'Parcel' };

let count = 0;

/** Returns a code that no other coupon has. */
function newCode(): string {
  count += 1;
  return `EDIT-${count}`;
}

onEachDatabase('edits of calculated orders', { STORE_CURRENCY: 'EUR' }, (store) => {
  let germany: number;
  let reduced: number;
  let vat: number;
  const coupon = (fields: Json = {}) => store.made('/api/coupons', { code: newCode(), ...fields });
  const ordered = async (items: Json[], fields: Json = {}) => {
    const body = orderOf(items, { calculate: true, shipping_address: GERMAN_ADDRESS, ...fields });
    const response = await store.post('/api/orders', body);
    assert.equal(response.status, 201, response.text);
    return response.json;
  };
  const edit = ({ id }: Json, body: Json, query = '') =>
    store.post(`/api/orders/${id}/edit${query}`, { calculate: true, ...body });
  const edited = async (order: Json, body: Json) => {
    const response = await edit(order, body);
    assert.equal(response.status, 200, response.text);
    return response.json;
  };
  const change = ({ items }: Json, fields: Json, index = 0) => ({
    change: [{ item_id: (items as Json[])[index]!.id, ...fields }],
  });
  const calculationOf = async ({ id }: Json) => {
    const response = await store.get(`/api/orders/${id}/calculation`);
    assert.equal(response.status, 200, response.text);
    return response.json;
  };
  /** Removes the items of an order one by one, and checks each total against `/refundable` and the sums of shares. */
  const lowersToCharges = async (order: Json) => {
    for (const { id, amount } of order.items as Json[]) {
      const removed = Math.ceil((amount as number) / 2);
      const before = (await store.get(`/api/orders/${order.id}`)).json;
      const credit = (await store.get(`/api/orders/${order.id}/refundable?items[${id}]=${removed}`)).json;
      const body = { prorate: true, calculate: false, change: [{ item_id: id, amount: (amount as number) - removed }] };
      const { status, json: after, text } = await edit(order, body);
      assert.equal(status, 200, text);
      assert.equal(Math.round((before.total - after.total) * 100), Math.round(credit.total * 100));
      for (const { id: surcharge, type, value } of after.surcharges as Json[]) {
        const shares = after.items.flatMap((item: Json) =>
          (item.surcharges as Json[]).flatMap((share) => (share.id === surcharge ? [share.value as number] : [])),
        );
        const sum = shares.reduce((total: number, share: number) => total + share, 0);
        if (type === 'discount') assert.equal(Math.round(sum * 100), Math.round((value as number) * 100));
      }
      for (const { code, value } of after.used_coupons as Json[])
        assert.equal(value, Math.abs(amounts(after)[`Coupon ${code}`]));
    }
  };
  /** Amounts of the surcharges by name. */
  const amounts = ({ surcharges }: Json) =>
    Object.fromEntries((surcharges as Json[]).map(({ name, value }) => [name, value]));

  before(async () => {
    germany = (await store.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] })).id;
    reduced = (await store.made('/api/tax_classes', { name: 'Reduced' })).id;
    const rate = { tax: 'VAT', zone: germany };
    vat = (await store.made('/api/tax_rates', { ...rate, name: 'VAT 19 %', value: 19 })).id;
    await store.made('/api/tax_rates', { ...rate, name: 'VAT 7 %', value: 7, tax_class: reduced });
    const settings = { prices_include_tax: true, default_zone: germany, shipping: 'proportional' };
    assert.equal((await store.patch('/api/tax_settings', settings)).status, 200);
  });

  test('keep prices, coupons, tax rates and settings of the order, and recalculate its amounts', async () => {
    const [full, book] = [
      await store.product({ amount: 50, price: 119 }),
      await store.product({ amount: 50, price: 21.4, tax_class: reduced }),
    ];
    const used = await coupon({ value: 10, total_range_begin: 100, uses_limit: 1 });
    const charge = { type: 'shipping', value: 4.9, name: 'Parcel', tax_class: reduced };
    const order = await ordered([orderItem(full, 2), orderItem(book, 1)], {
      surcharges: [charge],
      coupons: [used.code],
    });
    assert.equal((await store.patch(`/api/products/${full.id}`, { price: 500 })).status, 200);
    assert.equal((await store.patch(`/api/coupons/${used.id}`, { enabled: false, value: 50 })).status, 200);
    assert.equal((await store.patch(`/api/tax_rates/${vat}`, { value: 25, name: 'VAT 25 %' })).status, 200);
    // The example of Germany (pricing.md §9), with one unit of the first item.
    const events = await eventsOf(store, order.id, () => edited(order, change(order, { amount: 1 })));
    assert.deepEqual(
      events.map(({ code }) => code),
      ['ORDER EDITED', 'CHANGE PRODUCT AMOUNT'],
    );
    const now = (await store.get(`/api/orders/${order.id}`)).json;
    assert.deepEqual([now.items[0].price, now.sub_total, now.total], [119, 140.4, 131.26]);
    assert.deepEqual(amounts(now), {
      [`Coupon ${used.code}`]: -14.04,
      Parcel: 4.9,
      'VAT 19 %': 17.76,
      'VAT 7 %': 1.31,
    });
    assert.deepEqual(
      now.items.map((item: { surcharges: Json[] }) => item.surcharges.map(({ value }) => value)),
      [
        [-11.9, 17.1],
        [-2.14, 1.26],
      ],
    );
    assert.deepEqual(
      now.items[0].surcharges.map(({ id }: Json) => id),
      [now.surcharges[0].id, now.surcharges[2].id],
    );
    assert.equal(now.used_coupons[0].value, 14.04);
    assert.equal((await store.get(`/api/coupons/${used.id}`)).json.uses, 1);
    assert.equal(await stockOf(store, full), 49);
    const { input, result } = await calculationOf(order);
    assert.equal(result.totals.total, now.total);
    assert.deepEqual(input.shipping[0].tax_class, reduced);
    // Below the lower bound of the coupon, which is not checked again.
    const less = await edited(order, change(order, { amount: 0 }));
    assert.deepEqual(amounts(less), { [`Coupon ${used.code}`]: -2.14, Parcel: 4.9, 'VAT 7 %': 1.58 });
    assert.deepEqual([less.items.length, less.items[0].surcharges, less.total], [2, [], 24.16]);
    const again = await edited(order, change(order, { amount: 1 }));
    assert.deepEqual([again.total, amounts(again)], [now.total, amounts(now)]);
    assert.equal((await store.patch(`/api/tax_rates/${vat}`, { value: 19, name: 'VAT 19 %' })).status, 200);
  });

  test('add items at the prices of today, as in an order with all items', async () => {
    const [first, other] = [
      await store.product({ amount: 50, price: 10 }),
      await store.product({ amount: 50, price: 10 }),
    ];
    const used = await coupon({ value: 10, specific_products: true, products: [{ id: first.id }, { id: other.id }] });
    const order = await ordered([orderItem(first, 3)], { coupons: [used.code] });
    await store.made(`/api/products/${first.id}/wholesale_prices`, { price: 8, quantity_range_begin: 5 });
    assert.equal((await store.patch(`/api/products/${other.id}`, { price: 20 })).status, 200);
    const now = await edited(order, {
      add: [orderItem(first, 2), orderItem(other, 1), orderItem(other, 1, { price: 7 })],
    });
    assert.deepEqual(
      now.items.map(({ price, amount }: Json) => [price, amount]),
      [
        [10, 3],
        [8, 2],
        [20, 1],
        [7, 1],
      ],
    );
    assert.deepEqual([now.sub_total, amounts(now)[`Coupon ${used.code}`]], [73, -7.3], 'the coupon lists all products');
    assert.equal(await stockOf(store, other), 48);
    const { id: gold } = await store.made('/api/memberships', { name: `Gold ${used.code}` });
    const forGold = await store.product({ amount: 1, memberships: [gold] });
    const rejected = await assertUnchanged(store, () =>
      edit(order, { add: [orderItem(first, 1), orderItem(forGold, 1)] }),
    );
    assertBroken(rejected, ['add[1]', 'conflict']);
  });

  test('cover an item by the list of a coupon at the time when the item was ordered or added', async () => {
    const listed = await store.product({ amount: 50, price: 10 });
    const later = await store.product({ amount: 50, price: 10 });
    const only = (products: Json[]) => ({ specific_products: true, products: products.map(({ id }) => ({ id })) });
    const used = await coupon({ value: 10, ...only([listed]) });
    const order = await ordered([orderItem(listed, 1), orderItem(later, 1)], { coupons: [used.code] });
    assert.equal(order.used_coupons[0].value, 1);
    assert.equal((await store.patch(`/api/coupons/${used.id}`, only([later]))).status, 200);
    /** The shares of the coupon, by item. */
    const shares = ({ items }: Json) =>
      (items as Json[]).map(
        ({ surcharges }) => (surcharges as Json[]).find(({ code }) => code === 'COUPON')?.value ?? 0,
      );
    const more = await edited(order, change(order, { amount: 3 }));
    assert.deepEqual(shares(more), [-3, 0], 'further units of an item are covered as the item is');
    const added = await edited(order, { add: [orderItem(listed, 1), orderItem(later, 1)] });
    assert.deepEqual(shares(added), [-3, 0, 0, -1], 'items of the same product can differ');
    assert.equal((await store.patch(`/api/coupons/${used.id}`, only([]))).status, 200);
    const again = await edited(order, { change: added.items.map(({ id }: Json) => ({ item_id: id, amount: 4 })) });
    assert.deepEqual(shares(again), [-4, 0, 0, -4], 'later edits do not change what is covered');
    assert.equal(again.used_coupons[0].value, 8);
  });

  test('take charges as a new order does, and keep them if they are omitted', async () => {
    const product = await store.product({ amount: 50, price: 100 });
    const order = await ordered([orderItem(product, 1)], {
      surcharges: [{ type: 'handling', value: 2, name: 'Gift' }],
    });
    const shown = (surcharges: Json[]) => surcharges.map(({ type, value }) => [type, value]);
    const now = await edited(order, {
      surcharges: [
        { type: 'handling', value: 3 },
        { type: 'shipping', value: 5 },
      ],
      expected_total: 108,
    });
    assert.deepEqual(shown(now.surcharges), [
      ['shipping', 5],
      ['handling', 3],
      ['tax', 17.25],
    ]);
    const priced = await edited(order, change(order, { price: 50 }));
    assert.deepEqual([priced.total, shown(priced.surcharges).length], [58, 3]);
    assert.deepEqual(shown((await edited(order, { surcharges: [] })).surcharges), [['tax', 7.98]]);
    const rejected: [Json, ...[string, string][]][] = [
      [{ surcharges: [{ type: 'tax', value: 1 }] }, ['surcharges[0].type', 'conflict']],
      [{ surcharges: [{ type: 'shipping', value: -1 }] }, ['surcharges[0].value', 'range']],
      [{ surcharges: [{ type: 'shipping', value: 1, include: true }] }, ['surcharges[0].include', 'conflict']],
      [{ surcharges: [{ type: 'shipping', value: 1, tax_class: 9999 }] }, ['surcharges[0].tax_class', 'unknown_link']],
      [{ ...change(order, { amount: 2 }), expected_total: 99 }, ['expected_total', 'conflict']],
      [{ expected_total: 49 }, ['expected_total', 'conflict']],
      [{ coupons: ['X'] }, ['coupons', 'unknown_field']],
      [{ vat_id: 'DE136695976' }, ['vat_id', 'unknown_field']],
      [change(order, { amount: 60 }), ['change[0].amount', 'range']],
      [{ calculate: false, expected_total: 50 }, ['expected_total', 'conflict']],
    ];
    for (const [body, ...violations] of rejected)
      assertBroken(await assertUnchanged(store, () => edit(order, body)), ...violations);
  });

  test('change nothing if they are repeated, or as a dry run', async () => {
    const product = await store.product({ amount: 50, price: 100 });
    const order = await ordered([orderItem(product, 2)], { surcharges: [{ type: 'shipping', value: 5 }] });
    const body = { ...change(order, { amount: 1 }), surcharges: [{ type: 'shipping', value: 4 }], expected_total: 104 };
    const tried = await assertUnchanged(store, () => edit(order, body, '?dry_run'));
    assert.deepEqual([tried.status, tried.json.total], [200, 104], tried.text);
    const now = await edited(order, body);
    assert.deepEqual([now.total, now.surcharges.length], [104, 2]);
    const repeated = await assertUnchanged(store, () => edit(order, body));
    assert.deepEqual([repeated.status, repeated.json], [200, now], repeated.text);
    await assertUnchanged(store, () => edited(order, {}));
  });

  test('are rejected if the order has no calculation, or if prices of today are not comparable', async () => {
    const product = await store.product({ amount: 50, price: 100 });
    const { json: plain } = await store.post('/api/orders', orderOf([orderItem(product, 1)]));
    assertBroken(await edit(plain, change(plain, { amount: 2 })), ['calculate', 'conflict']);
    const order = await ordered([orderItem(product, 1)]);
    assert.equal((await store.patch('/api/tax_settings', { prices_include_tax: false })).status, 200);
    const add = [orderItem(product, 1), orderItem(product, 1, { price: 5 })];
    assertBroken(await edit(order, { add }), ['add[0].price', 'conflict']);
    assert.equal((await edited(order, { add: add.slice(1) })).total, 105);
    assert.equal((await store.patch('/api/tax_settings', { prices_include_tax: true })).status, 200);
    assert.equal((await store.post(`/api/orders/${order.id}/edit`, change(order, { amount: 2 }))).status, 200);
    assertProblem(await store.get(`/api/orders/${order.id}/calculation`), 404);
    assertBroken(await edit(order, {}), ['calculate', 'conflict']);
    const ended = await ordered([orderItem(product, 1)], { payment_status: 'C' });
    assertProblem(await edit(ended, change(ended, { amount: 2 })), 409);
  });

  test('keep the order if its product and its coupon were deleted, and leave its invoice as it was', async () => {
    const product = await store.product({ amount: 50, price: 10 });
    const used = await coupon({ type: '$', value: 1 });
    const order = await ordered([orderItem(product, 3)], { coupons: [used.code] });
    const path = `/api/orders/${order.id}/invoices`;
    const invoice = await store.made(path, {});
    assert.equal((await store.delete(`/api/products/${product.id}`)).status, 204);
    assert.equal((await store.delete(`/api/coupons/${used.id}`)).status, 204);
    const now = await edited(order, change(order, { amount: 2 }));
    assert.deepEqual([now.total, now.used_coupons[0].value], [19, 1]);
    assert.deepEqual((await store.get(`${path}/${invoice.id}`)).json, invoice);
    assert.equal((await store.made(path, {})).total, 19);
  });

  test('with prorate lower the total by what was paid for the removed units, even below a threshold', async () => {
    const shirt = await store.product({ amount: 50, price: 39.92 });
    const { id: volume } = await store.made('/api/volume_discounts', { value: 5, subtotal_range_begin: 200 });
    const order = await ordered([orderItem(shirt, 6)]);
    const calculation = await calculationOf(order);
    const lower = (fields: Json, query = '') => edit(order, { calculate: false, prorate: true, ...fields }, query);
    const to5 = change(order, { amount: 5 });
    assert.equal(order.total, 227.54);
    assert.equal((await edit(order, to5, '?dry_run')).json.total, 199.6, 'calculated again, without the discount');
    assert.equal(
      (await store.get(`/api/orders/${order.id}/refundable?items[${order.items[0].id}]=1`)).json.total,
      37.92,
    );
    const dry = await assertUnchanged(store, () => lower(to5, '?dry_run'));
    assert.equal(dry.json.total, 189.62);
    const events = await eventsOf(store, order.id, async () => assert.equal((await lower(to5)).json.total, 189.62));
    assert.deepEqual(events[0]!.data.fields, ['items', 'surcharges']);
    const now = (await store.get(`/api/orders/${order.id}`)).json;
    assert.deepEqual([now.total, now.items[0].cancelled_amount, now.surcharges[0].value], [189.62, 1, -9.98]);
    assert.deepEqual(
      now.items[0].surcharges.map(({ id, value }: Json) => [id, value]),
      now.surcharges.map(({ id, value }: Json) => [id, value]),
    );
    assert.equal(await stockOf(store, shirt), 45);
    assert.deepEqual(await calculationOf(order), calculation, 'the calculation remains, for later edits');
    for (const [body, path] of [
      [{ ...to5, calculate: true }, 'calculate'],
      [{ ...to5, surcharges: [] }, 'surcharges'],
      [{ add: [orderItem(shirt, 1)] }, 'add'],
      [change(order, { amount: 6 }), 'change[0].amount'],
      [change(order, { amount: 4, price: 1 }), 'change[0].price'],
    ] as const)
      assertBroken(await assertUnchanged(store, () => lower(body)), [path, 'conflict']);
    assert.equal((await edited(order, change(order, { amount: 4 }))).total, 159.68, 'calculated again');
    assert.equal((await store.delete(`/api/volume_discounts/${volume}`)).status, 204);
    const plain = await store.made('/api/orders', orderOf([orderItem(shirt, 2)], { surcharges: [CHARGE] }));
    const less = await edit(plain, { calculate: false, prorate: true, ...change(plain, { amount: 1 }) });
    assert.deepEqual([less.json.total, less.json.surcharges.length], [44.82, 1], 'an order without a calculation');
  });

  test('have the result of an order that is placed with the same prices', async () => {
    const random = randomFrom(2911);
    const integer = (max: number) => Math.floor(random() * max);
    const products = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        store.product({ amount: 10_000, price: 1 + integer(9999) / 100, tax_class: index % 2 === 0 ? reduced : null }),
      ),
    );
    await store.made(`/api/products/${products[0].id}/wholesale_prices`, { price: 0.5, quantity_range_begin: 4 });
    const volumes = [
      await store.made('/api/volume_discounts', { value: 5, subtotal_range_begin: 100 }),
      await store.made('/api/volume_discounts', { value: 7.5, subtotal_range_begin: 400 }),
    ];
    const coupons = [
      await coupon({ value: 12.5 }),
      await coupon({ type: '$', value: 3, specific_products: true, products: products.map(({ id }) => ({ id })) }),
    ];
    for (let round = 0; round < 25; round += 1) {
      const settings = {
        rounding_target: ['unit', 'line', 'total'][integer(3)],
        shipping: ['rates', 'proportional'][integer(2)],
        prices_include_tax: random() < 0.5,
      };
      assert.equal((await store.patch('/api/tax_settings', settings)).status, 200);
      const item = () => orderItem(products[integer(products.length)], 1 + integer(5));
      const charges = () => (random() < 0.3 ? [] : [{ type: 'shipping', value: integer(900) / 100, name: 'Parcel' }]);
      const codes = coupons.filter(() => random() < 0.5).map(({ code }) => code);
      const [first, last] = [charges(), charges()];
      const order = await ordered(
        Array.from({ length: 1 + integer(4) }, item),
        ...[{ coupons: codes, surcharges: first }],
      );
      const isRepriced = random() < 0.5;
      const now = await edited(order, {
        change: order.items
          .filter(() => random() < 0.6)
          .map(({ id }: Json) => ({
            item_id: id,
            amount: integer(7),
            ...(isRepriced ? { price: integer(3000) / 100 } : {}),
          })),
        add: Array.from({ length: 1 + integer(2) }, item),
        ...(last.length > 0 ? { surcharges: last } : {}),
      });
      const items = now.items.filter(({ amount }: Json) => (amount as number) > 0);
      const placed = await ordered(
        items.map(({ product_id, amount, price }: Json) => ({ product_id, amount, price })),
        { coupons: codes, surcharges: last.length > 0 ? last : first },
      );
      const shown = ({ surcharges }: Json) =>
        (surcharges as Json[]).map(({ type, code, name, include, value, source }) => [
          ...[type, code, name, include, value, source],
        ]);
      assert.deepEqual([now.total, shown(now)], [placed.total, shown(placed)], `round ${round}`);
      assert.deepEqual(items.map(shown), placed.items.map(shown), `round ${round}`);
      const used = ({ used_coupons }: Json) => (used_coupons as Json[]).map(({ code, value }) => [code, value]);
      assert.deepEqual(used(now), used(placed));
      const [one, other] = [await calculationOf(now), await calculationOf(placed)];
      assert.deepEqual(one.result.totals, other.result.totals);
      await lowersToCharges(placed);
    }
    for (const { id } of volumes) assert.equal((await store.delete(`/api/volume_discounts/${id}`)).status, 204);
  });
});
