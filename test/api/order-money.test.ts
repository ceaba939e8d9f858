/**
 * Money of random orders: what the store answers is what exact sums say, rounded where a customer pays (orders.md §8). The sums
 * here are whole numbers of ten-thousandths, and know nothing of the store's own arithmetic.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../support/client.ts';
import { assertProblem } from '../support/expect.ts';
import { countOrders, place } from '../support/orders.ts';
import { rounds } from '../support/rounds.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const UNIT = 10_000n;
/** Ten-thousandths in the smallest coin of some currencies, by ISO 4217. */
const COINS = { JPY: 10_000n, HUF: 100n, USD: 100n, IQD: 10n, KWD: 10n, CLF: 1n } as const;
const LARGEST = 99_999_999_999_999n;

/** Ten-thousandths, often small, often at an edge. */
const money = fc.oneof(
  fc.bigInt(0n, 300_000n),
  fc.bigInt(0n, 2_000_000_000n),
  fc.bigInt(0n, LARGEST),
  fc.constantFrom(0n, 1n, 5n, 9_999n, 10_005n, LARGEST - 1n, LARGEST),
);

/** Of a product: its price, and the sale that it takes part in. */
const sale = fc.oneof(
  fc.constant({ kind: 'none', value: 0n } as const),
  fc.record({ kind: fc.constant('sale_price' as const), value: money }),
  fc.record({
    kind: fc.constant('sale_percent' as const),
    value: fc.oneof(fc.bigInt(0n, 100n * UNIT), fc.constantFrom(500_000n, 900_000n, 125_000n, 1n, 999_999n)),
  }),
);
/** A price of a sale is not above the product's own. */
const oneGood = fc.record({ price: money, sale }).map(({ price, sale: { kind, value } }) => ({
  price,
  sale: { kind, value: kind === 'sale_price' && value > price ? price : value },
}));
const goods = fc.array(oneGood, { minLength: 1, maxLength: 6 });
type Goods = { price: bigint; sale: { kind: 'none' | 'sale_price' | 'sale_percent'; value: bigint } };

const item = fc.record({
  product: fc.nat(5),
  amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 1_000_000 }), fc.constant(1)),
  /** The product's own unless it is given. */
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
    currency: fc.constantFrom(...(Object.keys(COINS) as (keyof typeof COINS)[])),
    /** Surcharges in whole coins, as most are. */
    isCharged: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
  })
  .map(({ isCharged, ...one }) => ({
    ...one,
    surcharges: one.surcharges.map((each) => ({
      ...each,
      value: isCharged ? each.value - (each.value % COINS[one.currency]) : each.value,
    })),
  }));
type Order = { items: Item[]; surcharges: Surcharge[]; currency: keyof typeof COINS };

/** The whole coins that are nearest; of two that are as near, the larger. No amount here is negative. */
function inCoins(amount: bigint, coin: bigint, of = 1n): bigint {
  const least = amount / (coin * of);
  const rest = amount - least * coin * of;
  return (rest + rest < coin * of ? least : least + 1n) * coin;
}

function priceOf({ price, sale: { kind, value } }: Goods, coin: bigint): bigint {
  if (kind === 'none') return price;
  if (kind === 'sale_price') return value;
  const whole = 100n * UNIT;
  return inCoins(price * (whole - value), coin, whole);
}

function sumsOf({ items, surcharges, currency }: Order, products: readonly Goods[]) {
  const coin = COINS[currency];
  const prices = items.map(({ product, price }) => price ?? priceOf(products[product % products.length]!, coin));
  const lines = items.map(({ amount }, index) => inCoins(prices[index]! * BigInt(amount), coin));
  const subTotal = lines.reduce((one, other) => one + other, 0n);
  const added = surcharges.filter(({ include }) => !include).map(({ value }) => value);
  const isFine = surcharges.some(({ value }) => value % coin !== 0n);
  return { prices, lines, subTotal, isFine, total: added.reduce((one, other) => one + other, subTotal) };
}

const isInRange = (sum: bigint) => sum >= 0n && sum <= LARGEST;

/** As JSON writes it. */
function decimal(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
  return `${units < 0n ? '-' : ''}${text}`;
}

/** A number of at most fourteen digits, which a binary float holds unmistakably. */
const numeral = (units: bigint) => Number(decimal(units));

function assertSums({ status, text, json }: Answer, sent: Order, products: readonly Goods[]): void {
  assert.equal(status, 201, text);
  const { prices, lines, subTotal, total } = sumsOf(sent, products);
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

function assertRefused(answer: Answer, isFine = false): void {
  assertProblem(answer, 422);
  for (const { propertyPath, code } of answer.json.violations)
    if (isFine) assert.match(`${propertyPath} ${code}`, /^surcharges\[\d\]\.value decimals$/, answer.text);
    else assert.ok(['items', 'surcharges'].includes(propertyPath), answer.text);
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

onEachDatabase('money of random orders', {}, (store) => {
  test('is exact', async () => {
    let [taken, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(goods, fc.array(order, { minLength: BATCH, maxLength: BATCH }), async (products, orders) => {
        const ids = await productIds(store, products);
        await Promise.all(
          orders.map(async (each) => {
            const answer = await place(
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
            const { subTotal, total, isFine } = sumsOf(each, products);
            if (isInRange(subTotal) && isInRange(total) && !isFine) {
              taken += 1;
              assertSums(answer, each, products);
              const read = await store.get(`/api/orders/${answer.json.id}`);
              assert.equal(read.text, answer.text);
            } else {
              refused += 1;
              assertRefused(answer, isFine);
            }
          }),
        );
      }),
      { numRuns: BATCHES[store.database], endOnFailure: true },
    );
    assert.ok(taken + refused >= BATCH * BATCHES[store.database]);
    assert.ok(taken > (taken + refused) / 5, `${taken} were taken and ${refused} refused`);
    assert.equal(await countOrders(store), taken);
  });

  test('of thousands of items is exact', async () => {
    const [product] = await productIds(store, [{ price: 1n, sale: { kind: 'none', value: 0n } }]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ price: fc.bigInt(0n, 99_999_999_999n), amount: fc.constantFrom(1, 1, 1, 2, 7) }), {
          minLength: 300,
          maxLength: 400,
        }),
        async (items) => {
          const answer = await place(
            store,
            items.map(({ price, amount }) => ({ product_id: product, amount, price: numeral(price) })),
          );
          const sum = items.reduce(
            (before, { price, amount }) => before + inCoins(price * BigInt(amount), COINS.USD),
            0n,
          );
          if (!isInRange(sum)) return assertRefused(answer);
          assert.equal(answer.status, 201, answer.text);
          assert.ok(answer.text.includes(`"total":${decimal(sum)},"sub_total":${decimal(sum)},`), decimal(sum));
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
