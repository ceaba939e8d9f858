/**
 * Variants and options of order lines: required choices, prices, and what is retained after the sale (orders.md §9).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertViolations } from '../support/expect.ts';
import {
  historyOf,
  orderAt,
  orderOf,
  place,
  placed,
  type Servers,
  startServers,
  statuses,
  stockOf,
  times,
  withStatus,
} from '../support/orders.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

type Option = readonly [attribute: string, value: string, modifier?: Json];

/** Creates a product with select attributes of several values with modifiers. @returns the option bodies by value */
async function chosen(store: Store, fields: Json, ...options: readonly Option[]) {
  const { product, path } = await varied(store, fields, {});
  const attributes: Record<string, { id: number; values: string }> = {};
  const bodies: Record<string, Json> = {};
  const at = `${path}/attributes_select`;
  for (const [name, text, modifier = {}] of options) {
    if (!attributes[name]) {
      const { id } = await store.made(at, { name, position: Object.keys(attributes).length });
      attributes[name] = { id, values: `${at}/${id}/values` };
    }
    const { id, values } = attributes[name];
    const option = await store.made(`${at}/${id}/options`, { value: text });
    const value = await store.made(values, { option_id: option.id, ...modifier });
    bodies[text] = { attribute_id: id, value_id: value.id };
  }
  return { product, path, bodies };
}

const by = (modifier: number, type = 'percent', more: Json = {}): Json => ({
  price_modifier: modifier,
  price_modifier_type: type,
  ...more,
});

const NO_EFFECT = {
  price_modifier: 0,
  price_modifier_type: 'percent',
  weight_modifier: 0,
  weight_modifier_type: 'percent',
  price_effect: 0,
};

