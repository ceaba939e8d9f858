/**
 * Totals of random orders: the store's results equal exact sums, rounded to the currency (orders.md §8). The expected
 * sums use whole ten-thousandths and share no code with the store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { countOrders, place } from '../support/orders.ts';
import { rounds } from '../support/rounds.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const UNIT = 10_000n;
/** The smallest unit of some currencies in ten-thousandths, according to ISO 4217. */
const MINOR_UNITS = { JPY: 10_000n, HUF: 100n, USD: 100n, IQD: 10n, KWD: 10n, CLF: 1n } as const;
const LARGEST = 99_999_999_999_999n;

/** Amounts in ten-thousandths, often small or at a limit. */
const money = fc.oneof(
  fc.bigInt(0n, 300_000n),
  fc.bigInt(0n, 2_000_000_000n),
  fc.bigInt(0n, LARGEST),
  fc.constantFrom(0n, 1n, 5n, 9_999n, 10_005n, LARGEST - 1n, LARGEST),
);

/** The sale of a product. */
const sale = fc.oneof(
  fc.constant({ kind: 'none', value: 0n } as const),
  fc.record({ kind: fc.constant('sale_price' as const), value: money }),
  fc.record({
    kind: fc.constant('sale_percent' as const),
    value: fc.oneof(fc.bigInt(0n, 100n * UNIT), fc.constantFrom(500_000n, 900_000n, 125_000n, 1n, 999_999n)),
  }),
);
/** A sale price is at most the price. */
const oneGood = fc.record({ price: money, sale }).map(({ price, sale: { kind, value } }) => ({
  price,
  sale: { kind, value: kind === 'sale_price' && value > price ? price : value },
}));
const goods = fc.array(oneGood, { minLength: 1, maxLength: 6 });
type Goods = { price: bigint; sale: { kind: 'none' | 'sale_price' | 'sale_percent'; value: bigint } };

const item = fc.record({
  product: fc.nat(5),
  amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 1_000_000 }), fc.constant(1)),
  /** null: the price of the product. */
  price: fc.option(money),
});
type Item = { product: number; amount: number; price: bigint | null };

const surcharge = fc
  .record({
    type: fc.constantFrom('tax', 'discount', 'shipping', 'handling'),
    value: money,
    negative: fc.boolean(),
    include: fc.boolean(),
  })
  .map(({ type, value, negative, include }) => ({
    type,
    value: type === 'discount' || (negative && type !== 'shipping') ? -value : value,
    include,
  }));
type Surcharge = { type: string; value: bigint; include: boolean };

const order = fc
  .record({
    items: fc.array(item, { minLength: 1, maxLength: 6 }),
    surcharges: fc.array(surcharge, { maxLength: 4 }),
    currency: fc.constantFrom(...(Object.keys(MINOR_UNITS) as (keyof typeof MINOR_UNITS)[])),
    /** Most orders have surcharges in whole minor units. */
    isRounded: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
  })
  .map(({ isRounded, ...one }) => ({
    ...one,
    surcharges: one.surcharges.map((each) => ({
      ...each,
      value: isRounded ? each.value - (each.value % MINOR_UNITS[one.currency]) : each.value,
    })),
  }));
type Order = { items: Item[]; surcharges: Surcharge[]; currency: keyof typeof MINOR_UNITS };

/** Rounds to minor units, half up. Amounts are never negative here. */
function inMinorUnits(amount: bigint, minorUnit: bigint, of = 1n): bigint {
  const least = amount / (minorUnit * of);
  const rest = amount - least * minorUnit * of;
  return (rest + rest < minorUnit * of ? least : least + 1n) * minorUnit;
}

function priceOf({ price, sale: { kind, value } }: Goods, minorUnit: bigint): bigint {
  if (kind === 'none') return price;
  if (kind === 'sale_price') return value;
  const whole = 100n * UNIT;
  return inMinorUnits(price * (whole - value), minorUnit, whole);
}

function totalsOf({ items, surcharges, currency }: Order, products: readonly Goods[]) {
  const minorUnit = MINOR_UNITS[currency];
  const prices = items.map(({ product, price }) => price ?? priceOf(products[product % products.length]!, minorUnit));
  const lines = items.map(({ amount }, index) => inMinorUnits(prices[index]! * BigInt(amount), minorUnit));
  const subTotal = lines.reduce((one, other) => one + other, 0n);
  const added = surcharges.filter(({ include }) => !include).map(({ value }) => value);
  const hasFractions = surcharges.some(({ value }) => value % minorUnit !== 0n);
  return { prices, lines, subTotal, hasFractions, total: added.reduce((one, other) => one + other, subTotal) };
}

