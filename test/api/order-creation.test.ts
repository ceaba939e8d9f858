/** Creating, reading and correcting orders: every field, default and rule of the input (orders.md §1). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertUnchanged, assertViolations, choiceOf } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { nextSecond } from '../support/next-second.ts';
import {
  assertBroken,
  BLANK,
  type Broken,
  countOrders,
  eventsOf,
  NOT_NEGATIVE,
  NULL,
  ofType,
  orderAt,
  orderItem,
  orderOf,
  place,
  placed,
  statuses,
  stockOf,
  times,
  tooLong,
  USED,
  versionOf,
} from '../support/orders.ts';
import { type Json, onEachDatabase, onOneDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';

const ADDRESS = [
  ...['is_billing', 'is_shipping', 'is_work', 'type', 'title', 'firstname', 'lastname', 'company', 'phone', 'street'],
  ...['city', 'zipcode', 'country_code', 'state', 'state_name', 'custom_fields'],
];
const EMPTY_ADDRESS = {
  is_billing: false,
  is_shipping: false,
  is_work: false,
  type: 'R',
  title: '',
  firstname: '',
  lastname: '',
  company: '',
  phone: '',
  street: '',
  city: '',
  zipcode: '',
  country_code: null,
  state: null,
  state_name: '',
  custom_fields: [],
};
const FULL_ADDRESS = {
  is_billing: true,
  is_shipping: true,
  is_work: true,
  type: 'C',
  title: 'Dr.',
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: 'Analytical Engines',
  phone: '+44 20 0000',
  street: '12 St James’s Square',
  city: 'London',
  zipcode: 'SW1Y 4LB',
  country_code: 'GB',
  state: 12,
  state_name: 'Greater London',
  custom_fields: [
    { name: 'Floor', value: '2' },
    { name: 'Bell', value: '' },
  ],
};

/** Creates a product with unlimited stock at a price of 10. */
const endless = (store: Store, fields: Json = {}) =>
  store.product({ price: 10, inventory_traceable: false, ...fields });

/** Fields to merge into the body of a valid order. */
type Change = (product: { id: number; sku: string }) => Json;

const item = (fields: Json): Change => {
  return ({ id }) => ({ items: [{ product_id: id, amount: 1, ...fields }] });
};

const LENIENT = { prefer: 'handling=lenient' };

onEachDatabase('new orders', {}, (store) => {
  test('have the defaults, with fields in the specified order', async () => {
    const product = await store.product({ sku: 'TEE', name: 'T-shirt', price: 19.99, amount: 10 });
    const response = await place(store, [orderItem(product, 2)]);
    assert.equal(response.status, 201, response.text);
    const { json } = response;
    assert.deepEqual(Object.keys(json), outputNames('Order'));
    assert.deepEqual(Object.keys(json.items[0]), outputNames('OrderItem'));
    for (const status of [json.payment_status, json.shipping_status])
      assert.deepEqual(Object.keys(status), outputNames('PaymentStatus'));
    assert.match(json.order_number, /^\d+$/);
    assert.ok(Number.isInteger(json.id) && Number.isInteger(json.items[0].id));
    assert.ok(Math.abs(Date.parse(json.create_date) - Date.now()) < 5000);
    assert.match(json.create_date, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/);
    assert.match(json.items[0].update_date, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/);
    assert.deepEqual(
      [json.payment_status.code, json.payment_status.name, json.shipping_status.code, json.shipping_status.name],
      ['Q', 'Awaiting payment', 'N', 'New'],
    );
    const { id, order_number, payment_status, shipping_status, create_date, update_date, items, ...rest } = json;
    const { id: itemId, update_date: itemDate, ...sold } = items[0];
    assert.equal(update_date, create_date);
    const typed = {
      product_id: product.id,
      sku: 'TEE',
      name: 'T-shirt',
      price: 19.99,
      item_net_price: 19.99,
      discounted_subtotal: 39.98,
      amount: 2,
      backordered_amount: 0,
      ordered_amount: 2,
      surcharges: [],
    };
    assert.deepEqual(sold, whole('OrderItem', typed, 'id', 'update_date'));
    assert.equal(items.length, 1);
    const order = {
      total: 39.98,
      sub_total: 39.98,
      email: 'buyer@example.com',
      billing_address: null,
      shipping_address: null,
      customer_id: null,
      order_profile_id: null,
      shipping_id: 0,
      shipping_method_name: null,
      notes: '',
      admin_notes: '',
      currency: 'USD',
      stock_status: 'reduced',
      surcharges: [],
      tracking_numbers: [],
    };
    const elsewhere = [
      'id',
      'order_number',
      'payment_status',
      'shipping_status',
      'create_date',
      'update_date',
      'items',
    ];
    assert.deepEqual(rest, whole('Order', order, ...elsewhere));
    assert.equal(await stockOf(store, product), 8);
  });

  test('are equal at their Location, by number and in the list', async () => {
    const response = await place(store, [orderItem(await store.product({ price: 0.1 }), 3)]);
    const { id, order_number } = response.json;
    assert.equal(response.headers.location, `${store.address}/api/orders/${id}`);
    const reads = [await store.get(`/api/orders/${id}`), await store.get(`/api/orders/by_number/${order_number}`)];
    for (const read of reads) {
      assert.equal(read.status, 200, read.text);
      assert.deepEqual(read.json, response.json);
    }
    assert.deepEqual([reads[0]!.text, reads[0]!.headers.etag], [response.text, response.headers.etag]);
    assert.deepEqual((await store.get(`/api/orders?id=${id}`)).json, [response.json]);
    versionOf(response);
  });

  test('have every sent field', async () => {
    const product = await store.product({ price: 3, amount: 100 });
    const sent = {
      email: 'full@example.com',
      billing_address: FULL_ADDRESS,
      shipping_address: { ...FULL_ADDRESS, city: 'Paris', country_code: 'FR', is_work: false },
      currency: 'EUR',
      shipping_id: 7,
      shipping_method_name: 'By bike',
      customer_id: await newCustomer(store),
      notes: 'Ring twice.\n“Please”',
      admin_notes: '<b>regular</b>',
      order_number: 'Web_2026-0001',
    };
    const response = await store.post('/api/orders', {
      ...sent,
      items: [orderItem(product, 2, { price: 2.5 })],
      surcharges: [{ type: 'tax', code: 'VAT', name: 'VAT 20 %', value: 1, include: false, weight: 5 }],
      payment_status: 'P',
      shipping_status: 'S',
      create_date: '2020-02-29T23:30:00-02:00',
    });
    assert.equal(response.status, 201, response.text);
    const { json } = response;
    assert.deepEqual(Object.fromEntries(Object.keys(sent).map((field) => [field, json[field]])), sent);
    for (const address of [json.billing_address, json.shipping_address])
      assert.deepEqual(Object.keys(address), ADDRESS);
    assert.deepEqual([json.payment_status.code, json.shipping_status.code], ['P', 'S']);
    assert.equal(json.create_date, '2020-03-01T01:30:00+00:00');
    assert.deepEqual([json.sub_total, json.total], [5, 6]);
    assert.deepEqual(Object.keys(json.surcharges[0]), outputNames('Surcharge'));
    assert.deepEqual((await store.get(`/api/orders/${json.id}`)).text, response.text);
  });

  test('can be created from the output of another order without its number', async () => {
    const [one, other] = [await store.product({ price: 4.25, amount: 50 }), await endless(store)];
    const { order_number, ...shown } = await placed(store, [orderItem(one, 2), orderItem(other, 1, { price: 1.5 })], {
      billing_address: FULL_ADDRESS,
      surcharges: [{ type: 'shipping', value: 3 }],
      payment_status: 'P',
      notes: 'Again',
    });
    // Within a second the dates would equal those of the new order and cause no violations.
    await nextSecond();
    const rejected = await store.post('/api/orders', shown);
    const own = ['id', 'items[0].id', 'items[1].id', 'surcharges[0].id'];
    const dates = ['update_date', 'items[0].update_date', 'items[1].update_date'];
    assertViolations(rejected, ...[...own, ...dates].map((path) => [path, 'read_only'] as const));
    const again = await store.made('/api/orders', shown, LENIENT);
    assert.notEqual(again.id, shown.id);
    assert.notEqual(again.order_number, order_number);
    const known = ({ id, order_number: _, update_date, items, surcharges, ...rest }: HttpResponse['json']) => ({
      ...rest,
      items: items.map(({ id: _id, update_date: _date, ...each }: Json) => each),
      surcharges: surcharges.map(({ id: _id, ...each }: Json) => each),
    });
    assert.deepEqual(known(again), known({ ...shown, order_number }));
    assert.equal(await stockOf(store, one), 46);
  });

  test('ignore read-only fields with handling=lenient only', async () => {
    const product = await store.product({ name: 'Real', price: 2 });
    const items = [orderItem(product, 1, { id: 5, name: 'Sent', discounted_subtotal: 0, surcharges: [] })];
    assertProblem(await store.post('/api/orders', { email: 'ada@example.com', items, stock_status: 'increased' }), 422);
    const order = await placed(
      store,
      items,
      {
        id: 1,
        total: 0,
        sub_total: 0,
        update_date: '2000-01-01',
        order_profile_id: 5,
        stock_status: 'increased',
        tracking_numbers: [],
        surcharges: [{ type: 'tax', value: 1, id: 1, class: 'Sent', available: false }],
      },
      LENIENT,
    );
    assert.deepEqual(
      [order.total, order.sub_total, order.order_profile_id, order.stock_status],
      [3, 2, null, 'reduced'],
    );
    assert.deepEqual([order.items[0].name, order.items[0].discounted_subtotal], ['Real', 2]);
    assert.deepEqual([order.surcharges[0].class, order.surcharges[0].available], ['', true]);
    assert.ok(order.update_date > '2020');
  });
});

