/**
 * Edits of calculated orders (pricing.md §5). With `calculate`, the order keeps its prices, discounts, tax rates and settings, and gets
 * new amounts of discounts and taxes. Only new items have prices of today. With `prorate`, units leave the order with their parts of
 * discounts and taxes, as a credit note credits them. So the total falls by what the buyer has paid for these units.
 */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import {
  type Charge,
  calculate,
  creditedPart,
  editedInput,
  evaluate,
  type Input,
  type Line,
  type Rejection,
  type Result,
} from '../../../pricing/index.ts';
import { amountOf, unitsOf } from '../../../pricing/money.ts';
import { chargeWeight, type Shares, surchargesOfResult } from '../pricing/calculated-surcharges.ts';
import { linesOf, readStoreRules } from '../pricing/calculation-facts.ts';
import {
  chargesOf,
  rejectOtherCharges,
  rejectTaxClasses,
  report,
  storeShares,
  type USES_OF_CALCULATED_ORDER,
} from './calculated-order.ts';
import type { Item, PricedGoods } from './order-placing.ts';

type Unit = UnitOfWork<typeof USES_OF_CALCULATED_ORDER>;
type EditDraft = Draft<'calculate' | 'expected_total' | 'surcharges'>;
type Values = Readonly<Record<string, Value>>;

/** The stored calculation of an order. */
export interface StoredCalculation {
  readonly id: Value;
  readonly input: Input;
}

/** The calculation of an order after an edit. */
export interface Recalculation {
  /** Id of the stored calculation that it replaces. */
  readonly id: Value;
  readonly input: Input;
  readonly result: Result;
  readonly surcharges: readonly Item[];
  /** Whether output shows other surcharges than before. */
  readonly changesSurcharges: boolean;
  /** For each item of the order, then for each new one. */
  readonly shares: Shares;
}

/** An item with its price and amount after the edit. */
interface EditedItem {
  readonly product_id: Value;
  readonly variant: Value;
  readonly price: number;
  readonly amount: number;
}

/** What an edit makes of an order. */
interface Edited {
  /** The items of the order by id. */
  readonly items: readonly EditedItem[];
  /** New items, without a price if the client sent none. */
  readonly added: readonly Item[];
  readonly goods: Pick<PricedGoods, 'modifiers'>;
  /** The new charges; undefined if they do not change. */
  readonly charges: readonly Charge[] | undefined;
  /** The surcharges before the edit, in the order of output. */
  readonly storedSurcharges: readonly Values[];
}

/**
 * Finds the calculation that an edit with `calculate` changes. Rejects fields that do not go with it.
 *
 * @returns undefined for an edit without `calculate`, and after a violation
 */
export async function calculationToEdit(
  { sent, violations }: EditDraft,
  unit: Unit,
  order: Value,
): Promise<StoredCalculation | undefined> {
  if (sent.calculate !== true) {
    rejectTaxClasses(sent.surcharges, violations);
    if (typeof sent.expected_total === 'number')
      violations.add('expected_total', 'conflict', 'Send this field only in an edit with "calculate": true.');
    return undefined;
  }
  rejectOtherCharges(sent.surcharges, violations);
  const [stored] = await unit.list('OrderCalculation', { order });
  if (stored) return { id: stored.id, input: stored.input as unknown as Input };
  violations.add(
    'calculate',
    'conflict',
    'The order has no calculation: it was placed or edited without "calculate". Omit this field.',
  );
  return undefined;
}

/** Returns the charges of an edit; undefined if it does not change those of the calculation. */
export async function newCharges(
  { sent, violations }: EditDraft,
  unit: Unit,
  surcharges: readonly Item[],
  { input }: StoredCalculation,
): Promise<readonly Charge[] | undefined> {
  if (sent.surcharges === undefined) return undefined;
  const before = sorted(input.shipping as readonly Charge[]);
  const sentCharges = await chargesOf(surcharges, unit, violations);
  const charges = sorted(withTaxClasses(sentCharges, surcharges, before));
  return areAlike(charges, before, CHARGE) ? undefined : charges;
}

/**
 * Returns charges with the tax class that they had before, if the client omits it, because output does not show it.
 *
 * @param sent the charges as the client sent them, in the same order
 */
function withTaxClasses(charges: readonly Charge[], sent: readonly Item[], before: readonly Charge[]): Charge[] {
  const left = [...before];
  return charges.map((charge, position) => {
    const index = left.findIndex((each) => areAlike([each], [charge], OUTPUT));
    if (index === -1) return charge;
    // Each one is taken once, so that two charges that look alike do not both get the class of the first one.
    const [{ tax_class }] = left.splice(index, 1) as [Charge];
    return sent[position]!.tax_class === undefined ? { ...charge, tax_class } : charge;
  });
}

/** The fields of a charge that output shows. */
const OUTPUT = ['type', 'code', 'name', 'value'] as const;

/** The fields of a charge in a calculation. */
const CHARGE = ['type', 'code', 'name', 'tax_class', 'value'] as const;

/** Charges in the order of output: shipping, then handling. */
function sorted(charges: readonly Charge[]): Charge[] {
  return charges.toSorted((one, other) => chargeWeight(one.type) - chargeWeight(other.type));
}

