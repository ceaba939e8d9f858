/** The worked examples, with their numbers (pricing.md §9). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calculate,
  creditedPart,
  type Input,
  type Line,
  lowestPriceOf30Days,
  type Result,
} from '../../src/pricing/index.ts';
import {
  charge,
  coupon,
  orderLine,
  pricingInput,
  pricingRules,
  saleDiscount,
  taxRate,
  volumeDiscount,
  wholesalePrice,
} from '../support/pricing.ts';

const GOLD = 7;
const GERMANY = 1;
const FRANCE = 2;

/** A line that has only a price. */
function priced(price: number, amount = 1): Line {
  return orderLine({ price }, { amount });
}

function amountsOf({ discounts }: Result): readonly (readonly number[])[] {
  return discounts.map(({ shares }) => shares);
}

for (const [applyToWholesale, expected] of [
  [false, [90, 85, 80]],
  [true, [81, 76.5, 72]],
] as const)
  test(`example 1: finds the lowest candidate, with apply_to_wholesale ${applyToWholesale}`, () => {
    const rows = [
      wholesalePrice({ id: 1, quantity_range_begin: 10, price: 90 }),
      wholesalePrice({ id: 2, quantity_range_begin: 10, price: 85, membership: GOLD }),
      wholesalePrice({ id: 3, quantity_range_begin: 50, price: 20, type: 'percent' }),
    ];
    const rules = pricingRules({
      sale_discounts: [saleDiscount({ id: 4, value: 10, apply_to_wholesale: applyToWholesale })],
    });
    const lineFor = (membership: number | null, amount: number) =>
      calculate(
        pricingInput([orderLine({ price: 100, wholesale_prices: rows }, { amount })], {
          rules,
          buyer: { membership, tax_exempt: false, vat_id: '' },
        }),
      ).lines[0]!;
    const [guest, gold, many] = [lineFor(null, 10), lineFor(GOLD, 10), lineFor(null, 50)];
    assert.deepEqual([guest.price, gold.price, many.price], expected);
    assert.deepEqual(
      [guest, gold, many].map(({ regular_price }) => regular_price),
      [100, 100, 100],
    );
    // Sale and row both lead to 90.00; the sale comes first.
    if (!applyToWholesale) assert.deepEqual([guest.sale_discount_id, guest.wholesale_price_id], [4, null]);
    else assert.deepEqual([guest.sale_discount_id, guest.wholesale_price_id], [4, 1]);
  });

test('example 2: adds options before an own sale, and to a wholesale price', () => {
  const options = [
    { price_modifier: 10, price_modifier_type: 'percent' },
    { price_modifier: -2.5, price_modifier_type: 'absolute' },
  ] as const;
  const product = { price: 19.99, participate_sale: true, sale_price_value: 15 };
  const sale = calculate(pricingInput([orderLine(product, { amount: 3, options })]));
  assert.deepEqual([sale.lines[0]!.price, sale.lines[0]!.subtotal], [16.57, 49.71]);
  const rows = [wholesalePrice({ quantity_range_begin: 3, price: 15 })];
  const row = calculate(pricingInput([orderLine({ ...product, wholesale_prices: rows }, { amount: 3, options })]));
  assert.deepEqual([row.lines[0]!.price, row.lines[0]!.subtotal], [14.5, 43.5]);
});

test('example 3: allocates a discount without losing a minor unit', () => {
  const even = calculate(
    pricingInput([priced(10), priced(10), priced(10)], { coupons: [coupon({ type: '$', value: 10 })] }),
  );
  assert.deepEqual(amountsOf(even), [[3.34, 3.33, 3.33]]);
  const uneven = calculate(
    pricingInput([priced(59.97), priced(5), priced(0.03)], { coupons: [coupon({ value: 10 })] }),
  );
  assert.equal(uneven.discounts[0]!.value, 6.5);
  assert.deepEqual(amountsOf(uneven), [[6, 0.5, 0]]);
});

