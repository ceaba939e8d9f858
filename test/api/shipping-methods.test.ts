/** Shipping methods, their rates and the holes between these, and their costs in orders and quotes (shipping.md). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { outputNames } from '../support/fields.ts';
import { bulk, LINES, readLines } from '../support/lines.ts';
import { orderItem, orderOf } from '../support/orders.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const METHODS = '/api/shipping_methods';
const NO_SUCH = 999_999;

onEachDatabase('shipping methods', { STORE_CURRENCY: 'EUR' }, (store) => {
  let germany: number;
  let everywhere: number;
  const method = (fields: Json = {}) => store.made(METHODS, { name: 'Parcel', ...fields });
  const ratesOf = async (fields: Json = {}) => `${METHODS}/${(await method(fields)).id}/rates`;
  const idsAt = async (url: string): Promise<number[]> => (await store.get(url)).json.map(({ id }: Json) => id);

  before(async () => {
    germany = (await store.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] })).id;
    everywhere = (await store.made('/api/zones', { name: 'Everywhere' })).id;
  });

  test('are created with their defaults, read, replaced, updated and deleted with their rates', async () => {
    const made = await store.post(METHODS, { name: 'Parcel' });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(Object.keys(made.json), outputNames('ShippingMethod'));
    const { id, ...fields } = made.json;
    assert.deepEqual(fields, {
      ...{ name: 'Parcel', delivery_time: '', enabled: true, position: 0, carrier: '', code: '', tax_class: null },
      ...{ handling_fee: 0, processor: 'offline', free_from: null, free_by_coupon: true, pickup_address: null },
    });
    const one = `${METHODS}/${id}`;
    const back = await store.put(one, made.json);
    assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
    const reduced = await store.made('/api/tax_classes', { name: 'Reduced' });
    const address = { company: 'Shop', city: 'Berlin', zipcode: '10115', country_code: 'DE' };
    const changed = await store.patch(one, {
      ...{ delivery_time: '2 days', carrier: 'UPS', code: '03', tax_class: 'Reduced', handling_fee: 1.5 },
      ...{ processor: 'pickup', free_from: 49.99, free_by_coupon: false, pickup_address: address },
    });
    const { pickup_address, ...others } = changed.json;
    assert.deepEqual(others, {
      ...{ id, name: 'Parcel', delivery_time: '2 days', enabled: true, position: 0, carrier: 'UPS', code: '03' },
      ...{ tax_class: reduced.id, handling_fee: 1.5, processor: 'pickup', free_from: 49.99, free_by_coupon: false },
    });
    assert.deepEqual({ ...pickup_address, ...address }, pickup_address);
    await store.patch(one, { name: 'Paket', delivery_time: '2 Tage' }, { 'accept-language': 'de' });
    assert.deepEqual((await store.get(`${one}/translations`)).json, {
      de: { name: 'Paket', delivery_time: '2 Tage' },
      en: { name: 'Parcel', delivery_time: '2 days' },
    });
    assertProblem(await store.delete(`/api/tax_classes/${reduced.id}`), 409, new RegExp(`/shipping_methods/${id}\\b`));
    const rate = await store.made(`${one}/rates`, { zone_id: germany });
    assert.deepEqual((await store.put(one, { name: 'Parcel' })).json.tax_class, null);
    assert.equal((await store.delete(`/api/tax_classes/${reduced.id}`)).status, 204);
    assert.equal((await store.delete(one)).status, 204);
    for (const path of [one, `${one}/rates`, `${one}/rates/${rate.id}`, `${one}/coverage`])
      assertProblem(await store.get(path), 404);
  });

  test('reject invalid values at their fields', async () => {
    assertViolations(await store.post(METHODS, {}), ['name', 'required']);
    assertViolations(
      await store.post(METHODS, {
        ...{ name: ' ', delivery_time: 'x'.repeat(256), carrier: 'x'.repeat(256), code: 'x'.repeat(256) },
        ...{ tax_class: NO_SUCH, handling_fee: -1, processor: 'easypost', free_from: -1, free_by_coupon: null },
        ...{ position: 1.5, pickup_address: { country_code: 'Germany', planet: 'Earth' }, fallback: 5 },
      }),
      ['name', 'blank'],
      ...(['delivery_time', 'carrier', 'code'] as const).map((name) => [name, 'too_long'] as const),
      ['tax_class', 'unknown_link'],
      ...(['handling_fee', 'free_from'] as const).map((name) => [name, 'range'] as const),
      ['processor', 'choice'],
      ['free_by_coupon', 'null'],
      ['position', 'type'],
      ['pickup_address.country_code', 'format'],
      ['pickup_address.planet', 'unknown_field'],
      ['fallback', 'unknown_field'],
    );
    assertViolations(await store.post(METHODS, { name: 'Parcel', handling_fee: 1.005 }), ['handling_fee', 'decimals']);
  });

  test('are listed by position, filtered, exported, and written in bulk by their ids', async () => {
    const last = await method({ name: 'Listed', carrier: 'LIST', position: 2, processor: 'pickup', enabled: false });
    const first = await method({ name: 'Also listed', carrier: 'LIST', position: 1, code: 'A' });
    assert.deepEqual(await idsAt(`${METHODS}?carrier=LIST`), [first.id, last.id]);
    assert.deepEqual(await idsAt(`${METHODS}?carrier=LIST&order[position]=desc`), [last.id, first.id]);
    for (const [filter, id] of [
      ['enabled=false', last.id],
      ['processor=offline', first.id],
      ['code=A', first.id],
      ['name=also', first.id],
    ])
      assert.deepEqual(await idsAt(`${METHODS}?carrier=LIST&${filter}`), [id], `${filter}`);
    const lines = readLines((await store.get(`${METHODS}?carrier=LIST`, { accept: LINES })).text);
    assert.equal((await bulk(store, `${METHODS}/bulk`, lines)).counts, 'unchanged 2');
    const written = await bulk(store, `${METHODS}/bulk`, [
      { id: first.id, free_from: 10 },
      { op: 'delete', key: last.id },
      { id: NO_SUCH, name: 'New' },
    ]);
    assert.equal(written.counts, 'updated 1, deleted 1, failed 1');
  });

  test('have rates with defaults, and get a new version if a rate changes', async () => {
    const rates = await ratesOf();
    const cursor = await now((url) => store.get(url));
    const made = await store.post(rates, { zone_id: 'Germany' });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(Object.keys(made.json), outputNames('ShippingRate'));
    const { id, ...fields } = made.json;
    assert.deepEqual(fields, {
      ...{ zone_id: germany, min_weight: 0, max_weight: null, min_total: 0, max_total: null },
      ...{ min_discounted_total: 0, max_discounted_total: null, min_items: 0, max_items: null },
      ...{ markup_flat: 0, markup_percent: 0, markup_per_item: 0, markup_per_weight: 0 },
    });
    const one = `${rates}/${id}`;
    const back = await store.put(one, made.json);
    assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
    const changed = await store.patch(one, { max_weight: 30.5, max_items: 10, markup_per_weight: 0.1234 });
    assert.deepEqual(changed.json, { ...made.json, max_weight: 30.5, max_items: 10, markup_per_weight: 0.1234 });
    assertProblem(await store.patch(one, { markup_flat: 1 }, { 'if-match': made.headers.etag }), 412);
    const ofMethod = ['ShippingMethod', 'updated', rates.replace(/\/rates$/, '')];
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, path }) => [resource, action, path]),
      [['ShippingRate', 'created', one], ofMethod, ['ShippingRate', 'updated', one], ofMethod],
    );
    const { json } = await store.get(one, { accept: 'application/ld+json' });
    assert.deepEqual([json['@type'], json['@id'], json.zone_id], ['ShippingRate', one, germany]);
    const lines = readLines((await store.get(rates, { accept: LINES })).text);
    assert.equal((await bulk(store, `${rates}/bulk`, lines)).counts, 'unchanged 1');
    assertProblem(await store.delete(`/api/zones/${germany}`), 409, new RegExp(`${one.replace('/api', '')}\\b`));
    const other = await ratesOf();
    assertProblem(await store.get(`${other}/${id}`), 404);
    assert.equal((await store.put(one, { zone_id: everywhere })).json.zone_id, everywhere);
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(`${METHODS}/${NO_SUCH}/rates`), 404);
  });

  test('reject rates with invalid values, and with maxima below their minima', async () => {
    const rates = await ratesOf();
    assertViolations(await store.post(rates, {}), ['zone_id', 'required']);
    assertViolations(await store.post(rates, { zone_id: null }), ['zone_id', 'null']);
    const names = ['min_weight', 'max_weight', 'min_total', 'max_total', 'min_discounted_total'];
    const all = [...names, 'max_discounted_total', 'min_items', 'max_items', 'markup_flat', 'markup_percent'];
    const amounts = [...all, 'markup_per_item', 'markup_per_weight'];
    assertViolations(
      await store.post(rates, { zone_id: NO_SUCH, ...Object.fromEntries(amounts.map((name) => [name, -1])) }),
      ...amounts.map((name) => [name, 'range'] as const),
      ['zone_id', 'unknown_link'],
    );
    assertViolations(
      await store.post(rates, { zone_id: germany, max_items: 1.5, max_weight: 0.00001 }),
      [...(['max_items', 'type'] as const)],
      ['max_weight', 'decimals'],
    );
    const one = await store.made(rates, { zone_id: germany, min_weight: 1, min_items: 2, max_weight: 1, max_items: 2 });
    for (const [field, value] of [
      ['max_weight', 0.9999],
      ['max_items', 1],
    ] as const)
      assertViolations(await store.patch(`${rates}/${one.id}`, { [field]: value }), [field, 'conflict']);
    assertViolations(
      await store.patch(`${rates}/${one.id}`, {
        min_total: 5,
        max_total: 4,
        min_discounted_total: 3,
        max_discounted_total: 2,
      }),
      ['max_total', 'conflict'],
      ['max_discounted_total', 'conflict'],
    );
  });

  test('reject rates that overlap, also in concurrent requests', async () => {
    const rates = await ratesOf();
    const light = await store.made(rates, { zone_id: germany, max_weight: 5 });
    const overlapping = ['', 'conflict', new RegExp(`${rates.replace('/api', '')}/${light.id}\\b`)] as const;
    assertViolations(await store.post(rates, { zone_id: germany, min_weight: 4.9999, max_weight: 10 }), overlapping);
    const heavy = await store.made(rates, { zone_id: germany, min_weight: 5 });
    assertViolations(await store.patch(`${rates}/${heavy.id}`, { min_weight: 4 }), overlapping);
    assert.equal((await store.patch(`${rates}/${heavy.id}`, { max_weight: 50 })).status, 200);
    await store.made(rates, { zone_id: germany, min_weight: 5, max_weight: 5 });
    assert.equal((await store.post(rates, { zone_id: germany, min_weight: 5, max_weight: 5 })).status, 422);
    await store.made(rates, { zone_id: everywhere, max_weight: 5 });
    await store.made(await ratesOf(), { zone_id: germany, max_weight: 5 });
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await store.post(rates, { zone_id: germany, min_weight: 60 })).status),
    );
    assert.deepEqual(statuses.sort(), [201, 422, 422, 422]);
  });

  test('list the holes between their rates', async () => {
    const rates = await ratesOf();
    const coverage = rates.replace(/rates$/, 'coverage');
    assert.deepEqual((await store.get(coverage)).json, []);
    await store.made(rates, { zone_id: everywhere });
    await store.made(rates, { zone_id: germany, max_weight: 5 });
    await store.made(rates, { zone_id: germany, min_weight: 10.5, max_items: 3 });
    const unlimited = { min_total: 0, max_total: null, min_discounted_total: 0, max_discounted_total: null };
    const { json } = await store.get(coverage);
    assert.deepEqual(json, [
      {
        zone_id: germany,
        complete: true,
        holes: [
          { min_weight: 5.0001, max_weight: 10.4999, ...unlimited, min_items: 1, max_items: null },
          { min_weight: 10.5, max_weight: null, ...unlimited, min_items: 4, max_items: null },
        ],
      },
      { zone_id: everywhere, complete: true, holes: [] },
    ]);
    assertProblem(await store.get(`${coverage}?zone_id=1`), 400);
    assertProblem(await store.post(coverage, {}), 405);
  });

  describe('in orders and quotes', () => {
    const GERMAN = { country_code: 'DE', city: 'Berlin', zipcode: '10115' };
    const FRENCH = { country_code: 'FR', city: 'Paris' };
    const QUOTE = '/api/orders/quote';
    let parcel: { readonly id: number; readonly tax_class: number };
    let pickup: { readonly id: number };
    let ids: number[];
    let product: { readonly id: number };
    let letter: { readonly id: number };
    const body = (fields: Json = {}) => ({
      ...orderOf([orderItem(product, 2), orderItem(letter, 1)], { calculate: true, shipping_address: GERMAN }),
      ...fields,
    });
    const placed = async (fields: Json) => {
      const response = await store.post('/api/orders', body(fields));
      assert.equal(response.status, 201, response.text);
      return response.json;
    };
    const optionsOf = async (fields: Json = {}): Promise<[number, number][]> => {
      const { json } = await store.post(`${QUOTE}?shipping_options=1`, body(fields));
      return json.shipping_options
        .filter(({ method_id }: Json) => ids.includes(method_id as number))
        .map(({ method_id, cost }: Json) => [method_id, cost]);
    };

    before(async () => {
      const reduced = (await store.made('/api/tax_classes', { name: 'Books' })).id;
      const vat = { tax: 'VAT', base: 'shipping' };
      await store.made('/api/tax_rates', { ...vat, name: 'VAT 19 %', value: 19, zone: germany });
      await store.made('/api/tax_rates', { ...vat, name: 'VAT 7 %', value: 7, zone: germany, tax_class: reduced });
      product = await store.product({ amount: 99, price: 20, weight: 1.25 });
      letter = await store.product({ amount: 99, price: 3, weight: 8, free_shipping: true });
      parcel = await method({ name: 'Parcel', position: 20, handling_fee: 1, free_from: 100, tax_class: reduced });
      const flat = {
        zone_id: germany,
        markup_flat: 2,
        markup_percent: 10,
        markup_per_item: 0.5,
        markup_per_weight: 0.2,
      };
      await store.made(`${METHODS}/${parcel.id}/rates`, { ...flat, max_weight: 30 });
      await store.made(`${METHODS}/${parcel.id}/rates`, { zone_id: everywhere, markup_flat: 15.005 });
      const terms = { name: 'Shop', delivery_time: 'today', position: 10, free_by_coupon: false };
      pickup = await method({ ...terms, processor: 'pickup', pickup_address: GERMAN });
      await store.made(`${METHODS}/${pickup.id}/rates`, { zone_id: germany, markup_flat: 1.5 });
      ids = [parcel.id, pickup.id];
      const disabled = await method({ name: 'Disabled', enabled: false });
      await store.made(`${METHODS}/${disabled.id}/rates`, { zone_id: everywhere });
      ids.push(disabled.id);
    });

    test('determine the charge for shipping, which is the same in the quote and the order', async () => {
      // 2 + 10 % of 40 + 2 × 0.5 + 2.5 × 0.2 + 1, with 7 % tax; the letter needs no shipping.
      const shipping = { method_id: parcel.id };
      const quote = await store.post(`${QUOTE}?shipping_options`, body({ shipping }));
      assert.equal(quote.status, 200, quote.text);
      const charge = { type: 'shipping', code: 'SHIPPING', name: 'Parcel', value: 8.5 };
      assert.deepEqual(quote.json.charges, [{ ...charge, tax_class: parcel.tax_class }]);
      assert.deepEqual([quote.json.totals.charges, quote.json.totals.total], [8.5, 52.1]);
      const own = quote.json.shipping_options.filter(({ method_id }: Json) => ids.includes(method_id as number));
      assert.deepEqual(own, [
        { method_id: pickup.id, name: 'Shop', delivery_time: 'today', cost: 1.5 },
        { method_id: parcel.id, name: 'Parcel', delivery_time: '', cost: 8.5 },
      ]);
      const order = await placed({ shipping, expected_total: 52.1, surcharges: [{ type: 'handling', value: 0 }] });
      assert.deepEqual([order.shipping_id, order.shipping_method_name, order.total], [parcel.id, 'Parcel', 52.1]);
      const [first, second] = order.surcharges;
      assert.deepEqual({ ...first, ...charge }, first);
      assert.deepEqual(first.source, {
        ...{ kind: 'shipping_method', id: parcel.id, type: '$', value: 8.5 },
        ...{ base: null, rounding: null, rounding_target: null },
      });
      assert.deepEqual([second.type, second.source], ['handling', null]);
      const { input, result } = (await store.get(`/api/orders/${order.id}/calculation`)).json;
      assert.deepEqual([input.shipping, result.totals.total], [result.charges, 52.1]);
      assert.equal((await store.post(QUOTE, body({ shipping }))).json.shipping_options, null);
    });

    test('depend on the address, on discounts, and on whether anything is sent', async () => {
      assert.deepEqual(await optionsOf(), [
        [pickup.id, 1.5],
        [parcel.id, 8.5],
      ]);
      // Rounded once, half away from zero, plus the fee.
      const abroad = { shipping_address: FRENCH };
      assert.deepEqual(await optionsOf(abroad), [
        [pickup.id, 1.5],
        [parcel.id, 16.01],
      ]);
      // The zone of the address has a rate, so other zones are not tried.
      assert.deepEqual(await optionsOf({ items: [orderItem(product, 25)] }), [[pickup.id, 1.5]]);
      assert.deepEqual(await optionsOf({ items: [orderItem(product, 5)] }), [
        [pickup.id, 1.5],
        [parcel.id, 0],
      ]);
      const free = await store.made('/api/coupons', { code: 'SENT-FREE', type: 'S' });
      assert.deepEqual(await optionsOf({ coupons: [free.code] }), [
        [pickup.id, 1.5],
        [parcel.id, 0],
      ]);
      const nothingSent = { items: [orderItem(letter, 1)], shipping_address: null };
      assert.deepEqual(await optionsOf(nothingSent), [
        [pickup.id, 0],
        [parcel.id, 0],
      ]);
      // The pickup address determines taxes.
      const picked = { ...abroad, shipping: { method_id: pickup.id } };
      const { taxes, totals } = (await store.post(QUOTE, body(picked))).json;
      assert.deepEqual([taxes.map(({ value }: Json) => value), totals.total], [[0.29], 44.79]);
      assert.deepEqual((await store.post(QUOTE, body(abroad))).json.taxes, []);
    });

    test('are rejected at their fields if they do not apply', async () => {
      const quote = (shipping: unknown, fields: Json = {}) => store.post(QUOTE, body({ shipping, ...fields }));
      const at = 'shipping.method_id';
      const [, , disabled] = ids;
      assertViolations(await quote({ method_id: NO_SUCH }), [at, 'unknown_link']);
      assertViolations(await quote({ method_id: disabled }), [at, 'conflict', /\(disabled\)/]);
      const heavy = { items: [orderItem(product, 25)] };
      assertViolations(await quote({ method_id: parcel.id }, heavy), [at, 'conflict', /\(rates\)/]);
      const german = await method();
      await store.made(`${METHODS}/${german.id}/rates`, { zone_id: germany });
      for (const shipping_address of [FRENCH, null])
        assertViolations(await quote({ method_id: german.id }, { shipping_address }), [at, 'conflict', /\(zone\)/]);
      assertViolations(await quote({}), [at, 'required']);
      assertViolations(
        await quote({ method_id: 'Parcel', service: 1 }),
        [at, 'type'],
        ['shipping.service', 'unknown_field'],
      );
      const surcharges = [
        { type: 'handling', value: 1 },
        { type: 'shipping', value: 1 },
      ];
      assertViolations(
        await quote({ method_id: parcel.id }, { surcharges, shipping_id: NO_SUCH }),
        ['surcharges[1].type', 'conflict'],
        ['shipping_id', 'conflict'],
      );
      const plain = { calculate: false, shipping: { method_id: parcel.id } };
      assertViolations(await store.post('/api/orders', body(plain)), ['shipping', 'conflict']);
      assertProblem(await store.post(`${QUOTE}?shipping_options=maybe`, body()), 400);
      assertProblem(await store.post(`${QUOTE}?shipping_options&shipping_options=1`, body()), 400);
      assert.equal((await quote(null)).status, 200);
    });

    test('keep their cost and source in edits with calculate', async () => {
      const order = await placed({ shipping: { method_id: parcel.id } });
      await store.patch(`${METHODS}/${parcel.id}`, { handling_fee: 3 });
      const [item] = order.items;
      const edit = (fields: Json) => store.post(`/api/orders/${order.id}/edit`, { calculate: true, ...fields });
      const edited = await edit({ change: [{ item_id: item.id, amount: 4 }] });
      assert.equal(edited.status, 200, edited.text);
      const shippingOf = ({ json }: Awaited<ReturnType<typeof edit>>) => {
        const { value, source } = json.surcharges.find(({ type }: Json) => type === 'shipping');
        return [value, source?.id ?? null];
      };
      assert.deepEqual(shippingOf(edited), [8.5, parcel.id]);
      const handling = { type: 'handling', value: 1 };
      const sent = { type: 'shipping', code: 'SHIPPING', name: 'Parcel', value: 8.5 };
      const taxesOf = ({ json }: Awaited<ReturnType<typeof edit>>) => [
        ...json.surcharges.filter(({ type }: Json) => type === 'tax').map(({ name, value }: Json) => [name, value]),
        json.total,
      ];
      const reduced = taxesOf(edited);
      assert.deepEqual(reduced, [['VAT 7 %', 0.6], 92.1]);
      // Output does not show the tax class. A charge that is sent back as it is shown retains it.
      const sentBack = await edit({ change: [{ item_id: item.id, amount: 4 }], surcharges: [sent] });
      assert.deepEqual([shippingOf(sentBack), taxesOf(sentBack)], [[8.5, parcel.id], reduced]);
      const withHandling = await edit({ surcharges: [sent, handling] });
      assert.deepEqual(shippingOf(withHandling), [8.5, parcel.id]);
      assert.deepEqual(taxesOf(withHandling), [['VAT 19 %', 0.19], ['VAT 7 %', 0.6], 93.29]);
      assert.deepEqual(taxesOf(await edit({ surcharges: [{ ...sent, tax_class: null }] })), [
        ['VAT 19 %', 1.62],
        93.12,
      ]);
      assert.deepEqual(taxesOf(await edit({ surcharges: [sent] })), [['VAT 19 %', 1.62], 93.12]);
      assert.deepEqual(shippingOf(await edit({ surcharges: [{ ...sent, value: 5 }] })), [5, null]);
      await store.patch(`${METHODS}/${parcel.id}`, { handling_fee: 1 });
    });

    test('are compared when a bulk sends an order again', async () => {
      const line = body({ order_number: 'SHIPPED-1', shipping: { method_id: parcel.id } });
      const surcharges = [{ type: 'handling', value: 1 }];
      const send = (fields: Json = {}) => bulk(store, '/api/orders/bulk', [{ ...line, surcharges, ...fields }]);
      assert.equal((await send()).counts, 'created 1');
      assert.equal((await send()).counts, 'unchanged 1');
      for (const shipping of [{ method_id: pickup.id }, null])
        assert.equal((await send({ shipping })).counts, 'failed 1', JSON.stringify(shipping));
    });
  });
});
