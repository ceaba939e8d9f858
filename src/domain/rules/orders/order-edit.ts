/**
 * An edit of an order (orders.md §13): lines are added, pieces of others cancelled or added, prices and surcharges changed.
 * Nothing that was shipped is taken away, and a line stays even where none of its pieces does.
 */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { decimalsOf } from './currencies.ts';
import { amountOf, isKeepable, unitsOf } from './money.ts';
import { shortage, USES_OF_ORDER, unitsTaken } from './order.ts';
import { record } from './order-history.ts';
import { type Item, itemsOfOrder, meantBy, refuseEnded, unitsAre } from './order-lines.ts';
import {
  complete,
  fillInSurcharges,
  outOfRange,
  type PlacedDraft,
  priceItems,
  subtotalOf,
  totalsOfParts,
} from './order-placing.ts';
import { carryOutMovement, codesOf, lineOf, refuseTooMany } from './order-status-change.ts';
import { type StatusField, takesStock } from './order-statuses.ts';
import { type Changes, type Goods, giveBack, type Line, type Movement, take } from './order-stock.ts';

/** Of one order. */
export const ITEMS_MAX = 1000;

export const USES_OF_EDIT = {
  ...USES_OF_ORDER,
  own: [...USES_OF_ORDER.own, 'add', 'change'],
  Surcharge: ['order', 'type', 'code', 'name', 'include', 'available', 'value', 'weight'],
} as const;

