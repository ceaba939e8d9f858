/** When each rule applies, and the reason that the explanation gives (pricing.md §§1–4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Buyer,
  type Coupon,
  calculate,
  type Explanation,
  evaluate,
  type Input,
  type Line,
  type Rejection,
  type SaleDiscount,
  type TaxRate,
  type VolumeDiscount,
} from '../../src/pricing/index.ts';
import {
  charge,
  coupon,
  orderLine,
  pricingInput,
  pricingRules,
  saleDiscount,
  taxRate,
  variantFacts,
  volumeDiscount,
  wholesalePrice,
} from '../support/pricing.ts';

const GOLD: Buyer = { membership: 7, tax_exempt: false, vat_id: '' };
const NOW = pricingInput([]).time;
const IN_ZONE_3 = [{ id: 3, specificity: 1 }];
/** In class 1 and in categories 4 and 5. */
const LINE = orderLine({ id: 1, price: 10, product_class: 1, categories: [4, 5] });

function explanationOf(input: Input, kind: Explanation['kind']): Pick<Explanation, 'id' | 'value' | 'reason'>[] {
  return calculate({ ...input, explain: true })
    .explanation!.filter((entry) => entry.kind === kind)
    .map(({ id, value, reason }) => ({ id, value, reason }));
}

function rejectionsOf(input: Input): readonly Rejection[] {
  return evaluate(input).rejections;
}

for (const [given, reason] of [
  [{}, 'won'],
  [{ enabled: false }, 'disabled'],
  [{ date_range_begin: NOW }, 'won'],
  [{ date_range_begin: NOW + 1 }, 'dates'],
  [{ date_range_end: NOW + 1 }, 'won'],
  [{ date_range_end: NOW }, 'dates'],
  [{ memberships: [8, 7] }, 'won'],
  [{ memberships: [8] }, 'membership'],
  [{ products: [9] }, 'won'],
  [{ specific_products: true, products: [1, 9] }, 'won'],
  [{ specific_products: true, products: [9] }, 'not_listed'],
  [{ specific_products: true }, 'not_listed'],
  [{ product_classes: [1] }, 'won'],
  [{ product_classes: [2] }, 'not_listed'],
  [{ categories: [5, 6] }, 'won'],
  [{ categories: [6] }, 'not_listed'],
  [{ enabled: false, date_range_end: NOW, categories: [6] }, 'disabled'],
] as const satisfies readonly [Partial<SaleDiscount>, string][])
  test(`a sale discount with ${JSON.stringify(given)} has the reason ${reason}`, () => {
    const rules = pricingRules({ sale_discounts: [saleDiscount({ id: 2, value: 10, ...given })] });
    const input = pricingInput([LINE], { rules, buyer: GOLD });
    assert.deepEqual(explanationOf(input, 'sale_discount'), [{ id: 2, value: reason === 'won' ? 9 : null, reason }]);
    assert.equal(calculate(input).lines[0]!.price, reason === 'won' ? 9 : 10);
  });

test('a guest is in no restriction list of memberships', () => {
  const rules = pricingRules({ sale_discounts: [saleDiscount({ value: 10, memberships: [7] })] });
  assert.equal(calculate(pricingInput([LINE], { rules })).lines[0]!.price, 10);
});

test('with participate_sale, sale discounts are no candidates, also not with a row', () => {
  const rules = pricingRules({ sale_discounts: [saleDiscount({ id: 2, value: 50, apply_to_wholesale: true })] });
  const product = { price: 10, participate_sale: true, sale_price_value: 10 };
  const rows = [wholesalePrice({ price: 8 })];
  const input = pricingInput([orderLine({ ...product, wholesale_prices: rows }, { amount: 2 })], { rules });
  assert.equal(calculate(input).lines[0]!.price, 8);
  assert.deepEqual(explanationOf(input, 'sale_discount'), [{ id: 2, value: null, reason: 'own_sale' }]);
  assert.deepEqual(explanationOf(input, 'own_sale'), [{ id: null, value: 9, reason: 'higher_price' }]);
});

test('an own sale in percent combines with a row if the product allows it, a sale price never', () => {
  const priceOf = (discount_type: 'sale_price' | 'sale_percent', apply_sale_to_wholesale: boolean) =>
    calculate(
      pricingInput([
        orderLine(
          {
            price: 10,
            participate_sale: true,
            discount_type,
            sale_price_value: 9,
            apply_sale_to_wholesale,
            wholesale_prices: [wholesalePrice({ price: 8 })],
          },
          { amount: 2 },
        ),
      ]),
    ).lines[0]!.price;
  assert.equal(priceOf('sale_percent', true), 7.28);
  assert.equal(priceOf('sale_percent', false), 8);
  assert.equal(priceOf('sale_price', true), 8);
});

