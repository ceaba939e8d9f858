/** What must hold for every cart (pricing.md §8, items 1, 2 and 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalsOf } from '../../src/pricing/currencies.ts';
import {
  calculate,
  creditedPart,
  evaluate,
  type Input,
  type Line,
  type Result,
  relevantInput,
} from '../../src/pricing/index.ts';
import { cart } from '../support/pricing-carts.ts';
import { rounds } from '../support/rounds.ts';

const RUNS = rounds(300, 10_000);

/** Carts without a unit price below 0. */
const validCart = cart().filter((input) =>
  evaluate(input).rejections.every(({ reason }) => reason !== 'negative_price'),
);

function holds<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...args: T) => void,
): void {
  fc.assert(
    fc.property(fc.tuple<T>(...arbitraries), (args) => check(...args)),
    { numRuns: RUNS },
  );
}

/** Whole minor units of an amount. Fails if the amount is finer. */
function minor(amount: number, { currency }: Result): bigint {
  const scaled = amount * 10 ** decimalsOf(currency);
  const units = Math.round(scaled);
  assert.ok(Math.abs(scaled - units) < 1e-3, `${amount} is finer than ${currency}`);
  return BigInt(units);
}

function total(amounts: readonly number[], result: Result): bigint {
  return amounts.reduce((whole, amount) => whole + minor(amount, result), 0n);
}

/** The winning unit price of each line, before conversion; null if the body has the price. */
function pricesOf(input: Input): (number | null)[] {
  const won = calculate({ ...input, explain: true }).explanation!.filter((entry) => entry.won);
  return input.lines.map(
    (_, index) => won.find(({ scope, kind }) => scope === `items[${index}]` && kind !== 'tax_rate')?.value ?? null,
  );
}

function assertNotHigher(after: readonly (number | null)[], before: readonly (number | null)[]): void {
  for (const [index, price] of before.entries())
    if (price !== null) assert.ok(after[index]! <= price, `line ${index}: ${after[index]} > ${price}`);
}

test('shares add up to their discount or tax, and the parts to the total', () => {
  holds([validCart], (input) => {
    const result = calculate(input);
    const { lines, discounts, charges, taxes, totals } = result;
    for (const { value, shares } of discounts) assert.equal(total(shares, result), minor(value, result));
    for (const { value, shares, charge_shares } of taxes)
      assert.equal(total([...shares, ...charge_shares], result), minor(value, result));
    assert.equal(
      total(
        lines.map(({ subtotal }) => subtotal),
        result,
      ),
      minor(totals.sub_total, result),
    );
    assert.equal(
      total(
        discounts.map(({ value }) => value),
        result,
      ),
      minor(totals.discounts, result),
    );
    assert.equal(
      total(
        charges.map(({ value }) => value),
        result,
      ),
      minor(totals.charges, result),
    );
    const included = taxes.filter(({ include }) => include);
    assert.equal(
      total(
        included.map(({ value }) => value),
        result,
      ),
      minor(totals.included_taxes, result),
    );
    const added = taxes.filter(({ include }) => !include);
    assert.equal(
      total(
        added.map(({ value }) => value),
        result,
      ),
      minor(totals.added_taxes, result),
    );
    const parts = [totals.sub_total, -totals.discounts, totals.charges, totals.added_taxes];
    assert.equal(total(parts, result), minor(totals.total, result));
    assert.ok(totals.total >= 0);
  });
});

test('no discount takes more from a line than is left of it, and no share is negative', () => {
  holds([validCart], (input) => {
    const result = calculate(input);
    for (const [index, { subtotal }] of result.lines.entries()) {
      const shares = result.discounts.map((discount) => discount.shares[index]!);
      assert.ok(shares.every((share) => share >= 0));
      assert.ok(total(shares, result) <= minor(subtotal, result));
    }
  });
});

test('a share of a discount differs from its exact part by less than a minor unit', () => {
  holds([validCart], (input) => {
    const result = calculate(input);
    const rests = result.lines.map(({ subtotal }) => minor(subtotal, result));
    for (const { kind, id, value, shares } of result.discounts) {
      const coupon = kind === 'coupon' ? input.coupons.find((each) => each.id === id)! : undefined;
      // Restrictions to products decide which lines a coupon covers; without them it covers all.
      const coversAll = !coupon?.specific_products && !coupon?.product_classes.length && !coupon?.categories.length;
      const whole = rests.reduce((sum, rest) => sum + rest, 0n);
      for (const [index, share] of shares.entries()) {
        const difference = minor(share, result) * whole - minor(value, result) * rests[index]!;
        if (coversAll && whole > 0n) assert.ok((difference < 0n ? -difference : difference) < whole);
      }
      for (const [index, share] of shares.entries()) rests[index]! -= minor(share, result);
    }
  });
});

test('more quantity never raises a unit price before conversion', () => {
  holds([validCart, fc.nat(), fc.integer({ min: 1, max: 60 })], (input, at, more) => {
    const chosen = at % input.lines.length;
    const lines = input.lines.map((line, index) => (index === chosen ? { ...line, amount: line.amount + more } : line));
    assertNotHigher(pricesOf({ ...input, lines }), pricesOf(input));
  });
});

test('a membership never raises a unit price before conversion', () => {
  holds([validCart, fc.constantFrom(1, 2, 3)], (input, membership) => {
    const guest = { ...input, buyer: { ...input.buyer, membership: null } };
    assertNotHigher(pricesOf({ ...input, buyer: { ...input.buyer, membership } }), pricesOf(guest));
  });
});