onEachDatabase('options of order lines', {}, (store) => {
  test('change the price exactly: 19.99, +10 %, −2.50, 15 % off', async () => {
    const { product, bodies } = await chosen(
      store,
      { price: 19.99, participate_sale: true, discount_type: 'sale_percent', sale_price_value: 15 },
      ...([
        ['Cloth', 'linen', by(10)],
        ['Cloth', 'cotton'],
        ['Box', 'none', by(-2.5, 'absolute')],
        ['Box', 'gift'],
      ] satisfies Option[]),
    );
    const options = [bodies.linen, bodies.none];
    const { items, total } = await placed(store, [{ product_id: product.id, amount: 3, options }]);
    assert.equal(items[0].price, 16.57);
    assert.equal(items[0].discounted_subtotal, 49.71);
    assert.equal(total, 49.71);
    assert.deepEqual(items[0].options, [
      {
        attribute_id: bodies.linen!.attribute_id,
        name: 'Cloth',
        value_id: bodies.linen!.value_id,
        value: 'linen',
        ...NO_EFFECT,
        price_modifier: 10,
        price_effect: 1.999,
      },
      {
        attribute_id: bodies.none!.attribute_id,
        name: 'Box',
        value_id: bodies.none!.value_id,
        value: 'none',
        ...NO_EFFECT,
        price_modifier: -2.5,
        price_modifier_type: 'absolute',
        price_effect: -2.5,
      },
    ]);
  });

  const prices: [name: string, fields: Json, options: readonly Option[], currency: string, price: number][] = [
    [
      'no chosen option',
      { price: 9.9999 },
      [
        ['A', 'a1'],
        ['A', 'a2'],
      ],
      'USD',
      9.9999,
    ],
    [
      'a modifier of 0',
      { price: 9.9999 },
      [
        ['A', 'a1', by(0)],
        ['A', 'a2'],
      ],
      'USD',
      9.9999,
    ],
    [
      'an absolute modifier',
      { price: 9.9999 },
      [
        ['A', 'a1', by(0.0001, 'absolute')],
        ['A', 'a2'],
      ],
      'USD',
      10,
    ],
    [
      'a half that is rounded up',
      { price: 1 },
      [
        ['A', 'a1', by(0.005, 'absolute')],
        ['A', 'a2'],
      ],
      'USD',
      1.01,
    ],
    [
      'a currency without decimals',
      { price: 100 },
      [
        ['A', 'a1', by(0.5)],
        ['A', 'a2'],
      ],
      'JPY',
      101,
    ],
    [
      'a currency with three decimals',
      { price: 1 },
      [
        ['A', 'a1', by(0.0005, 'absolute')],
        ['A', 'a2'],
      ],
      'KWD',
      1.001,
    ],
    [
      'a percentage of the price before the sale',
      { price: 100, participate_sale: true, discount_type: 'sale_price', sale_price_value: 50 },
      [
        ['A', 'a1', by(10)],
        ['A', 'a2'],
      ],
      'USD',
      60,
    ],
    [
      'a price of 0',
      { price: 5 },
      [
        ['A', 'a1', by(-100)],
        ['A', 'a2'],
      ],
      'USD',
      0,
    ],
  ];
  for (const [name, fields, options, currency, price] of prices)
    test(`have the exact price: ${name}`, async () => {
      const { product, bodies } = await chosen(store, fields, ...options);
      const { items } = await placed(store, [{ product_id: product.id, amount: 1, options: [bodies.a1] }], {
        currency,
      });
      assert.equal(items[0].price, price);
    });

  test('cannot make the price negative unless a price is sent', async () => {
    const { product, bodies } = await chosen(store, { price: 5 }, ['A', 'a1', by(-5.01, 'absolute')], ['A', 'a2']);
    const item = { product_id: product.id, amount: 1, options: [bodies.a1] };
    assertViolations(await place(store, [item]), ['items[0].options', 'range', /costs -0.01/]);
    const { items } = await placed(store, [{ ...item, price: 3.1234 }]);
    assert.deepEqual([items[0].price, items[0].options[0].price_effect], [3.1234, -5.01]);
  });

  test('change the weight, which is at least 0', async () => {
    const heavy = { weight_modifier: 50, weight_modifier_type: 'percent' };
    const light = { weight_modifier: -3, weight_modifier_type: 'absolute' };
    const { product, bodies } = await chosen(store, { weight: 1.5 }, ['A', 'h', heavy], ['A', 'l', light]);
    const weigh = async (option: string) =>
      (await placed(store, [{ product_id: product.id, amount: 2, options: [bodies[option]] }])).items[0].weight;
    assert.deepEqual([await weigh('h'), await weigh('l')], [2.25, 0]);
  });

  test("are the customer's choice or the default", async () => {
    const { product, path, bodies } = await chosen(
      store,
      {},
      ['Size', 'S', by(1, 'absolute')],
      ['Size', 'M', by(2, 'absolute', { is_default: true })],
      ['Size', 'L'],
    );
    const item = { product_id: product.id, amount: 1 };
    const values = async (options?: readonly (Json | undefined)[]) =>
      (await placed(store, [{ ...item, ...(options ? { options } : {}) }])).items[0].options.map(
        ({ value }: { value: string }) => value,
      );
    assert.deepEqual(await values(), ['M']);
    assert.deepEqual(await values([bodies.S]), ['S']);
    const at = `${path}/attributes_select/${bodies.M!.attribute_id}/values/${bodies.M!.value_id}`;
    await store.patch(at, { is_default: false });
    assertViolations(await place(store, [item]), ['items[0].options', 'required', /"Size" \(attribute_id \d+\)/]);
    const assertRejected = async (option: Json, ...[member, code]: [string, string]) =>
      assertViolations(await place(store, [{ ...item, options: [option] }]), [`items[0].options[0].${member}`, code]);
    await assertRejected({ ...bodies.M, value_id: 999999 }, 'value_id', 'unknown_link');
    await assertRejected({ attribute_id: bodies.M!.attribute_id } as Json, 'value_id', 'unknown_link');
    await assertRejected({ ...bodies.M, name: 'Other' }, 'name', 'read_only');
    await assertRejected({ ...bodies.M, colour: 'red' }, 'colour', 'unknown_field');
    assertViolations(await place(store, [{ ...item, options: [bodies.S, bodies.M] }]), [
      'items[0].options[1].attribute_id',
      'not_unique',
    ]);
    assertViolations(await place(store, [{ ...item, options: [bodies.S, { attribute_id: 999999, value_id: 1 }] }]), [
      'items[0].options[1].attribute_id',
      'unknown_link',
    ]);
  });

  test('of an attribute with one value cannot be chosen and change no price', async () => {
    const { product, bodies } = await chosen(store, { price: 5 }, ['A', 'only', by(50)]);
    const { items } = await placed(store, [{ product_id: product.id, amount: 1, options: [bodies.only] }]);
    assert.deepEqual([items[0].price, items[0].options], [5, []]);
  });

  test('include checkboxes and texts that the customer writes', async () => {
    const { product, path } = await chosen(store, { price: 10 });
    const gift = (await store.made(`${path}/attributes_checkbox`, { name: 'Gift', position: 1 })).id;
    const yes = await store.made(`${path}/attributes_checkbox/${gift}/values`, { value: true, ...by(1.5, 'absolute') });
    await store.made(`${path}/attributes_checkbox/${gift}/values`, { value: false, is_default: true });
    const card = (await store.made(`${path}/attributes_text`, { name: 'Card', position: 2 })).id;
    await store.made(`${path}/attributes_text/${card}/values`, { value: 'Best wishes', editable: true });
    const care = (await store.made(`${path}/attributes_text`, { name: 'Care' })).id;
    await store.made(`${path}/attributes_text/${care}/values`, { value: 'Wash cold' });
    const item = { product_id: product.id, amount: 1 };
    const plain = (await placed(store, [item])).items[0];
    assert.deepEqual(
      plain.options.map(({ value }: Json) => value),
      ['No', 'Best wishes'],
    );
    assert.equal(plain.price, 10);
    const options = [
      { attribute_id: card, text: 'For Ada' },
      { attribute_id: gift, value_id: yes.id },
    ];
    const line = (await placed(store, [{ ...item, options }])).items[0];
    assert.deepEqual(
      line.options.map(({ value }: Json) => value),
      ['Yes', 'For Ada'],
    );
    assert.deepEqual([line.price, line.options[1].value_id], [11.5, null]);
    // An order that was read can be sent again.
    const again = (await placed(store, [{ ...item, options: line.options }])).items[0];
    assert.deepEqual(again.options, line.options);
    assertViolations(await place(store, [{ ...item, options: [{ attribute_id: card }] }]), [
      'items[0].options[0].text',
      'required',
    ]);
    assertViolations(await place(store, [{ ...item, options: [{ attribute_id: card, text: 'x'.repeat(4001) }] }]), [
      'items[0].options[0].text',
      'too_long',
    ]);
    // Every field of an option is checked.
    const both = [
      { attribute_id: card, text: 'For Ada', value_id: yes.id },
      { attribute_id: gift, value_id: yes.id, text: 'For Ada' },
    ];
    assertViolations(
      await place(store, [{ ...item, options: both }]),
      ['items[0].options[0].value_id', 'contradiction'],
      ['items[0].options[1].text', 'contradiction'],
    );
    assertViolations(await place(store, [{ ...item, options: [{ attribute_id: care, text: 'x' }] }]), [
      'items[0].options[0].attribute_id',
      'unknown_link',
    ]);
  });

  test('are retained as they were sold', async () => {
    const { product, path, bodies } = await chosen(store, { price: 10 }, ['Size', 'S', by(10)], ['Size', 'M']);
    const order = await placed(store, [{ product_id: product.id, amount: 1, options: [bodies.S] }]);
    const attribute = `${path}/attributes_select/${bodies.S!.attribute_id}`;
    await store.patch(attribute, { name: 'Width' });
    await store.patch(`${attribute}/values/${bodies.S!.value_id}`, { price_modifier: 99 });
    assert.deepEqual((await orderAt(store, order.id)).items, order.items);
    await store.delete(attribute);
    assert.deepEqual((await orderAt(store, order.id)).items, order.items);
  });
});

