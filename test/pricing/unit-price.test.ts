/** Prices of one product without an order (pricing.md §§5, 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { calculate, type Tier, tiersOf, unitPriceOf } from '../../src/pricing/index.ts';
import { orderLine, pricingInput, pricingRules, saleDiscount, taxRate, wholesalePrice } from '../support/pricing.ts';
import { cart } from '../support/pricing-carts.ts';

const ROWS = [
  wholesalePrice({ id: 1, price: 6, quantity_range_begin: 50 }),
  wholesalePrice({ id: 2, price: 8, quantity_range_begin: 10 }),
  wholesalePrice({ id: 3, price: 8, quantity_range_begin: 20 }),
  wholesalePrice({ id: 4, price: 7, quantity_range_begin: 5, membership: 7 }),
];
const MEMBER = { membership: 7, tax_exempt: false, vat_id: '' };

test('tiers are quantity 1 and each quantity at which the price of the buyer falls', () => {
  const lines = [orderLine({ price: 10, wholesale_prices: ROWS }, { amount: 3 })];
  assert.deepEqual(tiersOf(pricingInput(lines)), [
    { quantity: 1, price: 10 },
    { quantity: 10, price: 8 },
    { quantity: 50, price: 6 },
  ]);
  assert.deepEqual(tiersOf(pricingInput(lines, { buyer: MEMBER })), [
    { quantity: 1, price: 10 },
    { quantity: 5, price: 7 },
    { quantity: 50, price: 6 },
  ]);
  assert.deepEqual(tiersOf(pricingInput([orderLine({ price: 10 })])), [{ quantity: 1, price: 10 }]);
});

test('tiers are converted', () => {
  const rules = pricingRules({ tax_rates: [taxRate({ value: 25 })] }, { prices_include_tax: true });
  const lines = [orderLine({ price: 10, wholesale_prices: ROWS.slice(0, 1) })];
  assert.deepEqual(tiersOf(pricingInput(lines, { rules, buyer: { ...MEMBER, tax_exempt: true } })), [
    { quantity: 1, price: 8 },
    { quantity: 50, price: 4.8 },
  ]);
});

test('tiers are the quantities at which the calculation lowers the price', () => {
  fc.assert(
    fc.property(cart(), (input) => {
      const line = { ...input.lines[0]!, price: null };
      const begins = [line.product, line.variant].flatMap((owner) => owner?.wholesale_prices ?? []);
      const quantities = new Set([1, ...begins.map(({ quantity_range_begin }) => quantity_range_begin)]);
      const expected: Tier[] = [];
      for (const quantity of [...quantities].sort((one, other) => one - other)) {
        const [calculated] = calculate({ ...input, lines: [{ ...line, amount: quantity }] }).lines;
        const last = expected.at(-1);
        if (!last || calculated!.price < last.price) expected.push({ quantity, price: calculated!.price });
      }
      assert.deepEqual(tiersOf({ ...input, lines: [line] }), expected);
    }),
  );
});

test('a unit price depends on quantity, membership, sales and time, and is not converted', () => {
  const rules = pricingRules(
    { sale_discounts: [saleDiscount({ value: 10, date_range_begin: 100 })], tax_rates: [taxRate({ value: 25 })] },
    { prices_include_tax: true },
  );
  const line = orderLine({ price: 10, wholesale_prices: ROWS });
  const guest = { membership: null, tax_exempt: true, vat_id: '' };
  assert.deepEqual(unitPriceOf(line, { buyer: guest, time: 99, rules }), { price: 10, regular_price: 10 });
  assert.deepEqual(unitPriceOf(line, { buyer: guest, time: 100, rules }), { price: 9, regular_price: 10 });
  assert.equal(unitPriceOf({ ...line, amount: 5 }, { buyer: guest, time: 100, rules }).price, 9);
  assert.equal(unitPriceOf({ ...line, amount: 5 }, { buyer: MEMBER, time: 100, rules }).price, 7);
});