test('a variant has its own price and sale unless the product determines them', () => {
  const product = { price: 10, participate_sale: true, sale_price_value: 50 };
  const priceOf = (variant: Line['variant'], given = product) =>
    calculate(pricingInput([orderLine(given, { variant })])).lines[0]!.price;
  assert.equal(priceOf(variantFacts({ price: 99, sale_price_value: 10 })), 5);
  assert.equal(priceOf(variantFacts({ default_price: false, price: 20 })), 10);
  assert.equal(priceOf(variantFacts({ default_sale_price: false, sale_price_value: 10 })), 9);
  const salePrice = variantFacts({ default_sale_price: false, sale_discount_type: 'sale_price', sale_price_value: 3 });
  assert.equal(priceOf(salePrice), 3);
  assert.equal(priceOf(salePrice, { ...product, participate_sale: false }), 10);
});

test('a line has the rows of its variant, else of its product if the price is the product’s', () => {
  const product = { price: 10, wholesale_prices: [wholesalePrice({ id: 1, price: 8 })] };
  const ofVariant = [wholesalePrice({ id: 2, price: 9 })];
  const rowIdOf = (variant: Line['variant']) =>
    calculate(pricingInput([orderLine(product, { amount: 2, variant })])).lines[0]!.wholesale_price_id;
  assert.equal(rowIdOf(null), 1);
  assert.equal(rowIdOf(variantFacts({})), 1);
  assert.equal(rowIdOf(variantFacts({ wholesale_prices: ofVariant })), 2);
  assert.equal(rowIdOf(variantFacts({ default_price: false, price: 10 })), null);
});

test('the quantity counts all lines whose rows have the same owner, also those with a price', () => {
  const rows = [wholesalePrice({ price: 8, quantity_range_begin: 3 })];
  const product = { price: 10, wholesale_prices: rows };
  const own = variantFacts({ id: 2, wholesale_prices: [wholesalePrice({ id: 5, price: 1, quantity_range_begin: 3 })] });
  const pricesOf = (lines: readonly Line[]) => calculate(pricingInput(lines)).lines.map(({ price }) => price);
  const one = orderLine(product, { variant: variantFacts({}) });
  assert.deepEqual(pricesOf([one, orderLine(product), orderLine(product, { price: 4 })]), [8, 8, 4]);
  assert.deepEqual(pricesOf([one, orderLine(product), orderLine(product, { variant: own })]), [10, 10, 10]);
  assert.deepEqual(pricesOf([orderLine(product, { amount: 2 }), orderLine({ ...product, id: 2 })]), [10, 10]);
});

test('rows name why they do not apply, and ties go to the first candidate', () => {
  const rows = [
    wholesalePrice({ id: 1, price: 9 }),
    wholesalePrice({ id: 2, price: 9, membership: 7 }),
    wholesalePrice({ id: 3, price: 8, membership: 8 }),
    wholesalePrice({ id: 4, price: 7, quantity_range_begin: 10 }),
  ];
  const input = pricingInput([orderLine({ price: 10, wholesale_prices: rows }, { amount: 2 })], { buyer: GOLD });
  assert.deepEqual(explanationOf(input, 'wholesale_price'), [
    { id: 4, value: null, reason: 'quantity' },
    { id: 2, value: 9, reason: 'won' },
    { id: 3, value: null, reason: 'membership' },
    { id: 1, value: 9, reason: 'tie' },
  ]);
  assert.deepEqual(explanationOf(input, 'regular'), [{ id: null, value: 10, reason: 'higher_price' }]);
});

test('a price is rounded only if an option or a percentage changes it', () => {
  const priceOf = (product: Partial<Line['product']>, given: Partial<Line> = {}, rules = pricingRules()) =>
    calculate(pricingInput([orderLine({ price: 1.2345, ...product }, given)], { rules })).lines[0]!.price;
  const option = (price_modifier: number) => ({
    options: [{ price_modifier, price_modifier_type: 'percent' as const }],
  });
  assert.equal(priceOf({}), 1.2345);
  assert.equal(priceOf({}, option(0)), 1.2345);
  assert.equal(priceOf({}, option(0.0001)), 1.23);
  // The own sale of 0 % is a percentage. Its candidate is lower than the regular one, which is not rounded.
  assert.equal(priceOf({ participate_sale: true }), 1.23);
  assert.equal(priceOf({ wholesale_prices: [wholesalePrice({ price: 1.1111 })] }, { amount: 2 }), 1.1111);
  assert.equal(priceOf({ price: 1.5 }, option(10), pricingRules({ currency: 'JPY' })), 2);
});

