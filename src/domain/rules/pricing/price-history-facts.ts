/**
 * Reads what price histories are computed from: current values and earlier ones (pricing.md §6). A write stores the earlier
 * values. Current values are read first, so that a write between two reads only hides itself.
 */
import type { Reads, Stored, Value } from '../../../engine/vocabulary.ts';
import type { PriceChange, SaleDiscount } from '../../../pricing/index.ts';
import { CATEGORY_VALUES, LINK_VALUES, PRODUCT_VALUES, SALE_VALUES, VARIANT_VALUES } from './former-values.ts';
import {
  isPublic,
  type Period,
  type PricedHistory,
  type ProductValues,
  priceChanges,
  type RuleHistory,
  type VariantValues,
} from './price-timeline.ts';

const FORMER = ['resource', 'until', 'values'] as const;

/** Prices that are calculated between two pauses. */
const CALCULATIONS_PER_PAUSE = 1000;

export const USES_OF_PRICE_HISTORY = {
  Product: [...PRODUCT_VALUES, 'create_date', 'recorded_since'],
  Variant: [...VARIANT_VALUES, 'product_id', 'recorded_since'],
  CategoryProduct: [...LINK_VALUES, 'product_id'],
  Category: CATEGORY_VALUES,
  SaleDiscount: [...SALE_VALUES, 'products'],
  ProductFormerValue: ['product', 'variant', ...FORMER],
  RuleFormerValue: ['record', ...FORMER],
} as const;

/** The reads that the functions of this file need. */
export type HistoryReads = Pick<Reads<typeof USES_OF_PRICE_HISTORY>, 'list'>;

/** Earlier values as they are stored. */
type Former = Stored<(typeof FORMER)[number]>;

type FormerRule = Stored<'record' | (typeof FORMER)[number]>;

/** `resource` of the newest change of a price before `until`. Its older values have been deleted. */
export const NEWEST_CHANGE = 'PriceChange';

/** What price histories depend on besides records. */
interface HistoryContext {
  readonly currency: string;
  readonly now: number;
  readonly pause: () => Promise<void>;
}

/** Reads the values of products, or of variants, over time. @returns histories by id */
export type HistoriesOf = (reads: HistoryReads, ids: readonly Value[]) => Promise<ReadonlyMap<Value, PricedHistory>>;

/** Finds the changes of the public prices of products or variants, by id. */
export async function readChanges(
  historiesOf: HistoriesOf,
  reads: HistoryReads,
  ids: readonly Value[],
  context: HistoryContext,
): Promise<ReadonlyMap<Value, PriceChange[]>> {
  const histories = await historiesOf(reads, ids);
  return changesOf(histories, await readRules(reads, [...histories.values()], context.currency), context);
}

/** Finds the changes of prices for each key. */
export async function changesOf<K>(
  histories: ReadonlyMap<K, PricedHistory>,
  rules: RuleHistory,
  { now, pause }: Pick<HistoryContext, 'now' | 'pause'>,
): Promise<Map<K, PriceChange[]>> {
  const changes = new Map<K, PriceChange[]>();
  let count = 0;
  for (const [key, history] of histories) {
    const found = priceChanges(history, rules, now);
    changes.set(key, found.changes);
    count += found.calculations;
    if (count < CALCULATIONS_PER_PAUSE) continue;
    count = 0;
    await pause();
  }
  return changes;
}

