/**
 * The price calculation equals an independent one with exact fractions (pricing.md §8, item 1). `npm run torture -- pricing`
 * compares more carts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Input, Result } from '../../src/pricing/index.ts';
import {
  charge,
  coupon,
  orderLine,
  pricingInput,
  pricingRules,
  productFacts,
  saleDiscount,
  taxRate,
  volumeDiscount,
  wholesalePrice,
} from '../support/pricing.ts';
import { compared, comparedCart } from '../support/pricing-comparison.ts';
import { oracle } from '../support/pricing-oracle.ts';

const SEED = 29;
const CARTS = 1500;
const EXPLAINED_CARTS = 500;

describe('calculate and the oracle', () => {
  it('have equal results for random carts', () => assertEqualFor(CARTS, false));
  it('have equal candidates and winners in the explanations of random carts', () =>
    assertEqualFor(EXPLAINED_CARTS, true));
});

function assertEqualFor(numRuns: number, explain: boolean): void {
  const property = fc.property(comparedCart(), (input) => {
    const { difference } = compared({ ...input, explain });
    assert.equal(difference, null);
  });
  fc.assert(property, { seed: SEED + Number(explain), numRuns });
}

describe('the oracle has the results of the worked examples (pricing.md §9)', () => {
  it('finds the lowest candidate, the first of a tie, and combinations', () => {
    const rows = [
      wholesalePrice({ id: 1, quantity_range_begin: 10, price: 90 }),
      wholesalePrice({ id: 2, quantity_range_begin: 10, price: 85, membership: GOLD }),
      wholesalePrice({ id: 3, quantity_range_begin: 50, type: 'percent', price: 20 }),
    ];
    const found = (amount: number, membership: number | null, apply_to_wholesale: boolean): unknown[] => {
      const [line] = resultOf([orderLine({ price: 100, wholesale_prices: rows }, { amount })], {
        buyer: { ...GUEST, membership },
        rules: pricingRules({ sale_discounts: [saleDiscount({ id: 7, value: 10, apply_to_wholesale })] }),
      }).lines;
      return [line!.price, line!.wholesale_price_id, line!.sale_discount_id];
    };
    assert.deepEqual(found(10, null, false), [90, null, 7]);
    assert.deepEqual(found(10, GOLD, false), [85, 2, null]);
    assert.deepEqual(found(50, null, false), [80, 3, null]);
    assert.deepEqual(found(10, null, true), [81, 1, 7]);
    assert.deepEqual(found(10, GOLD, true), [76.5, 2, 7]);
    assert.deepEqual(found(50, null, true), [72, 3, 7]);
  });

  it('adds options to a sale and to a row', () => {
    const options = [
      { price_modifier: 10, price_modifier_type: 'percent' as const },
      { price_modifier: -2.5, price_modifier_type: 'absolute' as const },
    ];
    const product = { price: 19.99, participate_sale: true, sale_price_value: 15 };
    const amounts = (wholesale_prices: ReturnType<typeof wholesalePrice>[]): unknown => {
      const [line] = resultOf([orderLine({ ...product, wholesale_prices }, { amount: 3, options })]).lines;
      return [line!.price, line!.subtotal];
    };
    assert.deepEqual(amounts([]), [16.57, 49.71]);
    assert.deepEqual(amounts([wholesalePrice({ quantity_range_begin: 3, price: 15 })]), [14.5, 43.5]);
  });

  it('allocates a coupon in proportion to the lines', () => {
    const shares = (prices: readonly number[], off: Partial<Parameters<typeof coupon>[0]>): unknown =>
      resultOf(linesAt(prices), { coupons: [coupon(off)] }).discounts.map(({ value, shares }) => [value, ...shares]);
    assert.deepEqual(shares([10, 10, 10], { type: '$', value: 10 }), [[10, 3.34, 3.33, 3.33]]);
    assert.deepEqual(shares([59.97, 5, 0.03], { value: 10 }), [[6.5, 6, 0.5, 0]]);
  });

  it('takes off no more than the rest of the lines', () => {
    const { discounts, totals } = resultOf(linesAt([10, 2]), {
      coupons: [coupon({ type: '$', value: 8 })],
      rules: pricingRules({ volume_discounts: [volumeDiscount({ value: 50 })] }),
    });
    assert.deepEqual(
      discounts.map(({ shares }) => shares),
      [
        [5, 1],
        [5, 1],
      ],
    );
    assert.deepEqual([totals.discounts, totals.total], [12, 0]);
  });

  it('taxes shipping in proportion to the lines', () => {
    const { taxes, totals, discounts } = resultOf(
      [orderLine({ id: 1, price: 119, tax_class: 1 }), orderLine({ id: 2, price: 21.4, tax_class: 2 })],
      {
        ...HOME,
        coupons: [coupon({ value: 10 })],
        shipping: [charge({ value: 4.9 })],
        rules: pricingRules(
          {
            missing_address: HOME.address,
            tax_rates: [taxRate({ id: 1, value: 19, tax_class: 1 }), taxRate({ id: 2, value: 7, tax_class: 2 })],
          },
          { prices_include_tax: true, shipping: 'proportional' },
        ),
      },
    );
    assert.deepEqual(discounts[0]!.shares, [11.9, 2.14]);
    assert.deepEqual(
      taxes.map(({ value, shares, charge_shares }) => [value, ...shares, ...charge_shares]),
      [
        [17.76, 17.1, 0, 0.66],
        [1.31, 0, 1.26, 0.05],
      ],
    );
    assert.equal(totals.total, 131.26);
  });

  it('converts included prices for a buyer in another zone', () => {
    const found = (
      price: number,
      amount: number,
      outside_zone: 'net' | 'gross',
      buyer: { readonly zone: number; readonly vat_id?: string },
    ): unknown => {
      const { lines, taxes } = resultOf([orderLine({ price }, { amount })], {
        address: [{ id: buyer.zone, specificity: 1 }],
        buyer: { ...GUEST, vat_id: buyer.vat_id ?? '' },
        rules: pricingRules(
          {
            missing_address: HOME.address,
            tax_rates: [taxRate({ id: 1, value: 19, zone: 1 }), taxRate({ id: 2, value: 20, zone: 2 })],
          },
          { prices_include_tax: true, outside_zone, vat_id_exempt_zone: 2 },
        ),
      });
      return [lines[0]!.price, lines[0]!.subtotal, ...taxes.map(({ value }) => value)];
    };
    assert.deepEqual(found(119, 1, 'net', { zone: 2 }), [120, 120, 20]);
    assert.deepEqual(found(119, 1, 'gross', { zone: 2 }), [119, 119, 19.83]);
    assert.deepEqual(found(19.99, 3, 'net', { zone: 2 }), [20.16, 60.48, 10.08]);
    assert.deepEqual(found(119, 1, 'net', { zone: 2, vat_id: 'FR40303265045' }), [100, 100]);
    assert.deepEqual(found(119, 1, 'net', { zone: 3 }), [100, 100]);
  });

  it('adds taxes of lines and shipping', () => {
    const tax_rates = [taxRate({ id: 1, value: 8.25 }), taxRate({ id: 2, value: 8.25, base: 'shipping' })];
    const { taxes, totals } = resultOf([orderLine({ price: 19.99 }, { amount: 2 })], {
      coupons: [coupon({ value: 10 })],
      shipping: [charge({ value: 5.95 })],
      rules: pricingRules({ tax_rates }),
    });
    assert.deepEqual(
      taxes.map(({ value }) => value),
      [2.97, 0.49],
    );
    assert.equal(totals.total, 45.39);
    const shares = (rounding_target: 'line' | 'total'): unknown =>
      resultOf(linesAt([1.25, 1.25, 1.25]), { rules: pricingRules({ tax_rates }, { rounding_target }) }).taxes[0]!
        .shares;
    assert.deepEqual(shares('line'), [0.1, 0.1, 0.1]);
    assert.deepEqual(shares('total'), [0.11, 0.1, 0.1]);
  });

  it('rounds the tax of a line or of a unit', () => {
    const amounts = (rounding_target: 'line' | 'unit'): unknown => {
      const rules = pricingRules({ tax_rates: [taxRate({ value: 19 })] }, { rounding_target });
      const { totals } = resultOf([orderLine({ price: 1.08 }, { amount: 3 })], { rules });
      return [totals.sub_total, totals.added_taxes, totals.total];
    };
    assert.deepEqual(amounts('line'), [3.24, 0.62, 3.86]);
    assert.deepEqual(amounts('unit'), [3.24, 0.63, 3.87]);
  });
});

const GOLD = 5;
const GUEST = { membership: null, tax_exempt: false, vat_id: '' };
const HOME = { address: [{ id: 1, specificity: 1 }] };

/** The oracle's result. It is an error if `calculate` differs. */
function resultOf(lines: Input['lines'], given: Partial<Input> = {}): Omit<Result, 'explanation'> {
  const input = pricingInput(lines, given);
  assert.equal(compared(input).difference, null);
  return oracle(input).result;
}

function linesAt(prices: readonly number[]): Input['lines'] {
  return prices.map((price, index) => ({ ...orderLine(), product: productFacts({ id: index + 1, price }) }));
}
