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
  /** Their periods are within their dates. `products` is empty. */
  readonly discounts: readonly Period<SaleDiscount>[];
  /** When discounts listed products, by product and discount. */
  readonly listed: ReadonlyMap<number, ReadonlyMap<number, readonly Period<true>[]>>;
  /** The parents of each category. */
  readonly parents: ReadonlyMap<number, readonly Period<number | null>[]>;
}

const GUEST: Buyer = { membership: null, tax_exempt: false, vat_id: '' };

/** Whether a buyer without a membership can get the discount. */
export function isPublic({ enabled, memberships }: Pick<SaleDiscount, 'enabled' | 'memberships'>): boolean {
  return enabled && memberships.length === 0;
}

/** Lists the changes of the public price until now, by time. @returns also the number of times at which it was calculated */
export function priceChanges(
  history: PricedHistory,
  rules: RuleHistory,
  now: number,
): { readonly changes: PriceChange[]; readonly calculations: number } {
  const own = ownRules(history, rules);
  const times = boundariesOf(history, own, now);
  const priceAt = prices(history, own);
  const changes: PriceChange[] = history.first ? [history.first] : [];
  for (const time of times) {
    const price = priceAt(time);
    const last = changes.at(-1);
    if (last?.price !== price.price || last.regular_price !== price.regular_price) changes.push({ time, ...price });
  }
  return { changes, calculations: times.length };
}

/** The changes from a time on, and the newest one before. */
export function since(changes: readonly PriceChange[], time: number): readonly PriceChange[] {
  return changes.slice(
    Math.max(
      0,
      changes.findLastIndex((change) => change.time < time),
    ),
  );
}

/** The rules without those that never affect the product. Listed discounts have the periods in which they list it. */
function ownRules({ product, values, categories }: PricedHistory, rules: RuleHistory): RuleHistory {
  const reached = reachedCategories(categories, rules.parents);
  const classes = new Set(values.map(({ value }) => value.product_class));
  const listed = rules.listed.get(product);
  const discounts = rules.discounts.flatMap((period) => {
    const { value } = period;
    if (value.product_classes.length > 0 && !value.product_classes.some((id) => classes.has(id))) return [];
    if (value.categories.length > 0 && !value.categories.some((id) => reached.has(id))) return [];
    if (!value.specific_products) return [period];
    return intersections({ ...period, value: { ...value, specific_products: false } }, listed?.get(value.id) ?? []);
  });
  return { ...rules, discounts, parents: new Map([...rules.parents].filter(([id]) => reached.has(id))) };
}

function dependsOnCategories({ discounts }: RuleHistory): boolean {
  return discounts.some(({ value }) => value.categories.length > 0);
}

/** The categories that the product was ever in, and all that were ever above them. */
function reachedCategories(linked: PricedHistory['categories'], parents: RuleHistory['parents']): Set<number> {
  const reached = new Set(linked.map(({ value }) => value));
  // The set grows during the loop.
  for (const id of reached) for (const { value } of parents.get(id) ?? []) if (value !== null) reached.add(value);
  return reached;
}

function intersections<T>({ from, until, value }: Period<T>, others: readonly Period<unknown>[]): Period<T>[] {
  return others
    .map((other) => ({ from: Math.max(from, other.from), until: Math.min(until, other.until), value }))
    .filter((period) => period.from < period.until);
}

/** The times at which the price may change: the begin of the history and later ones, in order. */
function boundariesOf(
  { begin, values, variant, categories }: PricedHistory,
  rules: RuleHistory,
  now: number,
): number[] {
  const times = new Set([begin]);
  const addEnds = (periods: readonly Period<unknown>[]): void => {
    for (const { from, until } of periods) times.add(from).add(until);
  };
  for (const periods of [values, variant ?? [], rules.discounts]) addEnds(periods);
  if (dependsOnCategories(rules)) for (const periods of [categories, ...rules.parents.values()]) addEnds(periods);
  return [...times].filter((time) => time >= begin && time <= now).sort((one, other) => one - other);
}

/** Returns a function that calculates the price at a time. Its calls must have ascending times. */
function prices(
  { product, values, variant, categories }: PricedHistory,
  rules: RuleHistory,
): (time: number) => Omit<PriceChange, 'time'> {
  const valuesAt = cursor(values);
  const variantAt = variant && cursor(variant);
  const { currency, discounts, parents } = rules;
  const isByCategory = dependsOnCategories(rules);
  const discountsAt = inForce(discounts);
  const linksAt = inForce(categories);
  const parentsAt = new Map([...parents].map(([id, periods]) => [id, cursor(periods)]));
  return (time) => {
    const facts: ProductFacts = {
      ...valuesAt(time),
      ...{ id: product, apply_sale_to_wholesale: false, taxable: true, free_shipping: false, tax_class: null },
      ...{ memberships: [], wholesale_prices: [] },
      categories: isByCategory ? categoriesAt(linksAt(time), parentsAt, time) : [],
    };
    const variantFacts = variantAt && { ...variantAt(time), id: 0, wholesale_prices: [] };
    return unitPriceOf(
      { product: facts, variant: variantFacts ?? null, amount: 1, price: null, weight: 0, options: [] },
      { buyer: GUEST, time, rules: { currency, sale_discounts: discountsAt(time) } },
    );
  };
}

/** Returns a function that returns the value in force at ascending times. If a clock was set back, it may begin later. */
function cursor<T>(periods: readonly Period<T>[]): (time: number) => T {
  let index = 0;
  return (time) => {
    while (index < periods.length - 1 && periods[index]!.until <= time) index += 1;
    return periods[index]!.value;
  };
}

/** Returns a function that returns all values in force at ascending times. */
function inForce<T>(periods: readonly Period<T>[]): (time: number) => T[] {
  const waiting = periods.toSorted((one, other) => one.from - other.from);
  const active = new Set<Period<T>>();
  let next = 0;
  return (time) => {
    for (; next < waiting.length && waiting[next]!.from <= time; next += 1) active.add(waiting[next]!);
    for (const period of active) if (period.until <= time) active.delete(period);
    return [...active].map(({ value }) => value);
  };
}

/** The categories of the product and all categories above them. */
function categoriesAt(
  linked: readonly number[],
  parentsAt: ReadonlyMap<number, (time: number) => number | null>,
  time: number,
): number[] {
  const all = new Set<number>();
  for (const category of linked)
    for (let at: number | null = category; at !== null && !all.has(at); ) {
      all.add(at);
      at = parentsAt.get(at)?.(time) ?? null;
    }
  return [...all];
}
