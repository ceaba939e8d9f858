/** Decimals of each currency in paid amounts, product prices, payments and refunds. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CURRENCIES } from '../../src/pricing/currencies.ts';
import { assertUnchanged, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { placed as placedOne, type Shown } from '../support/order-parts.ts';
import { orderAt, orderItem, place, placed } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

describe('currency table', () => {
  /** Decimals according to ISO 4217; those of the first rows differ from `Intl`. */
  const known: Readonly<Record<string, number>> = {
    ...{
      HUF: 2,
      AFN: 2,
      IQD: 3,
      ALL: 2,
      IRR: 2,
      LAK: 2,
      LBP: 2,
      MGA: 2,
      MMK: 2,
      PKR: 2,
      RSD: 2,
      SOS: 2,
      SYP: 2,
      YER: 2,
    },
    ...{ IDR: 2, COP: 2, KPW: 2, UZS: 2, TZS: 2, TWD: 2, MRU: 2 },
    ...{
      USD: 2,
      EUR: 2,
      GBP: 2,
      CHF: 2,
      CNY: 2,
      MXV: 2,
      CHE: 2,
      CHW: 2,
      BOV: 2,
      COU: 2,
      USN: 2,
      ZWG: 2,
      XCG: 2,
      SLE: 2,
    },
    ...{ VED: 2, VES: 2, XAD: 2, XCD: 2, STN: 2 },
    ...{
      JPY: 0,
      ISK: 0,
      UGX: 0,
      VND: 0,
      XAF: 0,
      XOF: 0,
      XPF: 0,
      KRW: 0,
      CLP: 0,
      PYG: 0,
      UYI: 0,
      VUV: 0,
      BIF: 0,
      DJF: 0,
    },
    ...{ GNF: 0, KMF: 0, RWF: 0 },
    ...{ KWD: 3, BHD: 3, JOD: 3, LYD: 3, OMR: 3, TND: 3 },
    ...{ CLF: 4, UYW: 4 },
  };
  for (const [code, decimals] of Object.entries(known))
    test(`contains ${code} with ${decimals} decimals`, () => assert.equal(CURRENCIES.get(code), decimals));

  const none = [
    ...['HRK', 'BGN', 'SLL', 'CUC', 'ANG', 'ZWL', 'DEM', 'VEF', 'VEB', 'STD', 'MRO', 'BYR', 'LTL', 'EEK', 'TRL', 'ZWD'],
    ...['XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XBA', 'XBB', 'XBC', 'XBD', 'XTS', 'XXX', 'BTC', 'usd', ''],
  ];
  for (const code of none)
    test(`does not contain ${code || 'an empty code'}`, () => assert.equal(CURRENCIES.get(code), undefined));

  test('contains only codes of three capital letters, and 165 of them', () => {
    for (const code of CURRENCIES.keys()) assert.match(code, /^[A-Z]{3}$/);
    assert.equal(CURRENCIES.size, 165);
  });
});