type EditDraft = Draft<(typeof USES_OF_EDIT.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_EDIT>;
type Values = Record<string, Value>;

/** A line of the order that is another from now on. */
interface Changed {
  readonly item: Item;
  readonly values: Values;
  /** Pieces more, or fewer. */
  readonly difference: number;
  /** Of those, what the stock gives or gets. */
  readonly moved: number;
  /** Where the client asks for it. */
  readonly at: string;
}

/** The changes of an edit, for the writes that carry it out. */
export interface Edit {
  readonly changed: readonly Changed[];
  readonly added: readonly Values[];
  readonly surcharges: readonly Values[] | undefined;
  readonly movement: Movement | undefined;
}

export async function decideEdit(draft: EditDraft, unit: Unit): Promise<Edit> {
  const { sent, stored, values, violations } = draft;
  const order = stored as Stored<StatusField | 'currency'>;
  await refuseEnded(draft, unit, order);
  const items = await itemsOfOrder(unit, order.id);
  const asked = meantBy((sent.change ?? []) as Values[], items, draft, 'change');
  const added = ((sent.add ?? []) as Values[]).map((item) => ({ ...item }));
  if (items.size + added.length > ITEMS_MAX)
    violations.add('add', 'too_long', `An order has at most ${ITEMS_MAX} items; this one would have more.`);
  const sold: PlacedDraft = {
    ...draft,
    past: false,
    values: {
      currency: order.currency,
      surcharges: ((sent.surcharges ?? []) as Values[]).map((surcharge) => ({ ...surcharge })) as Value,
    },
  };
  const goods = await priceItems(sold, unit, added, 'add', {
    products: asked.flatMap(({ item }) => item.product_id ?? []),
    variants: asked.flatMap(({ item }) => item.variant ?? []),
  });
  for (const item of added) item.taken = unitsTaken(item, goods);
  fillInSurcharges(sold);
  values.add = added as Value;
  values.surcharges = sold.values.surcharges!;
  const changed = changesOf(asked, goods, order, draft);
  const stays = await unit.list('Surcharge', { order: order.id });
  const wanted = sent.surcharges === undefined ? undefined : (sold.values.surcharges as Values[]);
  const surcharges = wanted && areSame(wanted, stays) ? undefined : wanted;
  const nothing: Edit = { changed, added, surcharges, movement: undefined };
  if (violations.list.length > 0) return nothing;
  const kept = surcharges ?? stays;
  addUp(draft, { items, changed, added, decimals: decimalsOf(order.currency as string) }, kept);
  const { payment_status, shipping_status } = await codesOf(unit, order);
  if (!takesStock(payment_status, shipping_status)) return nothing;
  return { ...nothing, movement: move(nothing, goods, draft) };
}

/** Whether a list says what the order has already, in its order. */
function areSame(wanted: readonly Values[], stored: readonly Readonly<Values>[]): boolean {
  return (
    wanted.length === stored.length &&
    wanted.every((surcharge, index) =>
      Object.entries(surcharge).every(([name, value]) => value === stored[index]![name]),
    )
  );
}

function changesOf(
  asked: ReturnType<typeof meantBy>,
  { products }: Goods,
  { currency }: Readonly<Record<'currency', Value>>,
  { violations }: EditDraft,
): Changed[] {
  const seen = new Set<Value>();
  return asked.map(({ line, item, at }) => {
    if (seen.has(item.id)) violations.add(`${at}.item_id`, 'not_unique', 'Another change is of the same item.');
    seen.add(item.id);
    const [before, shipped] = [item.amount as number, item.shipped_amount as number];
    const amount = (line.amount ?? before) as number;
    if (amount < shipped)
      violations.add(
        `${at}.amount`,
        'range',
        `Of item ${item.id} ${shipped} were shipped; ${unitsAre(Math.max(0, before - shipped))} left to be cancelled.`,
      );
    const difference = amount - before;
    const isTraceable = products.get(item.product_id)?.inventory_traceable === true;
    const moved = difference < 0 ? -Math.min(-difference, item.taken as number) : isTraceable ? difference : 0;
    const values: Values = {
      amount,
      price: line.price ?? item.price,
      item_net_price: item.item_net_price,
      discounted_subtotal: item.discounted_subtotal,
      cancelled_amount: (item.cancelled_amount as number) - Math.min(0, difference),
      taken: (item.taken as number) + moved,
      backordered_amount: Math.max(0, (item.backordered_amount as number) + Math.min(0, difference)),
      of_variant: item.of_variant === true,
    };
    if (difference !== 0 || values.price !== item.price) {
      delete values.discounted_subtotal;
      complete(values, decimalsOf(currency as string));
    }
    return { item, values, difference, moved, at };
  });
}

/** `sub_total` and `total`; lines that stay as they are add what they always did. */
function addUp(
  { values, sent, violations }: EditDraft,
  {
    items,
    changed,
    added,
    decimals,
  }: Pick<Edit, 'changed' | 'added'> & { readonly items: ReadonlyMap<Value, Item>; readonly decimals: number },
  surcharges: readonly Readonly<Values>[],
): void {
  const lines = new Map<Value, Readonly<Values>>(items);
  for (const { item, values: changedValues } of changed) lines.set(item.id, changedValues);
  // A line that comes to more than can be kept has no subtotal, and counts with what it comes to.
  const subtotals = [...lines.values(), ...added].map((line) =>
    line.discounted_subtotal === undefined
      ? subtotalOf(line as Item, decimals)
      : unitsOf(line.discounted_subtotal as number),
  );
  const totals = totalsOfParts(subtotals, surcharges);
  const at = added.length > 0 ? 'add' : 'change';
  if (!isKeepable(totals.sub_total)) violations.add(at, 'range', outOfRange('the items', totals.sub_total));
  else if (!isKeepable(totals.total))
    violations.add(
      sent.surcharges === undefined ? at : 'surcharges',
      'range',
      outOfRange('items and surcharges', totals.total),
    );
  else Object.assign(values, { sub_total: amountOf(totals.sub_total), total: amountOf(totals.total) });
}

/** Cancelled pieces come back before others are taken, so an edit may put one line in place of another. */
function move({ changed, added }: Edit, goods: Goods, { violations, conflicts }: EditDraft): Movement {
  const changes: Changes = new Map();
  const lineWith = ({ item }: Changed, units: number): Line => ({ ...lineOf(item), units });
  giveBack(
    changed.filter(({ moved }) => moved < 0).map((each) => lineWith(each, -each.moved)),
    goods,
    changes,
  );
  const raised = changed.filter(({ moved }) => moved > 0);
  const movement = take([...raised.map((each) => lineWith(each, each.moved)), ...added.map(lineOf)], goods, changes);
  refuseTooMany(movement, conflicts);
  for (const { index, left } of movement.shortages) {
    const own = raised[index];
    const at = own?.at ?? `add[${index - raised.length}]`;
    const asked = own ? { sku: own.item.sku, amount: own.moved } : added[index - raised.length]!;
    violations.add(`${at}.amount`, 'range', shortage(asked, left));
  }
  for (const [index, { values }] of raised.entries()) {
    values.backordered_amount = (values.backordered_amount as number) + movement.backordered[index]!;
    values.of_variant = movement.ofVariant[index]!;
  }
  for (const [index, item] of added.entries()) {
    item.backordered_amount = movement.backordered[raised.length + index]!;
    item.of_variant = movement.ofVariant[raised.length + index]!;
  }
  return movement;
}

export async function carryOutEdit(
  draft: EditDraft,
  unit: Unit,
  id: Value,
  { changed, added, surcharges, movement }: Edit,
): Promise<void> {
  const real = changed.filter(({ item, values, difference }) => difference !== 0 || values.price !== item.price);
  await unit.updateAll('OrderItem', new Map(real.map(({ item, values }) => [item.id, values])));
  const made = await unit.insertAll(
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
  const fields = [...(real.length + added.length > 0 ? ['items'] : []), ...(surcharges ? ['surcharges'] : [])];
  if (fields.length === 0) return;
  const items = [
    ...real.map(({ item, values }) => ({ item_id: item.id, from: item.amount, to: values.amount! })),
    ...made.map((item_id, index) => ({ item_id, from: 0, to: added[index]!.amount! })),
  ];
  await record(unit, draft, id, 'ORDER EDITED', { fields, items });
  if (movement) await carryOutMovement(movement, draft, unit, id);
}
