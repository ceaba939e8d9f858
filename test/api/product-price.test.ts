/** Prices of products and variants for a buyer, without an order (pricing.md §5). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { assertBroken } from '../support/orders.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY, type Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

/** JSON of a response. */
type Output = HttpResponse['json'];

const NO_SUCH = 999_999;
const LD_JSON = { accept: 'application/ld+json' };

/** Reads a price and asserts 200. @param path of the product or variant */
async function priceAt(
  store: Store,
  path: string,
  query: Readonly<Record<string, string | number>> = {},
): Promise<Output> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await store.get(`${path}/price?${parameters}`);
  assert.equal(response.status, 200, response.text);
  return response.json;
}

/** Creates a product and a sale discount that matches only this product. @returns its path and the id of the discount */
async function discounted(store: Store, fields: Json, discount: Json): Promise<{ path: string; sale: number }> {
  const { id } = await store.product(fields);
  const body = { name: 'Sale', specific_products: true, products: [id], ...discount };
  const sale = (await store.made('/api/sale_discounts', body)).id;
  return { path: `/api/products/${id}`, sale };
}

let attributes = 0;

/** Adds a select attribute with two values to a product; the first is the default. */
async function withDefault(store: Store, path: string, modifier: number, type: string): Promise<void> {
  attributes += 1;
  const { id } = await store.made(`${path}/attributes_select`, { name: `Attribute ${attributes}` });
  for (const is_default of [true, false]) {
    const option = await store.made(`${path}/attributes_select/${id}/options`, { value: `Default: ${is_default}` });
    const price_modifier = is_default ? modifier : 100;
    const value = { option_id: option.id, is_default, price_modifier, price_modifier_type: type };
    await store.made(`${path}/attributes_select/${id}/values`, value);
  }
}