onEachDatabase('order prices', {}, (store) => {
  const placedIn = async (currency: string, product: Json, amount: number, fields: Json = {}) =>
    placed(store, [orderItem(await store.product(product), amount)], { currency, ...fields });

  const prices: [currency: string, price: number, percent: number, paid: number][] = [
    ['USD', 19.99, 33.3333, 13.33],
    ['USD', 10, 12.34, 8.77],
    ['USD', 10.005, 0, 10.01],
    ['USD', 0.01, 50, 0.01],
    ['USD', 0.01, 50.0001, 0],
    ['USD', 1.0005, 90, 0.1],
    ['USD', 0.3, 95, 0.02],
    ['HUF', 0.3, 95, 0.02],
    ['JPY', 999, 10, 899],
    ['JPY', 5, 10, 5],
    ['KWD', 1.2345, 10, 1.111],
    ['KWD', 0.001, 50, 0.001],
    ['CLF', 1.0005, 90, 0.1001],
    // Rounding twice (first to four decimals) would yield 1.01.
    ['USD', 1.005, 0.004, 1],
  ];
  for (const [currency, price, percent, paid] of prices)
    test(`${percent} percent off ${price} ${currency} is ${paid}`, async () => {
      const sale = { price, participate_sale: true, discount_type: 'sale_percent', sale_price_value: percent };
      const { items, total } = await placedIn(currency, sale, 1);
      assert.deepEqual([items[0].price, items[0].item_net_price, items[0].discounted_subtotal], [paid, paid, paid]);
      assert.equal(total, paid);
    });

  const lines: [currency: string, price: number, amount: number, paid: number][] = [
    ['USD', 1.005, 1, 1.01],
    ['USD', 1.0049, 1, 1],
    ['USD', 0.0001, 49, 0],
    ['USD', 0.0001, 50, 0.01],
    ['USD', 1.2345, 2, 2.47],
    ['JPY', 19.99, 1, 20],
    ['JPY', 0.5, 1, 1],
    ['JPY', 0.4999, 1, 0],
    ['KWD', 0.0005, 1, 0.001],
    ['CLF', 1.2345, 3, 3.7035],
  ];
  for (const [currency, price, amount, paid] of lines)
    test(`${amount} × ${price} ${currency} is ${paid} for a product price and for a sent price`, async () => {
      for (const [product, sent] of [
        [{ price }, {}],
        [{ price: 7 }, { price }],
        [{ price: 1000, participate_sale: true, discount_type: 'sale_price', sale_price_value: price }, {}],
      ] as const) {
        const made = await store.product(product);
        const order = await placed(store, [orderItem(made, amount, sent)], { currency });
        const [item] = order.items;
        assert.deepEqual([item.price, item.item_net_price, item.discounted_subtotal], [price, price, paid]);
        assert.deepEqual([order.sub_total, order.total], [paid, paid]);
        assert.deepEqual(await orderAt(store, order.id), order);
      }
    });

  test('totals are the sum of rounded lines', async () => {
    const product = await store.product({ price: 0.005 });
    const order = await placed(store, [orderItem(product, 1), orderItem(product, 1), orderItem(product, 2)], {
      surcharges: [
        { type: 'tax', value: 0.01, include: true },
        { type: 'shipping', value: 4.9 },
        { type: 'discount', value: -1.01 },
      ],
    });
    assert.deepEqual(
      order.items.map((each: Json) => each.discounted_subtotal),
      [0.01, 0.01, 0.01],
    );
    assert.deepEqual([order.sub_total, order.total], [0.03, 3.92]);
  });

  const surcharges: [currency: string, valid: number, invalid: number, message: RegExp][] = [
    ['USD', 4.99, 4.995, /at most 2 decimals/],
    ['HUF', 4.99, 4.995, /at most 2 decimals/],
    ['JPY', 5, 5.5, /no decimals/],
    ['KWD', 0.001, 0.0001, /at most 3 decimals/],
  ];
  for (const [currency, valid, invalid, message] of surcharges)
    test(`a surcharge of ${invalid} ${currency} is rejected`, async () => {
      const product = await store.product({ price: 100 });
      const sent = (value: number, include = false) =>
        place(store, [orderItem(product, 1)], { currency, surcharges: [{ type: 'tax', value, include }] });
      assert.equal((await sent(valid)).json.total, 100 + valid);
      await assertUnchanged(store, async () => {
        for (const value of [invalid, -invalid])
          for (const include of [false, true])
            assertViolations(await sent(value, include), ['surcharges[0].value', 'decimals', message]);
      });
    });

  test('an inactive or unknown currency is rejected', async () => {
    const product = await store.product({ price: 1 });
    for (const currency of ['HRK', 'BGN', 'XAU', 'XXX', 'ABC'])
      await assertUnchanged(store, async () =>
        assertViolations(await place(store, [orderItem(product, 1)], { currency }), ['currency', 'choice', /ISO 4217/]),
      );
  });
});

