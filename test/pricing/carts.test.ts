/** The calculation of carts: amounts as in quotes, problems, and lines as clients send them (storefront.md §5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CartContent, CartLine, SentLine } from '../../src/domain/rules/carts/cart-content.ts';
import { CartShop, EMPTY } from '../support/cart-shop.ts';
import { databaseNames } from '../support/databases.ts';
import { RandomCarts } from '../support/random-carts.ts';
import type { Json } from '../support/store.ts';

const GERMANY = { country_code: 'DE', city: 'Berlin', zipcode: '10115', state_name: '' };
const FRANCE = { country_code: 'FR', city: 'Paris', zipcode: '75001', state_name: '' };
const NO_SUCH = 999_999;
/** `npm run torture -- carts` compares more. */
const CARTS = 20;
const SEED = 1;

for (const database of databaseNames)
  describe(`the calculation of carts (${database})`, { concurrency: 1 }, () => {
    let shop: CartShop;
    let germany: number;
    let gold: number;
    let member: number;
    let count = 0;

    const product = (fields: Json = {}) => {
      count += 1;
      const given = { sku: `SKU-${count}`, name: `Product ${count}`, price: 10, amount: 100, ...fields };
      return shop.made('/api/products', given);
    };
    const coupon = (fields: Json = {}) => {
      count += 1;
      return shop.made('/api/coupons', { code: `CODE-${count}`, value: 10, ...fields });
    };
    const method = async (rates: Json, fields: Json = {}) => {
      const made = await shop.made('/api/shipping_methods', { name: 'Parcel', ...fields });
      await shop.made(`/api/shipping_methods/${made.id}/rates`, { zone_id: germany, ...rates });
      return { method_id: made.id as number };
    };
    /** A cart in Germany with these lines, unless the fields are others. */
    const cart = async (lines: readonly SentLine[], fields: Partial<CartContent> = {}): Promise<CartContent> => {
      const resolved = await shop.lines(lines, fields.customer);
      assert.ok(
        resolved.every((line) => typeof line === 'object'),
        String(resolved),
      );
      return { ...EMPTY, shipping_address: GERMANY, lines: resolved as CartLine[], ...fields };
    };
    const problemsOf = async (content: CartContent): Promise<unknown[]> =>
      (await shop.assertLikeQuote(content)).problems.map(({ path, code, data }) =>
        data ? [path, code, ...Object.values(data)] : [path, code],
      );
    /** A shirt with a size that determines variants, a color with a modifier, and a text. */
    const shirt = async () => {
      const { id, sku } = await product({ price: 20, weight: 1 });
      const path = `/api/products/${id}`;
      const choices: Record<string, { attribute_id: number; value_id: number }> = {};
      for (const [name, texts] of Object.entries({ Size: ['S', 'M'], Color: ['red', 'blue'] })) {
        const attribute = await shop.made(`${path}/attributes_select`, { name });
        for (const value of texts) {
          const at = `${path}/attributes_select/${attribute.id}`;
          const option = await shop.made(`${at}/options`, { value });
          const modifiers =
            value === 'red'
              ? { is_default: true }
              : {
                  price_modifier: 12.5,
                  price_modifier_type: 'percent',
                  weight_modifier: 1,
                  weight_modifier_type: 'absolute',
                };
          const made = await shop.made(`${at}/values`, {
            option_id: option.id,
            ...(name === 'Color' ? modifiers : {}),
          });
          choices[value] = { attribute_id: attribute.id, value_id: made.id };
        }
      }
      const text = await shop.made(`${path}/attributes_text`, { name: 'Print' });
      await shop.made(`${path}/attributes_text/${text.id}/values`, { value: 'none', editable: true });
      const variant = async (size: string, fields: Json = {}) =>
        shop.made(`${path}/variants`, { attribute_select_values: [choices[size]!.value_id], ...fields });
      return { id: id as number, sku, path, choices, text: text.id as number, variant };
    };

    before(async () => {
      shop = await CartShop.make(database);
      germany = (await shop.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] })).id;
      gold = (await shop.made('/api/memberships', { name: 'Gold' })).id;
      member = (await shop.made('/api/profiles', { login: 'gold@example.com', membership_id: gold })).id;
      const reduced = await shop.made('/api/tax_classes', { name: 'Reduced' });
      const vat = { tax: 'VAT', zone: germany };
      await shop.made('/api/tax_rates', { ...vat, name: 'VAT 19 %', value: 19 });
      await shop.made('/api/tax_rates', { ...vat, name: 'VAT 7 %', value: 7, tax_class: reduced.id });
      await shop.made('/api/tax_rates', { ...vat, name: 'On shipping', value: 19, base: 'shipping' });
      await shop.made('/api/volume_discounts', { value: 5, subtotal_range_begin: 300 });
      await shop.made('/api/sale_discounts', { name: 'Members', enabled: true, value: 3, memberships: [gold] });
    });
    after(() => shop.remove());

    test('has the amounts of a quote for options, variants, wholesale prices, members, coupons and shipping', async () => {
      const { path, choices, text, variant } = await shirt();
      const [small, medium] = [await variant('S'), await variant('M', { default_price: false, price: 33.33 })];
      const mug = await product({ price: 7.77, free_shipping: true, participate_sale: true, sale_price_value: 15 });
      await shop.made(`/api/products/${mug.id}/wholesale_prices`, { price: 5.55, quantity_range_begin: 3 });
      await shop.made(`${path}/wholesale_prices`, { price: 15, quantity_range_begin: 5, membership: gold });
      const lines = [
        { variant: small.id, amount: 4, options: [choices.blue!, { attribute_id: text, text: 'Hello' }] },
        { variant: medium.id, amount: 2 },
        { variant: small.id, amount: 1 },
        { product_id: mug.id, amount: 3 },
      ];
      const coupons = [(await coupon()).code, (await coupon({ type: '$', value: 5, zones: [germany] })).code];
      const parcel = await method({ markup_flat: 4.9, markup_per_weight: 1.25, markup_percent: 1 });
      const pickup = await method({ markup_flat: 1 }, { processor: 'pickup', pickup_address: GERMANY });
      for (const settings of [{ prices_include_tax: false }, { prices_include_tax: true, shipping: 'proportional' }]) {
        await shop.changed('/api/tax_settings', { default_zone: germany, ...settings });
        for (const fields of [
          {},
          { customer: member, shipping: parcel },
          { coupons, shipping: parcel, email: 'ada@example.com' },
          { coupons, shipping: pickup, shipping_address: FRANCE },
          { customer: member, coupons, billing_address: GERMANY, shipping_address: null },
          { shipping_address: FRANCE, billing_address: GERMANY, shipping: parcel },
          { shipping_address: null },
        ] as readonly Partial<CartContent>[])
          await shop.assertLikeQuote(await cart(lines, fields));
      }
      const calculated = await shop.calculate(await cart(lines, { coupons, shipping: parcel }));
      assert.deepEqual([calculated.problems, calculated.is_final, calculated.coupons], [[], true, coupons]);
      assert.deepEqual(
        calculated.surcharges.map(({ type, code, include }) => `${type} ${code} ${include}`),
        ['discount COUPON false', 'discount COUPON false', 'shipping SHIPPING false', 'tax VAT true'],
      );
      const [first] = calculated.lines;
      assert.deepEqual(
        [first!.sku, first!.name, first!.available, first!.options.map(({ name, value }) => `${name}: ${value}`)],
        ['SKU-1', 'Product 1', 100, ['Size: S', 'Color: blue', 'Print: Hello']],
      );
    });

    test('reports products, variants and options that are no longer valid, which count 0', async () => {
      const { path, choices, text, variant } = await shirt();
      const small = await variant('S');
      const medium = await variant('M');
      const [deleted, disabled, restricted, plain] = [
        await product(),
        await product(),
        await product(),
        await product(),
      ];
      const lines = [
        ...[deleted, disabled, restricted, plain].map((each) => ({ product_id: each.id as number, amount: 1 })),
        { variant: small.id, amount: 1, options: [choices.blue!] },
        { variant: medium.id, amount: 1 },
        { variant: small.id, amount: 1, options: [{ attribute_id: text, text: 'A' }] },
        { variant: small.id, amount: 1 },
      ];
      const content = await cart(lines);
      await shop.deleted(`/api/products/${deleted.id}`);
      await shop.changed(`/api/products/${disabled.id}`, { enabled: false });
      await shop.changed(`/api/products/${restricted.id}`, { memberships: [gold] });
      await shop.deleted(`${path}/attributes_select/${choices.blue!.attribute_id}/values/${choices.blue!.value_id}`);
      await shop.deleted(`${path}/variants/${medium.id}`);
      await shop.deleted(`${path}/attributes_text/${text}`);
      const calculated = await shop.calculate(content);
      assert.deepEqual(
        calculated.problems.map(({ path: at, code }) => `${at} ${code}`),
        [
          ...[
            'lines[0] unavailable',
            'lines[1] unavailable',
            'lines[2] unavailable',
            'lines[4].options option-invalid',
          ],
          ...['lines[5].variant variant-required', 'lines[6].options option-invalid'],
        ],
      );
      assert.match(calculated.problems[3]!.message, /"Color"/);
      assert.deepEqual(
        calculated.lines.map(({ price, discounted_subtotal, available }) => [price, discounted_subtotal, available]),
        [
          ...[
            [null, 0, 0],
            [null, 0, 0],
            [null, 0, 0],
            [10, 10, 100],
            [null, 0, 100],
          ],
          ...[
            [null, 0, 0],
            [null, 0, 100],
            [20, 20, 100],
          ],
        ],
      );
      assert.equal(calculated.sub_total, 30);
      const ofMember = await shop.calculate({ ...content, customer: member });
      assert.ok(!ofMember.problems.some(({ path: at }) => at === 'lines[2]'));
      const gained = await product();
      const before = await cart([{ product_id: gained.id, amount: 2 }]);
      const size = await shop.made(`/api/products/${gained.id}/attributes_select`, { name: 'Size' });
      const at = `/api/products/${gained.id}/attributes_select/${size.id}`;
      const values = [];
      for (const value of ['S', 'M']) {
        const option = await shop.made(`${at}/options`, { value });
        values.push((await shop.made(`${at}/values`, { option_id: option.id, price_modifier: 0 })).id);
      }
      assert.deepEqual(await problemsOf(before), [['lines[0].options', 'option-invalid', size.id]]);
      await shop.made(`/api/products/${gained.id}/variants`, { attribute_select_values: [values[0]] });
      assert.deepEqual(await problemsOf(before), [['lines[0].variant', 'variant-required']]);
      assert.deepEqual(await problemsOf({ ...content, lines: content.lines.slice(0, 3) }), [
        ...[0, 1, 2].map((index) => [`lines[${index}]`, 'unavailable']),
      ]);
    });

    test('does not count lines whose options make the price negative', async () => {
      const { id, choices, path } = await shirt();
      const lines = [
        { product_id: id, amount: 1, options: [choices.S!, choices.blue!] },
        { product_id: id, amount: 1, options: [choices.S!, choices.red!] },
      ];
      const content = await cart(lines);
      const at = `${path}/attributes_select/${choices.blue!.attribute_id}/values/${choices.blue!.value_id}`;
      await shop.changed(at, { price_modifier: -101, price_modifier_type: 'percent' });
      assert.deepEqual(await problemsOf(content), [['lines[0].options', 'option-invalid']]);
      assert.deepEqual(await problemsOf({ ...content, lines: content.lines.slice(0, 1) }), [
        ['lines[0].options', 'option-invalid'],
      ]);
    });

    test('reports missing stock, of all lines with the same stock, and counts the lines', async () => {
      const { choices, variant, path } = await shirt();
      await shop.changed(path, { inventory_traceable: true, amount: 5 });
      const [own, shared] = [await variant('S', { default_amount: false, amount: 2 }), await variant('M')];
      const backordered = await product({
        ...{ inventory_traceable: true, amount: 1, available_for_backorder: true, backorder_limit: 3 },
      });
      const many = await product({ inventory_traceable: true, amount: 2000 });
      const untracked = await product({ inventory_traceable: false, amount: 0 });
      const content = await cart([
        { variant: own.id, amount: 2 },
        { variant: shared.id, amount: 3, options: [choices.blue!] },
        { variant: shared.id, amount: 3 },
        { product_id: backordered.id, amount: 5 },
        { product_id: many.id, amount: 1 },
        { product_id: untracked.id, amount: 7 },
      ]);
      assert.deepEqual(await problemsOf(content), [
        ['lines[2].amount', 'insufficient-stock', 2],
        ['lines[3].amount', 'insufficient-stock', 4],
      ]);
      const { lines, sub_total } = await shop.calculate(content);
      assert.deepEqual(
        lines.map(({ available }) => available),
        [2, 5, 5, 4, 1000, 1000],
      );
      assert.equal(sub_total, 2 * 20 + 3 * 22.5 + 3 * 20 + 13 * 10);
    });

    test('reports each reason for which a coupon does not apply', async () => {
      const other = await product();
      const used = await coupon({ uses_limit_per_user: 1 });
      const spent = await coupon({ uses_limit: 1 });
      const shirts = await product();
      const order = { items: [{ product_id: shirts.id, amount: 1 }], email: 'Eve@example.com', calculate: true };
      await shop.made('/api/orders', { ...order, coupons: [used.code, spent.code] });
      const disabled = await coupon();
      const removed = await coupon();
      const reasons = {
        dates: await coupon({ date_range_begin: '2040-01-01T00:00:00Z' }),
        membership: await coupon({ memberships: [gold] }),
        zone: await coupon({ zones: [germany] }),
        not_listed: await coupon({ specific_products: true, products: [other.id] }),
        subtotal: await coupon({ total_range_begin: 1000 }),
        uses: spent,
        not_combinable: await coupon({ single_use: true }),
      };
      await shop.changed(`/api/coupons/${disabled.id}`, { enabled: false });
      await shop.deleted(`/api/coupons/${removed.id}`);
      const good = await coupon();
      const codes = [disabled, removed, ...Object.values(reasons), used, good].map(({ code }) => code);
      const sent = [{ product_id: shirts.id as number, amount: 2 }];
      const content = await cart(sent, {
        coupons: codes.slice(0, 9),
        email: 'eve@example.com',
        shipping_address: FRANCE,
      });
      const expected = ['disabled', 'disabled', ...Object.keys(reasons)];
      assert.deepEqual(
        await problemsOf(content),
        expected.map((reason, index) => [`coupons[${index}]`, 'coupon-invalid', reason]),
      );
      const ofEve = { ...content, coupons: [used.code, good.code] };
      assert.deepEqual(await problemsOf(ofEve), [['coupons[0]', 'coupon-invalid', 'uses']]);
      assert.deepEqual(await problemsOf({ ...ofEve, email: '' }), []);
      assert.deepEqual(await problemsOf({ ...ofEve, email: 'bob@example.com' }), []);
      const empty = { ...EMPTY, coupons: [good.code, disabled.code] };
      assert.deepEqual(await problemsOf(empty), [
        ['lines', 'empty'],
        ['coupons[1]', 'coupon-invalid', 'disabled'],
      ]);
      const upper = await coupon({ code: `upper-${database}` });
      assert.deepEqual(
        await shop.coupons([good.code, upper.code.toUpperCase(), upper.code, disabled.code, 'NO-SUCH']),
        [...[good.code, upper.code, 'coupons[3] unknown_link', 'coupons[4] unknown_link']],
      );
    });

    test('reports shipping methods that do not apply, and whether the total is final', async () => {
      const [heavy, digital] = [await product({ weight: 50 }), await product({ free_shipping: true })];
      const parcel = await method({ markup_flat: 5, max_weight: 10 });
      const off = await method({ markup_flat: 5 }, { enabled: false });
      const pickup = await method({ markup_flat: 1, max_weight: 10 }, { processor: 'pickup', pickup_address: GERMANY });
      const lines = [{ product_id: heavy.id as number, amount: 1 }];
      const cases: readonly [Partial<CartContent>, string | undefined, boolean][] = [
        [{ shipping: parcel }, 'rates', false],
        [{ shipping: pickup }, 'rates', false],
        [{ shipping: pickup, shipping_address: FRANCE }, 'rates', false],
        [{ shipping: off }, 'disabled', false],
        [{ shipping: { method_id: NO_SUCH } }, 'disabled', false],
        [{ shipping: parcel, shipping_address: FRANCE }, 'zone', false],
        [{}, undefined, false],
      ];
      for (const [fields, reason, isFinal] of cases) {
        const content = await cart(lines, fields);
        const problems = reason ? [['shipping', 'shipping-unavailable', reason]] : [];
        assert.deepEqual(await problemsOf(content), problems, JSON.stringify(fields));
        assert.equal((await shop.calculate(content)).is_final, isFinal, JSON.stringify(fields));
      }
      const light = [{ product_id: (await product({ weight: 1 })).id as number, amount: 1 }];
      const isFinal = async (...args: Parameters<typeof cart>) => (await shop.calculate(await cart(...args))).is_final;
      assert.ok(await isFinal(light, { shipping: parcel }));
      assert.ok(await isFinal(light, { shipping: pickup, shipping_address: null }));
      const download = [{ product_id: digital.id as number, amount: 1 }];
      assert.ok(await isFinal(download));
      // Its taxes depend on the address.
      assert.ok(!(await isFinal(download, { shipping_address: null })));
    });

    test('resolves lines, with the violations of items of an order, and completes their options', async () => {
      const { id, sku, path, choices, text, variant } = await shirt();
      const small = await variant('S', { sku: `SMALL-${database}` });
      const [hidden, restricted] = [await product({ enabled: false }), await product({ memberships: [gold] })];
      const resolved = { product_id: id, variant: small.id, options: [choices.red!], amount: 2, id: 1 };
      for (const sent of [
        { sku: small.sku as string, amount: 2 },
        { product_id: id, variant: small.id, amount: 2, options: [choices.S!, choices.red!] },
        { variant: small.id, amount: 2, options: [{ attribute_id: text, text: 'none' }] },
      ])
        assert.deepEqual(await shop.lines([sent]), [resolved]);
      const options = [{ attribute_id: text, text: 'Hi' }, choices.blue!];
      assert.deepEqual(await shop.lines([{ variant: small.id, amount: 2, options }]), [
        { ...resolved, options: [choices.blue!, { attribute_id: text, text: 'Hi' }] },
      ]);
      const { lines } = await shop.calculate(await cart([{ variant: small.id, amount: 2, options }]));
      const sentBack = { variant: small.id, amount: 2, options: lines[0]!.options as never };
      assert.deepEqual(await shop.lines([sentBack]), [
        { ...resolved, options: [choices.blue!, { attribute_id: text, text: 'Hi' }] },
      ]);
      const rejected: readonly [SentLine, string][] = [
        [{ amount: 1 }, 'product_id required'],
        [{ product_id: NO_SUCH, amount: 1 }, 'product_id unknown_link'],
        [{ product_id: hidden.id, amount: 1 }, 'product_id unknown_link'],
        [{ product_id: restricted.id, amount: 1 }, 'product_id unknown_link'],
        [{ sku: hidden.sku, amount: 1 }, 'sku unknown_link'],
        [{ variant: NO_SUCH, amount: 1 }, 'variant unknown_link'],
        [{ product_id: id, amount: 1 }, 'variant required'],
        [{ sku, amount: 1 }, 'variant required'],
        [{ variant: small.id, sku: hidden.sku, amount: 1 }, 'sku conflict'],
        [{ variant: small.id, amount: 1, options: [choices.M!] }, 'options[0].value_id conflict'],
        [
          { variant: small.id, amount: 1, options: [{ attribute_id: NO_SUCH }] },
          'options[0].attribute_id unknown_link',
        ],
      ];
      const violations = (await shop.lines(rejected.map(([line]) => line))) as string[];
      assert.deepEqual(violations.sort(), rejected.map(([, each], index) => `lines[${index}].${each}`).sort());
      assert.deepEqual(await shop.lines([{ product_id: restricted.id, amount: 1 }], member), [
        { id: 1, product_id: restricted.id, variant: null, options: [], amount: 1 },
      ]);
      await shop.deleted(path);
    });
  });

test('the calculation of carts has the amounts of a quote for random carts in a shop that changes', async () => {
  const shop = await CartShop.make('sqlite');
  const carts = await RandomCarts.make(shop, SEED);
  const found = new Set<string>();
  for (let count = 0; count < CARTS; count += 1)
    for (const { code } of (await carts.compare()).problems) found.add(code);
  await shop.remove();
  assert.ok(found.size >= 3, String([...found]));
});
