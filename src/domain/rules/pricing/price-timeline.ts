/** Computes when the public price of a product or variant changed, from its values and those of the rules over time (pricing.md §6). */
import {
  type Buyer,
  type PriceChange,
  type ProductFacts,
  type SaleDiscount,
  unitPriceOf,
  type VariantFacts,
} from '../../../pricing/index.ts';

/** A value that was in force from `from` (inclusive) until `until` (exclusive), in seconds. */
export interface Period<T> {
  readonly from: number;
  readonly until: number;
  readonly value: T;
}

/** The values of a product that change its public price. */
export type ProductValues = Pick<
  ProductFacts,
  'price' | 'participate_sale' | 'discount_type' | 'sale_price_value' | 'product_class'
>;
/** The values of a variant that change its public price. */
export type VariantValues = Omit<VariantFacts, 'id' | 'wholesale_prices'>;

/** A product or a variant over time. Periods are in order and have no gaps. */
export interface PricedHistory {
  /** Id of the product. */
  readonly product: number;
  /** The change at which the history begins, if earlier values are not known any more. */
  readonly first: PriceChange | undefined;
  /** Time from which the values are known. */
  readonly begin: number;
  readonly values: readonly Period<ProductValues>[];
  /** Undefined for a product. */
  readonly variant: readonly Period<VariantValues>[] | undefined;
  /** The categories that the product is linked to. */
  readonly categories: readonly Period<number>[];
}

/** Sale discounts and the category tree over time. */
export interface RuleHistory {
  readonly currency: string;
  readonly discounts: readonly Period<HistoricDiscount>[];
  /** The parents of each category. */
  readonly parents: ReadonlyMap<number, readonly Period<number | null>[]>;
}

/** A sale discount, with its list of products as a set. */
export interface HistoricDiscount extends SaleDiscount {
  /** Undefined if the discount is not restricted to products. */
  readonly only: ReadonlySet<number> | undefined;
}

const GUEST: Buyer = { membership: null, tax_exempt: false, vat_id: '' };

/** Whether a buyer without a membership can get the discount. */
export function isPublic({ enabled, memberships }: Pick<SaleDiscount, 'enabled' | 'memberships'>): boolean {
  return enabled && memberships.length === 0;
}

/** Lists the changes of the public price until now, by time. */
export function priceChanges(history: PricedHistory, rules: RuleHistory, now: number): PriceChange[] {
  const discounts = rules.discounts.filter(({ value }) => mayMatch(value, history));
  const hasCategories = discounts.some(({ value }) => value.categories.length > 0);
  const own = { ...rules, discounts };
  const changes: PriceChange[] = history.first ? [history.first] : [];
  for (const time of boundariesOf(history, own, hasCategories, now)) {
    const price = priceAt(history, own, hasCategories, time);
    const last = changes.at(-1);
    if (last?.price !== price.price || last.regular_price !== price.regular_price) changes.push({ time, ...price });
  }
  return changes;
}

/** Whether the discount can match the product at some time. */
function mayMatch({ only, product_classes }: HistoricDiscount, { product, values }: PricedHistory): boolean {
  if (only && !only.has(product)) return false;
  return product_classes.length === 0 || values.some(({ value }) => product_classes.includes(value.product_class!));
}

/** The times at which the price may change: the begin of the history and later ones, in order. */
function boundariesOf(
  { begin, values, variant, categories }: PricedHistory,
  { discounts, parents }: RuleHistory,
  hasCategories: boolean,
  now: number,
): number[] {
  const times = new Set([begin]);
  const addEnds = ({ from, until }: Period<unknown>): void => {
    times.add(from);
    times.add(until);
  };
  for (const period of [...values, ...(variant ?? []), ...discounts]) addEnds(period);
  for (const { from, until, value } of discounts)
    for (const date of [value.date_range_begin, value.date_range_end])
      if (date !== null && date > from && date < until) times.add(date);
  if (hasCategories) for (const period of [...categories, ...[...parents.values()].flat()]) addEnds(period);
  return [...times].filter((time) => time >= begin && time <= now).sort((one, other) => one - other);
}

function priceAt(
  { product, values, variant, categories }: PricedHistory,
  { currency, discounts, parents }: RuleHistory,
  hasCategories: boolean,
  time: number,
): Omit<PriceChange, 'time'> {
  const facts: ProductFacts = {
    ...valueAt(values, time),
    ...{ id: product, apply_sale_to_wholesale: false, taxable: true, free_shipping: false, tax_class: null },
    ...{ memberships: [], wholesale_prices: [] },
    categories: hasCategories ? categoriesAt(categories, parents, time) : [],
  };
  const variantFacts = variant && { ...valueAt(variant, time), id: 0, wholesale_prices: [] };
  const inForce = discounts.filter(({ from, until }) => from <= time && time < until).map(({ value }) => value);
  return unitPriceOf(
    { product: facts, variant: variantFacts ?? null, amount: 1, price: null, weight: 0, options: [] },
    { buyer: GUEST, time, rules: { currency, sale_discounts: inForce } },
  );
}

/** The value in force. If a clock was set back, it may begin later. */
function valueAt<T>(periods: readonly Period<T>[], time: number): T {
  return (periods.find(({ until }) => time < until) ?? periods.at(-1)!).value;
}

/** The categories of the product and all categories above them. */
function categoriesAt(linked: PricedHistory['categories'], parents: RuleHistory['parents'], time: number): number[] {
  const all = new Set<number>();
  for (const { from, until, value } of linked) {
    if (from > time || time >= until) continue;
    for (let at: number | null = value; at !== null && !all.has(at); ) {
      all.add(at);
      const periods = parents.get(at);
      at = periods ? valueAt(periods, time) : null;
    }
  }
  return [...all];
}