onEachDatabase(
  'new orders in a store with another currency and time zone',
  { STORE_CURRENCY: 'EUR', STORE_TIME_ZONE: 'Asia/Kolkata' },
  (store) => {
    test('have the currency and time zone of the store by default', async () => {
      const { currency, create_date } = await placed(store, [orderItem(await store.product(), 1)], {
        create_date: '2021-06-01 12:00',
      });
      assert.deepEqual([currency, create_date], ['EUR', '2021-06-01T12:00:00+05:30']);
    });
  },
);

type Rejection = [title: string, change: Change, ...broken: Broken[]];

/**
 * Declares tests that reject orders, in a store with one order and 49 units of a product. @returns a getter of the
 * product
 */
function declareRejections(store: Store, rejections: readonly Rejection[]): () => { id: number; sku: string } {
  let product: { id: number; sku: string };
  before(async () => {
    product = await store.product({ price: 5, amount: 50 });
    await placed(store, [orderItem(product, 1)], { order_number: 'TAKEN' });
  });
  for (const [title, change, ...broken] of rejections)
    test(`are rejected with ${title}`, () =>
      assertUnchanged(store, async () =>
        assertBroken(
          await store.post('/api/orders', { ...orderOf([orderItem(product, 1)]), ...change(product) }),
          ...broken,
        ),
      ));
  return () => product;
}

onEachDatabase('new orders that conflict with other records', {}, (store) => {
  const product = declareRejections(store, [
    ['an unknown product', item({ product_id: 999999 }), ['items[0].product_id', 'unknown_link']],
    ['an unknown sku', () => ({ items: [{ sku: 'NOBODY', amount: 1 }] }), ['items[0].sku', 'unknown_link']],
    [
      'an sku in other capitals',
      ({ sku }) => ({ items: [{ sku: sku.toLowerCase(), amount: 1 }] }),
      ['items[0].sku', 'unknown_link'],
    ],
    ['too little in stock', item({ amount: 51 }), [/^items\[0\]/]],
    [
      'an unknown customer',
      () => ({ customer_id: 4711 }),
      ['customer_id', 'unknown_link', /no Profile with the id 4711/],
    ],
    ['the number of another order', () => ({ order_number: 'TAKEN' }), ['order_number', 'not_unique', USED]],
  ]);

  test('reject an item that names two products', async () => {
    const other = await store.product();
    await assertUnchanged(store, async () =>
      assertBroken(await place(store, [{ product_id: product().id, sku: other.sku, amount: 1 }]), [/^items\[0\]/]),
    );
  });

  test('list a hundred violations and count the rest', () =>
    assertUnchanged(store, async () => {
      const response = await place(store, Array(150).fill(orderItem(product(), 0)));
      assertProblem(response, 422);
      assert.deepEqual([response.json.violations.length, response.json.violations_omitted], [100, 50]);
    }));

  test('ignore only unknown fields with handling=lenient', async () => {
    const lenient = { prefer: 'handling=lenient' };
    const body = {
      ...orderOf([orderItem(product(), 1, { amuont: 5 })]),
      emial: 'x',
      billing_address: { citty: 'x', custom_fields: [{ name: 'N', value: 'V', vaule: 1 }] },
      surcharges: [{ type: 'tax', value: 1, wieght: 7 }],
    };
    const response = await store.post('/api/orders', body, lenient);
    assert.equal(response.status, 201, response.text);
    assert.equal(response.headers['preference-applied'], 'handling=lenient');
    const { items, billing_address, surcharges } = response.json;
    assert.deepEqual([items[0].amount, billing_address.city, surcharges[0].weight], [1, '', 0]);
    assert.deepEqual(billing_address.custom_fields, [{ name: 'N', value: 'V' }]);
    await assertUnchanged(store, async () =>
      assertBroken(
        await store.post('/api/orders', { ...body, items: [{ product_id: product().id, amuont: 1 }] }, lenient),
        ['items[0].amount', 'required'],
      ),
    );
  });
});