for (const [given, reason, amount] of [
  [{}, 'won', 1],
  [{ type: '$', value: 4 }, 'won', 4],
  [{ type: '$', value: 40 }, 'won', 10],
  [{ date_range_end: NOW }, 'dates', null],
  [{ membership: 7 }, 'won', 1],
  [{ membership: 8 }, 'membership', null],
  [{ zones: [3, 9] }, 'won', 1],
  [{ zones: [9] }, 'zone', null],
  [{ subtotal_range_begin: 10 }, 'won', 1],
  [{ subtotal_range_begin: 10.0001 }, 'subtotal', null],
  [{ value: 0 }, 'smaller_discount', 0],
] as const satisfies readonly [Partial<VolumeDiscount>, string, number | null][])
  test(`a volume discount with ${JSON.stringify(given)} has the reason ${reason}`, () => {
    const rules = pricingRules({ volume_discounts: [volumeDiscount({ id: 2, value: 10, ...given })] });
    const input = pricingInput([LINE], { rules, buyer: GOLD, address: IN_ZONE_3 });
    assert.deepEqual(explanationOf(input, 'volume_discount'), [{ id: 2, value: amount, reason }]);
    assert.deepEqual(
      calculate(input).discounts.map(({ value }) => value),
      reason === 'won' ? [amount] : [],
    );
  });

test('only the largest volume discount applies, ties to the lower id', () => {
  const discounts = [
    volumeDiscount({ id: 4, value: 10 }),
    volumeDiscount({ id: 3, type: '$', value: 1 }),
    volumeDiscount({ id: 5, value: 9 }),
  ];
  const input = pricingInput([LINE], { rules: pricingRules({ volume_discounts: discounts }) });
  assert.deepEqual(explanationOf(input, 'volume_discount'), [
    { id: 3, value: 1, reason: 'won' },
    { id: 4, value: 1, reason: 'tie' },
    { id: 5, value: 0.9, reason: 'smaller_discount' },
  ]);
});

for (const [given, reason] of [
  [{}, 'won'],
  [{ enabled: false }, 'disabled'],
  [{ date_range_begin: NOW + 1 }, 'dates'],
  [{ memberships: [8] }, 'membership'],
  [{ zones: [9] }, 'zone'],
  [{ zones: [3] }, 'won'],
  [{ categories: [6] }, 'not_listed'],
  [{ total_range_begin: 10 }, 'won'],
  [{ total_range_begin: 10.0001 }, 'subtotal'],
  [{ total_range_end: 10 }, 'won'],
  [{ total_range_end: 9.9999 }, 'subtotal'],
  [{ uses_limit: 2, uses: 1 }, 'won'],
  [{ uses_limit: 2, uses: 2 }, 'uses'],
  [{ uses_limit_per_user: 1, uses_by_user: 0 }, 'won'],
  [{ uses_limit_per_user: 1, uses_by_user: 1 }, 'uses'],
  [{ uses_limit_per_user: 1, uses_by_user: null }, 'won'],
  [{ single_use: true }, 'won'],
] as const satisfies readonly [Partial<Coupon>, string][])
  test(`a coupon with ${JSON.stringify(given)} has the reason ${reason}`, () => {
    const coupons = [coupon({ id: 2, value: 10, ...given })];
    const input = pricingInput([LINE], { coupons, buyer: GOLD, address: IN_ZONE_3 });
    assert.deepEqual(explanationOf(input, 'coupon'), [{ id: 2, value: reason === 'won' ? 1 : null, reason }]);
    assert.equal(calculate(input).totals.discounts, reason === 'won' ? 1 : 0);
    assert.deepEqual(rejectionsOf(input), reason === 'won' ? [] : [{ path: 'coupons[0]', code: 'conflict', reason }]);
  });

test('a coupon for single use does not apply with another coupon', () => {
  const coupons = [coupon({ id: 2, value: 10 }), coupon({ id: 1, code: 'ALONE', value: 50, single_use: true })];
  const input = pricingInput([LINE], { coupons });
  assert.deepEqual(rejectionsOf(input), [{ path: 'coupons[1]', code: 'conflict', reason: 'not_combinable' }]);
  assert.equal(calculate(input).totals.discounts, 1);
});

