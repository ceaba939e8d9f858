/**
 * Prices and weights of random lines compared with independent integer arithmetic: variants, options and sales in
 * currencies of zero, two and three decimals (orders.md §9), then edits, shipments, returns and refunds of these
 * orders (§§5 and 10 to 13). `OPTION_ORDERS` sets the number of orders, `OPTION_SEED` the seed.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { Random } from '../../torture/random.ts';
import { assertViolations } from '../support/expect.ts';
import { decimal, half, OrderLife, type Tally } from '../support/order-lives.ts';
import { place } from '../support/orders.ts';
import { rounds } from '../support/rounds.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

const COUNTS = { sqlite: rounds(120, 600), postgres: rounds(40, 180) };
/** One in this many orders is edited, shipped and refunded. */
const LIFECYCLE_INTERVAL = process.env.OPTION_ORDERS === undefined ? rounds(8, 1) : 1;
const AT_ONCE = 16;
const SEED = Number(process.env.OPTION_SEED ?? 20_261_122);
const CURRENCIES: readonly [string, bigint][] = [
  ['USD', 100n],
  ['EUR', 100n],
  ['JPY', 10_000n],
  ['KWD', 10n],
];

/** Values in ten-thousandths, so that all arithmetic is exact. */
interface Modifier {
  readonly type: 'absolute' | 'percent';
  readonly tenThousandths: number;
}

interface Offer {
  readonly price: number;
  readonly weight: number;
  readonly ownPrice: number | undefined;
  readonly sale: { readonly type: 'none' | 'sale_price' | 'sale_percent'; readonly value: number };
  /** Attributes of two values each; the first one distinguishes the variants. */
  readonly prices: readonly Modifier[];
  readonly weights: readonly Modifier[];
}

const modifiers = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('absolute' as const), tenThousandths: fc.integer({ min: -30_000, max: 90_000 }) }),
    fc.record({ type: fc.constant('percent' as const), tenThousandths: fc.integer({ min: -300_000, max: 900_000 }) }),
    fc.constant({ type: 'percent' as const, tenThousandths: 0 }),
  ),
  { minLength: 6, maxLength: 6 },
);

const offers: fc.Arbitrary<Offer> = fc.record({
  price: fc.integer({ min: 200_000, max: 9_000_000 }),
  weight: fc.integer({ min: 0, max: 50_000 }),
  ownPrice: fc.option(fc.integer({ min: 200_000, max: 9_000_000 }), { nil: undefined }),
  sale: fc.oneof(
    fc.constant({ type: 'none' as const, value: 0 }),
    fc.record({ type: fc.constant('sale_price' as const), value: fc.integer({ min: 100_000, max: 200_000 }) }),
    fc.record({ type: fc.constant('sale_percent' as const), value: fc.integer({ min: 0, max: 1_000_000 }) }),
  ),
  prices: modifiers,
  weights: modifiers,
});

const effectOf = ({ type, tenThousandths }: Modifier, of: bigint): bigint =>
  type === 'absolute' ? BigInt(tenThousandths) : half(of * BigInt(tenThousandths), 1_000_000n);

/** @param chosen the modifiers that apply @param step smallest amount of the currency, in ten-thousandths */
function expectedPrice({ price, ownPrice, sale }: Offer, own: boolean, chosen: readonly Modifier[], step: bigint) {
  const before = BigInt(own ? (ownPrice ?? price) : price);
  const base = sale.type === 'sale_price' ? BigInt(sale.value) : before;
  const whole = chosen.reduce((sum, modifier) => sum + effectOf(modifier, before), base);
  if (sale.type === 'sale_percent') return half(whole * BigInt(1_000_000 - sale.value), 1_000_000n * step) * step;
  return chosen.some(({ tenThousandths }) => tenThousandths !== 0) ? half(whole, step) * step : whole;
}

/** The body of an attribute value. */
const bodyOf = (price: Modifier, weight: Modifier): Json => ({
  price_modifier: decimal(price.tenThousandths),
  price_modifier_type: price.type,
  weight_modifier: decimal(weight.tenThousandths),
  weight_modifier_type: weight.type,
});

interface Sold {
  readonly offer: Offer;
  readonly item: Json;
  /** Indexes of the modifiers that apply. */
  readonly counted: readonly number[];
  readonly isVariant: boolean;
}