onEachDatabase('sale of a product', {}, (store) => {
  const SALE = { price: 10, participate_sale: true, discount_type: 'sale_price', sale_price_value: 8 };
  const ABOVE: ExpectedViolation = ['sale_price_value', 'range', /at most the regular price/];
  const MISSING: ExpectedViolation = ['sale_price_value', 'required', /give the product away/];

  const rejected: [title: string, product: Json, change: Json, ...violations: ExpectedViolation[]][] = [
    ['a sale price above the price', SALE, { sale_price_value: 10.0001 }, ABOVE],
    ['a price below the sale price', SALE, { price: 7 }, ['price', 'range']],
    [
      'a sale with a stored sale price above the price',
      { ...SALE, sale_price_value: 11, participate_sale: false },
      { participate_sale: true },
      ['participate_sale', 'range'],
    ],
    [
      'a percentage that becomes a sale price above the price',
      { ...SALE, discount_type: 'sale_percent', sale_price_value: 50 },
      { discount_type: 'sale_price' },
      ['discount_type', 'range'],
    ],
    [
      'a sale price of 0 that is not sent',
      { price: 10, discount_type: 'sale_price' },
      { participate_sale: true },
      MISSING,
    ],
    [
      'a percentage of 0 that becomes a sale price of 0',
      { price: 10, participate_sale: true },
      { discount_type: 'sale_price' },
      MISSING,
    ],
    [
      'over 100 percent',
      { ...SALE, discount_type: 'sale_percent' },
      { sale_price_value: 100.01 },
      ['sale_price_value', 'range'],
    ],
  ];
  for (const [title, product, change, ...violations] of rejected)
    test(`rejects ${title} in PATCH, PUT and POST`, async () => {
      const { id, sku, name } = await store.product(product);
      await assertUnchanged(store, async () => {
        assertViolations(await store.patch(`/api/products/${id}`, change), ...violations);
        const whole = { sku, name, ...product, ...change };
        for (const response of [
          await store.put(`/api/products/${id}`, whole),
          await store.post('/api/products', { ...whole, sku: `${sku}-B` }),
        ]) {
          assert.equal(response.status, 422, response.text);
          assert.equal(response.json.violations.length, 1);
          assert.equal(response.json.violations[0].code, violations[0]![1]);
        }
      });
    });

  const accepted: [title: string, product: Json, change: Json][] = [
    ['the price as the sale price', SALE, { sale_price_value: 10 }],
    ['a sale price of 0 that is sent', SALE, { sale_price_value: 0 }],
    [
      'a sale price of 0 that is sent with the start of the sale',
      { price: 10, discount_type: 'sale_price' },
      { participate_sale: true, sale_price_value: 0 },
    ],
    ['a discount of 100 percent', { price: 10 }, { participate_sale: true, sale_price_value: 100 }],
    ['a sale price above the price without a sale', { ...SALE, participate_sale: false }, { sale_price_value: 11 }],
    ['a price and a sale price together', SALE, { price: 7, sale_price_value: 6 }],
    ['another field', SALE, { name: 'Other' }],
  ];
  for (const [title, product, change] of accepted)
    test(`accepts ${title}`, async () => {
      const { id } = await store.product(product);
      const response = await store.patch(`/api/products/${id}`, change);
      assert.equal(response.status, 200, response.text);
      for (const [field, value] of Object.entries(change)) assert.equal(response.json[field], value);
    });
});