onEachDatabase('prices of products', {}, (store) => {
  let gold: number;
  let customer: number;
  before(async () => {
    gold = (await store.made('/api/memberships', { name: 'Gold' })).id;
    customer = (await store.made('/api/profiles', { login: 'gold@example.com', membership_id: gold })).id;
  });

  test('are those of the product without discounts, taxes and options', async () => {
    const { id } = await store.product({ price: 12.5 });
    assert.deepEqual(await priceAt(store, `/api/products/${id}`, { quantity: 3 }), {
      ...{ price: 12.5, regular_price: 12.5, quantity: 3, subtotal: 37.5, discounts: [], taxes: [] },
      ...{ net: 37.5, gross: 37.5, currency: 'USD', wholesale_price_id: null, sale_discount_id: null },
      ...{ tiers: [{ quantity: 1, price: 12.5 }], explanation: null },
    });
  });

  test('are the lowest of sale discounts and wholesale prices, with tiers (example 1)', async () => {
    const { path, sale } = await discounted(store, { price: 100 }, { value: 10 });
    const rows: Record<string, number> = {};
    for (const [name, row] of Object.entries({
      all: { price: 90, quantity_range_begin: 10 },
      gold: { price: 85, quantity_range_begin: 10, membership: gold },
      percent: { type: 'percent', price: 20, quantity_range_begin: 50 },
    }))
      rows[name] = (await store.made(`${path}/wholesale_prices`, row)).id;
    const found = async (quantity: number, buyer: Record<string, number> = {}): Promise<Output> => {
      const { price, regular_price, sale_discount_id, wholesale_price_id } = await priceAt(store, path, {
        quantity,
        ...buyer,
      });
      assert.equal(regular_price, 100);
      return [price, sale_discount_id, wholesale_price_id];
    };
    assert.deepEqual(await found(10), [90, sale, null]);
    assert.deepEqual(await found(10, { membership: 0 }), [90, sale, null]);
    assert.deepEqual(await found(10, { membership: gold }), [85, null, rows.gold]);
    assert.deepEqual(await found(10, { customer }), [85, null, rows.gold]);
    assert.deepEqual(await found(50), [80, null, rows.percent]);
    const tiersOf = async (buyer: Record<string, number>): Promise<Output> =>
      (await priceAt(store, path, buyer)).tiers.map(({ quantity, price }: Output) => [quantity, price]);
    assert.deepEqual(await tiersOf({}), [
      [1, 90],
      [50, 80],
    ]);
    assert.deepEqual(await tiersOf({ membership: gold, quantity: 20 }), [
      [1, 90],
      [10, 85],
      [50, 80],
    ]);

    await store.patch(`/api/sale_discounts/${sale}`, { apply_to_wholesale: true });
    assert.deepEqual(await found(10), [81, sale, rows.all]);
    assert.deepEqual(await found(10, { membership: gold }), [76.5, sale, rows.gold]);
    assert.deepEqual(await found(50), [72, sale, rows.percent]);
  });

  test('include the default options and the own sale (example 2)', async () => {
    const sale = { participate_sale: true, discount_type: 'sale_percent', sale_price_value: 15 };
    const { id } = await store.product({ price: 19.99, ...sale });
    const path = `/api/products/${id}`;
    await withDefault(store, path, 10, 'percent');
    await withDefault(store, path, -2.5, 'absolute');
    const without = await priceAt(store, path, { quantity: 3 });
    assert.deepEqual([without.price, without.regular_price, without.subtotal], [16.57, 19.49, 49.71]);
    await store.made(`${path}/wholesale_prices`, { price: 15, quantity_range_begin: 3 });
    const { price, subtotal, tiers } = await priceAt(store, path, { quantity: 3 });
    assert.deepEqual([price, subtotal], [14.5, 43.5]);
    assert.deepEqual(tiers, [
      { quantity: 1, price: 16.57 },
      { quantity: 3, price: 14.5 },
    ]);
  });

  test('leave out attributes without a default', async () => {
    const { path } = await varied(store, { price: 20 });
    assert.equal((await priceAt(store, path)).price, 20);
  });

  test('of a variant have its price, rows and sale, without the modifiers of its own values', async () => {
    const shirt = await varied(store, { price: 20 });
    for (const value of ['S', 'red'])
      await store.patch(
        `${shirt.path}/attributes_select/${shirt.attributes[value === 'S' ? 'Size' : 'Colour']}/values/${shirt.values[value]}`,
        { price_modifier: 50, is_default: true },
      );
    await withDefault(store, shirt.path, 1, 'absolute');
    const variant = await madeVariant(store, shirt, ['S', 'red'], { price: 30 });
    const path = `${shirt.variants}/${variant.id}`;
    const row = await store.made(`${path}/wholesale_prices`, { price: 25, quantity_range_begin: 2 });
    const { price, tiers, wholesale_price_id } = await priceAt(store, path, { quantity: 2 });
    assert.deepEqual([price, wholesale_price_id], [26, row.id]);
    assert.deepEqual(tiers, [
      { quantity: 1, price: 31 },
      { quantity: 2, price: 26 },
    ]);
    // The product alone has 20 + 10 + 10 + 1.
    assert.equal((await priceAt(store, shirt.path)).price, 41);
    const other = await varied(store);
    assertProblem(await store.get(`${other.variants}/${variant.id}/price`), 404);
    assertProblem(await store.get(`${shirt.variants}/${NO_SUCH}/price`), 404);
    const { json } = await store.get(`${path}/price`, LD_JSON);
    assert.deepEqual([json['@id'], json['@type']], [`${path}/price`, 'VariantPrice']);
  });

  test('have the volume discount and a coupon that applies', async () => {
    const { id } = await store.product({ price: 100 });
    const path = `/api/products/${id}`;
    const volume = await store.made('/api/volume_discounts', { value: 5, subtotal_range_begin: 200_000 });
    const body = { code: 'SPRING10', value: 10, specific_products: true, products: [id] };
    const coupon = await store.made('/api/coupons', body);
    const ofCoupon = (value: number) => ({ kind: 'coupon', id: coupon.id, code: 'SPRING10', value, shares: [value] });
    const found = async (query: Record<string, string | number>): Promise<Output> => {
      const { discounts, subtotal, net, gross } = await priceAt(store, path, query);
      return { discounts, amounts: [subtotal, net, gross] };
    };
    assert.deepEqual(await found({ coupon: 'SPRING10' }), { discounts: [ofCoupon(10)], amounts: [100, 90, 90] });
    assert.deepEqual(await found({ coupon: 'spring10' }), { discounts: [ofCoupon(10)], amounts: [100, 90, 90] });
    assert.deepEqual(await found({ coupon: 'SPRING10', quantity: 2000 }), {
      discounts: [
        { kind: 'volume_discount', id: volume.id, code: null, value: 10_000, shares: [10_000] },
        ofCoupon(20_000),
      ],
      amounts: [200_000, 170_000, 170_000],
    });
    const without = { discounts: [], amounts: [100, 100, 100] };
    for (const change of [{ total_range_begin: 100.01 }, { total_range_begin: 0, enabled: false }]) {
      await store.patch(`/api/coupons/${coupon.id}`, change);
      assert.deepEqual(await found({ coupon: 'SPRING10' }), without);
    }
    const { explanation } = await priceAt(store, path, { coupon: 'SPRING10', explain: 'true' });
    const reason = explanation.find(({ kind }: Output) => kind === 'coupon');
    assert.deepEqual(reason, {
      ...{ scope: 'order', kind: 'coupon', id: coupon.id, value: null, won: false, reason: 'disabled' },
    });
  });

  test('are explained on request', async () => {
    const { path, sale } = await discounted(store, { price: 100 }, { value: 10, memberships: [gold] });
    const reasons = async (query: Record<string, string | number>): Promise<Output> =>
      (await priceAt(store, path, query)).explanation
        .filter(({ kind, id }: Output) => kind === 'regular' || (kind === 'sale_discount' && id === sale))
        .map(({ kind, value, won, reason }: Output) => [kind, value, won, reason]);
    assert.deepEqual(await reasons({ explain: 1 }), [
      ['regular', 100, true, 'won'],
      ['sale_discount', null, false, 'membership'],
    ]);
    assert.deepEqual(await reasons({ explain: '', membership: gold }), [
      ['regular', 100, false, 'higher_price'],
      ['sale_discount', 90, true, 'won'],
    ]);
    assert.equal((await priceAt(store, path, { explain: 'false' })).explanation, null);
  });

  test('are those of a point in time', async () => {
    const { path } = await discounted(
      store,
      { price: 100 },
      { value: 25, date_range_begin: '2050-01-01T00:00:00Z', date_range_end: '2050-02-01T00:00:00Z' },
    );
    for (const [at, price] of [
      ['2049-12-31T23:59:59Z', 100],
      ['2050-01-01T00:00:00Z', 75],
      ['2050-01-01T00:30:00+01:00', 100],
      ['2050-01-15', 75],
      ['2050-02-01T00:00:00Z', 100],
    ] as const)
      assert.equal((await priceAt(store, path, { at })).price, price, at);
    assert.equal((await priceAt(store, path)).price, 100);
    assert.equal((await store.get(`${path}/price?at=2050-01-01T01:00:00+01:00`)).json.price, 75);
  });

  test('ignore a disabled membership and the memberships of the product', async () => {
    const { id } = await store.made('/api/memberships', { name: 'Retired', enabled: false });
    const { path } = await discounted(store, { price: 100, memberships: [gold] }, { value: 10, memberships: [id] });
    assert.equal((await priceAt(store, path, { membership: id })).price, 100);
    await store.patch(`/api/memberships/${id}`, { enabled: true });
    assert.equal((await priceAt(store, path, { membership: id })).price, 90);
  });

  test('can be read with a read-only key, and follow every change', async () => {
    const { path, sale } = await discounted(store, { price: 100 }, { value: 10 });
    const read = (headers = {}) => store.request('GET', `${path}/price`, { key: READ_ONLY_KEY, headers });
    const first = await read();
    assert.deepEqual([first.status, first.json.price], [200, 90]);
    assert.equal(first.headers['cache-control'], 'private, no-cache');
    assert.equal((await read({ 'if-none-match': first.headers.etag })).status, 304);
    await store.patch(`/api/sale_discounts/${sale}`, { value: 20 });
    const second = await read({ 'if-none-match': first.headers.etag });
    assert.deepEqual([second.status, second.json.price], [200, 80]);
    assertProblem(await store.post(`${path}/price`, {}), 405);
  });

  test('of an unknown product are a 404', async () => {
    assertProblem(await store.get(`/api/products/${NO_SUCH}/price`), 404);
    assertProblem(await store.get('/api/products/abc/price'), 404);
  });

  test('reject invalid parameters and unknown records', async () => {
    const { id } = await store.product();
    const at = `/api/products/${id}/price`;
    for (const [query, detail] of [
      [`membership=${gold}&customer=${customer}`, /"membership" and "customer"/],
      [`membership=0&customer=${customer}`, /"membership" and "customer"/],
      [`membership=${NO_SUCH}`, /"membership" is 999999, but there is no membership/],
      [`customer=${NO_SUCH}`, /"customer" is 999999, but there is no profile/],
      ['customer=0', /"customer"/],
      ['coupon=NO-SUCH', /"coupon" is "NO-SUCH"/],
      ['coupon=', /"coupon"/],
      ['quantity=0', /"quantity" is "0"/],
      ['quantity=1000001', /"quantity".* at most 1000000/],
      ['quantity=1.5', /"quantity" should be a whole number; it is "1.5"/],
      ['quantity=', /"quantity" should be a whole number/],
      ['membership=Gold', /"membership" should be a whole number/],
      ['explain=yes', /"explain" should be true or false/],
      ['at=soon', /"at" is "soon".*date-time/],
      ['country=us', /"country" is "us".*two capital letters/],
      ['quantity=1&quantity=2', /"quantity" is given more than once/],
      ['quantty=2', /Unknown parameter "quantty". Did you mean "quantity"\?/],
      ['quantity[gte]=2', /Unknown parameter "quantity\[gte\]"/],
      ['profile=1', /Did you mean "customer"/],
      ['fields=price', /Unknown parameter "fields"/],
    ] as const)
      assertProblem(await store.get(`${at}?${query}`), 400, detail);
    const lenient = { prefer: 'handling=lenient' };
    const response = await store.get(`${at}?fields=price&quantity=1&quantity=2`, lenient);
    assert.deepEqual([response.status, response.json.quantity], [200, 2]);
    assert.equal(response.headers['preference-applied'], 'handling=lenient');
    assertProblem(await store.get(`${at}?quantity=0`, lenient), 400, /quantity/);
  });

  test('reject subtotals that cannot be stored', async () => {
    const { id } = await store.product({ price: 9_999_999_999 });
    assert.equal((await priceAt(store, `/api/products/${id}`)).price, 9_999_999_999);
    assertProblem(await store.get(`/api/products/${id}/price?quantity=2`), 400, /smaller "quantity"/);
  });

  test('have the members that the OpenAPI document describes', async () => {
    const { json } = await store.get('/api/openapi.json');
    const { id } = await store.product();
    const shown = Object.keys(await priceAt(store, `/api/products/${id}`));
    assert.deepEqual(Object.keys(json.components.schemas.ProductPriceOutput.properties), shown);
  });
});

