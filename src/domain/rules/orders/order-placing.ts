/** Placing an order (orders.md §1): which products are meant, what they cost, and the exact sums. */
import {
  DECIMAL_MAX,
  DECIMAL_PLACES,
  type Draft,
  messages,
  type UnitOfWork,
  type Value,
} from '../../../engine/vocabulary.ts';
import { decimalsOf } from './currencies.ts';
import { checkCurrency } from './currency.ts';
import { amountOf, isFiner, isKeepable, rounded, sum, unitsOf } from './money.ts';
import { checkCounters } from './order-counters.ts';
import { chooseOptions, textsIn, USES_OF_OPTIONS, type Wanted } from './order-options.ts';
import { type Modifiers, ownOf, priceOf, weightOf } from './order-prices.ts';
import { type Goods, holdGoods, type Product, USES_OF_STOCK, type Variant } from './order-stock.ts';

export const USES_OF_PLACING = {
  own: ['currency', 'items', 'surcharges', 'sub_total', 'total'],
  ...USES_OF_STOCK,
  ...USES_OF_OPTIONS,
} as const;

/** A write that sells items: what is asked of it here. */
export type PlacedDraft = Pick<
  Draft<(typeof USES_OF_PLACING.own)[number]>,
  'values' | 'sent' | 'violations' | 'past' | 'environment' | 'language' | 'defaultLanguage'
>;
type Unit = UnitOfWork<Omit<typeof USES_OF_PLACING, 'own'>>;

/** One item as it will be stored; first as far as the client said it. */
type Item = Record<string, Value>;

/** Fills in items, surcharges and sums; gives what the items mean, held until the transaction ends. */
export async function price(draft: PlacedDraft, unit: Unit): Promise<Goods> {
  const { values, environment } = draft;
  values.currency ??= environment.settings.currency!;
  checkCurrency(draft);
  const goods = await priceItems(draft, unit, itemsOf(draft));
  fillInSurcharges(draft);
  if (areRight(draft, 'items', 'surcharges')) addUp(draft);
  return goods;
}

/**
 * Fills in items that are sold: what they mean, what they cost, and what each line comes to.
 * @param path the field that has them
 * @param beside products and variants that are held with those of the items, in one order
 */