test('example 4: caps a coupon at what the volume discount leaves', () => {
  const rules = pricingRules({ volume_discounts: [volumeDiscount({ value: 50 })] });
  const result = calculate(
    pricingInput([priced(10), priced(2)], { rules, coupons: [coupon({ type: '$', value: 8 })] }),
  );
  assert.deepEqual(amountsOf(result), [
    [5, 1],
    [5, 1],
  ]);
  assert.deepEqual(
    result.discounts.map(({ value }) => value),
    [6, 6],
  );
  assert.equal(result.totals.total, 0);
});

test('example 5: Germany, prices and proportional shipping include two rates', () => {
  const [standard, reduced] = [1, 2];
  const rules = pricingRules(
    {
      currency: 'EUR',
      tax_rates: [
        taxRate({ id: 1, tax: 'VAT', value: 19, tax_class: standard }),
        taxRate({ id: 2, tax: 'VAT', value: 7, tax_class: reduced }),
      ],
    },
    { prices_include_tax: true, shipping: 'proportional' },
  );
  const { discounts, taxes, totals } = calculate(
    pricingInput([orderLine({ price: 119, tax_class: standard }), orderLine({ price: 21.4, tax_class: reduced })], {
      rules,
      coupons: [coupon({ value: 10 })],
      shipping: [charge({ value: 4.9 })],
    }),
  );
  assert.deepEqual(discounts[0]!.shares, [11.9, 2.14]);
  assert.deepEqual(
    taxes.map(({ id, include, value, shares, charge_shares }) => ({ id, include, value, shares, charge_shares })),
    [
      { id: 1, include: true, value: 17.76, shares: [17.1, 0], charge_shares: [0.66] },
      { id: 2, include: true, value: 1.31, shares: [0, 1.26], charge_shares: [0.05] },
    ],
  );
  assert.equal(totals.total, 131.26);
  assert.equal(totals.included_taxes, 19.07);
});

/** Example 6: prices include the German rate of 19 %; France has 20 %, Switzerland no rate. */
function acrossEurope(line: Line, given: Partial<Input>, outside: 'net' | 'gross' = 'net'): Result {
  const inGermany = [{ id: GERMANY, specificity: 1 }];
  const rules = pricingRules(
    {
      currency: 'EUR',
      missing_address: inGermany,
      tax_rates: [taxRate({ id: 1, value: 19, zone: GERMANY }), taxRate({ id: 2, value: 20, zone: FRANCE })],
    },
    { prices_include_tax: true, outside_zone: outside, vat_id_exempt_zone: FRANCE },
  );
  return calculate(pricingInput([line], { rules, ...given }));
}

test('example 6: EU one-stop, prices follow the rate of the buyer with net, and remain with gross', () => {
  const address = [{ id: FRANCE, specificity: 1 }];
  const net = acrossEurope(priced(119), { address });
  assert.deepEqual([net.totals.total, net.totals.included_taxes], [120, 20]);
  const gross = acrossEurope(priced(119), { address }, 'gross');
  assert.deepEqual([gross.totals.total, gross.totals.included_taxes], [119, 19.83]);
  const three = acrossEurope(priced(19.99, 3), { address });
  assert.deepEqual([three.lines[0]!.price, three.totals.total, three.totals.included_taxes], [20.16, 60.48, 10.08]);
});

test('example 6: EU one-stop, an exempt buyer and a country without a rate pay the net price', () => {
  const exempt = acrossEurope(priced(119), {
    address: [{ id: FRANCE, specificity: 1 }],
    buyer: { membership: null, tax_exempt: false, vat_id: 'FR40303265045' },
  });
  const swiss = acrossEurope(priced(119), { address: [{ id: 3, specificity: 1 }] });
  for (const { totals, taxes } of [exempt, swiss]) {
    assert.equal(totals.total, 100);
    assert.deepEqual(taxes, []);
  }
});

