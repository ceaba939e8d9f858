/** Placing an order (orders.md §1): resolves products, prices items and computes exact totals. */
import {
  DECIMAL_MAX,
  DECIMAL_PLACES,
  type Draft,
  messages,
  type Reads,
  type UnitOfWork,
  type Value,
} from '../../../engine/vocabulary.ts';
import { decimalsOf } from '../../../pricing/currencies.ts';
import { amountOf, isFiner, isStorable, rounded, sum, unitsOf } from '../../../pricing/money.ts';
import { checkCurrency } from './currency.ts';
import { checkCounters } from './order-counters.ts';
import { chooseOptions, type OptionLine, type SoldOptions, textsIn, USES_OF_OPTIONS } from './order-options.ts';
import { basePriceOf, type Modifiers, unitPriceOf, unitWeightOf } from './order-prices.ts';
import { type Goods, holdGoods, type Product, USES_OF_STOCK, type Variant } from './order-stock.ts';

export const USES_OF_PLACING = {
  own: ['currency', 'items', 'surcharges', 'sub_total', 'total', 'calculate'],
  ...USES_OF_STOCK,
  ...USES_OF_OPTIONS,
} as const;

type OwnDraft = Draft<(typeof USES_OF_PLACING.own)[number]>;

/** The parts of a draft that filling in items needs. */
type ItemsDraft = Pick<OwnDraft, 'values' | 'sent' | 'violations' | 'past' | 'language' | 'defaultLanguage'>;

/** The parts of a draft that pricing needs. */
export type PlacedDraft = ItemsDraft & Pick<OwnDraft, 'environment'>;
type Unit = UnitOfWork<Omit<typeof USES_OF_PLACING, 'own'>>;
type ItemReads = Pick<Reads<Omit<typeof USES_OF_PLACING, 'own'>>, 'identify' | 'linkedTo' | 'list' | 'texts'>;

/** An item as the client sent it; the functions here fill in the rest of what is stored. */
export type Item = Record<string, Value>;

/** The products and variants of items, and the options that were chosen. */
export interface PricedGoods extends Goods {
  /** The modifiers by item; none for an item of a past order. */
  readonly modifiers: ReadonlyMap<Item, readonly Modifiers[]>;
  /** Further results of `chooseOptions`. */
  readonly sold: ReadonlyMap<Item, Pick<SoldOptions, 'choices' | 'missing'>>;
  /** The names of the products. */
  readonly names: ReadonlyMap<Value, string>;
}

/** Reads products and variants. */
type ReadGoods = (products: readonly Value[], variants: readonly Value[]) => Promise<Goods>;

/**
 * Fills in the items, surcharges and totals of a new order. With `calculate`, the calculation determines prices and totals
 * later (pricing.md §5).
 *
 * @returns the order's products and variants, locked until the transaction ends
 */
export async function price(draft: PlacedDraft, unit: Unit): Promise<PricedGoods> {
  const { values, environment } = draft;
  values.currency ??= environment.settings.currency!;
  checkCurrency(draft);
  const goods = await priceItems(draft, unit, itemsOf(draft));
  fillInSurcharges(draft);
  if (draft.sent.calculate !== true && areValid(draft, 'items', 'surcharges')) computeTotals(draft);
  return goods;
}

/**
 * Fills in items: product, name, options, price and subtotal.
 *
 * @param path - the field that holds the items
 * @param others - more products and variants to lock; all locks are taken in one order, which prevents deadlocks
 */
export async function priceItems(
  draft: PlacedDraft,
  unit: Unit,
  items: readonly Item[],
  path = 'items',
  others: { readonly products: readonly Value[]; readonly variants: readonly Value[] } = { products: [], variants: [] },
): Promise<PricedGoods> {
  return fillInItems(draft, unit, items, path, (products, variants) =>
    holdGoods(unit, [...products, ...others.products], [...variants, ...others.variants]),
  );
}