/** Whether two lists of records have the same values of some fields. A missing value equals false. */
function areAlike<K extends string>(
  some: readonly Readonly<Partial<Record<K, unknown>>>[],
  others: readonly Readonly<Partial<Record<K, unknown>>>[],
  names: readonly K[],
): boolean {
  const text = (all: typeof some): string =>
    JSON.stringify(all.map((each) => names.map((name) => each[name] ?? false)));
  return text(some) === text(others);
}

/**
 * Calculates an order after an edit, and sets the prices of new items.
 *
 * @returns undefined if the order has violations
 */
export async function recalculate(
  draft: Draft,
  unit: Unit,
  stored: StoredCalculation,
  { items, added, goods, charges, storedSurcharges }: Edited,
): Promise<Recalculation | undefined> {
  const lines = added.length === 0 ? [] : await linesAt(draft, unit, stored.input, { items, added, goods });
  if (draft.violations.list.length > 0) return undefined;
  const input = editedInput(stored.input, {
    lines: items.map(({ price, amount }) => ({ price, amount })),
    added: await withLists(unit, stored.input, lines),
    charges,
  });
  const result = calculate(input);
  const shown = (input.shipping as readonly Charge[]).map((charge) => withSource(charge, storedSurcharges));
  const { surcharges, shares } = surchargesOfResult(shown, input, result);
  const changesSurcharges = !areAlike(surcharges, storedSurcharges, SHOWN);
  return { id: stored.id, input, result, surcharges, changesSurcharges, shares };
}

/** Returns a charge as a surcharge. One that does not change also retains its shipping method. */
function withSource({ type, code, name, value }: Charge, stored: readonly Values[]): Item {
  const before = stored.find(
    (each) => each.type === type && each.code === code && each.name === name && each.value === value,
  );
  return { type, code, name, value, ...(before?.source ? { source: before.source } : {}) };
}

/** The fields of a surcharge that a change of it shows in the history. */
const SHOWN = ['type', 'code', 'name', 'include', 'value'] as const;

/** Finds the prices of new items by the rules of today: those of an order that has the other items at their prices. */
async function linesAt(
  draft: Draft,
  unit: Unit,
  stored: Input,
  { items, added, goods }: Pick<Edited, 'items' | 'added' | 'goods'>,
): Promise<Line[]> {
  const { violations, environment, now } = draft;
  const products = new Set<Value>(added.map(({ product_id }) => product_id!));
  const { rules } = await readStoreRules(unit, draft, environment.settings.currency!, [...products]);
  for (const [index, { price }] of added.entries())
    if (price === undefined && !hasSamePrices(rules, stored.rules))
      violations.add(
        `add[${index}].price`,
        'conflict',
        'The currency of the store, or whether its prices include taxes, has changed since the order was calculated. Send the price.',
      );
  const others: Item[] = items
    .filter(({ product_id, amount }) => amount > 0 && products.has(product_id))
    .map((item) => ({ ...item }));
  const all = [...others, ...added];
  const lines = await linesOf(all, all, goods, unit);
  const { result, rejections } = evaluate({ ...stored, lines, coupons: [], shipping: [], rules, time: now });
  for (const rejection of rejections) {
    const line = lineOf(rejection);
    // Items that the order already had are not checked again.
    if (line < others.length) continue;
    const path = rejection.path.replace(/^items\[\d+\]/, `add[${line - others.length}]`);
    report({ ...rejection, path }, [], violations);
  }
  return lines.slice(others.length).map((line, index) => {
    const { price } = result.lines[others.length + index]!;
    added[index]!.price = price;
    return { ...line, price };
  });
}

/** The index of the line that a rejection is about. */
function lineOf({ path }: Rejection): number {
  return Number(/^items\[(\d+)\]/.exec(path)![1]);
}

/** Whether prices of today are comparable with those of the calculation. */
function hasSamePrices(now: Input['rules'], then: Input['rules']): boolean {
  return now.currency === then.currency && now.tax_settings.prices_include_tax === then.tax_settings.prices_include_tax;
}

/**
 * Adds to new lines which coupons list their products now. The calculation has the lists of the time of the order, and these
 * still decide for the other lines, even if they have the same product.
 */
async function withLists(unit: Unit, { coupons }: Input, added: readonly Line[]): Promise<readonly Line[]> {
  const ids = coupons.filter(({ specific_products }) => specific_products).map(({ id }) => id);
  const products = [...new Set(added.map(({ product }) => product.id))];
  if (ids.length === 0 || products.length === 0) return added;
  const stored = await unit.list('Coupon', { id: ids }, { only: ['products'], among: { products } });
  return added.map((line) => ({
    ...line,
    listed_by: stored
      .filter((coupon) => (coupon.products as number[]).includes(line.product.id))
      .map(({ id }) => id as number),
  }));
}