onOneDatabase('invalid orders', {}, (store) => {
  declareRejections(store, [
    ['no email', () => ({ email: undefined }), ['email', 'required', BLANK]],
    ['null for the email', () => ({ email: null }), ['email', 'null', NULL]],
    ['an empty email', () => ({ email: '' }), ['email']],
    ['a number for the email', () => ({ email: 5 }), ['email', 'type', ofType('string')]],
    [
      'an email of 129 characters',
      () => ({ email: `${'a'.repeat(117)}@example.com` }),
      ['email', 'too_long', tooLong(128)],
    ],

    ['no items', () => ({ items: undefined }), ['items', 'required', BLANK]],
    ['null for items', () => ({ items: null }), ['items', 'null', NULL]],
    ['an empty list of items', () => ({ items: [] }), ['items']],
    ['a text for items', () => ({ items: 'one' }), ['items', 'type', ofType('array')]],
    ['an object for items', () => ({ items: { product_id: 1, amount: 1 } }), ['items', 'type', ofType('array')]],
    ['1001 items', ({ id }) => ({ items: Array(1001).fill({ product_id: id, amount: 1 }) }), ['items']],
    ['a number for an item', ({ id }) => ({ items: [orderItem({ id }, 1), 5] }), ['items[1]', 'type']],
    ['null for an item', () => ({ items: [null] }), [/^items\[0\]$/]],
    ['an item without a product', () => ({ items: [{ amount: 1 }] }), [/^items\[0\]/]],
    ['a text for a product', item({ product_id: '1' }), ['items[0].product_id', 'type']],
    ['a number for an sku', () => ({ items: [{ sku: 5, amount: 1 }] }), ['items[0].sku', 'type', ofType('string')]],
    ['no amount', item({ amount: undefined }), ['items[0].amount', 'required', BLANK]],
    ['null for an amount', item({ amount: null }), ['items[0].amount', 'null', NULL]],
    ['an amount of 0', item({ amount: 0 }), ['items[0].amount', 'range']],
    ['an amount of -1', item({ amount: -1 }), ['items[0].amount', 'range']],
    ['an amount of 1000001', item({ amount: 1_000_001 }), ['items[0].amount', 'range']],
    ['half a unit', item({ amount: 0.5 }), ['items[0].amount', 'type', ofType('integer')]],
    ['a text for an amount', item({ amount: '1' }), ['items[0].amount', 'type', ofType('integer')]],
    ['true for an amount', item({ amount: true }), ['items[0].amount', 'type', ofType('integer')]],
    ['a negative price', item({ price: -0.0001 }), ['items[0].price', 'range', NOT_NEGATIVE]],
    ['a price of five decimals', item({ price: 0.00001 }), ['items[0].price', 'decimals']],
    ['a price over the limit', item({ price: 10_000_000_000 }), ['items[0].price', 'range']],
    ['a text for a price', item({ price: '5' }), ['items[0].price', 'type', ofType('number')]],
    ['null for a price', item({ price: null }), ['items[0].price', 'null', NULL]],

    ['null for surcharges', () => ({ surcharges: null }), ['surcharges', 'null', NULL]],
    ['an object for surcharges', () => ({ surcharges: {} }), ['surcharges', 'type', ofType('array')]],
    ['101 surcharges', () => ({ surcharges: Array(101).fill({ type: 'tax', value: 1 }) }), ['surcharges']],
    ['a text for a surcharge', () => ({ surcharges: ['tax'] }), ['surcharges[0]', 'type']],
    [
      'an empty surcharge',
      () => ({ surcharges: [{}] }),
      ['surcharges[0].type', 'required', BLANK],
      ['surcharges[0].value', 'required', BLANK],
    ],
    ...surcharge('type', 'taxes', 'choice', choiceOf('tax', 'discount', 'shipping', 'handling')),
    ...surcharge('type', 'TAX', 'choice', choiceOf('tax', 'discount', 'shipping', 'handling')),
    ...surcharge('type', null, 'null', NULL),
    ...surcharge('type', 5, 'type', ofType('string')),
    ...surcharge('value', null, 'null', NULL),
    ...surcharge('value', '1', 'type', ofType('number')),
    ...surcharge('value', 0.00001, 'decimals'),
    ...surcharge('value', 10_000_000_000, 'range'),
    ...surcharge('value', -10_000_000_000, 'range'),
    ...surcharge('code', 'x'.repeat(129), 'too_long', tooLong(128)),
    ...surcharge('code', 5, 'type', ofType('string')),
    ...surcharge('name', 'x'.repeat(256), 'too_long', tooLong(255)),
    ...surcharge('name', true, 'type', ofType('string')),
    ...surcharge('include', 1, 'type', ofType('boolean')),
    ...surcharge('include', null, 'null', NULL),
    ...surcharge('weight', '1', 'type'),
    ...surcharge('weight', null, 'null', NULL),
    [
      'a positive discount',
      () => ({ surcharges: [{ type: 'discount', value: 0.01 }] }),
      ['surcharges[0].value', 'range'],
    ],

    ...['billing_address', 'shipping_address'].flatMap((addressField): [string, Change, Broken][] => [
      ...[5, 'Paris', true, []].map((value): [string, Change, Broken] => [
        `${JSON.stringify(value)} for the ${addressField}`,
        () => ({ [addressField]: value }),
        [addressField, 'type'],
      ]),
      ...address(addressField, 'type', 'B', 'choice', choiceOf('R', 'C')),
      ...address(addressField, 'type', null, 'null', NULL),
      ...address(addressField, 'country_code', 'de'),
      ...address(addressField, 'country_code', 'DEU'),
      ...address(addressField, 'country_code', 'D'),
      ...address(addressField, 'country_code', 'D1'),
      ...address(addressField, 'country_code', 49, 'type', ofType('string')),
      ...address(addressField, 'state', 1.5, 'type', ofType('integer')),
      ...address(addressField, 'state', '1', 'type', ofType('integer')),
      ...address(addressField, 'zipcode', 'x'.repeat(33), 'too_long', tooLong(32)),
      ...['title', 'firstname', 'lastname', 'company', 'phone', 'street', 'city', 'state_name'].flatMap((member) => [
        ...address(addressField, member, 'x'.repeat(256), 'too_long', tooLong(255)),
        ...address(addressField, member, null, 'null', NULL),
        ...address(addressField, member, 5, 'type', ofType('string')),
      ]),
      ...['is_billing', 'is_shipping', 'is_work'].flatMap((member) => [
        ...address(addressField, member, 1, 'type', ofType('boolean')),
        ...address(addressField, member, null, 'null', NULL),
      ]),
      ...address(addressField, 'custom_fields', null, 'null', NULL),
      ...address(addressField, 'custom_fields', {}, 'type', ofType('array')),
      ...address(addressField, 'custom_fields', Array(51).fill({ name: 'N', value: '' })),
      [
        `a custom field without a name in the ${addressField}`,
        () => ({ [addressField]: { custom_fields: [{ name: 'A', value: 'a' }, { value: 'b' }] } }),
        [`${addressField}.custom_fields[1].name`, 'required', BLANK],
      ],
      [
        `a text for a custom field in the ${addressField}`,
        () => ({ [addressField]: { custom_fields: ['A'] } }),
        [`${addressField}.custom_fields[0]`, 'type'],
      ],
    ]),

    ...['usd', 'US', 'USDX', 'U5D', '', 'ÄÖÜ', 'XYZ', 'HRK', 'XAU'].map((currency): [string, Change, Broken] => [
      `the currency ${JSON.stringify(currency)}`,
      () => ({ currency }),
      ['currency'],
    ]),
    ['null for the currency', () => ({ currency: null }), ['currency', 'null', NULL]],
    ['a text for shipping_id', () => ({ shipping_id: '1' }), ['shipping_id', 'type', ofType('integer')]],
    ['half a shipping_id', () => ({ shipping_id: 0.5 }), ['shipping_id', 'type', ofType('integer')]],
    [
      'a number for shipping_method_name',
      () => ({ shipping_method_name: 5 }),
      ['shipping_method_name', 'type', ofType('string')],
    ],
    ['a text for customer_id', () => ({ customer_id: 'me' }), ['customer_id', 'type', ofType('integer')]],
    ['null for notes', () => ({ notes: null }), ['notes', 'null', NULL]],
    ['a list for admin_notes', () => ({ admin_notes: [] }), ['admin_notes', 'type', ofType('string')]],

    ...['payment_status', 'shipping_status'].flatMap((field) =>
      ['XX', 'q', 'n', '', '3', ' Q'].map((code): [string, Change, Broken] => [
        `the ${field} ${JSON.stringify(code)}`,
        () => ({ [field]: code }),
        [field],
      ]),
    ),
    [
      'statuses of the other kind',
      () => ({ payment_status: 'S', shipping_status: 'Q' }),
      ['payment_status'],
      ['shipping_status'],
    ],

    ...[
      '.',
      '..',
      ' ',
      ' a',
      'a ',
      'a\u00a0b',
      'a\u2028b',
      'a\tb',
      'a\n',
      '\u200ba',
      'a\u202eb',
      'a\u0000',
      '\u3164',
      '',
    ].map((order_number): [string, Change, Broken] => [
      `the number ${JSON.stringify(order_number)}`,
      () => ({ order_number }),
      ['order_number'],
    ]),
    ['a number of 65 characters', () => ({ order_number: 'x'.repeat(65) }), ['order_number']],
    ['an integer for the number', () => ({ order_number: 5 }), ['order_number', 'type', ofType('string')]],

    ['a date that does not exist', () => ({ create_date: '2021-02-29' }), ['create_date']],
    ['a number for the date', () => ({ create_date: 5 }), ['create_date', 'type', ofType('string')]],

    ['an unknown field', () => ({ emial: 'x' }), ['emial', 'unknown_field', /emial.*email/]],
    ['an unknown field of an item', item({ amuont: 1 }), ['items[0].amuont', 'unknown_field', /amuont.*amount/]],
    [
      'an unknown field of a surcharge',
      () => ({ surcharges: [{ type: 'tax', value: 1, wieght: 1 }] }),
      ['surcharges[0].wieght', 'unknown_field', /wieght.*weight/],
    ],
    [
      'an unknown field of an address',
      () => ({ billing_address: { citty: 'x' } }),
      ['billing_address.citty', 'unknown_field', /citty.*city/],
    ],
    [
      'an unknown field of a custom field',
      () => ({ shipping_address: { custom_fields: [{ name: 'N', value: '', vaule: 'x' }] } }),
      ['shipping_address.custom_fields[0].vaule', 'unknown_field', /vaule.*value/],
    ],
    [
      'everything at once',
      ({ id }) => ({
        email: 'nobody',
        items: [
          { product_id: id, amount: 1 },
          { product_id: 999999, amount: 0, price: -1, x: 1 },
        ],
        surcharges: [{ type: 'discount', value: 1 }],
        billing_address: { type: 'X', city: 5 },
        currency: 'x',
        notes: 1,
        order_number: ' ',
      }),
      ['email', 'format'],
      ['items[1].product_id', 'unknown_link'],
      ['items[1].amount', 'range'],
      ['items[1].price', 'range'],
      ['items[1].x', 'unknown_field'],
      ['surcharges[0].value', 'range'],
      ['billing_address.type', 'choice'],
      ['billing_address.city', 'type'],
      ['currency'],
      ['notes', 'type'],
      ['order_number'],
    ],
  ]);
});