test('example 7: US destination, taxes are added to lines and shipping', () => {
  const rates = [
    taxRate({ id: 1, tax: 'SALES', value: 8.25 }),
    taxRate({ id: 2, tax: 'SALES', value: 8.25, base: 'shipping' }),
  ];
  const { totals, taxes, discounts } = calculate(
    pricingInput([priced(19.99, 2)], {
      rules: pricingRules({ tax_rates: rates }),
      coupons: [coupon({ value: 10 })],
      shipping: [charge({ value: 5.95 })],
    }),
  );
  assert.equal(discounts[0]!.value, 4);
  assert.deepEqual(
    taxes.map(({ value, shares, charge_shares }) => ({ value, shares, charge_shares })),
    [
      { value: 2.97, shares: [2.97], charge_shares: [0] },
      { value: 0.49, shares: [0], charge_shares: [0.49] },
    ],
  );
  assert.deepEqual([totals.added_taxes, totals.total], [3.46, 45.39]);
});

test('example 7: three lines of 1.25 owe one cent more if the total is rounded', () => {
  const taxWith = (target: 'line' | 'total') =>
    calculate(
      pricingInput([priced(1.25), priced(1.25), priced(1.25)], {
        rules: pricingRules({ tax_rates: [taxRate({ value: 8.25 })] }, { rounding_target: target }),
      }),
    ).taxes[0]!;
  assert.equal(taxWith('line').value, 0.3);
  assert.deepEqual([taxWith('total').value, taxWith('total').shares], [0.31, [0.11, 0.1, 0.1]]);
});

test('example 8: the target unit rounds the tax of one unit', () => {
  const totalsWith = (target: 'line' | 'unit') =>
    calculate(
      pricingInput([priced(1.08, 3)], {
        rules: pricingRules({ tax_rates: [taxRate({ value: 19 })] }, { rounding_target: target }),
      }),
    ).totals;
  const [line, unit] = [totalsWith('line'), totalsWith('unit')];
  assert.deepEqual([line.sub_total, line.added_taxes, line.total], [3.24, 0.62, 3.86]);
  assert.deepEqual([unit.sub_total, unit.added_taxes, unit.total], [3.24, 0.63, 3.87]);
});

test('example 9: an included tax is of what the discount leaves', () => {
  const rules = pricingRules({ tax_rates: [taxRate({ value: 19 })] }, { prices_include_tax: true });
  const { discounts, taxes } = calculate(
    pricingInput([priced(10, 3)], { rules, coupons: [coupon({ type: '$', value: 1 })] }),
  );
  assert.deepEqual([discounts[0]!.shares, taxes[0]!.shares], [[1], [4.63]]);
});

test('example 9: credit notes of one unit each add up to the share', () => {
  const parts = (share: number) =>
    [0, 10, 20].map((before) => creditedPart(share, { whole: 30, before, now: 10 }, 'EUR'));
  assert.deepEqual(parts(4.63), [1.54, 1.55, 1.54]);
  assert.deepEqual(parts(1), [0.33, 0.34, 0.33]);
});

test('example 10: the lowest price of 30 days depends on when a reduction begins', () => {
  const day = (month: number, date: number): number => Date.UTC(2026, month - 1, date) / 1000;
  const changes = [
    { time: day(1, 1), price: 100, regular_price: 100 },
    { time: day(3, 1), price: 90, regular_price: 90 },
    { time: day(3, 10), price: 100, regular_price: 100 },
    { time: day(3, 20), price: 80, regular_price: 100 },
  ];
  assert.equal(lowestPriceOf30Days(changes, day(3, 22), 'each'), 90);
  const lower = [...changes, { time: day(3, 25), price: 70, regular_price: 100 }];
  assert.equal(lowestPriceOf30Days(lower, day(3, 26), 'each'), 80);
  assert.equal(lowestPriceOf30Days(lower, day(3, 26), 'first'), 90);
});