test('a coupon covers only its lines, and its total range is that of these lines', () => {
  const lines = [LINE, orderLine({ id: 2, price: 90 })];
  const restricted = { specific_products: true, products: [1] };
  const result = calculate(pricingInput(lines, { coupons: [coupon({ type: '$', value: 20, ...restricted })] }));
  assert.deepEqual(result.discounts[0]!.shares, [10, 0]);
  const input = pricingInput(lines, { coupons: [coupon({ value: 10, total_range_begin: 50, ...restricted })] });
  assert.equal(rejectionsOf(input)[0]!.reason, 'subtotal');
});

test('charges are calculated from lines without free_shipping', () => {
  const lines = [
    orderLine({ price: 10 }, { amount: 3, weight: 0.3333 }),
    orderLine({ id: 2, price: 90, free_shipping: true }, { weight: 5 }),
  ];
  const coupons = [coupon({ id: 1, value: 50 }), coupon({ id: 2, code: 'FREE', type: 'S' })];
  const bases: unknown[] = [];
  const result = calculate(
    pricingInput(lines, {
      coupons,
      shipping: (basis) => {
        bases.push(basis);
        return [charge({ value: basis.items })];
      },
    }),
  );
  assert.deepEqual(bases, [{ items: 3, weight: 0.9999, total: 30, discounted_total: 15, free_by_coupon: true }]);
  assert.deepEqual(result.charges, [charge({ value: 3 })]);
  assert.equal(result.totals.total, 63);
  assert.deepEqual(result.discounts[1]!.shares, [0, 0]);
});

for (const [given, reason] of [
  [{}, 'won'],
  [{ value: 0 }, 'won'],
  [{ enabled: false }, 'disabled'],
  [{ date_range_end: NOW }, 'dates'],
  [{ membership: 7 }, 'won'],
  [{ membership: 8 }, 'membership'],
  [{ zone: 3 }, 'won'],
  [{ zone: 9 }, 'zone'],
  [{ tax_class: 2 }, 'won'],
  [{ tax_class: 1 }, 'not_listed'],
] as const satisfies readonly [Partial<TaxRate>, string][])
  test(`a tax rate with ${JSON.stringify(given)} has the reason ${reason}`, () => {
    const rates = [taxRate({ id: 5, value: 10, ...given })];
    const input = pricingInput([orderLine({ price: 10, tax_class: 2 })], {
      rules: pricingRules({ tax_rates: rates }),
      buyer: GOLD,
      address: IN_ZONE_3,
    });
    const tax = rates[0]!.value / 10;
    assert.deepEqual(explanationOf(input, 'tax_rate'), [{ id: 5, value: reason === 'won' ? tax : null, reason }]);
    assert.deepEqual(
      calculate(input).taxes.map(({ value }) => value),
      reason === 'won' ? [tax] : [],
    );
  });

for (const [winner, loser, reason] of [
  [{ position: 0 }, { position: 1, tax_class: 2, membership: 7, zone: 3 }, 'position'],
  [{ tax_class: 2 }, { membership: 7, zone: 3 }, 'position'],
  [{ membership: 7 }, { zone: 3 }, 'position'],
  [{ zone: 3 }, { zone: 4 }, 'position'],
  [{ zone: 4 }, {}, 'position'],
  [{}, {}, 'tie'],
] as const satisfies readonly [Partial<TaxRate>, Partial<TaxRate>, string][])
  test(`a rate with ${JSON.stringify(winner)} precedes one with ${JSON.stringify(loser)}`, () => {
    const address = [
      { id: 3, specificity: 2 },
      { id: 4, specificity: 0 },
    ];
    // The id decides only a tie.
    const [winnerId, loserId] = reason === 'tie' ? [1, 2] : [2, 1];
    const rates = [taxRate({ value: 5, ...winner, id: winnerId }), taxRate({ value: 9, ...loser, id: loserId })];
    const input = pricingInput([orderLine({ price: 100, tax_class: 2 })], {
      rules: pricingRules({ tax_rates: rates }),
      buyer: GOLD,
      address,
    });
    const entries = explanationOf(input, 'tax_rate');
    assert.deepEqual(entries.find(({ id }) => id === winnerId)!.reason, 'won');
    assert.deepEqual(entries.find(({ id }) => id === loserId)!.reason, reason);
  });