let customers = 0;

/** Creates a profile. @returns its id */
async function newCustomer(store: Store): Promise<number> {
  customers += 1;
  return (await store.made('/api/profiles', { login: `customer-${customers}@example.com` })).id;
}

function surcharge(member: string, value: unknown, code: string, message?: string): [string, Change, Broken][] {
  const sent = { type: 'tax', value: 1, [member]: value };
  const shown = JSON.stringify(value).slice(0, 20);
  return [
    [
      `${shown} for ${member} of a surcharge`,
      () => ({ surcharges: [sent] }),
      [`surcharges[0].${member}`, code, message],
    ],
  ];
}

function address(
  addressField: string,
  member: string,
  value: unknown,
  code?: string,
  message?: string,
): [string, Change, Broken][] {
  const shown = JSON.stringify(value).slice(0, 20);
  return [
    [
      `${shown} for ${member} of the ${addressField}`,
      () => ({ [addressField]: { [member]: value } }),
      [`${addressField}.${member}`, code, message],
    ],
  ];
}

onOneDatabase('email addresses of orders', {}, (store) => {
  const label = 'a'.repeat(63);
  const accepted = [
    'a@b',
    'a@b.c',
    'first.last+tag@sub.example.co.uk',
    "!#$%&'*+/=?^_`{|}~-@example.com",
    '.dots..everywhere.@example.com',
    'UPPER@EXAMPLE.COM',
    '1@2.3',
    'a@x--y.z',
    `a@${label}.de`,
    'é@b.c',
    'a@é.c',
    'δοκιμή@παράδειγμα.δοκιμή',
    '用户@例子.公司',
    'संपर्क@डाटामेल.भारत',
    `${'é'.repeat(124)}@b.c`,
    `${'a'.repeat(116)}@example.com`,
  ];
  const rejected = [
    ...['nobody', 'a@', '@b', '@', 'a@b@c', 'a b@c.d', 'a@b c', 'a@b_c', 'a@-b', 'a@b-', 'a@b-.c', 'a@b..c', 'a@.b'],
    ...[
      'a@b.',
      'a@[127.0.0.1]',
      '"a b"@c.d',
      'a,b@c.d',
      'a;b@c.d',
      '<a@b.c>',
      'a(b)@c.d',
      'a\\b@c.d',
      'ä b@c.d',
      'ä\u00a0b@c.d',
      'ä\u0085@c.d',
      'a\u200b@c.d',
      'ä@ö@ü.de',
      'ä@',
      'ä@ö.',
      'ä@.ö',
      'ä@ö..de',
      'ä@-ö',
      'ä@ö-',
      'ä@ö。de',
      'ä@ö\u3000de',
      'ä@☃.de',
    ],
    `a@${label}a.de`,
  ];
  let product: Json & { id: number };
  before(async () => {
    product = await endless(store);
  });

  for (const email of accepted)
    test(`accept ${email.slice(0, 40)}`, async () =>
      assert.equal((await placed(store, [orderItem(product, 1)], { email })).email, email));

  test('reject every other form', () =>
    assertUnchanged(store, async () => {
      for (const email of rejected) {
        const response = await place(store, [orderItem(product, 1)], { email });
        assert.equal(response.status, 422, email);
        assertBroken(response, ['email', 'format']);
      }
    }));
});

/** A currency of four decimals, in which only percentages are rounded; money.test.ts tests the others. */
const UNROUNDED = { STORE_CURRENCY: 'CLF' };