/** Replaces the calculation of an edited order, the shares of its items and the amounts of its coupons. */
export async function storeRecalculation(
  unit: Unit,
  order: Value,
  { id, input, result, shares }: Recalculation,
): Promise<void> {
  await unit.update('OrderCalculation', id, {
    input: input as unknown as Value,
    result: result as unknown as Value,
  });
  await storeShares(unit, order, shares);
  const amounts = new Map(result.discounts.map(({ code, value }) => [code, value]));
  const used: readonly Stored<'code' | 'value'>[] = await unit.list('UsedCoupon', { order });
  await unit.updateAll(
    'UsedCoupon',
    new Map(used.map((coupon) => [coupon.id, { value: amounts.get(coupon.code as string) ?? 0 }])),
  );
}

/** The surcharges of an order without the parts of removed units. */
export interface Proration {
  readonly surcharges: readonly Values[];
  /** For each item of the order. */
  readonly shares: Shares;
}

/** A changed item with its new values. */
interface Lowered {
  readonly item: Item;
  readonly values: Values;
}

/** Whether the edit only removes units. Adds a violation if it has `prorate` and does more. */
export function isProrated({ sent, violations }: Draft<'prorate' | 'calculate' | 'add' | 'surcharges'>): boolean {
  if (sent.prorate !== true) return false;
  const others = [
    ...(sent.calculate === true ? ['calculate'] : []),
    ...(((sent.add ?? []) as readonly Value[]).length > 0 ? ['add'] : []),
    ...(sent.surcharges === undefined ? [] : ['surcharges']),
  ];
  for (const name of others) violations.add(name, 'conflict', ONLY_REMOVES);
  return others.length === 0;
}

const ONLY_REMOVES = 'An edit with "prorate" only removes units. Send this change in an edit without "prorate".';

/** Adds a violation for each change of an edit with `prorate` that does not only remove units. */
export function rejectOtherChanges(
  changed: readonly (Lowered & { readonly difference: number; readonly path: string })[],
  violations: Draft['violations'],
): void {
  for (const { item, values, difference, path } of changed) {
    if (difference > 0) violations.add(`${path}.amount`, 'conflict', ONLY_REMOVES);
    if (values.price !== item.price) violations.add(`${path}.price`, 'conflict', ONLY_REMOVES);
  }
}

/**
 * Removes the parts of removed units from the surcharges of an order and from the shares of its items.
 *
 * @param items the items of the order by id, before the edit
 * @param stored the surcharges of the order, in the order of output
 * @returns undefined if no surcharge has shares
 */
export function prorate(
  items: ReadonlyMap<Value, Item>,
  lowered: readonly Lowered[],
  stored: readonly Values[],
  currency: string,
): Proration | undefined {
  const after = new Map(lowered.map(({ item, values }) => [item.id, values]));
  const positions = new Map(stored.map(({ id }, position) => [id, position]));
  const values = stored.map(({ value }) => unitsOf(value as number));
  const shares = [...items.values()].map((item) =>
    ownShares(item).flatMap(({ id, value }) => {
      const surcharge = positions.get(id)!;
      const removed = removedPart(value, item, after.get(item.id), currency);
      values[surcharge]! -= unitsOf(removed);
      const left = amountOf(unitsOf(value) - unitsOf(removed));
      return left === 0 ? [] : [{ surcharge, value: left }];
    }),
  );
  if ([...items.values()].every((item) => ownShares(item).length === 0)) return undefined;
  const surcharges = stored.map(({ id: _id, ...surcharge }, position) => ({
    ...surcharge,
    value: amountOf(values[position]!),
  }));
  return { surcharges, shares };
}

function ownShares({ surcharges }: Item): readonly { readonly id: number; readonly value: number }[] {
  return (surcharges ?? []) as unknown as readonly { readonly id: number; readonly value: number }[];
}

/** The part of an item's share that its removed units take with them. */
function removedPart(share: number, before: Item, after: Values | undefined, currency: string): number {
  if (after === undefined) return 0;
  const unit = before.discounted_subtotal === 0 ? 'amount' : 'discounted_subtotal';
  const whole = before[unit] as number;
  const now = amountOf(unitsOf(whole) - unitsOf(after[unit] as number));
  const part = creditedPart(Math.abs(share), { whole, before: 0, now }, currency);
  return share < 0 ? -part : part;
}

/** Stores the shares of items, and what each coupon still takes off. The calculation of the order does not change. */
export async function storeProration(unit: Unit, order: Value, { surcharges, shares }: Proration): Promise<void> {
  await storeShares(unit, order, shares);
  const [calculation] = await unit.list('OrderCalculation', { order });
  const { coupons } = calculation!.input as unknown as { readonly coupons: readonly { id: number; code: string }[] };
  const codes = new Map(coupons.map(({ id, code }) => [id, code]));
  const amounts = new Map<Value, number>();
  for (const { source, value } of surcharges) {
    const rule = source as { readonly kind: string; readonly id: number } | null;
    if (rule?.kind === 'coupon') amounts.set(codes.get(rule.id)!, Math.abs(value as number));
  }
  const used = await unit.list('UsedCoupon', { order });
  await unit.updateAll(
    'UsedCoupon',
    new Map(used.map(({ id, code, value }) => [id, { value: amounts.get(code!) ?? value! }])),
  );
}