test('a line that is not taxable and an exempt buyer pay no tax', () => {
  const rules = pricingRules({ tax_rates: [taxRate({ value: 10 })] }, { vat_id_exempt_zone: 3 });
  const reasonFor = (taxable: boolean, buyer: Buyer, address: Input['address']) => {
    const input = pricingInput([orderLine({ price: 10, taxable })], { rules, buyer, address });
    assert.equal(calculate(input).taxes.length, explanationOf(input, 'tax_rate')[0]!.reason === 'won' ? 1 : 0);
    return explanationOf(input, 'tax_rate')[0]!.reason;
  };
  const withVatId = { ...GOLD, vat_id: 'DE136695976' };
  assert.equal(reasonFor(false, { ...GOLD, tax_exempt: true }, []), 'not_taxable');
  assert.equal(reasonFor(true, { ...GOLD, tax_exempt: true }, []), 'exempt');
  assert.equal(reasonFor(true, withVatId, IN_ZONE_3), 'exempt');
  assert.equal(reasonFor(true, withVatId, []), 'won');
  assert.equal(reasonFor(true, GOLD, IN_ZONE_3), 'won');
});

test('a line pays one rate of each code, by the base of the rate', () => {
  const rates = [
    taxRate({ id: 1, tax: 'STATE', value: 10, base: 'subtotal' }),
    taxRate({ id: 2, tax: 'CITY', value: 10 }),
    taxRate({ id: 3, tax: 'CITY', value: 20 }),
    taxRate({ id: 4, tax: 'ECO', type: '$', value: 0.255 }),
    taxRate({ id: 5, tax: 'STATE', value: 50, base: 'shipping', tax_class: 2 }),
  ];
  const { taxes } = calculate(
    pricingInput([orderLine({ price: 10 }, { amount: 3 })], {
      rules: pricingRules({ tax_rates: rates }),
      coupons: [coupon({ value: 50 })],
      shipping: [charge({ value: 4 }), charge({ value: 4, tax_class: 2 })],
    }),
  );
  assert.deepEqual(
    taxes.map(({ id, shares, charge_shares }) => ({ id, shares, charge_shares })),
    [
      { id: 1, shares: [3], charge_shares: [0, 0] },
      { id: 2, shares: [1.5], charge_shares: [0, 0] },
      { id: 4, shares: [0.77], charge_shares: [0, 0] },
      { id: 5, shares: [0], charge_shares: [0, 2] },
    ],
  );
});

test('an included tax is at most its base if units are rounded', () => {
  const rules = pricingRules(
    { tax_rates: [taxRate({ value: 1000 })] },
    { prices_include_tax: true, rounding_target: 'unit' },
  );
  // One unit has 0.0075 less a tenth: its tax rounds to 0.01, three of them to more than the line.
  const { taxes, lines } = calculate(pricingInput([orderLine({}, { amount: 3, price: 0.0075 })], { rules }));
  assert.equal(lines[0]!.subtotal, 0.02);
  assert.equal(taxes[0]!.value, 0.02);
});

test('gross prices lose the tax of an exempt buyer only', () => {
  const rules = pricingRules(
    { tax_rates: [taxRate({ value: 25 })] },
    { prices_include_tax: true, outside_zone: 'gross' },
  );
  const priceFor = (tax_exempt: boolean) =>
    calculate(pricingInput([orderLine({ price: 10 })], { rules, buyer: { ...GOLD, tax_exempt } })).lines[0]!;
  assert.deepEqual([priceFor(false).price, priceFor(true).price, priceFor(true).regular_price], [10, 8, 8]);
});

test('an order is rejected for a price below 0, and for a product that the buyer may not buy', () => {
  const options = [{ price_modifier: -11, price_modifier_type: 'absolute' as const }];
  const lines = [LINE, orderLine({ price: 10, memberships: [8] }), orderLine({ price: 10 }, { options })];
  assert.deepEqual(rejectionsOf(pricingInput(lines, { buyer: GOLD })), [
    { path: 'items[1]', code: 'conflict', reason: 'membership' },
    { path: 'items[2].options', code: 'range', reason: 'negative_price' },
  ]);
  assert.deepEqual(rejectionsOf(pricingInput(lines.slice(0, 2), { buyer: { ...GOLD, membership: 8 } })), []);
});

test('a price in the body replaces candidates, conversion and the regular price, without rounding', () => {
  const rules = pricingRules({ tax_rates: [taxRate({ value: 25 })] }, { prices_include_tax: true });
  const buyer = { ...GOLD, tax_exempt: true };
  const input = pricingInput([orderLine({ price: 10 }, { price: 3.3333, amount: 2 })], { rules, buyer });
  assert.deepEqual(calculate(input).lines, [
    {
      price: 3.3333,
      regular_price: 3.3333,
      amount: 2,
      subtotal: 6.67,
      wholesale_price_id: null,
      sale_discount_id: null,
    },
  ]);
  assert.deepEqual(explanationOf(input, 'regular'), []);
});