onEachDatabase('prices that include taxes', { STORE_CURRENCY: 'EUR' }, (store) => {
  let path: string;
  let exempt: number;
  let french: number;
  let german: number;
  before(async () => {
    const zone = async (country: string): Promise<number> =>
      (await store.made('/api/zones', { name: country, elements: [{ countries: [country] }] })).id;
    const [germany, france] = [await zone('DE'), await zone('FR')];
    const rate = async (of: number, value: number): Promise<number> =>
      (await store.made('/api/tax_rates', { tax: 'VAT', name: 'VAT', zone: of, value })).id;
    german = await rate(germany, 19);
    french = await rate(france, 20);
    const settings = { prices_include_tax: true, default_zone: germany, vat_id_exempt_zone: france };
    assert.equal((await store.patch('/api/tax_settings', settings)).status, 200);
    path = `/api/products/${(await store.product({ price: 119 })).id}`;
    exempt = (await store.made('/api/profiles', { login: 'vat@example.com', vat_id: 'DE136695976' })).id;
  });

  const found = async (query: Record<string, string | number>, at = path): Promise<Output> => {
    const { price, subtotal, net, gross, taxes, currency } = await priceAt(store, at, query);
    assert.equal(currency, 'EUR');
    return { amounts: [price, subtotal, net, gross], taxes };
  };
  const tax = (id: number, value: number): Output => [
    { id, code: 'VAT', name: 'VAT', include: true, value, shares: [value], charge_shares: [] },
  ];

  test('contain the taxes of the default zone for a missing address', async () => {
    const expected = { amounts: [119, 119, 100, 119], taxes: tax(german, 19) };
    assert.deepEqual(await found({}), expected);
    assert.deepEqual(await found({ zipcode: '75001', city: 'Paris' }), expected);
    assert.deepEqual(await found({ country: 'DE' }), expected);
  });

  test('are converted for buyers elsewhere (example 6)', async () => {
    assert.deepEqual(await found({ country: 'FR' }), { amounts: [120, 120, 100, 120], taxes: tax(french, 20) });
    const cheap = `/api/products/${(await store.product({ price: 19.99 })).id}`;
    assert.deepEqual(await found({ country: 'FR', quantity: 3 }, cheap), {
      amounts: [20.16, 60.48, 50.4, 60.48],
      taxes: tax(french, 10.08),
    });
    const untaxed = { amounts: [100, 100, 100, 100], taxes: [] };
    assert.deepEqual(await found({ country: 'CH' }), untaxed);
    assert.deepEqual(await found({ country: 'FR', customer: exempt }), untaxed);
  });

  test('are the same elsewhere with `gross`, except for exempt buyers (example 6)', async () => {
    await store.patch('/api/tax_settings', { outside_zone: 'gross' });
    assert.deepEqual(await found({ country: 'FR' }), { amounts: [119, 119, 99.17, 119], taxes: tax(french, 19.83) });
    const { regular_price, tiers } = await priceAt(store, path, { country: 'FR', customer: exempt });
    assert.deepEqual([regular_price, tiers], [99.17, [{ quantity: 1, price: 99.17 }]]);
  });
});

