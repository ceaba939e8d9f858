/** Placing an order (orders.md §1): which products are meant, what they cost, and the exact sums. */
import {
  DECIMAL_MAX,
  DECIMAL_PLACES,
  type Draft,
  messages,
  type UnitOfWork,
  type Value,
} from '../../engine/vocabulary.ts';
import { decimalsOf } from './currencies.ts';
import { checkCurrency } from './currency.ts';
import { amountOf, isFiner, isKeepable, lessPercent, rounded, sum, unitsOf } from './money.ts';
import { holdProducts, type Product, type Products, USES_OF_STOCK } from './order-stock.ts';

export const USES_OF_PLACING = {
  own: ['currency', 'items', 'surcharges', 'sub_total', 'total'],
  ...USES_OF_STOCK,
} as const;

type PlacedDraft = Draft<(typeof USES_OF_PLACING.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_STOCK>;

/** One item as it will be stored; first as far as the client said it. */
type Item = Record<string, Value>;

/** Fills in items, surcharges and sums; gives the products that the items mean, held until the transaction ends. */
export async function price(draft: PlacedDraft, unit: Unit): Promise<Products> {
  const { values, world } = draft;
  values.currency ??= world.settings.currency!;
  checkCurrency(draft);
  const items = itemsOf(draft);
  const bySku = await unit.identify('Product', 'sku', texts(items, 'sku'));
  const meant = items.map((item) => productMeant(item, bySku));
  const products = await holdProducts(
    unit,
    meant.filter((id) => id !== undefined),
  );
  const names = await namesOf([...products.values()], draft, unit);
  for (const [index, item] of items.entries()) {
    const product = products.get(meant[index]!);
    if (product) fillIn(item, product, names.get(product.id)!, draft, `items[${index}]`);
    else if (draft.past) takeDown(item, draft, `items[${index}]`);
    else refuse(item, draft, `items[${index}]`);
  }
  for (const [index, surcharge] of surchargesOf(draft).entries())
    fillInSurcharge(surcharge, draft, `surcharges[${index}]`);
  if (areRight(draft, 'items', 'surcharges')) addUp(draft);
  return products;
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

/** How a client named the product: a reference that has been read, but not looked up. */
function idOf(item: Item): Value | undefined {
  const reference = item.product_id as { readonly id: number } | null | undefined;
  return reference?.id;
}

/** An identifier counts only where no SKU is given; both must mean the same product, which is looked at later. */
function productMeant(item: Item, bySku: ReadonlyMap<Value, Value>): Value | undefined {
  // An item as output shows it, of another store: its identifiers mean nothing here.
  if (item.sku === undefined && item.name !== undefined) return undefined;
  return typeof item.sku === 'string' ? bySku.get(item.sku) : idOf(item);
}

function fillIn(item: Item, product: Product, name: string, draft: PlacedDraft, path: string): void {
  const id = idOf(item);
  // It had the SKU when it was looked up, and another one when it was held.
  if (item.sku !== undefined && item.sku !== product.sku) {
    refuse(item, draft, path);
    return;
  }
  if (id !== undefined && id !== product.id && !draft.past)
    draft.violations.add(
      `${path}.sku`,
      'conflict',
      `The product with this SKU has the id ${product.id}, and product_id is ${id}.`,
    );
  item.product_id = product.id;
  item.sku = product.sku;
  if (!draft.past || item.name === undefined) item.name = name;
  item.price ??= priceOf(product, decimalsIn(draft));
  complete(item, decimalsIn(draft));
}

/** An item of an order that was made elsewhere, whose product this store does not have. */
function takeDown(item: Item, draft: PlacedDraft, path: string): void {
  const { violations } = draft;
  item.product_id = null;
  const told = new Set(violations.list.map(({ propertyPath }) => propertyPath));
  for (const name of ['sku', 'name', 'price'])
    if (item[name] === undefined && !told.has(`${path}.${name}`))
      violations.add(`${path}.${name}`, 'required', `${messages.blank} ${NOT_HERE}`);
  complete(item, decimalsIn(draft));
}

const NOT_HERE = 'The store has no such product, so the line must say what was sold.';

function refuse(item: Item, { violations }: PlacedDraft, path: string): void {
  const id = idOf(item);
  const isTold = violations.list.some(({ propertyPath: at }) =>
    [path, `${path}.sku`, `${path}.product_id`].includes(at),
  );
  if (isTold) return;
  if (typeof item.sku === 'string')
    violations.add(`${path}.sku`, 'unknown_link', `There is no Product with the SKU ${JSON.stringify(item.sku)}.`);
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
function complete(item: Item, decimals: number): void {
  if (typeof item.price !== 'number' || typeof item.amount !== 'number') return;
  const subtotal = subtotalOf(item, decimals);
  item.item_net_price = item.price;
  // One that cannot be kept is refused with the sum.
  if (isKeepable(subtotal)) item.discounted_subtotal = amountOf(subtotal);
}

function subtotalOf({ price, amount }: Item, decimals: number): bigint {
  return rounded(unitsOf(price as number) * BigInt(amount as number), decimals);
}

/** The names as they are sold under: as the request's language shows them. */
async function namesOf(
  products: readonly Product[],
  { language, defaultLanguage }: PlacedDraft,
  unit: Unit,
): Promise<ReadonlyMap<Value, string>> {
  const elsewhere = products.filter(({ name }) => typeof name !== 'string').map(({ id }) => id);
  const texts = await unit.texts('Product', elsewhere, 'name');
  const named = ({ id, name }: Product): string => {
    if (typeof name === 'string') return name;
    const names = texts.get(id)!;
    return names[language] ?? names[defaultLanguage] ?? Object.values(names)[0] ?? '';
  };
  return new Map(products.map((product) => [product.id, named(product)]));
}

/** The price of one piece now; a price that somebody has set is taken as it is. */
function priceOf(product: Product, decimals: number): number {
  const { participate_sale, discount_type, sale_price_value } = product;
  if (!participate_sale) return product.price as number;
  if (discount_type === 'sale_price') return sale_price_value as number;
  return lessPercent(product.price as number, sale_price_value as number, decimals);
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
interface Sums {
  readonly sub_total: bigint;
  readonly total: bigint;
}

/** `sub_total` and `total`, sums of rounded parts; out of range they are refused. */
function addUp(draft: PlacedDraft): void {
  const { values, violations, past } = draft;
  const decimals = past ? decimalsOfPast(draft) : decimalsIn(draft);
  const sums = sumsOf(draft, decimals);
  if (!isKeepable(sums.sub_total)) violations.add('items', 'range', outOfRange('the items', sums.sub_total));
  else if (!isKeepable(sums.total))
    violations.add('surcharges', 'range', outOfRange('items and surcharges', sums.total));
  else {
    for (const [name, said, computed] of contradictions(draft, sums))
      violations.add(name, 'conflict', `The order says ${said}, but its parts add up to ${computed}.`);
    if (past) for (const item of itemsOf(draft)) complete(item, decimals);
    values.sub_total = amountOf(sums.sub_total);
    values.total = amountOf(sums.total);
  }
}

/**
 * The decimals that a past order's sums were made with: those of its currency, or, where only so they are what the order
 * says, all that a price has, as stores added up before they rounded.
 */
function decimalsOfPast(draft: PlacedDraft): number {
  const own = decimalsIn(draft);
  const agrees = (decimals: number): boolean => contradictions(draft, sumsOf(draft, decimals)).length === 0;
  return [own, DECIMAL_PLACES].find(agrees) ?? own;
}

/** Where a past order says something else: which sum, what it says, what it should be. */
function contradictions({ sent, past }: PlacedDraft, sums: Sums): [name: string, said: Value, computed: number][] {
  if (!past) return [];
  return (Object.entries(sums) as [keyof Sums, bigint][]).flatMap(([name, units]) => {
    const [said, computed] = [sent[name], amountOf(units)];
    return said === undefined || said === computed ? [] : [[name, said, computed] as [string, Value, number]];
  });
}

function sumsOf(draft: PlacedDraft, decimals: number): Sums {
  const subTotal = sum(itemsOf(draft).map((item) => subtotalOf(item, decimals)));
  const added = surchargesOf(draft).filter(({ include, available }) => include !== true && available !== false);
  return { sub_total: subTotal, total: subTotal + sum(added.map(({ value }) => unitsOf(value as number))) };
}

function outOfRange(what: string, units: bigint): string {
  return `The sum of ${what} should be from 0 to ${DECIMAL_MAX}; it is ${shown(units)}.`;
}

function shown(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0{1,4}$/, '');
}
