/**
 * Editing a placed order (orders.md §13): adds lines, changes quantities and prices, replaces surcharges. Shipped units
 * cannot be canceled. A line whose units are all canceled stays in the order with an amount of 0.
 */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { decimalsOf } from '../../../pricing/currencies.ts';
import { amountOf, isStorable, unitsOf } from '../../../pricing/money.ts';
import {
  calculationToEdit,
  isProrated,
  newCharges,
  type Proration,
  prorate,
  type Recalculation,
  recalculate,
  rejectOtherChanges,
  type StoredCalculation,
  storeProration,
  storeRecalculation,
} from './calculated-edit.ts';
import { rejectOtherTotal, removeCalculation } from './calculated-order.ts';
import { shortage, USES_OF_ORDER, unitsTaken } from './order.ts';
import { record } from './order-history.ts';
import { type Item, itemsOfOrder, matchLines, rejectEndedOrder } from './order-lines.ts';
import {
  complete,
  fillInSurcharges,
  outOfRange,
  type PlacedDraft,
  type PricedGoods,
  priceItems,
  subtotalOf,
  type Totals,
  totalsOfParts,
} from './order-placing.ts';
import { applyMovement, codesOf, lineOf, rejectUnsafeStock } from './order-status-change.ts';
import { type StatusField, takesStock } from './order-statuses.ts';
import { countOfUnits, type Goods, giveBack, type Line, type Movement, take } from './order-stock.ts';

/** Items of one order. */
export const ITEMS_MAX = 1000;

export const USES_OF_EDIT = {
  ...USES_OF_ORDER,
  own: [...USES_OF_ORDER.own, 'add', 'change', 'prorate'],
  Surcharge: ['order', 'type', 'code', 'name', 'include', 'available', 'value', 'weight', 'source'],
} as const;

