/** Prices and problems of a cart (storefront.md §5). The totals are those of `POST /orders/quote` for the lines that count. */
import type { Value } from '../../../engine/vocabulary.ts';
import { type Evaluation, evaluate, type Input, type Line, type MatchedZone } from '../../../pricing/index.ts';
import type { Item } from '../orders/order-placing.ts';
import { surchargesOfResult } from '../pricing/calculated-surcharges.ts';
import { linesOf, readBuyer, readStoreRules, type StoreRules } from '../pricing/calculation-facts.ts';
import { readShipping, type Shipping, shippingOptions } from '../pricing/shipping-costs.ts';
import type {
  CalculatedCart,
  CartContent,
  CartContext,
  CartProblem,
  CartShippingOptions,
  CartSurcharge,
} from './cart-content.ts';
import { type CartCoupon, readCoupons } from './cart-coupons.ts';
import { type FilledLines, fillInLines } from './cart-lines.ts';
import {
  couponProblems,
  lineProblems,
  NO_LINES,
  negativePrice,
  shippingProblem,
  stockProblems,
  unavailable,
  variantRequired,
} from './cart-problems.ts';
import type { CartReads } from './cart-uses.ts';
import { shownLines } from './shown-lines.ts';

/** A cart with the input of its calculation. */
interface ReadCart {
  readonly filled: FilledLines;
  /** Problems of lines that do not count, by index. */
  readonly excluded: ReadonlyMap<number, CartProblem>;
  /** The lines that count, each with its index in the cart. */
  readonly indexes: ReadonlyMap<Line, number>;
  readonly coupons: readonly CartCoupon[];
  /** Without charges. */
  readonly input: Input;
  /** Zones that determine taxes and discounts unless the order is picked up. */
  readonly address: readonly MatchedZone[];
  readonly destination: Parameters<typeof readShipping>[2];
  readonly storeRules: StoreRules;
}

async function readCart(reads: CartReads, content: CartContent, context: CartContext): Promise<ReadCart> {
  const { shipping_address: shipping, billing_address: billing } = content;
  const { language, defaultLanguage, currency, now } = context;
  const buyer = await readBuyer(reads, content.customer);
  const filled = await fillInLines(reads, content.lines, buyer.membership, context);
  const excluded = await lineProblems(reads, content.lines, filled, context);
  const { lines, indexes } = await countedLines(reads, filled, excluded);
  const products = lines.map(({ product }) => product.id);
  const storeRules = await readStoreRules(reads, context, currency, products);
  const coupons = await readCoupons(reads, content);
  const address = storeRules.zonesOf(shipping, billing);
  return {
    filled,
    excluded,
    indexes,
    coupons,
    input: {
      ...{ lines, buyer, address, time: now, shipping: [], rules: storeRules.rules },
      coupons: coupons.flatMap(({ coupon }) => coupon ?? []),
    },
    address,
    destination: { language, defaultLanguage, currency, zonesAt: storeRules.zonesAt, address: shipping ?? billing },
    storeRules,
  };
}

/** The lines that count. Products and variants can be deleted between two statements; their lines are excluded too. */
async function countedLines(
  reads: CartReads,
  { items, goods }: FilledLines,
  excluded: Map<number, CartProblem>,
): Promise<{ readonly lines: readonly Line[]; readonly indexes: ReadonlyMap<Line, number> }> {
  const counted = items.flatMap((item, index) => (excluded.has(index) ? [] : [{ item, index }]));
  const own = counted.map(({ item }) => item);
  const indexes = new Map<Line, number>();
  for (const [position, line] of (await linesOf(own, own, goods, reads)).entries()) {
    const { item, index } = counted[position]!;
    if (line.product === undefined) excluded.set(index, unavailable(`lines[${index}]`));
    else if (item.variant !== null && line.variant === null) excluded.set(index, variantRequired(`lines[${index}]`));
    else indexes.set(line, index);
  }
  return { lines: [...indexes.keys()], indexes };
}

interface EvaluatedCart extends Evaluation {
  /** Without lines whose prices are below 0. */
  readonly input: Input;
}