const isInRange = (sum: bigint) => sum >= 0n && sum <= LARGEST;

/** Formats ten-thousandths as JSON does. */
function decimal(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
  return `${units < 0n ? '-' : ''}${text}`;
}

/** A number of at most fourteen digits, which a double represents unambiguously. */
const numeral = (units: bigint) => Number(decimal(units));

function assertTotals({ status, text, json }: HttpResponse, sent: Order, products: readonly Goods[]): void {
  assert.equal(status, 201, text);
  const { prices, lines, subTotal, total } = totalsOf(sent, products);
  assert.ok(text.includes(`"total":${decimal(total)},"sub_total":${decimal(subTotal)},`), text);
  assert.deepEqual(
    json.items.map((each: Json) => [each.price, each.item_net_price, each.discounted_subtotal]),
    lines.map((line, index) => [numeral(prices[index]!), numeral(prices[index]!), numeral(line)]),
  );
  const values = (list: readonly unknown[]) => list.map(String).sort();
  assert.deepEqual(
    values(json.surcharges.map(({ value }: Json) => value)),
    values(sent.surcharges.map(({ value }) => numeral(value))),
  );
}

function assertRejected(response: HttpResponse, hasFractions = false): void {
  assertProblem(response, 422);
  for (const { propertyPath, code } of response.json.violations)
    if (hasFractions) assert.match(`${propertyPath} ${code}`, /^surcharges\[\d\]\.value decimals$/, response.text);
    else assert.ok(['items', 'surcharges'].includes(propertyPath), response.text);
}

async function productIds(store: Store, products: readonly Goods[]): Promise<number[]> {
  const made = products.map(({ price, sale: { kind, value } }) =>
    store.product({
      price: numeral(price),
      inventory_traceable: false,
      participate_sale: kind !== 'none',
      ...(kind === 'none' ? {} : { discount_type: kind, sale_price_value: numeral(value) }),
    }),
  );
  return (await Promise.all(made)).map(({ id }) => id);
}

const BATCH = 50;
const BATCHES = { sqlite: rounds(12, 44), postgres: rounds(4, 10) };

onEachDatabase('totals of random orders', {}, (store) => {
  test('are exact or rejected', async () => {
    let [accepted, rejected] = [0, 0];
    await fc.assert(
      fc.asyncProperty(goods, fc.array(order, { minLength: BATCH, maxLength: BATCH }), async (products, orders) => {
        const ids = await productIds(store, products);
        await Promise.all(
          orders.map(async (each) => {
            const response = await place(
              store,
              each.items.map(({ product, amount, price }) => ({
                product_id: ids[product % ids.length],
                amount,
                ...(price === null ? {} : { price: numeral(price) }),
              })),
              {
                currency: each.currency,
                surcharges: each.surcharges.map((one) => ({ ...one, value: numeral(one.value) })),
              },
            );
            const { subTotal, total, hasFractions } = totalsOf(each, products);
            if (isInRange(subTotal) && isInRange(total) && !hasFractions) {
              accepted += 1;
              assertTotals(response, each, products);
              const read = await store.get(`/api/orders/${response.json.id}`);
              assert.equal(read.text, response.text);
            } else {
              rejected += 1;
              assertRejected(response, hasFractions);
            }
          }),
        );
      }),
      { numRuns: BATCHES[store.database], endOnFailure: true },
    );
    assert.ok(accepted + rejected >= BATCH * BATCHES[store.database]);
    assert.ok(accepted > (accepted + rejected) / 5, `${accepted} orders were accepted and ${rejected} rejected`);
    assert.equal(await countOrders(store), accepted);
  });

  test('are exact for hundreds of items', async () => {
    const [product] = await productIds(store, [{ price: 1n, sale: { kind: 'none', value: 0n } }]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ price: fc.bigInt(0n, 99_999_999_999n), amount: fc.constantFrom(1, 1, 1, 2, 7) }), {
          minLength: 300,
          maxLength: 400,
        }),
        async (items) => {
          const response = await place(
            store,
            items.map(({ price, amount }) => ({ product_id: product, amount, price: numeral(price) })),
          );
          const sum = items.reduce(
            (before, { price, amount }) => before + inMinorUnits(price * BigInt(amount), MINOR_UNITS.USD),
            0n,
          );
          if (!isInRange(sum)) return assertRejected(response);
          assert.equal(response.status, 201, response.text);
          assert.ok(response.text.includes(`"total":${decimal(sum)},"sub_total":${decimal(sum)},`), decimal(sum));
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
