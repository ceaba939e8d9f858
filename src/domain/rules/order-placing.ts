/** Placing an order (orders.md §1): which products are meant, what they cost, and the exact sums. */
import { messages } from '../../engine/errors.ts';
import { DECIMAL_MAX } from '../../engine/fields/number.ts';
import type { Value } from '../../engine/ports.ts';
import type { Draft, Records } from '../../engine/resource.ts';
import { amountOf, isKeepable, lessPercent, unitsOf } from './money.ts';
import { holdProducts, type Product, type Products } from './order-stock.ts';

/** One item as it will be stored; first as far as the client said it. */
export type Item = Record<string, Value>;

/** Fills in items, surcharges and sums; gives the products that the items mean, held until the transaction ends. */
export async function price(draft: Draft, records: Records): Promise<Products> {
  const { values, settings } = draft;
  values.currency ??= settings.currency!;
  const items = itemsOf(draft);
  const bySku = await records.identify('Product', 'sku', texts(items, 'sku'));
  const meant = items.map((item) => productMeant(item, bySku));
  const products = await holdProducts(
    records,
    meant.filter((id) => id !== undefined),
  );
  for (const [index, item] of items.entries()) {
    const product = products.get(meant[index]!);
    if (product) await fillIn(item, product, draft, records, `items[${index}]`);
    else if (draft.past) takeDown(item, draft, `items[${index}]`);
    else refuse(item, draft, `items[${index}]`);
  }
  for (const [index, surcharge] of surchargesOf(draft).entries())
    fillInSurcharge(surcharge, draft, `surcharges[${index}]`);
  if (areRight(draft, 'items', 'surcharges')) addUp(draft);
  return products;
}

/** Whether nothing is known to be wrong in these fields, so that rules across them can be looked at. */
export function areRight({ violations }: Draft, ...names: readonly string[]): boolean {
  return !violations.list.some(({ propertyPath: path }) => names.includes(path.split(/[.[]/)[0]!));
}

export function itemsOf({ values }: Draft): Item[] {
  return (values.items ?? []) as Item[];
}

function surchargesOf({ values }: Draft): Item[] {
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

async function fillIn(item: Item, product: Product, draft: Draft, records: Records, path: string): Promise<void> {
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
  item.product_id = product.id!;
  item.sku = product.sku!;
  if (!draft.past || item.name === undefined) item.name = await nameOf(product, draft, records);
  item.price ??= priceOf(product);
  complete(item);
}

/** An item of an order that was made elsewhere, whose product this store does not have. */
function takeDown(item: Item, { violations }: Draft, path: string): void {
  item.product_id = null;
  const told = new Set(violations.list.map(({ propertyPath }) => propertyPath));
  for (const name of ['sku', 'name', 'price'])
    if (item[name] === undefined && !told.has(`${path}.${name}`))
      violations.add(`${path}.${name}`, 'required', `${messages.blank} ${NOT_HERE}`);
  complete(item);
}

const NOT_HERE = 'The store has no such product, so the line must say what was sold.';

function refuse(item: Item, { violations }: Draft, path: string): void {
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

function complete(item: Item): void {
  if (typeof item.price !== 'number' || typeof item.amount !== 'number') return;
  const subtotal = unitsOf(item.price) * BigInt(item.amount);
  item.item_net_price = item.price;
  // One that cannot be kept is refused with the sum.
  if (isKeepable(subtotal)) item.discounted_subtotal = amountOf(subtotal);
}

/** The name as it is sold under: as the request's language shows it. */
async function nameOf(product: Product, { language, defaultLanguage }: Draft, records: Records): Promise<string> {
  if (typeof product.name === 'string') return product.name;
  const names = await records.texts('Product', product.id!, 'name');
  return names[language] ?? names[defaultLanguage] ?? Object.values(names)[0] ?? '';
}

/** What one piece costs now. */
function priceOf(product: Product): number {
  const { participate_sale, discount_type, sale_price_value } = product;
  if (!participate_sale) return product.price as number;
  if (discount_type === 'sale_price') return sale_price_value as number;
  return lessPercent(product.price as number, sale_price_value as number);
}

function fillInSurcharge(surcharge: Item, { violations }: Draft, path: string): void {
  const { type, value } = surcharge;
  surcharge.code ??= typeof type === 'string' ? type.toUpperCase() : '';
  surcharge.name ??= surcharge.code;
  if (type === 'discount' && typeof value === 'number' && value > 0)
    violations.add(`${path}.value`, 'range', 'A discount takes away: this value should be 0 or negative.');
}

/** `sub_total` and `total`, exact; out of range they are refused. */
function addUp(draft: Draft): void {
  const { values, violations, sent, past } = draft;
  const subTotal = sum(itemsOf(draft).map(({ price, amount }) => unitsOf(price as number) * BigInt(amount as number)));
  const added = surchargesOf(draft).filter(({ include, available }) => include !== true && available !== false);
  const total = subTotal + sum(added.map(({ value }) => unitsOf(value as number)));
  const sums = { sub_total: subTotal, total };
  if (!isKeepable(subTotal)) violations.add('items', 'range', outOfRange('the items', subTotal));
  else if (!isKeepable(total)) violations.add('surcharges', 'range', outOfRange('items and surcharges', total));
  else
    for (const [name, units] of Object.entries(sums)) {
      const computed = amountOf(units);
      if (past && sent[name] !== undefined && sent[name] !== computed)
        violations.add(name, 'conflict', `The order says ${sent[name]}, but its parts add up to ${computed}.`);
      values[name] = computed;
    }
}

function sum(parts: readonly bigint[]): bigint {
  return parts.reduce((whole, part) => whole + part, 0n);
}

function outOfRange(what: string, units: bigint): string {
  return `The sum of ${what} should be from 0 to ${DECIMAL_MAX}; it is ${shown(units)}.`;
}

function shown(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0{1,4}$/, '');
}