type EditDraft = Draft<(typeof USES_OF_EDIT.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_EDIT>;
type Values = Readonly<Record<string, Value>>;

/** An existing line that the edit names, with its new values. */
interface ChangedLine {
  readonly item: Item;
  readonly values: Values;
  /** New amount minus old amount. */
  readonly difference: number;
  /** Units that leave the stock; negative if units come back. */
  readonly moved: number;
  /** Path of the change in the request body. */
  readonly path: string;
}

/** Lines of an edit, changed and new. */
interface EditedLines {
  readonly changed: readonly ChangedLine[];
  readonly added: readonly Values[];
}

/** Everything that an edit changes; `applyEdit` writes it. */
export interface Edit extends EditedLines {
  /** The new surcharges; undefined if they stay as they are. */
  readonly surcharges: readonly Values[] | undefined;
  /** With `calculate`, if the edit changes items or charges. */
  readonly recalculation: Recalculation | undefined;
  /** With `prorate`, if the order was calculated. */
  readonly proration: Proration | undefined;
  readonly movement: Movement | undefined;
}

/** Checks an edit and computes its outcome. Sets the order's new totals. */
export async function decideEdit(draft: EditDraft, unit: Unit): Promise<Edit> {
  const { sent, stored, values, violations } = draft;
  const order = stored as Stored<StatusField | 'currency'>;
  await rejectEndedOrder(draft, unit, order);
  const calculation = await calculationToEdit(draft, unit, order.id);
  const items = await itemsOfOrder(unit, order.id);
  const requested = matchLines((sent.change ?? []) as Record<string, Value>[], items, draft, 'change');
  if (items.size + ((sent.add ?? []) as Values[]).length > ITEMS_MAX)
    violations.add('add', 'too_long', `An order can have at most ${ITEMS_MAX} items.`);
  const parts = await pricedParts(draft, unit, order, requested);
  const changed = changesOf(requested, parts.goods, order, draft);
  Object.assign(values, { add: parts.added as Value, surcharges: parts.sentSurcharges as Value });
  const storedSurcharges = (await unit.list('Surcharge', { order: order.id })).sort(
    (one, other) => (one.weight as number) - (other.weight as number),
  );
  const decided = isProrated(draft)
    ? proratedParts(draft, { items, changed, storedSurcharges }, order.currency as string)
    : calculation
      ? await recalculatedParts(draft, unit, { calculation, items, changed, parts, storedSurcharges })
      : sentParts(draft, parts, storedSurcharges);
  const added = completed(parts, order.currency as string);
  const edit: Edit = { changed, added, movement: undefined, ...decided };
  values.add = added as Value;
  if (violations.list.length > 0) return edit;
  const surcharges = edit.surcharges ?? storedSurcharges;
  Object.assign(
    values,
    checkTotals(totalsOf(edit, items, surcharges, decimalsOf(order.currency as string)), edit, draft),
  );
  if (violations.list.length === 0) rejectOtherTotal(draft);
  return withMovement(edit, parts.goods, draft, await codesOf(unit, order));
}

/** Adds the movement of stock to an edit, and rejects it if there are too few units. */
function withMovement(
  edit: Edit,
  goods: Goods,
  { values, violations, conflicts }: EditDraft,
  { payment_status, shipping_status }: Awaited<ReturnType<typeof codesOf>>,
): Edit {
  if (!takesStock(payment_status, shipping_status)) return edit;
  const { lines, movement } = moveStock(edit, goods);
  rejectUnsafeStock(movement, conflicts);
  rejectShortages(edit, movement, violations);
  values.add = lines.added as Value;
  return { ...edit, ...lines, movement };
}

type SurchargesOfEdit = Pick<Edit, 'surcharges' | 'recalculation' | 'proration'>;

const UNCHANGED: SurchargesOfEdit = { surcharges: undefined, recalculation: undefined, proration: undefined };

/** What the surcharges of an edited order depend on. */
interface EditedOrder {
  readonly calculation: StoredCalculation;
  /** The items of the order by id, before the edit. */
  readonly items: ReadonlyMap<Value, Item>;
  readonly changed: readonly ChangedLine[];
  readonly parts: PricedParts;
  /** In the order of output. */
  readonly storedSurcharges: readonly Values[];
}

/** The surcharges of an edit without `calculate` and `prorate`. */
function sentParts(
  { sent }: EditDraft,
  { sentSurcharges }: PricedParts,
  storedSurcharges: readonly Values[],
): SurchargesOfEdit {
  const isUnchanged = sent.surcharges === undefined || areSame(sentSurcharges, storedSurcharges);
  return { ...UNCHANGED, surcharges: isUnchanged ? undefined : sentSurcharges };
}

/** The surcharges of an edit with `prorate`. */
function proratedParts(
  { violations }: EditDraft,
  { items, changed, storedSurcharges }: Pick<EditedOrder, 'items' | 'changed' | 'storedSurcharges'>,
  currency: string,
): SurchargesOfEdit {
  rejectOtherChanges(changed, violations);
  const lowered = effective(changed);
  if (lowered.length === 0 || violations.list.length > 0) return UNCHANGED;
  const proration = prorate(items, lowered, storedSurcharges, currency);
  return { ...UNCHANGED, surcharges: proration?.surcharges, proration };
}

/** The surcharges of an edit with `calculate`. Sets the prices of new items. An edit without effect calculates nothing. */
async function recalculatedParts(
  draft: EditDraft,
  unit: Unit,
  { calculation, items, changed, parts, storedSurcharges }: EditedOrder,
): Promise<SurchargesOfEdit> {
  const { added, goods, sentSurcharges } = parts;
  const charges = await newCharges(draft, unit, sentSurcharges, calculation);
  const isEffective = effective(changed).length + added.length > 0 || charges !== undefined;
  if (!isEffective || draft.violations.list.length > 0) return UNCHANGED;
  const changes = new Map(changed.map(({ item, values }) => [item.id, values]));
  const edited = [...items.values()].map((item) => {
    const { price, amount } = changes.get(item.id) ?? item;
    return {
      product_id: item.product_id,
      variant: item.variant,
      price: price as number,
      amount: amount as number,
    };
  });
  const recalculation = await recalculate(draft, unit, calculation, {
    ...{ items: edited, added, goods, charges, storedSurcharges },
  });
  return recalculation ? { ...UNCHANGED, surcharges: recalculation.surcharges, recalculation } : UNCHANGED;
}

/** New items with their subtotals and the units that they take. */
function completed({ added, goods }: PricedParts, currency: string): Values[] {
  for (const item of added) complete(item, decimalsOf(currency));
  return added.map((item) => ({ ...item, taken: unitsTaken(item, goods) }));
}

/** The parts of an edit as the client sent them, filled in. */
interface PricedParts {
  /** New items; with `calculate` without a price, unless the client sent one. */
  readonly added: Record<string, Value>[];
  readonly sentSurcharges: Record<string, Value>[];
  readonly goods: PricedGoods;
}

/** Prices the new lines and fills in the sent surcharges. Locks the goods of the new and of the changed lines. */
async function pricedParts(
  draft: EditDraft,
  unit: Unit,
  order: Stored<'currency'>,
  requested: ReturnType<typeof matchLines>,
): Promise<PricedParts> {
  const { sent } = draft;
  const added = copies(sent.add);
  const sentSurcharges = copies(sent.surcharges);
  const sale: PlacedDraft = {
    ...draft,
    past: false,
    values: { currency: order.currency, surcharges: sentSurcharges as Value },
  };
  const goods = await priceItems(sale, unit, added, 'add', {
    products: requested.flatMap(({ item }) => item.product_id ?? []),
    variants: requested.flatMap(({ item }) => item.variant ?? []),
  });
  fillInSurcharges(sale);
  return { added, sentSurcharges, goods };
}

function copies(sent: Value | undefined): Record<string, Value>[] {
  return ((sent ?? []) as Values[]).map((each) => ({ ...each }));
}

/** Whether the sent surcharges equal the stored ones, in the same order. */
function areSame(sent: readonly Values[], stored: readonly Values[]): boolean {
  return (
    sent.length === stored.length &&
    sent.every((surcharge, index) => Object.entries(surcharge).every(([name, value]) => value === stored[index]![name]))
  );
}

function changesOf(
  requested: ReturnType<typeof matchLines>,
  goods: Goods,
  { currency }: Readonly<Record<'currency', Value>>,
  { violations }: EditDraft,
): ChangedLine[] {
  const seen = new Set<Value>();
  return requested.map(({ line, item, at }) => {
    if (seen.has(item.id)) violations.add(`${at}.item_id`, 'not_unique', 'Another change has the same item.');
    seen.add(item.id);
    const [before, shipped] = [item.amount as number, item.shipped_amount as number];
    if (((line.amount ?? before) as number) < shipped)
      violations.add(
        `${at}.amount`,
        'range',
        `Already shipped: ${countOfUnits(shipped)} of item ${item.id}. The amount must be at least ${shipped}.`,
      );
    return { ...changedLine(item, line, goods, decimalsOf(currency as string)), path: at };
  });
}

/** Computes a line's new values. Its stock fields are those before the stock moves. */
function changedLine(item: Item, sent: Values, { products }: Goods, decimals: number): Omit<ChangedLine, 'path'> {
  const before = item.amount as number;
  const amount = (sent.amount ?? before) as number;
  const difference = amount - before;
  const cancelled = Math.max(0, -difference);
  const isTraceable = products.get(item.product_id)?.inventory_traceable === true;
  const moved = difference < 0 ? -Math.min(cancelled, item.taken as number) : isTraceable ? difference : 0;
  const values: Record<string, Value> = {
    amount,
    price: sent.price ?? item.price,
    item_net_price: item.item_net_price,
    discounted_subtotal: item.discounted_subtotal,
    cancelled_amount: (item.cancelled_amount as number) + cancelled,
    taken: (item.taken as number) + moved,
    backordered_amount: Math.max(0, (item.backordered_amount as number) - cancelled),
    of_variant: item.of_variant === true,
  };
  if (difference !== 0 || values.price !== item.price) {
    delete values.discounted_subtotal;
    complete(values, decimals);
  }
  return { item, values, difference, moved };
}

/** Computes the order's totals. Unchanged lines count with their stored subtotals. */
function totalsOf(
  { changed, added }: EditedLines,
  items: ReadonlyMap<Value, Item>,
  surcharges: readonly Values[],
  decimals: number,
): Totals {
  const lines = new Map<Value, Values>(items);
  for (const { item, values } of changed) lines.set(item.id, values);
  // A subtotal beyond the largest storable amount is not set on its line, so it is computed again here.
  const subtotals = [...lines.values(), ...added].map((line) =>
    line.discounted_subtotal === undefined
      ? subtotalOf(line as Item, decimals)
      : unitsOf(line.discounted_subtotal as number),
  );
  return totalsOfParts(subtotals, surcharges);
}

/** @returns the totals as the order stores them; empty, with a violation, if one is out of range */
function checkTotals(
  { sub_total, total }: Totals,
  { added }: EditedLines,
  { sent, violations }: EditDraft,
): Partial<Record<'sub_total' | 'total', number>> {
  const path = added.length > 0 ? 'add' : 'change';
  if (!isStorable(sub_total)) {
    violations.add(path, 'range', outOfRange('the items', sub_total));
    return {};
  }
  if (!isStorable(total)) {
    const totalPath = sent.surcharges === undefined ? path : 'surcharges';
    violations.add(totalPath, 'range', outOfRange('items and surcharges', total));
    return {};
  }
  return { sub_total: amountOf(sub_total), total: amountOf(total) };
}

/**
 * Moves the stock of an edit. Canceled units come back before others are taken, so that an edit can replace one line by
 * another of the same product.
 *
 * @returns the lines with their new stock fields; the movement has the raised lines first, then the added ones
 */
function moveStock({ changed, added }: EditedLines, goods: Goods): { lines: EditedLines; movement: Movement } {
  const lowered = changed.filter(({ moved }) => moved < 0);
  const returned = giveBack(
    lowered.map(({ item, moved }): Line => ({ ...lineOf(item), units: -moved })),
    goods,
  );
  const raised = changed.filter(isRaised);
  const indexes = new Map(raised.map((line, index) => [line, index]));
  const movement = take(
    [...raised.map(({ item, moved }): Line => ({ ...lineOf(item), units: moved })), ...added.map(lineOf)],
    goods,
    returned,
  );
  const stockFields = (index: number, { backordered_amount }: Values): Values => ({
    backordered_amount: ((backordered_amount ?? 0) as number) + movement.backordered[index]!,
    of_variant: movement.ofVariant[index]!,
  });
  const lines: EditedLines = {
    changed: changed.map((line) => {
      const index = indexes.get(line);
      if (index === undefined) return line;
      return { ...line, values: { ...line.values, ...stockFields(index, line.values) } };
    }),
    added: added.map((item, index) => ({ ...item, ...stockFields(raised.length + index, {}) })),
  };
  return { lines, movement };
}

function isRaised({ moved }: ChangedLine): boolean {
  return moved > 0;
}

/** Adds a violation for each line that needs more units than the stock has. */
function rejectShortages(
  { changed, added }: EditedLines,
  { shortages }: Movement,
  violations: EditDraft['violations'],
): void {
  const takers = [
    ...changed.filter(isRaised).map(({ item, moved, path }) => ({ sku: item.sku, amount: moved, path })),
    ...added.map(({ sku, amount }, index) => ({ sku: sku!, amount: amount!, path: `add[${index}]` })),
  ];
  for (const { index, left } of shortages) {
    const { path, ...line } = takers[index]!;
    violations.add(`${path}.amount`, 'range', shortage(line, left));
  }
}

/** The changed lines with another amount or price. */
function effective(changed: readonly ChangedLine[]): ChangedLine[] {
  return changed.filter(({ item, values, difference }) => difference !== 0 || values.price !== item.price);
}

/** Writes a decided edit and records it in the history. */
export async function applyEdit(
  draft: EditDraft,
  unit: Unit,
  id: Value,
  { changed, added, surcharges, recalculation, proration, movement }: Edit,
): Promise<void> {
  const written = effective(changed);
  await unit.updateAll('OrderItem', new Map(written.map(({ item, values }) => [item.id, values])));
  const addedIds = await unit.insertAll(
    'OrderItem',
    added.map((item) => ({ ...item, order: id })),
  );
  if (surcharges) {
    await unit.remove('Surcharge', { order: id });
    await unit.insertAll(
      'Surcharge',
      surcharges.map((surcharge) => ({ ...surcharge, order: id })),
    );
  }
  const areItemsChanged = written.length + added.length > 0;
  if (!areItemsChanged && !surcharges) return;
  if (recalculation) await storeRecalculation(unit, id, recalculation);
  else if (proration) await storeProration(unit, id, proration);
  else await removeCalculation(unit, id);
  const areSurchargesChanged = recalculation ? recalculation.changesSurcharges : surcharges !== undefined;
  const fields = [...(areItemsChanged ? ['items'] : []), ...(areSurchargesChanged ? ['surcharges'] : [])];
  const items = [
    ...written.map(({ item, values }) => ({ item_id: item.id, from: item.amount, to: values.amount! })),
    ...addedIds.map((item_id, index) => ({ item_id, from: 0, to: added[index]!.amount! })),
  ];
  await record(unit, draft, id, 'ORDER EDITED', { fields, items });
  if (movement) await applyMovement(movement, draft, unit, id);
}