/** Evaluates the lines that have a price of at least 0. @returns undefined if there are none */
function evaluated(input: Input): EvaluatedCart | undefined {
  if (input.lines.length === 0) return undefined;
  const evaluation = evaluate(input);
  const negative = new Set(
    evaluation.rejections.flatMap(({ path, reason }) => (reason === 'negative_price' ? [path] : [])),
  );
  if (negative.size === 0) return { input, ...evaluation };
  // Fewer units of a product can have another price, so the rest is evaluated again.
  return evaluated({ ...input, lines: input.lines.filter((_, index) => !negative.has(`items[${index}].options`)) });
}

interface WithShipping {
  readonly cart: EvaluatedCart | undefined;
  /** Why the method does not apply. */
  readonly reason: 'disabled' | 'zone' | 'rates' | undefined;
}

/** Evaluates a cart with the charge of its shipping method, or without one if the method does not apply. */
function withShipping({ input }: ReadCart, method: Shipping | undefined): WithShipping {
  if (!method?.enabled) return { cart: evaluated(input), reason: 'disabled' };
  const cart = evaluated({
    ...input,
    address: method.pickupZones ?? input.address,
    shipping: (basis) => method.chargesFor(basis),
  });
  const offer = cart && method.offerFor(cart.shippingBasis);
  if (!offer || 'cost' in offer) return { cart, reason: undefined };
  return { cart: evaluated(input), reason: offer.reason };
}

/** Calculates a cart. The number of SQL statements does not depend on the number of lines. */
export async function calculateCart(
  reads: CartReads,
  content: CartContent,
  context: CartContext,
): Promise<CalculatedCart> {
  const read = await readCart(reads, content, context);
  const { filled, indexes, coupons, input } = read;
  const [method] =
    content.shipping === null ? [] : await readShipping(reads, { id: content.shipping.method_id }, read.destination);
  const { cart, reason } = content.shipping
    ? withShipping(read, method)
    : { cart: evaluated(input), reason: undefined };
  const counted = new Map((cart?.input.lines ?? []).map((line, position) => [indexes.get(line)!, position]));
  const excluded = new Map(read.excluded);
  for (const index of indexes.values()) if (!counted.has(index)) excluded.set(index, negativePrice(index));
  const lines = await shownLines(reads, content.lines, { filled, excluded, counted, result: cart?.result }, context);
  const ofLines = [...excluded, ...stockProblems(content.lines, filled, counted)];
  return {
    lines,
    surcharges: cart ? surchargesOf(cart) : [],
    coupons: coupons.map(({ code }) => code),
    sub_total: cart?.result.totals.sub_total ?? 0,
    total: cart?.result.totals.total ?? 0,
    is_final: isFinal(content, read, cart, reason ? undefined : method),
    problems: [
      ...(content.lines.length === 0 ? [NO_LINES] : []),
      ...ofLines.toSorted(([one], [other]) => one - other).map(([, problem]) => problem),
      ...couponProblems(coupons, cart?.rejections ?? []),
      ...(reason ? [shippingProblem(reason)] : []),
    ],
  };
}

function surchargesOf({ input, result }: EvaluatedCart): CartSurcharge[] {
  const charges = result.charges.map(({ type, code, name, value }): Item => ({ type, code, name, value }));
  return surchargesOfResult(charges, input, result).surcharges.map(
    ({ type, code, name, value, include = false }) =>
      ({ type, code, name, value, include }) as Record<keyof CartSurcharge, Value> as unknown as CartSurcharge,
  );
}

/** Whether no address or shipping method that is still missing can change the total. */
function isFinal(
  { shipping_address: shipping, billing_address: billing }: CartContent,
  { storeRules: { hasRegions } }: ReadCart,
  cart: EvaluatedCart | undefined,
  method: Shipping | undefined,
): boolean {
  const needsShipping = cart !== undefined && cart.shippingBasis.items > 0;
  if (needsShipping && !method) return false;
  if (method?.pickupZones) return true;
  const isKnown = [shipping ?? billing, billing ?? shipping].every((address) => Boolean(address?.country_code));
  return isKnown || !(needsShipping || hasRegions);
}

/** Returns the shipping methods that the shopper can choose, with their costs (shipping.md §4). */
export async function cartShippingOptions(
  reads: CartReads,
  content: CartContent,
  context: CartContext,
): Promise<CartShippingOptions> {
  const read = await readCart(reads, content, context);
  const cart = evaluated(read.input);
  if (!cart) return [];
  return shippingOptions(await readShipping(reads, { enabled: true }, read.destination), cart.input, read.address);
}