onEachDatabase('new order items', UNROUNDED, (store) => {
  test('name their product by id, by SKU or by both', async () => {
    const { id, sku } = await store.product({ sku: 'Jeans', price: 7, amount: 10 });
    const { items } = await placed(store, [
      { product_id: id, amount: 1 },
      { sku, amount: 2 },
      { product_id: id, sku, amount: 3 },
    ]);
    assert.deepEqual(
      items.map((each: Json) => [each.product_id, each.sku, each.amount]),
      [1, 2, 3].map((amount) => [id, sku, amount]),
    );
    assert.equal(await stockOf(store, { id }), 4);
  });

  test('may be a thousand in one order', async () => {
    const product = await store.product({ price: 0.0001, amount: 1000 });
    const order = await placed(store, Array(1000).fill(orderItem(product, 1)));
    assert.deepEqual([order.items.length, order.total], [1000, 0.1]);
    assert.equal(new Set(order.items.map(({ id }: Json) => id)).size, 1000);
    assert.equal(await stockOf(store, product), 0);
    assert.deepEqual(await orderAt(store, order.id), order);
  });

  test('may have an amount of a million', async () => {
    const product = await store.product({ price: 9999.9999, amount: 1_000_000 });
    const order = await placed(store, [orderItem(product, 1_000_000)]);
    assert.deepEqual([order.items[0].amount, order.total], [1_000_000, 9_999_999_900]);
    assert.equal(await stockOf(store, product), 0);
  });

  test('accept numbers in any JSON notation', async () => {
    const { id } = await endless(store);
    const body = `{"email":"a@b.c","items":[{"product_id":${id}.0,"amount":2e0,"price":1.50000}],"shipping_id":-0}`;
    const response = await store.post('/api/orders', body);
    assert.equal(response.status, 201, response.text);
    assert.match(response.text, /"price":1\.5,/);
    assert.deepEqual([response.json.items[0].amount, response.json.total], [2, 3]);
  });

  const prices: [title: string, product: Json, price: number][] = [
    ['a regular price', { price: 19.99 }, 19.99],
    ['a price of 0', { price: 0 }, 0],
    ['a sale that is not active', { price: 10, sale_price_value: 50, participate_sale: false }, 10],
    ['a sale of 50 percent', { price: 10, sale_price_value: 50, participate_sale: true }, 5],
    [
      'a sale price',
      { price: 10, discount_type: 'sale_price', sale_price_value: 7.7777, participate_sale: true },
      7.7777,
    ],
    ['a sale price of 0', { price: 10, discount_type: 'sale_price', sale_price_value: 0, participate_sale: true }, 0],
    [
      'a sale price equal to the price',
      { price: 10, discount_type: 'sale_price', sale_price_value: 10, participate_sale: true },
      10,
    ],
    ['100 percent off', { price: 9999999999.9999, sale_price_value: 100, participate_sale: true }, 0],
    ['0 percent off', { price: 9999999999.9999, sale_price_value: 0, participate_sale: true }, 9999999999.9999],
    ['a half rounded up', { price: 0.0001, sale_price_value: 50, participate_sale: true }, 0.0001],
    ['another half rounded up', { price: 10.0015, sale_price_value: 50, participate_sale: true }, 5.0008],
    [
      'a half that floating point would round down',
      { price: 1.0005, sale_price_value: 90, participate_sale: true },
      0.1001,
    ],
    ['just under a half rounded down', { price: 0.0001, sale_price_value: 50.0001, participate_sale: true }, 0],
    ['just over a half rounded up', { price: 0.0001, sale_price_value: 49.9999, participate_sale: true }, 0.0001],
    ['a sale of a third', { price: 19.99, sale_price_value: 33.3333, participate_sale: true }, 13.3267],
    [
      'a small percentage of a large price',
      { price: 9999999999.9999, sale_price_value: 0.0001, participate_sale: true },
      9999989999.9999,
    ],
  ];
  for (const [title, product, price] of prices)
    test(`default to the exact price: ${title}`, async () => {
      const made = await endless(store, product);
      const { items, total } = await placed(store, [orderItem(made, 1)]);
      assert.deepEqual([items[0].price, items[0].item_net_price, items[0].discounted_subtotal], [price, price, price]);
      assert.equal(total, price);
      const given = await placed(store, [orderItem(made, 1, { price: 1.2345 }), orderItem(made, 1, { price: 0 })]);
      assert.deepEqual(
        given.items.map((each: Json) => each.price),
        [1.2345, 0],
      );
    });
});

onEachDatabase('order surcharges', UNROUNDED, (store) => {
  let product: Json & { id: number };
  before(async () => {
    product = await endless(store, { price: 100 });
  });

  const defaults: [sent: Json, shown: Json][] = [
    ...['tax', 'discount', 'shipping', 'handling'].map((type): [Json, Json] => [
      { type, value: 0 },
      { type, code: type.toUpperCase(), name: type.toUpperCase(), value: 0, include: false, weight: 0 },
    ]),
    [
      { type: 'shipping', value: 4.5, code: 'ups' },
      { type: 'shipping', code: 'ups', name: 'ups', value: 4.5, include: false, weight: 0 },
    ],
    [
      { type: 'handling', value: 2, name: 'Gift wrap' },
      { type: 'handling', code: 'HANDLING', name: 'Gift wrap', value: 2, include: false, weight: 0 },
    ],
    [
      { type: 'tax', value: -0.0001, code: 'c'.repeat(128), name: '😀'.repeat(255), include: true, weight: 9 },
      { type: 'tax', value: -0.0001, code: 'c'.repeat(128), name: '😀'.repeat(255), include: true, weight: 9 },
    ],
    [
      { type: 'discount', value: -100 },
      { type: 'discount', code: 'DISCOUNT', name: 'DISCOUNT', value: -100, include: false, weight: 0 },
    ],
  ];
  for (const [sent, shown] of defaults)
    test(`have the defaults for ${JSON.stringify(sent).slice(0, 60)}`, async () => {
      const { surcharges } = await placed(store, [orderItem(product, 1)], { surcharges: [sent] });
      const [{ id, ...rest }] = surcharges;
      assert.ok(Number.isInteger(id));
      assert.deepEqual(Object.keys(surcharges[0]), outputNames('Surcharge'));
      assert.deepEqual(rest, whole('Surcharge', { ...shown, class: '', available: true }, 'id'));
      assert.equal(surcharges.length, 1);
    });

  test('are sorted by weight, then id', async () => {
    const weights = [5, 0, 10, 5, 0, 1, 10, 2, 5];
    const sent = weights.map((weight, index) => ({ type: 'tax', code: `C${index}`, value: index, weight }));
    const order = await placed(store, [orderItem(product, 1)], { surcharges: sent });
    const { surcharges } = order;
    const sorted = surcharges.toSorted((one: Ranked, other: Ranked) => one.weight - other.weight || one.id - other.id);
    assert.deepEqual(surcharges, sorted);
    assert.deepEqual(surcharges.map((each: Json) => each.code).sort(), sent.map(({ code }) => code).sort());
    assert.deepEqual((await orderAt(store, order.id)).surcharges, surcharges);
  });

  test('may be a hundred in one order', async () => {
    const surcharges = Array(100).fill({ type: 'handling', value: 0.0001 });
    const order = await placed(store, [orderItem(product, 1)], { surcharges });
    assert.deepEqual([order.surcharges.length, order.total], [100, 100.01]);
  });
});

interface Ranked {
  readonly id: number;
  readonly weight: number;
}

onEachDatabase('order totals', UNROUNDED, (store) => {
  const MAX = 9999999999.9999;
  type Sold = readonly [price: number, amount: number];
  type Extra = readonly [type: string, value: number, include?: boolean];
  let product: Json & { id: number };
  before(async () => {
    product = await endless(store);
  });
  const sell = (items: readonly Sold[], surcharges: readonly Extra[]) =>
    place(
      store,
      items.map(([price, amount]) => orderItem(product, amount, { price })),
      { surcharges: surcharges.map(([type, value, include = false]) => ({ type, value, include })) },
    );

  const exact: [title: string, items: Sold[], surcharges: Extra[], subTotal: string, total: string][] = [
    ['3 × 0.1', [[0.1, 3]], [], '0.3', '0.3'],
    [
      '0.1 + 0.2',
      [
        [0.1, 1],
        [0.2, 1],
      ],
      [],
      '0.3',
      '0.3',
    ],
    ['zero', [[0, 1000000]], [['tax', 0]], '0', '0'],
    ['a million of the smallest price', [[0.0001, 1000000]], [], '100', '100'],
    ['the maximum', [[MAX, 1]], [], '9999999999.9999', '9999999999.9999'],
    [
      'the maximum in two lines',
      [
        [9999999999.9998, 1],
        [0.0001, 1],
      ],
      [],
      '9999999999.9999',
      '9999999999.9999',
    ],
    ['the maximum with tax', [[9999999999.9998, 1]], [['tax', 0.0001]], '9999999999.9998', '9999999999.9999'],
    ['a full discount', [[10, 1]], [['discount', -10]], '10', '0'],
    [
      'a discount over the subtotal and a shipping charge',
      [[10, 1]],
      [
        ['discount', -15],
        ['shipping', 5.0001],
      ],
      '10',
      '0.0001',
    ],
    [
      'an included tax',
      [[10, 1]],
      [
        ['tax', 1.6, true],
        ['shipping', 5],
      ],
      '10',
      '15',
    ],
    ['an included discount', [[10, 1]], [['discount', -3, true]], '10', '10'],
    ['a negative tax', [[10, 1]], [['tax', -0.0001]], '10', '9.9999'],
    [
      'large and small prices',
      [
        [9999999.9999, 999],
        [0.0001, 7],
      ],
      [['handling', 0.3]],
      '9989999999.9008',
      '9990000000.2008',
    ],
  ];
  for (const [title, items, surcharges, subTotal, total] of exact)
    test(`are exact: ${title}`, async () => {
      const response = await sell(items, surcharges);
      assert.equal(response.status, 201, response.text);
      assert.ok(response.text.includes(`"total":${total},"sub_total":${subTotal},`), response.text);
    });

  const outside: [title: string, items: Sold[], surcharges: Extra[], path: 'items' | 'surcharges'][] = [
    ['twice the maximum', [[MAX, 2]], [], 'items'],
    [
      'the maximum and the smallest price',
      [
        [MAX, 1],
        [0.0001, 1],
      ],
      [],
      'items',
    ],
    ['a million times the maximum', [[MAX, 1_000_000]], [], 'items'],
    ['a thousand lines of a million times the maximum', Array(1000).fill([MAX, 1_000_000]), [], 'items'],
    ['an excess that a discount offsets', [[MAX, 2]], [['discount', -MAX]], 'items'],
    ['the maximum and the smallest tax', [[MAX, 1]], [['tax', 0.0001]], 'surcharges'],
    ['a hundred maximum charges', [[MAX, 1]], Array(100).fill(['shipping', MAX]), 'surcharges'],
    ['a discount just over the subtotal', [[10, 1]], [['discount', -10.0001]], 'surcharges'],
    ['a negative total by tax', [[0, 1]], [['tax', -0.0001]], 'surcharges'],
    ['a hundred maximum discounts', [[0, 1]], Array(100).fill(['discount', -MAX]), 'surcharges'],
  ];
  for (const [title, items, surcharges, path] of outside)
    test(`are rejected outside the range: ${title}`, () =>
      assertUnchanged(store, async () => assertBroken(await sell(items, surcharges), [path])));
});