onEachDatabase('order lines with variants', {}, (store) => {
  const sell = (fields: Json) => placed(store, [{ amount: 1, ...fields }]).then(({ items }) => items[0]);

  test('name the variant by id or SKU and retain what was sold', async () => {
    const shirt = await varied(store, { price: 20, weight: 1 });
    const red = await madeVariant(store, shirt, ['M', 'red'], { sku: 'LINE-RED', price: 25, weight: 2 });
    const blue = await madeVariant(store, shirt, ['M', 'blue']);
    const byId = await sell({ variant: red.id });
    assert.deepEqual(
      [byId.variant, byId.product_id, byId.sku, byId.price, byId.weight],
      [red.id, shirt.product.id, 'LINE-RED', 25, 2],
    );
    const options = byId.options.map(({ name, value, price_effect }: Json) => [name, value, price_effect]);
    assert.deepEqual(options, [
      ['Size', 'M', 0],
      ['Colour', 'red', 0],
    ]);
    const bySku = await sell({ sku: 'LINE-RED' });
    assert.deepEqual(bySku, { ...byId, id: bySku.id, update_date: bySku.update_date });
    const other = await sell({ variant: blue.id, product_id: shirt.product.id });
    assert.deepEqual([other.sku, other.price, other.weight], [shirt.product.sku, 20, 1]);
    const order = await placed(store, [{ variant: red.id, amount: 1 }]);
    await store.delete(`${shirt.variants}/${red.id}`);
    const after = await orderAt(store, order.id);
    assert.deepEqual(after.items, [{ ...order.items[0], variant: null }]);
  });

  test('require a variant if the product has variants', async () => {
    const shirt = await varied(store);
    const item = { product_id: shirt.product.id, amount: 1 };
    await madeVariant(store, shirt, ['M'], { sku: 'ONE-M' });
    const other = await varied(store);
    assertViolations(await place(store, [item]), ['items[0].variant', 'required']);
    assertViolations(await place(store, [{ variant: 999999, amount: 1 }]), ['items[0].variant', 'unknown_link']);
    assertViolations(await place(store, [{ sku: 'ONE-M', product_id: other.product.id, amount: 1 }]), [
      'items[0].sku',
      'conflict',
    ]);
  });

  test('have the options of the variant and additional ones', async () => {
    const shirt = await varied(store, { price: 10 });
    const { S, M, red } = shirt.values;
    const medium = await madeVariant(store, shirt, ['M']);
    await store.patch(`${shirt.path}/attributes_select/${shirt.attributes.Size}/values/${M}`, by(50));
    await store.patch(`${shirt.path}/attributes_select/${shirt.attributes.Colour}/values/${red}`, by(1, 'absolute'));
    const size = { attribute_id: shirt.attributes.Size };
    const colour = { attribute_id: shirt.attributes.Colour, value_id: red };
    const sold = await sell({ variant: medium.id, options: [colour, { ...size, value_id: M }] });
    assert.equal(sold.price, 11);
    assertViolations(
      await place(store, [{ variant: medium.id, amount: 1, options: [colour, { ...size, value_id: S }] }]),
      ['items[0].options[1].value_id', 'conflict'],
    );
    assertViolations(await place(store, [{ variant: medium.id, amount: 1 }]), ['items[0].options', 'required']);
  });

  test('take stock from the variant or from the product if the variant has none', async () => {
    const shirt = await varied(store, { amount: 10 });
    const own = await madeVariant(store, shirt, ['M', 'red'], { amount: 3, sku: 'OWN-M' });
    const shared = await madeVariant(store, shirt, ['S', 'red']);
    const amounts = async () => [
      (await store.get(`${shirt.variants}/${own.id}`)).json.amount,
      await stockOf(store, shirt.product),
    ];
    const items = [
      { variant: own.id, amount: 2 },
      { variant: shared.id, amount: 4 },
    ];
    const order = await placed(store, items);
    assert.deepEqual(await amounts(), [1, 6]);
    const moved = (await historyOf(store, order.id)).find(({ code }) => code === 'CHANGE PRODUCT AMOUNT')!;
    assert.match(moved.description, /OWN-M/);
    assertViolations(await place(store, [{ variant: own.id, amount: 2 }]), [
      'items[0].amount',
      'range',
      /1 unit available/,
    ]);
    await withStatus(store, order.id, 'payment', 'C');
    assert.deepEqual(await amounts(), [3, 10]);
    await withStatus(store, order.id, 'payment', 'P');
    assert.deepEqual(await amounts(), [1, 6]);
    // Units return to where the stock is counted now.
    await store.patch(`${shirt.variants}/${shared.id}`, { amount: 0 });
    await withStatus(store, order.id, 'payment', 'C');
    assert.deepEqual(await amounts(), [3, 6]);
    assert.equal((await store.get(`${shirt.variants}/${shared.id}`)).json.amount, 4);
  });

  test('restore no stock of a deleted variant unless the product counts it', async () => {
    const shirt = await varied(store, { amount: 10 });
    const own = await madeVariant(store, shirt, ['M'], { amount: 3 });
    const shared = await madeVariant(store, shirt, ['S']);
    const colour = { attribute_id: shirt.attributes.Colour, value_id: shirt.values.red };
    const items = [own, shared].map(({ id }) => ({ variant: id, amount: 2, options: [colour] }));
    const order = await placed(store, items);
    for (const { id } of [own, shared]) await store.delete(`${shirt.variants}/${id}`);
    await withStatus(store, order.id, 'payment', 'C');
    assert.equal(await stockOf(store, shirt.product), 10);
  });

  test('apply the backorder limit of the product to each variant', async () => {
    const shirt = await varied(store, { amount: 0, available_for_backorder: true, backorder_limit: 2 });
    const red = await madeVariant(store, shirt, ['M', 'red'], { amount: 1 });
    const order = await placed(store, [{ variant: red.id, amount: 3 }]);
    assert.deepEqual([order.items[0].backordered_amount, order.shipping_status.code], [2, 'NBA']);
    assertViolations(await place(store, [{ variant: red.id, amount: 1 }]), ['items[0].amount', 'range']);
  });

  test('sell the last unit of a variant once to concurrent buyers', async () => {
    const shirt = await varied(store, { amount: 0 });
    const red = await madeVariant(store, shirt, ['M', 'red'], { amount: 5, sku: 'LAST-RED' });
    const blue = await madeVariant(store, shirt, ['M', 'blue'], { amount: 5 });
    const buyers = Array.from({ length: 24 }, (_, index) => {
      const items = [
        { variant: blue.id, amount: 1 },
        { sku: 'LAST-RED', amount: 1 },
      ];
      return place(store, index % 2 ? items : items.toReversed());
    });
    const restocked = store.post(`${shirt.variants}/${red.id}/stock`, { delta: 1 });
    const responses = await Promise.all(buyers);
    assert.equal((await restocked).status, 200);
    assert.ok(responses.every(({ status }) => status === 201 || status === 422));
    const left = async (id: number) => (await store.get(`${shirt.variants}/${id}`)).json.amount;
    const sold = responses.filter(({ status }) => status === 201).length;
    assert.deepEqual([await left(blue.id), await left(red.id)], [5 - sold, 6 - sold]);
  });
});