/** Reads the values of products over time, by id. */
export async function productHistories(
  reads: HistoryReads,
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, PricedHistory>> {
  const products = await reads.list('Product', { id: [...ids] }, { only: USES_OF_PRICE_HISTORY.Product });
  const links = await reads.list(
    'CategoryProduct',
    { product_id: [...ids] },
    { only: USES_OF_PRICE_HISTORY.CategoryProduct },
  );
  const formers = await reads.list('ProductFormerValue', {
    product: [...ids],
    resource: ['Product', 'CategoryProduct', NEWEST_CHANGE],
  });
  const linksOf = Map.groupBy(links, ({ product_id }) => product_id);
  const formersOf = Map.groupBy(formers, ({ product }) => product);
  return new Map(
    products.map((product) => {
      const own = formersOf.get(product.id) ?? [];
      const first = newestChange(own.filter(({ variant }) => variant === null));
      const known = Math.max(product.recorded_since as number, product.create_date as number);
      return [
        product.id,
        {
          product: product.id as number,
          first: first?.change,
          begin: first?.until ?? known,
          values: periodsOf(formersIn(own, 'Product'), product, PRODUCT_VALUES) as Period<ProductValues>[],
          variant: undefined,
          categories: linkPeriods(formersIn(own, 'CategoryProduct'), linksOf.get(product.id) ?? []),
        },
      ];
    }),
  );
}

/** Reads the values of variants and their products over time, by id of the variant. */
export async function variantHistories(
  reads: HistoryReads,
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, PricedHistory>> {
  const variants = await reads.list('Variant', { id: [...ids] }, { only: USES_OF_PRICE_HISTORY.Variant });
  const products = await productHistories(reads, [...new Set(variants.map(({ product_id }) => product_id))]);
  const formers = await reads.list('ProductFormerValue', { variant: [...ids] });
  const formersOf = Map.groupBy(formers, ({ variant }) => variant);
  return new Map(
    variants.flatMap((variant) => {
      const product = products.get(variant.product_id);
      if (!product) return [];
      const own = formersOf.get(variant.id) ?? [];
      const first = newestChange(own);
      const { recorded_since } = variant;
      const history: PricedHistory = {
        ...product,
        first: first?.change,
        // If the product has a newest change, its older values are not known.
        begin: first?.until ?? Math.max(product.begin, recorded_since as number),
        variant: periodsOf(formersIn(own, 'Variant'), variant, VARIANT_VALUES) as Period<VariantValues>[],
      };
      return [[variant.id, history] as const];
    }),
  );
}

/**
 * Reads sale discounts and the category tree over time.
 *
 * @param histories of the products whose prices are computed
 * @param after without the values that were in force only until this time
 */
export async function readRules(
  reads: HistoryReads,
  histories: readonly PricedHistory[],
  currency: string,
  after = Number.NEGATIVE_INFINITY,
): Promise<RuleHistory> {
  const isLater = ({ until }: FormerRule): boolean => (until as number) > after;
  const none = { currency, discounts: [], listed: new Map(), parents: new Map() };
  if (histories.length === 0) return none;
  const product = [...new Set(histories.map((history) => history.product))];
  const options = { only: [...SALE_VALUES, 'products'], among: { products: product } } as const;
  const current = await reads.list('SaleDiscount', {}, options);
  const formers = await reads.list('RuleFormerValue', { resource: 'SaleDiscount' });
  const discounts = discountPeriods(formers.filter(isLater), current);
  if (discounts.length === 0) return none;
  const listed = discounts.some(({ value }) => value.specific_products)
    ? listedPeriods(await reads.list('ProductFormerValue', { product, resource: 'SaleDiscount' }), current)
    : none.listed;
  if (!discounts.some(({ value }) => value.categories.length > 0)) return { ...none, discounts, listed };
  const linked = histories.flatMap(({ categories }) => categories.map(({ value }) => value));
  const tree = await readTree(reads, linked, isLater);
  return { currency, discounts, listed, parents: parentPeriods(tree) };
}

/** The parents of categories. */
interface Tree {
  /** The current parent by id, without deleted categories. */
  readonly parents: ReadonlyMap<Value, Value>;
  /** Earlier parents. */
  readonly formers: readonly FormerRule[];
}

/** Reads the parents of these categories, and of all that are or were above them. Each level takes two statements. */
async function readTree(
  reads: HistoryReads,
  linked: readonly number[],
  isLater: (former: FormerRule) => boolean,
): Promise<Tree> {
  const parents = new Map<Value, Value>();
  const formers: FormerRule[] = [];
  const visited = new Set<Value>();
  for (let level: Value[] = [...new Set(linked)]; level.length > 0; ) {
    for (const id of level) visited.add(id);
    const found = await reads.list('Category', { id: level }, { only: CATEGORY_VALUES });
    for (const { id, parent } of found) parents.set(id, parent);
    const former = (await reads.list('RuleFormerValue', { resource: 'Category', record: level })).filter(isLater);
    formers.push(...former);
    const above = [...found.map(({ parent }) => parent), ...former.map(({ values }) => (values as Value[])[0]!)];
    level = [...new Set(above)].filter((id) => id !== null && !visited.has(id));
  }
  return { parents, formers };
}

function parentPeriods({ parents, formers }: Tree): RuleHistory['parents'] {
  const formersOf = Map.groupBy(formers, ({ record }) => record);
  const ids = new Set([...formersOf.keys(), ...parents.keys()]);
  return new Map(
    [...ids].map((id) => {
      const current = parents.has(id) ? { id, parent: parents.get(id)! } : undefined;
      const periods = periodsOf(formersOf.get(id) ?? [], current, CATEGORY_VALUES) as Period<{
        parent: number | null;
      }>[];
      return [id as number, periods.map((period) => ({ ...period, value: period.value.parent }))];
    }),
  );
}

/** The periods of public discounts, without those before and after their dates. */
function discountPeriods(formers: readonly FormerRule[], current: readonly Stored[]): Period<SaleDiscount>[] {
  const formersOf = Map.groupBy(formers, ({ record }) => record);
  const currentOf = new Map<Value, Stored>(current.map((discount) => [discount.id ?? null, discount]));
  return [...new Set([...formersOf.keys(), ...currentOf.keys()])].flatMap((id) => {
    const periods = periodsOf(formersOf.get(id) ?? [], currentOf.get(id), SALE_VALUES);
    return periods.flatMap(({ from, until, value }) => {
      const discount = { ...value, id, products: [], apply_to_wholesale: false } as unknown as SaleDiscount;
      const { date_range_begin: begin, date_range_end: end } = discount;
      const period = { from: Math.max(from, begin ?? from), until: Math.min(until, end ?? until), value: discount };
      return isPublic(discount) && period.from < period.until ? [period] : [];
    });
  });
}

/** The periods in which discounts listed products, by product and discount. */
function listedPeriods(
  formers: readonly Stored<'product' | (typeof FORMER)[number]>[],
  current: readonly Stored<'products'>[],
): RuleHistory['listed'] {
  const listed = new Map<number, Map<number, Period<true>[]>>();
  const begins = new Map<string, number>();
  const add = (product: number, discount: number, until: number, isListed: boolean): void => {
    const key = `${product} ${discount}`;
    const from = begins.get(key) ?? Number.NEGATIVE_INFINITY;
    begins.set(key, Math.max(from, until));
    if (!isListed || from >= until) return;
    const own = listed.get(product) ?? new Map<number, Period<true>[]>();
    listed.set(product, own);
    own.set(discount, [...(own.get(discount) ?? []), { from, until, value: true }]);
  };
  for (const { product, until, values } of formers) {
    const [discount, isListed] = values as [number, boolean];
    add(product as number, discount, until as number, isListed);
  }
  for (const { id, products } of current)
    for (const product of products as number[]) add(product, id as number, Number.POSITIVE_INFINITY, true);
  return listed;
}

function linkPeriods(formers: readonly Former[], current: readonly Stored[]): Period<number>[] {
  return [
    ...formers.map(({ values, until }) => {
      const [category, since] = values as number[];
      return { from: since!, until: until as number, value: category! };
    }),
    ...current.map(({ category, recorded_since }) => ({
      from: recorded_since as number,
      until: Number.POSITIVE_INFINITY,
      value: category as number,
    })),
  ];
}

/**
 * Returns the periods of a record's values, in order.
 *
 * @param formers its earlier values, in the order in which they were stored. A clock that was set back may have decreased `until`
 * @param current undefined if the record was deleted
 */
function periodsOf(
  formers: readonly Former[],
  current: Stored | undefined,
  names: readonly string[],
): Period<Readonly<Record<string, Value>>>[] {
  const periods: Period<Readonly<Record<string, Value>>>[] = [];
  let from = Number.NEGATIVE_INFINITY;
  const add = (value: Readonly<Record<string, Value>>, end: number): void => {
    const begin = Math.max(from, (value.recorded_since as number | undefined) ?? from);
    from = Math.max(from, end);
    if (begin < from) periods.push({ from: begin, until: from, value });
  };
  for (const { values, until } of formers) {
    const value = Object.fromEntries(names.map((name, index) => [name, (values as Value[])[index] ?? null]));
    add(value, until as number);
  }
  if (current) add(Object.fromEntries(names.map((name) => [name, current[name]!])), Number.POSITIVE_INFINITY);
  return periods;
}

function formersIn<F extends Former>(formers: readonly F[], resource: string): F[] {
  return formers.filter((former) => former.resource === resource);
}

function newestChange(
  formers: readonly Former[],
): { readonly change: PriceChange; readonly until: number } | undefined {
  const newest = formersIn(formers, NEWEST_CHANGE).at(-1);
  if (!newest) return undefined;
  const [time, price, regular_price] = newest.values as number[];
  return { change: { time: time!, price: price!, regular_price: regular_price! }, until: newest.until as number };
}