onEachDatabase('addresses of orders', {}, (store) => {
  let product: Json & { id: number };
  before(async () => {
    product = await endless(store);
  });

  test('have a default for every field', async () => {
    const order = await placed(store, [orderItem(product, 1)], { billing_address: {}, shipping_address: {} });
    assert.deepEqual(order.billing_address, { ...EMPTY_ADDRESS, is_billing: true });
    assert.deepEqual(order.shipping_address, { ...EMPTY_ADDRESS, is_shipping: true });
    assert.deepEqual(Object.keys(order.billing_address), ADDRESS);
  });

  const members: [member: string, ...values: unknown[]][] = [
    ['is_billing', false, true],
    ['is_shipping', false, true],
    ['is_work', true],
    ['type', 'C', 'R'],
    ['country_code', 'DE', null],
    ['state', 5, null],
    ['zipcode', 'x'.repeat(32), ''],
    ...['title', 'firstname', 'lastname', 'company', 'phone', 'street', 'city', 'state_name'].map(
      (member): [string, ...unknown[]] => [member, ' as sent ', '😀'.repeat(255), ''],
    ),
    ['custom_fields', [], Array(50).fill({ name: 'Same', value: 'Same' })],
  ];
  for (const [member, ...values] of members)
    test(`store ${member} as sent`, async () => {
      for (const value of values) {
        const order = await placed(store, [orderItem(product, 1)], {
          billing_address: { [member]: value },
          shipping_address: { [member]: value },
        });
        assert.deepEqual(order.billing_address, { ...EMPTY_ADDRESS, is_billing: true, [member]: value });
        assert.deepEqual(order.shipping_address, { ...EMPTY_ADDRESS, is_shipping: true, [member]: value });
      }
    });

  test('treat the state 0 as null', async () => {
    const { billing_address } = await placed(store, [orderItem(product, 1)], { billing_address: { state: 0 } });
    assert.equal(billing_address.state, null);
  });
});

/** Order numbers with characters that are special in URLs, patterns and tables. */
const PRINTABLE = [
  '2024/1',
  '#1001',
  'No. 5 / 2024',
  '%2F',
  '50%',
  '?a=b&c',
  'ä',
  'a\u0308',
  '№ 7',
  '日本-1',
  '❤️',
  '😀'.repeat(64),
];

onEachDatabase('order numbers', {}, (store) => {
  let product: Json & { id: number };
  before(async () => {
    product = await endless(store);
  });
  const number = async (given?: string): Promise<string> =>
    (await placed(store, [orderItem(product, 1)], given === undefined ? {} : { order_number: given })).order_number;
  const next = async (): Promise<number> => {
    const text = await number();
    assert.match(text, /^[1-9]\d*$/);
    return Number(text);
  };

  test('increase with each order', async () => {
    const [one, two, three] = [await next(), await next(), await next()];
    assert.ok(one < two && two < three);
  });

  test('are stored as sent', async () => {
    for (const given of ['A', 'a', 'Web_2026-0001', '-', '_', '-5', 'x'.repeat(64), ...PRINTABLE])
      assert.equal(await number(given), given);
  });

  test('are compared exactly', async () => {
    await number('Exact');
    await number('exact');
    await assertUnchanged(store, async () =>
      assertViolations(await place(store, [orderItem(product, 1)], { order_number: 'Exact' }), [
        'order_number',
        'not_unique',
        USED,
      ]),
    );
  });

  test('with sent digits raise the next number', async () => {
    const given = (await next()) + 1000;
    await number(String(given));
    assert.ok((await next()) > given);
    const padded = (await next()) + 1000;
    assert.equal(await number(String(padded).padStart(12, '0')), String(padded).padStart(12, '0'));
    assert.ok((await next()) > padded);
  });

  test('with lower sent digits do not lower the next number', async () => {
    const current = (await next()) + 1000;
    await number(String(current));
    await number(String(current - 500));
    assert.ok((await next()) > current);
  });

  test('skip sent numbers that are just ahead', async () => {
    for (let round = 0; round < 5; round += 1) {
      const current = await next();
      for (const offset of [2, 1, 3]) await number(String(current + offset));
      assert.ok((await next()) > current + 3);
    }
  });

  test('are used once by concurrent requests', async () => {
    const responses = await times(20, () => place(store, [orderItem(product, 1)], { order_number: 'AT-ONCE' }));
    assert.deepEqual(statuses(responses), { 201: 1, 422: 19 });
    for (const response of responses)
      if (response.status === 422) assertViolations(response, ['order_number', 'not_unique', USED]);
    assert.equal(await countOrders(store, '&order_number=AT-ONCE'), 1);
  });

  test('are unique while others are sent', async () => {
    const current = await next();
    const responses = await times(40, (index) =>
      place(store, [orderItem(product, 1)], index % 2 ? {} : { order_number: String(current + 1 + index / 2) }),
    );
    for (const [index, { status, text }] of responses.entries()) {
      if (index % 2) assert.equal(status, 201, text);
      else assert.ok(status === 201 || status === 422, text);
    }
    const numbers = responses.filter(({ status }) => status === 201).map(({ json }) => json.order_number);
    assert.equal(new Set(numbers).size, numbers.length);
  });
});

onEachDatabase('very large order numbers', {}, (store) => {
  for (const given of ['9007199254740993', '9223372036854775807', '18446744073709551616', '9'.repeat(64)])
    test(`do not prevent later orders: ${given}`, async () => {
      const product = await endless(store);
      const response = await place(store, [orderItem(product, 1)], { order_number: given });
      assert.ok([201, 422].includes(response.status), response.text);
      if (response.status === 201) assert.equal(response.json.order_number, given);
      const later = await times(3, () => placed(store, [orderItem(product, 1)]));
      for (const { order_number } of later) assert.match(order_number, /^[A-Za-z0-9_-]{1,64}$/);
      assert.equal(new Set([given, ...later.map(({ order_number }) => order_number)]).size, 4);
    });
});

