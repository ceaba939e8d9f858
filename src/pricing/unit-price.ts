/** Prices of one product without an order: tiers, lists and the price history (pricing.md §§5, 6). */

import { currencyOf } from './arithmetic.ts';
import { candidatesOf, lowestOf, reasonAgainstSale } from './candidates.ts';
import { conversionOf } from './conversion.ts';
import type { Buyer, Input, Line, ProductFacts, Rules, SaleDiscount } from './input.ts';
import { allowsMembership, matchesProduct } from './matching.ts';
import { amountOf } from './money.ts';
import { atLeastZero, conversionRatesOf, openSaleDiscounts } from './steps.ts';
import { wholesaleRowsOf } from './wholesale.ts';

/** A unit price before conversion. Below 0 if the options take off more than the price. */
export interface UnitPrice {
  readonly price: number;
  /** The candidate *regular*. */
  readonly regular_price: number;
}

/** Finds the unit price of a line before conversion (pricing.md §4, steps 1 to 3). @param line its `price` has no effect */
export function unitPriceOf(
  line: Line,
  {
    buyer,
    time,
    rules,
  }: {
    readonly buyer: Buyer;
    readonly time: number;
    readonly rules: Pick<Rules, 'currency' | 'sale_discounts'>;
  },
): UnitPrice {
  const [wholesale] = wholesaleRowsOf([line]);
  const currency = currencyOf(rules.currency);
  const saleDiscounts = openSaleDiscounts(rules, buyer, time);
  const candidates = candidatesOf(line, { buyer, wholesale: wholesale!, saleDiscounts, currency });
  return { price: amountOf(lowestOf(candidates).price), regular_price: amountOf(candidates[0]!.price) };
}

/** A quantity from which a unit costs less. */
export interface Tier {
  readonly quantity: number;
  readonly price: number;
}

/**
 * Lists quantity 1, and each quantity at which the unit price after conversion falls (pricing.md §5). All candidates are computed
 * only once, because a row that is a candidate remains one at every larger quantity.
 *
 * @param input one line; its `price` has no effect
 */
export function tiersOf(input: Input): Tier[] {
  const { buyer, time, rules } = input;
  const line = input.lines[0]!;
  const { rows } = wholesaleRowsOf([line])[0]!;
  const currency = currencyOf(rules.currency);
  const saleDiscounts = openSaleDiscounts(rules, buyer, time);
  const wholesale = { rows, quantity: Number.POSITIVE_INFINITY };
  const begins = new Map(rows.map(({ id, quantity_range_begin }) => [id, quantity_range_begin]));
  const byQuantity = Map.groupBy(candidatesOf(line, { buyer, wholesale, saleDiscounts, currency }), ({ rowId }) =>
    rowId === null ? 1 : begins.get(rowId)!,
  );
  const converted = conversionOf(line, conversionRatesOf(input), rules.tax_settings, currency);
  const tiers: Tier[] = [];
  for (const [quantity, candidates] of [...byQuantity].sort(([one], [other]) => one - other)) {
    // The conversion never reverses the order of two prices.
    const price = amountOf(converted(atLeastZero(lowestOf(candidates).price)));
    const last = tiers.at(-1);
    if (!last || price < last.price) tiers.push({ quantity, price });
  }
  return tiers;
}

/** A sale discount, prepared for the comparison with many products. */
export interface PreparedDiscount {
  /** The discount without the restrictions that are separate here. */
  readonly discount: SaleDiscount;
  /** Whether it applies only to products that have it in their `sale_discounts`. */
  readonly isSpecific: boolean;
  /** The categories of the discount and those below them. Undefined: every category. */
  readonly categories: ReadonlySet<number> | undefined;
}

/** The facts of a product that its price in a list depends on. `categories` are only its own. */
export type ListedProduct = Pick<
  ProductFacts,
  | 'id'
  | 'price'
  | 'participate_sale'
  | 'discount_type'
  | 'sale_price_value'
  | 'apply_sale_to_wholesale'
  | 'product_class'
  | 'categories'
  | 'wholesale_prices'
> & {
  /** The discounts of `PriceList.specific` that name the product. */
  readonly sale_discounts: ReadonlySet<number>;
};

/** @param withSubtrees adds the categories below these */
export function prepareDiscount(
  discount: Omit<SaleDiscount, 'products'>,
  withSubtrees: (categories: readonly number[]) => ReadonlySet<number>,
): PreparedDiscount {
  return {
    discount: { ...discount, specific_products: false, products: [], categories: [] },
    isSpecific: discount.specific_products,
    categories: discount.categories.length > 0 ? withSubtrees(discount.categories) : undefined,
  };
}

interface PriceListContext {
  readonly buyer: Buyer;
  readonly time: number;
  readonly quantity: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

interface PriceList {
  /** The discounts that name the products they apply to, if they can apply to the buyer now. */
  readonly specific: readonly number[];
  /**
   * Computes the price of a product. Of the sale discounts that match a product, only the largest one can determine its price,
   * and only the largest one that applies to wholesale prices the price of a combination.
   */
  readonly priceOf: (product: ListedProduct) => number;
}

export function createPriceList(
  discounts: readonly PreparedDiscount[],
  { buyer, time, quantity, currency: code }: PriceListContext,
): PriceList {
  const currency = currencyOf(code);
  const open = discounts
    .filter(({ discount }) => reasonAgainstSale(discount, buyer, time) === null)
    .sort((one, other) => other.discount.value - one.discount.value);
  const combining = open.filter(({ discount }) => discount.apply_to_wholesale);
  const priceOf = (product: ListedProduct): number => {
    const line = lineOf(product);
    const largest = [open, combining].flatMap((among) => among.find((each) => matches(each, product)) ?? []);
    const saleDiscounts = [...new Set(largest)].map(({ discount }) => discount);
    const wholesale = { rows: product.wholesale_prices, quantity };
    const winner = lowestOf(candidatesOf(line, { buyer, wholesale, saleDiscounts, currency }));
    return amountOf(atLeastZero(winner.price));
  };
  const specific = open.flatMap(({ discount, isSpecific }) => (isSpecific ? [discount.id] : []));
  return { specific, priceOf };
}

/** Returns the first time after this one at which a discount of the buyer begins or ends. */
export function nextChange(
  discounts: readonly PreparedDiscount[],
  { buyer, time }: Pick<PriceListContext, 'buyer' | 'time'>,
): number | undefined {
  const times = discounts
    .filter(({ discount }) => discount.enabled && allowsMembership(discount.memberships, buyer))
    .flatMap(({ discount }) => [discount.date_range_begin, discount.date_range_end])
    .filter((at) => at !== null && at > time) as number[];
  return times.length === 0 ? undefined : Math.min(...times);
}

function matches({ discount, isSpecific, categories }: PreparedDiscount, product: ListedProduct): boolean {
  return (
    (!isSpecific || product.sale_discounts.has(discount.id)) &&
    (categories === undefined || product.categories.some((id) => categories.has(id))) &&
    matchesProduct(discount, product)
  );
}

/** Prices before conversion do not depend on the other facts. */
function lineOf(product: ListedProduct): Line {
  const others = { taxable: false, free_shipping: false, tax_class: null, memberships: [] };
  return { product: { ...product, ...others }, variant: null, amount: 1, price: null, weight: 0, options: [] };
}