export async function priceItems(
  draft: PlacedDraft,
  unit: Unit,
  items: readonly Item[],
  path = 'items',
  beside: { readonly products: readonly Value[]; readonly variants: readonly Value[] } = { products: [], variants: [] },
): Promise<Goods> {
  const meant = await whatIsMeant(draft, items, unit);
  const ids = (name: keyof Meant): Value[] => meant.flatMap((each) => each[name] ?? []);
  const goods = await holdGoods(unit, [...ids('product'), ...beside.products], [...ids('variant'), ...beside.variants]);
  const { language, defaultLanguage } = draft;
  const products = [...goods.products.values()];
  const names = await textsIn(products, 'name', { language, defaultLanguage }, (elsewhere) =>
    unit.texts('Product', elsewhere, 'name'),
  );
  const wanted = new Map<Item, Wanted>();
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`;
    const product = goods.products.get(meant[index]!.product!);
    const variant = goods.variants.get(meant[index]!.variant!);
    const isGone = meant[index]!.variant !== undefined && variant?.product_id !== product?.id;
    if (product && !isGone) {
      const said = takeSaid(item);
      if (fillIn(item, product, variant, names.get(product.id)!, draft, at) && !draft.past)
        wanted.set(item, { path: at, product, variant, said });
      else if (draft.past) keepOptions(item, said);
    } else if (draft.past) takeDown(item, draft, at);
    else refuse(item, draft, at);
    if (draft.past) checkCounters(item, at, draft.violations);
  }
  for (const item of await withoutVariant(wanted, draft, unit)) wanted.delete(item);
  const sold = await chooseOptions([...wanted.values()], draft, unit);
  for (const [item, line] of wanted) {
    const { options, modifiers } = sold.get(line)!;
    item.options = options;
    priceItem(item, line, modifiers, draft);
  }
  for (const item of items) complete(item, decimalsIn(draft));
  return goods;
}

export function fillInSurcharges(draft: PlacedDraft): void {
  for (const [index, surcharge] of surchargesOf(draft).entries())
    fillInSurcharge(surcharge, draft, `surcharges[${index}]`);
}

/** The product that an item means, and its variant, as far as there are any. */
interface Meant {
  readonly product: Value | undefined;
  readonly variant: Value | undefined;
}

async function whatIsMeant({ past }: PlacedDraft, items: readonly Item[], unit: Unit): Promise<Meant[]> {
  const skus = texts(items, 'sku');
  const bySku = await unit.identify('Product', 'sku', skus);
  const variantsBySku = await unit.identify('Variant', 'sku', skus);
  const variants = items.map((item) => {
    // An item as output shows it, of another store: its identifiers mean nothing here.
    const id = past ? undefined : idOf(item, 'variant');
    return id ?? (typeof item.sku === 'string' ? variantsBySku.get(item.sku) : undefined);
  });
  const known = variants.filter((id) => id !== undefined);
  const found = known.length === 0 ? [] : await unit.list('Variant', { id: [...new Set(known)] });
  const products = new Map(found.map(({ id, product_id }) => [id, product_id]));
  return items.map((item, index) => {
    const variant = variants[index];
    if (variant !== undefined) return { product: products.get(variant), variant };
    return { product: productMeant(item, bySku), variant };
  });
}

/** A product with variants is sold as one of them. @returns the items that name none */
async function withoutVariant(
  wanted: ReadonlyMap<Item, Wanted>,
  { violations }: PlacedDraft,
  unit: Unit,
): Promise<Item[]> {
  const whole = [...wanted].filter(([, { variant }]) => !variant);
  const ids = whole.map(([, { product }]) => product.id);
  const varied = await unit.linkedTo('Variant', 'product_id', [...new Set(ids)]);
  const refused = whole.filter(([, { product }]) => varied.has(product.id));
  for (const [, { path }] of refused)
    violations.add(
      `${path}.variant`,
      'required',
      'This product has variants: send the id of one as variant, or its SKU as sku.',
    );
  return refused.map(([item]) => item);
}

/** The options as the client said them; the item keeps those that are sold. */
function takeSaid(item: Item): readonly Item[] {
  const said = (item.options ?? []) as Item[];
  item.options = [];
  return said;
}

/** Options of an order that was made elsewhere are as it says. */
function keepOptions(item: Item, said: readonly Item[]): void {
  item.options = said.map(({ text, ...option }) => ({
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

/** A price in the body wins. */
function priceItem(
  item: Item,
  { product, variant, path }: Wanted,
  modifiers: readonly Modifiers[],
  draft: PlacedDraft,
): void {
  const own = ownOf(product, variant);
  const weight = weightOf(own, modifiers);
  if (isKeepable(weight)) item.weight = amountOf(weight);
  else
    draft.violations.add(
      `${path}.options`,
      'range',
      `With these options a piece weighs ${shown(weight)}; it should be at most ${DECIMAL_MAX}.`,
    );
  if (item.price !== undefined) return;
  const units = priceOf(product, own, modifiers, decimalsIn(draft));
  if (isKeepable(units)) item.price = amountOf(units);
  else
    draft.violations.add(
      `${path}.options`,
      'range',
      `With these options a piece costs ${shown(units)}; it should be from 0 to ${DECIMAL_MAX}.`,
    );
}

/** Whether nothing is known to be wrong in these fields, so that rules across them can be looked at. */
export function areRight({ violations }: Pick<PlacedDraft, 'violations'>, ...names: readonly string[]): boolean {
  return !violations.list.some(({ propertyPath: path }) => names.includes(path.split(/[.[]/)[0]!));
}

export function itemsOf({ values }: Pick<Draft<'items'>, 'values'>): Item[] {
  return (values.items ?? []) as Item[];
}

function surchargesOf({ values }: PlacedDraft): Item[] {
  return (values.surcharges ?? []) as Item[];
}

function texts(items: readonly Item[], name: string): string[] {
  return items.flatMap((item) => (typeof item[name] === 'string' ? [item[name]] : []));
}

/** How a client named the record: a reference that has been read, but not looked up. */
function idOf(item: Item, name: 'product_id' | 'variant' = 'product_id'): number | undefined {
  const reference = item[name] as { readonly id: number } | null | undefined;
  return reference?.id;
}

/** An identifier counts only where no SKU is given; both must mean the same product, which is looked at later. */
function productMeant(item: Item, bySku: ReadonlyMap<Value, Value>): Value | undefined {
  // An item as output shows it, of another store: its identifiers mean nothing here.
  if (item.sku === undefined && item.name !== undefined) return undefined;
  return typeof item.sku === 'string' ? bySku.get(item.sku) : idOf(item);
}

/** @returns whether its options can be looked at */
function fillIn(
  item: Item,
  product: Product,
  variant: Variant | undefined,
  name: string,
  draft: PlacedDraft,
  path: string,
): boolean {
  const { violations, past } = draft;
  const id = idOf(item);
  const sku = variant?.sku ?? product.sku;
  const before = violations.list.length;
  const isWrong = violations.list.some(({ propertyPath }) => propertyPath.startsWith(`${path}.options`));
  if (item.sku !== undefined && item.sku !== sku && (item.sku !== product.sku || !variant)) {
    // It had the SKU when it was looked up, and another one when it was held.
    if (idOf(item, 'variant') === undefined) refuse(item, draft, path);
    else
      violations.add(
        `${path}.sku`,
        'conflict',
        `The variant ${variant!.id} has another SKU; leave one of the two out.`,
      );
    return false;
  }
  if (id !== undefined && id !== product.id && !past)
    violations.add(
      variant && item.sku === undefined ? `${path}.product_id` : `${path}.sku`,
      'conflict',
      variant
        ? `The variant ${variant.id} is of the product ${product.id}, and product_id is ${id}.`
        : `The product with this SKU has the id ${product.id}, and product_id is ${id}.`,
    );
  item.product_id = product.id;
  item.variant = variant?.id ?? null;
  item.sku = sku;
  if (!past || item.name === undefined) item.name = name;
  if (past) item.price ??= amountOf(priceOf(product, ownOf(product, variant), [], decimalsIn(draft)));
  return !isWrong && violations.list.length === before;
}

/** An item of an order that was made elsewhere, whose product this store does not have. */
function takeDown(item: Item, draft: PlacedDraft, path: string): void {
  const { violations } = draft;
  item.product_id = null;
  item.variant = null;
  keepOptions(item, takeSaid(item));
  const told = new Set(violations.list.map(({ propertyPath }) => propertyPath));
  for (const name of ['sku', 'name', 'price'])
    if (item[name] === undefined && !told.has(`${path}.${name}`))
      violations.add(`${path}.${name}`, 'required', `${messages.blank} ${NOT_HERE}`);
}

const NOT_HERE = 'The store has no such product, so the line must say what was sold.';

function refuse(item: Item, { violations }: PlacedDraft, path: string): void {
  const id = idOf(item);
  const variant = idOf(item, 'variant');
  const isTold = violations.list.some(({ propertyPath: at }) =>
    [path, `${path}.sku`, `${path}.product_id`, `${path}.variant`].includes(at),
  );
  if (isTold) return;
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
  else
    violations.add(
      `${path}.product_id`,
      'required',
      'Send product_id or sku: one of them must say which product is bought.',
    );
}

/** How many decimals an amount that a customer pays can have. */
function decimalsIn({ values }: PlacedDraft): number {
  return decimalsOf(values.currency as string);
}

/** The line as a customer pays it: rounded once, behind the multiplication. */
export function complete(item: Item, decimals: number): void {
  if (typeof item.price !== 'number' || typeof item.amount !== 'number') return;
  const subtotal = subtotalOf(item, decimals);
  item.item_net_price = item.price;
  // One that cannot be kept is refused with the sum.
  if (isKeepable(subtotal)) item.discounted_subtotal = amountOf(subtotal);
}

/** The price of all pieces, in ten-thousandths; it may be too much to be kept. */
export function subtotalOf({ price, amount }: Readonly<Item>, decimals: number): bigint {
  return rounded(unitsOf(price as number) * BigInt(amount as number), decimals);
}

function fillInSurcharge(surcharge: Item, draft: PlacedDraft, path: string): void {
  const { violations, past } = draft;
  const { type, value } = surcharge;
  surcharge.code ??= typeof type === 'string' ? type.toUpperCase() : '';
  surcharge.name ??= surcharge.code;
  if (type === 'discount' && typeof value === 'number' && value > 0)
    violations.add(`${path}.value`, 'range', 'A discount takes away: this value should be 0 or negative.');
  const decimals = decimalsIn(draft);
  if (!past && typeof value === 'number' && isFiner(value, decimals))
    violations.add(`${path}.value`, 'decimals', tooFine(draft.values.currency as string, decimals));
}

function tooFine(currency: string, decimals: number): string {
  return `An amount in ${currency} should have ${decimals === 0 ? 'no' : `at most ${decimals}`} decimals.`;
}

/** The sums of an order. */
interface Totals {
  readonly sub_total: bigint;
  readonly total: bigint;
}

/** `sub_total` and `total`, sums of rounded parts; out of range they are refused. */
function addUp(draft: PlacedDraft): void {
  const { values, violations, past } = draft;
  const decimals = past ? decimalsOfPast(draft) : decimalsIn(draft);
  const totals = totalsOf(draft, decimals);
  if (!isKeepable(totals.sub_total)) violations.add('items', 'range', outOfRange('the items', totals.sub_total));
  else if (!isKeepable(totals.total))
    violations.add('surcharges', 'range', outOfRange('items and surcharges', totals.total));
  else {
    for (const [name, said, computed] of contradictions(draft, totals))
      violations.add(name, 'conflict', `The order says ${said}, but its parts add up to ${computed}.`);
    if (past) for (const item of itemsOf(draft)) complete(item, decimals);
    values.sub_total = amountOf(totals.sub_total);
    values.total = amountOf(totals.total);
  }
}

/**
 * The decimals that a past order's sums were made with: those of its currency, or, where only so they are what the order
 * says, all that a price has, as stores added up before they rounded.
 */
function decimalsOfPast(draft: PlacedDraft): number {
  const own = decimalsIn(draft);
  const agrees = (decimals: number): boolean => contradictions(draft, totalsOf(draft, decimals)).length === 0;
  return [own, DECIMAL_PLACES].find(agrees) ?? own;
}

/** Where a past order says something else: which sum, what it says, what it should be. */
function contradictions({ sent, past }: PlacedDraft, totals: Totals): [name: string, said: Value, computed: number][] {
  if (!past) return [];
  return (Object.entries(totals) as [keyof Totals, bigint][]).flatMap(([name, units]) => {
    const [said, computed] = [sent[name], amountOf(units)];
    return said === undefined || said === computed ? [] : [[name, said, computed] as [string, Value, number]];
  });
}

function totalsOf(draft: PlacedDraft, decimals: number): Totals {
  const subtotals = itemsOf(draft).map((item) => subtotalOf(item, decimals));
  return totalsOfParts(subtotals, surchargesOf(draft));
}

/** The sums of lines that come to these amounts, and of surcharges. */
export function totalsOfParts(subtotals: readonly bigint[], surcharges: readonly Readonly<Item>[]): Totals {
  const added = surcharges.filter(({ include, available }) => include !== true && available !== false);
  const subTotal = sum(subtotals);
  return { sub_total: subTotal, total: subTotal + sum(added.map(({ value }) => unitsOf(value as number))) };
}

export function outOfRange(what: string, units: bigint): string {
  return `The sum of ${what} should be from 0 to ${DECIMAL_MAX}; it is ${shown(units)}.`;
}

function shown(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0{1,4}$/, '');
}