onEachDatabase('order paths', {}, (store) => {
  let order: HttpResponse['json'];
  before(async () => {
    order = await placed(store, [orderItem(await store.product(), 1)], { order_number: 'Number-1' });
  });

  test('return 404 for unknown and malformed ids', async () => {
    for (const id of ['0', '01', '1.0', '-1', 'abc', '1e0', 'Number-1', '9007199254740992', '%31%00'])
      assertProblem(await store.get(`/api/orders/${id}`), 404);
    assertProblem(await store.get('/api/orders/999999'), 404);
    assertProblem(await store.get('/api/orders/abc'), 404, /^Invalid identifier value or configuration\.$/);
    for (const method of ['GET', 'PATCH'])
      assertProblem(
        await store.request(method, '/api/orders/999999', { body: method === 'GET' ? undefined : {} }),
        404,
      );
  });

  test('return 404 for unknown numbers', async () => {
    assert.deepEqual((await store.get('/api/orders/by_number/Number-1')).json, order);
    for (const number of [
      'number-1',
      'Number-',
      'Number-11',
      'Number-1%20',
      'a%20b',
      `${order.id}0000`,
      'x'.repeat(65),
    ])
      assertProblem(await store.get(`/api/orders/by_number/${number}`), 404);
  });

  for (const number of PRINTABLE)
    test(`find the order by its number ${number.slice(0, 20)}`, async () => {
      const made = await placed(store, [orderItem(await store.product(), 1)], { order_number: number });
      const path = `/api/orders/by_number/${encodeURIComponent(number)}`;
      const [response, byId] = [await store.get(path), await store.get(`/api/orders/${made.id}`)];
      assert.deepEqual(response.json, made);
      assert.equal(response.headers.etag, byId.headers.etag);
      assert.equal((await store.request('HEAD', path)).headers.etag, byId.headers.etag);
      assert.equal((await store.get(path, { 'if-none-match': byId.headers.etag })).status, 304);
      const { json } = await store.get(path, { accept: 'application/ld+json' });
      assert.equal(json['@id'], `/api/orders/${made.id}`);
      const filtered = await store.get(`/api/orders?order_number=${encodeURIComponent(number)}`);
      assert.deepEqual(filtered.json, [made]);
    });

  test('require the percent sign of a number to be encoded', async () => {
    assertProblem(await store.get('/api/orders/by_number/2024/1'), 404);
    for (const number of ['%', '50%', '%E4', '%2', '%C3%28'])
      assertProblem(await store.get(`/api/orders/by_number/${number}`), 404);
  });

  const supported: Record<string, string[]> = {
    '/api/orders': ['GET', 'HEAD', 'POST'],
    '/api/orders/1': ['GET', 'HEAD', 'PATCH'],
    '/api/orders/by_number/Number-1': ['GET', 'HEAD'],
  };
  for (const [path, methods] of Object.entries(supported))
    test(`${path} supports ${methods.join(', ')} only`, () =>
      assertUnchanged(store, async () => {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          if (methods.includes(method)) continue;
          const body = method === 'GET' || method === 'HEAD' ? undefined : {};
          const response = await store.request(method, path, { body });
          assertProblem(response, 405);
          const allowed = response.headers.allow!.split(', ').filter((each) => each !== 'OPTIONS');
          assert.deepEqual(allowed.sort(), methods.toSorted(), method);
        }
      }));

  test('reject writes with a read-only key', () =>
    assertUnchanged(store, async () => {
      const path = `/api/orders/${order.id}`;
      const writes: [string, string, Json][] = [
        ['POST', '/api/orders', orderOf([{ product_id: order.items[0].product_id, amount: 1 }])],
        ['PATCH', path, { notes: 'Changed' }],
      ];
      for (const [method, target, body] of writes)
        assertProblem(await store.request(method, target, { key: READ_ONLY_KEY, body }), 403);
      for (const target of [path, '/api/orders', '/api/orders/by_number/Number-1'])
        assert.equal((await store.request('GET', target, { key: READ_ONLY_KEY })).status, 200);
      for (const target of [path, '/api/orders']) assertProblem(await store.request('GET', target, { key: null }), 401);
    }));
});