describe('three server processes on one PostgreSQL', () => {
  let servers: Servers;
  before(async () => {
    servers = await startServers('postgres', 3);
  });
  after(() => servers.stop());

  const made = async (path: string, body: Json) => {
    const response = await servers.send(0, 'POST', path, { body });
    assert.equal(response.status, 201, response.text);
    return response.json;
  };

  test('sell each unit of a variant once without blocking buyers of another', async () => {
    const product = await made('/api/products', { sku: 'SHIRT', name: 'Shirt', amount: 0 });
    const path = `/api/products/${product.id}`;
    const colour = await made(`${path}/attributes_select`, { name: 'Colour' });
    const variants = [];
    for (const value of ['red', 'blue']) {
      const option = await made(`${path}/attributes_select/${colour.id}/options`, { value });
      const body = { option_id: option.id };
      const { id } = await made(`${path}/attributes_select/${colour.id}/values`, body);
      const amount = value === 'red' ? 10 : 100;
      variants.push(await made(`${path}/variants`, { attribute_select_values: [id], amount }));
    }
    const items = variants.map(({ id }) => ({ variant: id, amount: 1 }));
    const responses = await times(60, (index) =>
      servers.send(index, 'POST', '/api/orders', { body: orderOf(index % 2 ? items : items.toReversed()) }),
    );
    assert.deepEqual(statuses(responses), { 201: 10, 422: 50 });
    const left = await Promise.all(
      variants.map(({ id }, index) => servers.send(index, 'GET', `${path}/variants/${id}`)),
    );
    assert.deepEqual(
      left.map(({ json }) => json.amount),
      [0, 90],
    );
  });

  test('sell the last unit of a variant to one of 100 buyers', async () => {
    const product = await made('/api/products', { sku: 'LAST', name: 'Shirt', amount: 50 });
    const path = `/api/products/${product.id}`;
    const size = await made(`${path}/attributes_select`, { name: 'Size' });
    const option = await made(`${path}/attributes_select/${size.id}/options`, { value: 'M' });
    const value = await made(`${path}/attributes_select/${size.id}/values`, { option_id: option.id });
    const red = await made(`${path}/variants`, { attribute_select_values: [value.id], amount: 1 });
    const read = async (server: number, at: string) => {
      const response = await servers.send(server, 'GET', at);
      assert.equal(response.status, 200, response.text);
      return response;
    };
    const ordersBefore = Number((await read(0, '/api/orders')).headers['x-total-count']);
    const start = (await read(0, '/api/changes?after=now')).headers['changes-cursor'];
    const body = orderOf([{ variant: red.id, amount: 1 }]);
    const responses = await times(100, (index) => servers.send(index, 'POST', '/api/orders', { body }));
    assert.deepEqual(statuses(responses), { 201: 1, 422: 99 });
    for (const response of responses)
      if (response.status === 422) assertViolations(response, ['items[0].amount', 'range']);
    const sold = responses.find(({ status }) => status === 201)!.json;
    const history = (await read(0, `/api/orders/${sold.id}/history`)).json;
    assert.equal(history.filter(({ code }: { code: string }) => code === 'CHANGE PRODUCT AMOUNT').length, 1);
    for (const server of [0, 1, 2]) {
      assert.equal((await read(server, `${path}/variants/${red.id}`)).json.amount, 0);
      assert.equal((await read(server, path)).json.amount, 50, 'the product has its own stock');
      assert.equal(Number((await read(server, '/api/orders')).headers['x-total-count']), ordersBefore + 1);
      const options = (await read(server, `/api/changes?after=${start}&resource[]=Order`)).json;
      assert.deepEqual(
        options.map(({ id, action }: Json) => [id, action]),
        [[sold.id, 'created']],
      );
    }
  });
});