/** Like `priceItems`. @param readGoods returns the products and variants that the items can have */
export async function fillInItems(
  draft: ItemsDraft,
  reads: ItemReads,
  items: readonly Item[],
  path: string,
  readGoods: ReadGoods,
): Promise<PricedGoods> {
  const resolved = await resolveItems(draft, items, reads);
  const ids = (name: keyof ResolvedItem): Value[] => resolved.flatMap((each) => each[name] ?? []);
  const goods = await readGoods(ids('product'), ids('variant'));
  const { language, defaultLanguage } = draft;
  const products = [...goods.products.values()];
  const names = await textsIn(products, 'name', { language, defaultLanguage }, (untranslated) =>
    reads.texts('Product', untranslated, 'name'),
  );
  const optionLines = new Map<Item, OptionLine>();
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`;
    const product = goods.products.get(resolved[index]!.product!);
    const variant = goods.variants.get(resolved[index]!.variant!);
    const isVariantGone = resolved[index]!.variant !== undefined && variant?.product_id !== product?.id;
    if (product && !isVariantGone) {
      const sent = detachOptions(item);
      if (fillFromProduct(item, product, variant, names.get(product.id)!, draft, at) && !draft.past)
        optionLines.set(item, { path: at, product, variant, sent });
      else if (draft.past) storeSentOptions(item, sent);
    } else if (draft.past) fillFromInput(item, draft, at);
    else rejectUnknownProduct(item, draft, at);
    if (draft.past) checkCounters(item, at, draft.violations);
  }
  for (const item of await rejectMissingVariants(optionLines, draft, reads)) optionLines.delete(item);
  const chosen = await chooseOptions([...optionLines.values()], draft, reads);
  const modifiers = new Map<Item, readonly Modifiers[]>();
  const soldOptions = new Map<Item, SoldOptions>();
  for (const [item, line] of optionLines) {
    const sold = chosen.get(line)!;
    item.options = sold.options;
    modifiers.set(item, sold.modifiers);
    soldOptions.set(item, sold);
    priceItem(item, line, sold.modifiers, draft);
  }
  for (const item of items) complete(item, decimalsIn(draft));
  return { ...goods, modifiers, sold: soldOptions, names };
}

export function fillInSurcharges(draft: PlacedDraft): void {
  for (const [index, surcharge] of surchargesOf(draft).entries())
    fillInSurcharge(surcharge, draft, `surcharges[${index}]`);
}

/** Identifiers of an item's product and variant, as far as they are found. */
interface ResolvedItem {
  readonly product: Value | undefined;
  readonly variant: Value | undefined;
}

async function resolveItems({ past }: ItemsDraft, items: readonly Item[], reads: ItemReads): Promise<ResolvedItem[]> {
  const skus = texts(items, 'sku');
  const bySku = await reads.identify('Product', 'sku', skus);
  const variantsBySku = await reads.identify('Variant', 'sku', skus);
  const variants = items.map((item) => {
    // Items of past orders come from another store, whose identifiers are not valid in this one.
    const id = past ? undefined : idOf(item, 'variant');
    return id ?? (typeof item.sku === 'string' ? variantsBySku.get(item.sku) : undefined);
  });
  const known = variants.filter((id) => id !== undefined);
  const found = known.length === 0 ? [] : await reads.list('Variant', { id: [...new Set(known)] });
  const products = new Map(found.map(({ id, product_id }) => [id, product_id]));
  return items.map((item, index) => {
    const variant = variants[index];
    if (variant !== undefined) return { product: products.get(variant), variant };
    return { product: resolveProduct(item, bySku), variant };
  });
}

/** Adds a violation for each item that names a product with variants, but no variant. @returns these items */
async function rejectMissingVariants(
  optionLines: ReadonlyMap<Item, OptionLine>,
  { violations }: ItemsDraft,
  reads: ItemReads,
): Promise<Item[]> {
  const withoutVariant = [...optionLines].filter(([, { variant }]) => !variant);
  const ids = withoutVariant.map(([, { product }]) => product.id);
  const productsWithVariants = await reads.linkedTo('Variant', 'product_id', [...new Set(ids)]);
  const rejected = withoutVariant.filter(([, { product }]) => productsWithVariants.has(product.id));
  for (const [, { path }] of rejected)
    violations.add(
      `${path}.variant`,
      'required',
      'This product has variants. Send the id of one as variant, or its SKU as sku.',
    );
  return rejected.map(([item]) => item);
}

/** Removes and returns the options that the client sent; the resolved ones take their place later. */
function detachOptions(item: Item): readonly Item[] {
  const sent = (item.options ?? []) as Item[];
  item.options = [];
  return sent;
}

/** Stores the options of a past order as they were sent. */
function storeSentOptions(item: Item, sent: readonly Item[]): void {
  item.options = sent.map(({ text, ...option }) => ({
    attribute_id: option.attribute_id ?? 0,
    name: option.name ?? '',
    value_id: option.value_id ?? null,
    value: option.value ?? text ?? '',
    price_modifier: option.price_modifier ?? 0,
    price_modifier_type: option.price_modifier_type ?? 'percent',
    weight_modifier: option.weight_modifier ?? 0,
    weight_modifier_type: option.weight_modifier_type ?? 'percent',
    price_effect: option.price_effect ?? 0,
  }));
}

/** Sets weight and price of an item. A price that the client sent is not changed. */
function priceItem(
  item: Item,
  { product, variant, path }: OptionLine,
  modifiers: readonly Modifiers[],
  draft: ItemsDraft,
): void {
  const base = basePriceOf(product, variant);
  const weight = unitWeightOf(base, modifiers);
  if (isStorable(weight)) item.weight = amountOf(weight);
  else
    draft.violations.add(
      `${path}.options`,
      'range',
      `With these options a unit weighs ${formatted(weight)}. The weight must be at most ${DECIMAL_MAX}.`,
    );
  if (item.price !== undefined || draft.sent.calculate === true) return;
  const units = unitPriceOf(product, base, modifiers, decimalsIn(draft));
  if (isStorable(units)) item.price = amountOf(units);
  else
    draft.violations.add(
      `${path}.options`,
      'range',
      `With these options a unit costs ${formatted(units)}. The price must be between 0 and ${DECIMAL_MAX}.`,
    );
}

/** Whether these fields have no violations yet, so that rules across fields can be checked. */
export function areValid({ violations }: Pick<PlacedDraft, 'violations'>, ...names: readonly string[]): boolean {
  return !violations.list.some(({ propertyPath: path }) => names.includes(path.split(/[.[]/)[0]!));
}

export function itemsOf({ values }: Pick<Draft<'items'>, 'values'>): Item[] {
  return (values.items ?? []) as Item[];
}

export function surchargesOf({ values }: Pick<Draft<'surcharges'>, 'values'>): Item[] {
  return (values.surcharges ?? []) as Item[];
}

function texts(items: readonly Item[], name: string): string[] {
  return items.flatMap((item) => (typeof item[name] === 'string' ? [item[name]] : []));
}

/** Returns the identifier of a reference that is parsed but not yet resolved. */
function idOf(item: Item, name: 'product_id' | 'variant' = 'product_id'): number | undefined {
  const reference = item[name] as { readonly id: number } | null | undefined;
  return reference?.id;
}

/** Prefers the SKU to the identifier. `fillFromProduct` checks later that both refer to the same product. */
function resolveProduct(item: Item, bySku: ReadonlyMap<Value, Value>): Value | undefined {
  // Output of another store: its identifiers are not valid in this one.
  if (item.sku === undefined && item.name !== undefined) return undefined;
  return typeof item.sku === 'string' ? bySku.get(item.sku) : idOf(item);
}

/** Fills in an item's product, variant, SKU and name. @returns whether its options can be resolved */
function fillFromProduct(
  item: Item,
  product: Product,
  variant: Variant | undefined,
  name: string,
  draft: ItemsDraft,
  path: string,
): boolean {
  const { violations, past } = draft;
  const id = idOf(item);
  const sku = variant?.sku ?? product.sku;
  const before = violations.list.length;
  const isWrong = violations.list.some(({ propertyPath }) => propertyPath.startsWith(`${path}.options`));
  if (item.sku !== undefined && item.sku !== sku && (item.sku !== product.sku || !variant)) {
    // The product's SKU changed between the lookup and the lock.
    if (idOf(item, 'variant') === undefined) rejectUnknownProduct(item, draft, path);
    else
      violations.add(
        `${path}.sku`,
        'conflict',
        `Variant ${variant!.id} has a different SKU. Send only one of the two.`,
      );
    return false;
  }
  if (id !== undefined && id !== product.id && !past)
    violations.add(
      variant && item.sku === undefined ? `${path}.product_id` : `${path}.sku`,
      'conflict',
      variant
        ? `Variant ${variant.id} belongs to product ${product.id}, but product_id is ${id}.`
        : `The product with this SKU has the id ${product.id}, but product_id is ${id}.`,
    );
  item.product_id = product.id;
  item.variant = variant?.id ?? null;
  item.sku = sku;
  if (!past || item.name === undefined) item.name = name;
  if (past) item.price ??= amountOf(unitPriceOf(product, basePriceOf(product, variant), [], decimalsIn(draft)));
  return !isWrong && violations.list.length === before;
}

/** Fills in an item of a past order whose product is not in this store. */
function fillFromInput(item: Item, draft: ItemsDraft, path: string): void {
  const { violations } = draft;
  item.product_id = null;
  item.variant = null;
  storeSentOptions(item, detachOptions(item));
  const reported = new Set(violations.list.map(({ propertyPath }) => propertyPath));
  for (const name of ['sku', 'name', 'price'])
    if (item[name] === undefined && !reported.has(`${path}.${name}`))
      violations.add(`${path}.${name}`, 'required', `${messages.blank} ${UNKNOWN_PRODUCT}`);
}

const UNKNOWN_PRODUCT = 'The store does not have this product, so the item needs a SKU, a name and a price.';

function rejectUnknownProduct(item: Item, { violations }: ItemsDraft, path: string): void {
  const id = idOf(item);
  const variant = idOf(item, 'variant');
  const isReported = violations.list.some(({ propertyPath: at }) =>
    [path, `${path}.sku`, `${path}.product_id`, `${path}.variant`].includes(at),
  );
  if (isReported) return;
  if (variant !== undefined)
    violations.add(`${path}.variant`, 'unknown_link', `There is no Variant with the id ${variant}.`);
  else if (typeof item.sku === 'string')
    violations.add(
      `${path}.sku`,
      'unknown_link',
      `There is no Product or Variant with the SKU ${JSON.stringify(item.sku)}.`,
    );
  else if (id !== undefined)
    violations.add(`${path}.product_id`, 'unknown_link', `There is no Product with the id ${id}.`);
  else violations.add(`${path}.product_id`, 'required', 'The item needs a product. Send product_id or sku.');
}

/** Number of decimals in the order's currency. */
function decimalsIn({ values }: ItemsDraft): number {
  return decimalsOf(values.currency as string);
}

/** Sets an item's net price and subtotal. The subtotal is rounded once, after the multiplication. */
export function complete(item: Item, decimals: number): void {
  if (typeof item.price !== 'number' || typeof item.amount !== 'number') return;
  const subtotal = subtotalOf(item, decimals);
  item.item_net_price = item.price;
  // A subtotal that is too large is reported with the total.
  if (isStorable(subtotal)) item.discounted_subtotal = amountOf(subtotal);
}

/** Computes the price of all units in ten-thousandths. It can exceed the largest storable amount. */
export function subtotalOf({ price, amount }: Readonly<Item>, decimals: number): bigint {
  return rounded(unitsOf(price as number) * BigInt(amount as number), decimals);
}

function fillInSurcharge(surcharge: Item, draft: PlacedDraft, path: string): void {
  const { violations, past } = draft;
  const { type, value } = surcharge;
  surcharge.code ??= typeof type === 'string' ? type.toUpperCase() : '';
  surcharge.name ??= surcharge.code;
  if (type === 'discount' && typeof value === 'number' && value > 0)
    violations.add(`${path}.value`, 'range', 'The value of a discount must be 0 or negative.');
  const decimals = decimalsIn(draft);
  if (!past && typeof value === 'number' && isFiner(value, decimals))
    violations.add(`${path}.value`, 'decimals', tooFine(draft.values.currency as string, decimals));
}

function tooFine(currency: string, decimals: number): string {
  return `An amount in ${currency} must have ${decimals === 0 ? 'no' : `at most ${decimals}`} decimals.`;
}

/** Totals of an order, in ten-thousandths. */
export interface Totals {
  readonly sub_total: bigint;
  readonly total: bigint;
}

/** Sets `sub_total` and `total`, which are sums of rounded parts. */
export function computeTotals(draft: PlacedDraft): void {
  const { values, violations, past } = draft;
  const decimals = past ? decimalsOfPast(draft) : decimalsIn(draft);
  const totals = totalsOf(draft, decimals);
  if (!isStorable(totals.sub_total)) violations.add('items', 'range', outOfRange('the items', totals.sub_total));
  else if (!isStorable(totals.total))
    violations.add('surcharges', 'range', outOfRange('items and surcharges', totals.total));
  else {
    for (const [name, sent, computed] of contradictions(draft, totals))
      violations.add(name, 'conflict', `The value is ${sent}, but the parts of the order add up to ${computed}.`);
    if (past) for (const item of itemsOf(draft)) complete(item, decimals);
    values.sub_total = amountOf(totals.sub_total);
    values.total = amountOf(totals.total);
  }
}

/**
 * Finds the number of decimals that a past order's totals were rounded to: that of its currency, or the full precision if
 * only that reproduces the totals sent. Older stores did not round.
 */
function decimalsOfPast(draft: PlacedDraft): number {
  const own = decimalsIn(draft);
  const agrees = (decimals: number): boolean => contradictions(draft, totalsOf(draft, decimals)).length === 0;
  return [own, DECIMAL_PLACES].find(agrees) ?? own;
}

/** Lists the totals sent with a past order that differ from the computed ones. */
function contradictions(
  { sent, past }: PlacedDraft,
  totals: Totals,
): [name: string, sentTotal: Value, computed: number][] {
  if (!past) return [];
  return (Object.entries(totals) as [keyof Totals, bigint][]).flatMap(([name, units]) => {
    const [total, computed] = [sent[name], amountOf(units)];
    return total === undefined || total === computed ? [] : [[name, total, computed] as [string, Value, number]];
  });
}

function totalsOf(draft: PlacedDraft, decimals: number): Totals {
  const subtotals = itemsOf(draft).map((item) => subtotalOf(item, decimals));
  return totalsOfParts(subtotals, surchargesOf(draft));
}

/** Computes an order's totals from the subtotals of its lines and its surcharges. */
export function totalsOfParts(subtotals: readonly bigint[], surcharges: readonly Readonly<Item>[]): Totals {
  const added = surcharges.filter(({ include, available }) => include !== true && available !== false);
  const subTotal = sum(subtotals);
  return { sub_total: subTotal, total: subTotal + sum(added.map(({ value }) => unitsOf(value as number))) };
}

/** Formats the violation message of a total that cannot be stored. */
export function outOfRange(parts: string, units: bigint): string {
  return `The total of ${parts} is ${formatted(units)}. It must be between 0 and ${DECIMAL_MAX}.`;
}

function formatted(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0{1,4}$/, '');
}