onEachDatabase('corrections of an order', {}, (store) => {
  let product: Json & { id: number };
  before(async () => {
    product = await store.product({ price: 5, amount: 1000 });
  });
  const fresh = (fields: Json = {}) => placed(store, [orderItem(product, 2)], fields);

  const corrected: [title: string, stored: Json, patch: Json, shown?: Json][] = [
    ['notes', {}, { notes: 'Call first' }],
    ['notes to an empty text', { notes: 'Old' }, { notes: '' }],
    ['admin_notes', {}, { admin_notes: 'Fraud?' }],
    ['email', {}, { email: 'other@example.com' }],
    ['shipping_method_name', {}, { shipping_method_name: 'By ship' }],
    ['shipping_method_name to null', { shipping_method_name: 'By ship' }, { shipping_method_name: null }],
    ['several fields at once', {}, { notes: 'N', admin_notes: 'A', email: 'x@y.z', shipping_method_name: 'S' }],
    ...(['billing_address', 'shipping_address'] as const).flatMap((addressField): [string, Json, Json, Json?][] => {
      const own = addressField === 'billing_address' ? { is_billing: true } : { is_shipping: true };
      return [
        [
          `${addressField} from null`,
          {},
          { [addressField]: { city: 'Rome' } },
          { [addressField]: { ...EMPTY_ADDRESS, ...own, city: 'Rome' } },
        ],
        [`${addressField} to null`, { [addressField]: FULL_ADDRESS }, { [addressField]: null }],
        [
          `one member of the ${addressField}`,
          { [addressField]: FULL_ADDRESS },
          { [addressField]: { city: 'Rome' } },
          { [addressField]: { ...FULL_ADDRESS, city: 'Rome' } },
        ],
        [
          `several members of the ${addressField}`,
          { [addressField]: FULL_ADDRESS },
          { [addressField]: { country_code: null, state: null, state_name: '', is_work: false, type: 'R' } },
          {
            [addressField]: {
              ...FULL_ADDRESS,
              country_code: null,
              state: null,
              state_name: '',
              is_work: false,
              type: 'R',
            },
          },
        ],
        [
          `all custom fields of the ${addressField}`,
          { [addressField]: FULL_ADDRESS },
          { [addressField]: { custom_fields: [{ name: 'Only', value: 'one' }] } },
          { [addressField]: { ...FULL_ADDRESS, custom_fields: [{ name: 'Only', value: 'one' }] } },
        ],
        [
          `the custom fields of the ${addressField} to an empty list`,
          { [addressField]: FULL_ADDRESS },
          { [addressField]: { custom_fields: [] } },
          { [addressField]: { ...FULL_ADDRESS, custom_fields: [] } },
        ],
      ];
    }),
  ];
  for (const [title, stored, patch, shown = patch] of corrected)
    test(`change ${title}`, async () => {
      const order = await fresh(stored);
      const path = `/api/orders/${order.id}`;
      const earlier = await store.get(path);
      const response = await store.patch(path, patch);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(response.json, { ...order, ...shown, update_date: response.json.update_date });
      assert.deepEqual(Object.keys(response.json), outputNames('Order'));
      assert.equal(versionOf(response), versionOf(earlier) + 1);
      const read = await store.get(path);
      assert.deepEqual([read.text, read.headers.etag], [response.text, response.headers.etag]);
      assert.equal(response.headers.location, undefined);
      // Repeating the change has no effect.
      await assertUnchanged(store, async () => assert.equal((await store.patch(path, patch)).text, response.text));
    });

  const events: [patch: Json, ...codes: string[]][] = [
    [{ email: 'new@example.com' }, 'ORDER EDITED'],
    [{ billing_address: { city: 'Bern' } }, 'ORDER EDITED'],
    [{ shipping_address: null }, 'ORDER EDITED'],
    [{ shipping_method_name: 'By foot' }, 'ORDER EDITED'],
  ];
  for (const [patch, ...codes] of events)
    test(`record ${JSON.stringify(patch)} in the history`, async () => {
      const { id } = await fresh({ shipping_address: {} });
      const added = await eventsOf(store, id, () => store.patch(`/api/orders/${id}`, patch));
      assert.deepEqual(
        added.map(({ code }) => code),
        codes,
      );
    });

  test('record both kinds of notes in the history with different codes', async () => {
    const { id } = await fresh();
    const one = await eventsOf(store, id, () => store.patch(`/api/orders/${id}`, { notes: 'N' }));
    const other = await eventsOf(store, id, () => store.patch(`/api/orders/${id}`, { admin_notes: 'A' }));
    assert.deepEqual([one.length, other.length], [1, 1]);
    assert.deepEqual([one[0]!.code, other[0]!.code].sort(), ['CHANGE CUSTOMER NOTES ORDER', 'CHANGE NOTES ORDER']);
  });

  test('advance update_date only on a change', async () => {
    const order = await fresh();
    const path = `/api/orders/${order.id}`;
    await nextSecond();
    assert.equal((await store.patch(path, { notes: '' })).json.update_date, order.update_date);
    const { json } = await store.patch(path, { notes: 'Later' });
    assert.ok(Date.parse(json.update_date) > Date.parse(order.update_date));
    assert.equal(json.create_date, order.create_date);
  });

  for (const type of ['application/json', 'application/merge-patch+json'])
    test(`accept the content type ${type}`, async () => {
      const { id } = await fresh();
      const response = await store.patch(`/api/orders/${id}`, { notes: type }, { 'content-type': type });
      assert.deepEqual([response.status, response.json.notes], [200, type]);
      assert.match(response.headers['accept-patch'] ?? '', /application\/merge-patch\+json/);
    });

  const unchanged: [title: string, patch: (order: HttpResponse['json'], text: string) => unknown][] = [
    ['an empty body', () => ({})],
    ['the whole order as read', (_, text) => text],
    ['an address without fields', () => ({ billing_address: {} })],
    ['null for an absent address', () => ({ shipping_address: null })],
    ['other totals and another update_date', () => ({ total: 0, sub_total: 0, update_date: '2000-01-01' })],
    ['its own id', ({ id }) => ({ id })],
    ...[
      'order_number',
      'items',
      'surcharges',
      'currency',
      'shipping_id',
      'customer_id',
      'create_date',
      'payment_status',
      'shipping_status',
    ].map((field): (typeof unchanged)[number] => [`the current ${field}`, (order) => ({ [field]: order[field] })]),
    ['the codes of the current statuses', () => ({ payment_status: 'A', shipping_status: 'P' })],
    ['the creation time in another time zone', () => ({ create_date: '2024-05-06T10:08:09+02:00' })],
  ];
  for (const [title, patch] of unchanged)
    test(`change nothing with ${title}`, async () => {
      const { id } = await fresh({
        billing_address: FULL_ADDRESS,
        surcharges: [
          { type: 'shipping', value: 3, weight: 2 },
          { type: 'tax', value: 1 },
        ],
        payment_status: 'A',
        shipping_status: 'P',
        customer_id: await newCustomer(store),
        create_date: '2024-05-06T08:08:09Z',
      });
      const path = `/api/orders/${id}`;
      await assertUnchanged(store, async () => {
        const read = await store.get(path);
        const response = await store.patch(path, patch(read.json, read.text));
        assert.equal(response.status, 200, response.text);
        assert.deepEqual([response.text, response.headers.etag], [read.text, read.headers.etag]);
      });
    });

  const rejected: [title: string, patch: Json, ...broken: Broken[]][] = [
    ['another number', { order_number: 'OTHER' }, ['order_number']],
    ['other items', { items: [{ product_id: 1, amount: 3 }] }, [/^items/]],
    ['no items', { items: [] }, [/^items/]],
    ['surcharges', { surcharges: [{ type: 'tax', value: 1 }] }, [/^surcharges/]],
    ['another currency', { currency: 'EUR' }, ['currency']],
    ['another shipping_id', { shipping_id: 5 }, ['shipping_id']],
    ['another customer', { customer_id: 5 }, ['customer_id']],
    ['another creation time', { create_date: '2020-01-01' }, ['create_date']],
    ['another payment status', { payment_status: 'P' }, ['payment_status']],
    ['another shipping status', { shipping_status: 'S' }, ['shipping_status']],
    ['another profile', { order_profile_id: 4 }, ['order_profile_id']],
    ['another stock status', { stock_status: 'increased' }, ['stock_status']],
    ['tracking numbers', { tracking_numbers: [5] }, ['tracking_numbers']],
    ['another id', { id: 999999 }, ['id']],
    ['an unknown field', { emial: 'x' }, ['emial', 'unknown_field', /email/]],
    [
      'an unknown field of an address',
      { billing_address: { citty: 'x' } },
      ['billing_address.citty', 'unknown_field', /city/],
    ],
    ['null for the email', { email: null }, ['email', 'null', NULL]],
    ['an invalid email', { email: 'nobody' }, ['email', 'format']],
    ['null for notes', { notes: null }, ['notes', 'null', NULL]],
    ['null for a city', { billing_address: { city: null } }, ['billing_address.city', 'null', NULL]],
    [
      'a long zipcode',
      { billing_address: { zipcode: '1'.repeat(33) } },
      ['billing_address.zipcode', 'too_long', tooLong(32)],
    ],
    ['a text for an address', { shipping_address: 'Rome' }, ['shipping_address', 'type']],
    [
      'a valid field with invalid ones',
      { notes: 'Good', email: 'bad', currency: 'EUR' },
      ['email', 'format'],
      ['currency'],
    ],
  ];
  for (const [title, patch, ...broken] of rejected)
    test(`reject ${title}`, async () => {
      const { id } = await fresh({ billing_address: FULL_ADDRESS });
      await assertUnchanged(store, async () => assertBroken(await store.patch(`/api/orders/${id}`, patch), ...broken));
    });

  test('check If-Match', async () => {
    const { id } = await fresh();
    const path = `/api/orders/${id}`;
    const { etag } = (await store.get(path)).headers;
    assert.equal((await store.patch(path, { notes: 'One' }, { 'if-match': etag })).status, 200);
    await assertUnchanged(store, async () => {
      const response = await store.patch(path, { notes: 'Two' }, { 'if-match': etag });
      assertProblem(response, 412);
      assert.equal(response.headers.etag, (await store.get(path)).headers.etag);
    });
    assertProblem(await store.patch('/api/orders/999999', { notes: 'Two' }, { 'if-match': '*' }), 404);
  });

  test('of different address fields at once are all stored', async () => {
    const { id } = await fresh({ billing_address: {}, shipping_address: {} });
    const members = ['title', 'firstname', 'lastname', 'company', 'phone', 'street', 'city', 'zipcode', 'state_name'];
    const responses = await Promise.all(
      members.flatMap((member) =>
        ['billing_address', 'shipping_address'].map((addressField) =>
          store.patch(`/api/orders/${id}`, { [addressField]: { [member]: member } }),
        ),
      ),
    );
    assert.deepEqual(statuses(responses), { 200: 18 });
    const all = Object.fromEntries(members.map((member) => [member, member]));
    const { billing_address, shipping_address } = await orderAt(store, id);
    assert.deepEqual(billing_address, { ...EMPTY_ADDRESS, is_billing: true, ...all });
    assert.deepEqual(shipping_address, { ...EMPTY_ADDRESS, is_shipping: true, ...all });
  });
});