test('another row of the same owner never raises a unit price before conversion', () => {
  const row = fc.record({
    id: fc.constant(99),
    type: fc.constantFrom('price' as const, 'percent' as const),
    price: fc.integer({ min: 0, max: 100 }),
    quantity_range_begin: fc.constantFrom(2, 3, 5),
    membership: fc.constantFrom(null, 1, 2),
  });
  // The owner has a row already: the first row of a variant replaces those of its product (pricing.md §4).
  const add = (line: Line, added: Line['product']['wholesale_prices'][number]): Line => {
    const { product, variant } = line;
    const withRow = <T extends Line['product'] | NonNullable<Line['variant']>>(owner: T): T =>
      owner.wholesale_prices.length === 0 ? owner : { ...owner, wholesale_prices: [...owner.wholesale_prices, added] };
    return { ...line, product: withRow(product), variant: variant && withRow(variant) };
  };
  holds([validCart, row], (input, added) => {
    assertNotHigher(pricesOf({ ...input, lines: input.lines.map((line) => add(line, added)) }), pricesOf(input));
  });
});

test('splitting a line changes no unit price', () => {
  holds([validCart, fc.nat(), fc.nat()], (input, at, part) => {
    const index = at % input.lines.length;
    const line = input.lines[index]!;
    fc.pre(line.amount > 1);
    const amount = 1 + (part % (line.amount - 1));
    const split = { ...line, amount };
    const rest = { ...line, amount: line.amount - amount };
    const before = calculate(input).lines.map(({ price }) => price);
    const after = calculate({ ...input, lines: input.lines.toSpliced(index, 1, split, rest) }).lines;
    assert.deepEqual(
      after.map(({ price }) => price),
      before.toSpliced(index, 1, before[index]!, before[index]!),
    );
  });
});

// The added coupon has the highest id. One with a lower id can change how the minor units that remain of a later allocation
// are distributed, and so raise the total by a minor unit.
test('another coupon never raises what is left after discounts', () => {
  holds([validCart, fc.integer({ min: 0, max: 3000 }), fc.constantFrom('%', '$')], (input, value, type) => {
    fc.pre(input.coupons.length > 0);
    const [model] = input.coupons;
    // A coupon for single use would no longer apply.
    const coupons = input.coupons.map((coupon) => ({ ...coupon, single_use: false }));
    const added = { ...model!, id: 10, single_use: false, type, value: type === '%' ? value / 30 : value };
    const afterDiscounts = ({ totals }: Result): number => totals.sub_total - totals.discounts;
    const before = afterDiscounts(calculate({ ...input, coupons }));
    const after = afterDiscounts(calculate({ ...input, coupons: [...coupons, added] }));
    assert.ok(after <= before + 1e-6, `${after} > ${before}`);
  });
});

test('the order of coupons and rules has no effect', () => {
  holds([validCart], (input) => {
    const { rules } = input;
    const reversed: Input = {
      ...input,
      coupons: input.coupons.toReversed(),
      address: input.address.toReversed(),
      rules: {
        ...rules,
        sale_discounts: rules.sale_discounts.toReversed(),
        volume_discounts: rules.volume_discounts.toReversed(),
        tax_rates: rules.tax_rates.toReversed(),
      },
    };
    assert.deepEqual(calculate({ ...reversed, explain: true }), calculate({ ...input, explain: true }));
  });
});

test('an explanation has exactly one winner of each line, and changes no amount', () => {
  holds([validCart], (input) => {
    const { explanation, ...explained } = calculate({ ...input, explain: true });
    const { explanation: none, ...plain } = calculate(input);
    assert.equal(none, null);
    assert.deepEqual(explained, plain);
    for (const [index, line] of input.lines.entries()) {
      const winners = explanation!.filter(
        ({ scope, kind, won }) => scope === `items[${index}]` && kind !== 'tax_rate' && won,
      );
      assert.equal(winners.length, line.price === null ? 1 : 0);
    }
    assert.ok(explanation!.every(({ won, reason }) => won === (reason === 'won')));
  });
});

test('credit notes of one unit each add up to the shares of the line', () => {
  holds([validCart], (input) => {
    const result = calculate(input);
    for (const [index, { amount, subtotal }] of result.lines.entries()) {
      if (amount > 60) continue;
      for (const { shares } of [...result.discounts, ...result.taxes]) {
        // With a subtotal of 0, units take its place.
        const whole = subtotal === 0 ? amount : subtotal;
        const bounds = Array.from({ length: amount + 1 }, (_, units) => Math.floor((whole * units) / amount));
        bounds[amount] = whole;
        const parts = bounds.slice(1).map((end, unit) => {
          const before = bounds[unit]!;
          const now = Math.round((end - before) * 10_000) / 10_000;
          return creditedPart(shares[index]!, { whole, before, now }, result.currency);
        });
        assert.equal(total(parts, result), minor(shares[index]!, result));
      }
    }
  });
});

test('a result is equal after a round trip of its input through JSON', () => {
  holds([validCart], (input) => {
    fc.pre(typeof input.shipping !== 'function');
    const result = calculate(input);
    assert.deepEqual(calculate(JSON.parse(JSON.stringify(input))), JSON.parse(JSON.stringify(result)));
  });
});

test('the input that an order stores leads to the same result', () => {
  holds([cart()], (input) => {
    const stored = relevantInput(input);
    assert.equal(stored.buyer.vat_id, '');
    assert.deepEqual(calculate(stored), calculate({ ...input, explain: false }));
  });
});