/** Creates a product of the offer, with a variant if it has its own price, and returns a line for each choice. */
async function offered(store: Store, offer: Offer): Promise<Sold[]> {
  const { sale } = offer;
  const plain = { price: decimal(offer.price), weight: decimal(offer.weight), inventory_traceable: false };
  const fields = {
    ...plain,
    ...(sale.type === 'none'
      ? {}
      : { participate_sale: true, discount_type: sale.type, sale_price_value: decimal(sale.value) }),
  };
  const shirt = await varied(store, fields, { Size: ['S', 'M'], Cloth: ['linen', 'wool'], Box: ['gift', 'plain'] });
  const names = ['S', 'M', 'linen', 'wool', 'gift', 'plain'];
  for (const [index, name] of names.entries()) {
    const attribute = ['Size', 'Cloth', 'Box'][Math.floor(index / 2)]!;
    const path = `${shirt.path}/attributes_select/${shirt.attributes[attribute]}/values/${shirt.values[name]}`;
    assert.equal((await store.patch(path, bodyOf(offer.prices[index]!, offer.weights[index]!))).status, 200);
  }
  const option = (index: number): Json => ({
    attribute_id: shirt.attributes[['Size', 'Cloth', 'Box'][Math.floor(index / 2)]!],
    value_id: shirt.values[names[index]!],
  });
  const lines: Sold[] = [];
  const add = (item: Json, counted: readonly number[], isVariant: boolean) =>
    lines.push({ offer, item: { ...item, options: counted.map(option), amount: 1 }, counted, isVariant });
  for (const cloth of [2, 3])
    for (const box of [4, 5]) add({ product_id: shirt.product.id }, [cloth % 2, cloth, box], false);
  if (offer.ownPrice === undefined) return lines;
  const variant = await madeVariant(store, shirt, ['M'], { price: decimal(offer.ownPrice) });
  return [2, 3].map((cloth) => ({
    offer,
    item: { variant: variant.id, options: [option(cloth), option(4)], amount: 1 },
    counted: [cloth, 4],
    isVariant: true,
  }));
}

onEachDatabase('random lines with options', {}, (store) => {
  const lines: Sold[] = [];
  before(async () => {
    for (const offer of fc.sample(offers, { numRuns: 24, seed: SEED })) lines.push(...(await offered(store, offer)));
  });

  test('have exact prices and weights, also after edits and refunds', async (context) => {
    const count = Number(process.env.OPTION_ORDERS ?? COUNTS[store.database]);
    let lives: Promise<void>[] = [];
    let lived = 0;
    const tally: Tally = { edits: 0, refunds: 0, rejected: 0 };
    let accepted = 0;
    for (let order = 0; order < count; order += 1) {
      const [currency, step] = CURRENCIES[order % CURRENCIES.length]!;
      const picked = Array.from({ length: 3 }, (_, index) => lines[(order * 7 + index * 13) % lines.length]!);
      const prices = picked.map(({ offer, counted, isVariant }) =>
        expectedPrice(
          offer,
          isVariant,
          counted.map((each) => offer.prices[each]!),
          step,
        ),
      );
      const response = await place(
        store,
        picked.map(({ item }) => item),
        { currency },
      );
      const below = prices.flatMap((price, index) => (price < 0n ? [index] : []));
      if (below.length > 0) {
        assertViolations(response, ...below.map((index) => [`items[${index}].options`, 'range'] as const));
        continue;
      }
      accepted += 1;
      assert.equal(response.status, 201, response.text);
      const { items, sub_total } = response.json;
      for (const [index, { offer, counted }] of picked.entries()) {
        const weights = counted.map((each) => effectOf(offer.weights[each]!, BigInt(offer.weight)));
        const weight = weights.reduce((whole, each) => whole + each, BigInt(offer.weight));
        const where = JSON.stringify([currency, offer, counted]);
        assert.equal(items[index].price, decimal(prices[index]!), where);
        assert.equal(items[index].weight, decimal(weight < 0n ? 0n : weight), where);
      }
      const sum = prices.reduce((whole, price) => whole + half(price, step) * step, 0n);
      assert.equal(sub_total, decimal(sum));
      if (order % LIFECYCLE_INTERVAL !== 0) continue;
      lived += 1;
      const random = new Random(SEED, `life ${order}`);
      const draw = (below: number) => random.whole(0, below - 1);
      const additions = picked.map(({ item }, index) => ({ item, price: prices[index]! }));
      lives.push(new OrderLife({ store, order: response.json, prices, step, random: draw, tally }).run(additions));
      if (lives.length < AT_ONCE) continue;
      await Promise.all(lives);
      lives = [];
    }
    await Promise.all(lives);
    const { edits, refunds, rejected } = tally;
    context.diagnostic(
      `seed ${SEED}: ${accepted} of ${count} orders accepted, ${lived} processed further, ${edits} edits, ${refunds} refunds, ${rejected} rejected`,
    );
    assert.ok(edits > lived && refunds > lived / 2, `${edits} edits and ${refunds} refunds`);
    assert.ok(accepted > count / 2, `${accepted} orders were accepted`);
  });
});