onEachDatabase('payments and refunds', {}, (store) => {
  let order: Shown;
  let path: string;
  const fresh = async () => {
    order = await placedOne(store);
    path = `/api/orders/${order.id}/payment_transactions`;
  };
  before(fresh);
  const send = (type: string, value: number, fields: Json = {}) =>
    store.post(path, { type, value, status: 'S', ...fields });
  const made = async (...sent: Parameters<typeof send>): Promise<{ id: number }> => {
    const response = await send(...sent);
    assert.equal(response.status, 201, response.text);
    return response.json;
  };

  test('cannot be negative', () =>
    assertUnchanged(store, async () => {
      for (const value of [-0.01, -5.25]) assertViolations(await send('sale', value), ['value', 'range']);
    }));

  for (const type of ['sale', 'capture', 'capturePart', 'captureMulti'])
    for (const refund of ['refund', 'refundPart', 'refundMulti'])
      test(`of ${type} are refunded by ${refund} up to the paid amount`, async () => {
        await fresh();
        await made(type, 10);
        await made(refund, 6);
        await assertUnchanged(store, async () =>
          assertViolations(await send(refund, 4.01), ['value', 'range', /10.01 USD, but only 10 has been charged/]),
        );
        await made(refund, 4);
        await assertUnchanged(store, async () => assertViolations(await send(refund, 0.0001), ['value', 'range']));
      });

  test('count only in the status of success', async () => {
    await fresh();
    for (const status of ['I', 'P', 'W', 'F', 'C', 'V']) await made('sale', 100, { status });
    for (const type of ['auth', 'void', 'getInfo', 'accept', 'test']) await made(type, 100);
    await assertUnchanged(store, async () => assertViolations(await send('refund', 1), ['value', 'range']));
    for (const status of ['I', 'P', 'W', 'F', 'C', 'V']) await made('refund', 100, { status });
  });

  test('are balanced per currency and order', async () => {
    await fresh();
    await made('sale', 100);
    await assertUnchanged(store, async () =>
      assertViolations(await send('refund', 1, { currency: 'EUR' }), ['value', 'range']),
    );
    await made('sale', 1, { currency: 'EUR' });
    await made('refund', 1, { currency: 'EUR' });
    await fresh();
    await assertUnchanged(store, async () => assertViolations(await send('refund', 1), ['value', 'range']));
  });

  test('remain balanced when a status changes', async () => {
    await fresh();
    const sale = await made('sale', 10);
    const pending = await made('refund', 10, { status: 'W' });
    await made('refund', 1);
    await assertUnchanged(store, async () =>
      assertViolations(await store.patch(`${path}/${pending.id}`, { status: 'S' }), ['status', 'range']),
    );
    await assertUnchanged(store, async () => {
      for (const status of ['F', 'V', 'C', 'I'])
        assertViolations(await store.patch(`${path}/${sale.id}`, { status }), ['status', 'range']);
    });
    assert.equal((await store.patch(`${path}/${sale.id}`, { status: 'S' })).status, 200);
    await made('capture', 10);
    assert.equal((await store.patch(`${path}/${pending.id}`, { status: 'S' })).status, 200);
    await assertUnchanged(store, async () =>
      assertViolations(await store.patch(`${path}/${sale.id}`, { status: 'F' }), ['status', 'range']),
    );
    assert.equal((await store.patch(`${path}/${pending.id}`, { status: 'F' })).status, 200);
    assert.equal((await store.patch(`${path}/${sale.id}`, { status: 'V' })).status, 200);
  });

  test('cannot be refunded twice by concurrent requests', async () => {
    await fresh();
    await made('sale', 10);
    const pending = await Promise.all(Array.from({ length: 8 }, () => made('refund', 5, { status: 'P' })));
    const responses = await Promise.all([
      ...pending.map(({ id }) => store.patch(`${path}/${id}`, { status: 'S' })),
      ...pending.map(() => send('refundPart', 5)),
    ]);
    assert.equal(responses.filter(({ status }) => status < 300).length, 2);
    for (const response of responses.filter(({ status }) => status >= 300))
      assertViolations(response, [response.json.violations[0].propertyPath, 'range']);
    const { json } = await store.get(`${path}?status=S&itemsPerPage=100`);
    const refund = json.filter(({ type }: { type: string }) => type !== 'sale');
    assert.equal(
      refund.reduce((sum: number, { value }: { value: number }) => sum + value, 0),
      10,
    );
  });

  test('require an active currency', () =>
    assertUnchanged(store, async () =>
      assertViolations(await send('sale', 1, { currency: 'DEM' }), ['currency', 'choice']),
    ));
});

onEachDatabase('sold order lines', {}, (store) => {
  test('retain the name, SKU and price of the sale in every language', async () => {
    const product = await store.product({ name: 'Cup', sku: 'CUP', price: 3 });
    await store.patch(`/api/products/${product.id}`, { name: 'Tasse' }, { 'accept-language': 'de' });
    const { id, items } = await placed(store, [orderItem(product, 1)]);
    assert.deepEqual([items[0].name, items[0].sku], ['Cup', 'CUP']);
    const tag = (await store.get(`/api/orders/${id}`)).headers.etag;
    const assertUnchangedOrder = async () => {
      for (const language of ['en', 'de'])
        assert.deepEqual((await store.get(`/api/orders/${id}/items`, { 'accept-language': language })).json, items);
      assert.equal((await store.get(`/api/orders/${id}`)).headers.etag, tag);
    };
    await assertUnchangedOrder();
    await store.patch(`/api/products/${product.id}`, { name: 'Mug', sku: 'MUG', price: 4 });
    await store.patch(`/api/products/${product.id}`, { name: 'Becher' }, { 'accept-language': 'de' });
    await assertUnchangedOrder();
    const sold = await placed(store, [orderItem(product, 1)], {}, { 'accept-language': 'de' });
    assert.deepEqual([sold.items[0].name, sold.items[0].sku], ['Becher', 'MUG']);
  });
});