onEachDatabase('prices with added taxes', {}, (store) => {
  test('of lists are not in the body of a write', async () => {
    const { id } = await store.product();
    const { json: shown } = await store.get(`/api/products/${id}`);
    for (const method of ['PUT', 'PATCH'] as const) {
      const body = { ...(method === 'PUT' ? { sku: shown.sku, name: shown.name } : {}), price_for: 5 };
      assertBroken(await store.request(method, `/api/products/${id}`, { body }), ['price_for', 'unknown_field']);
    }
  });

  test('depend on the address', async () => {
    const { id } = await store.product({ price: 100 });
    const zone = await store.made('/api/zones', {
      name: 'Austin',
      elements: [{ countries: ['US'], states: ['Texas'], zips: ['787*'], cities: ['Austin'] }],
    });
    const rate = await store.made('/api/tax_rates', { tax: 'SALES', name: 'Sales tax', zone: zone.id, value: 8.25 });
    const address = { country: 'US', state_name: 'texas', zipcode: '78701', city: 'AUSTIN' };
    const { net, gross, taxes } = await priceAt(store, `/api/products/${id}`, address);
    assert.deepEqual([net, gross], [100, 108.25]);
    const about = { id: rate.id, code: 'SALES', name: 'Sales tax', include: false };
    assert.deepEqual(taxes, [{ ...about, value: 8.25, shares: [8.25], charge_shares: [] }]);
    for (const change of [{ country: 'CA' }, { state_name: 'Ohio' }, { zipcode: '10001' }, { city: 'Dallas' }])
      assert.equal((await priceAt(store, `/api/products/${id}`, { ...address, ...change })).gross, 100);
  });
});
