/**
 * A change of an order's statuses (orders.md §§2 and 3): the store may forbid the move, stock may forbid the status, and
 * the pieces that the order has taken go out or come back. Pieces that were returned are none of it any more.
 */
import type { Draft, Reads, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { record, recordStatus, remembered, USES_OF_HISTORY, USES_OF_STATUSES } from './order-history.ts';
import { allowedMoves, BACKORDERED, STATUSES, type StatusField, takesStock } from './order-statuses.ts';
import {
  giveBack,
  holdGoods,
  type Line,
  type Movement,
  saveAmounts,
  take,
  told,
  USES_OF_STOCK,
} from './order-stock.ts';

export const USES_OF_STATUS_CHANGE = {
  ...USES_OF_STOCK,
  ...USES_OF_HISTORY,
  ...USES_OF_STATUSES,
  Order: ['order_number', 'payment_status', 'shipping_status', 'stock_status', 'currency'],
  OrderItem: [
    'order',
    'product_id',
    'variant',
    'sku',
    'name',
    'price',
    'item_net_price',
    'discounted_subtotal',
    'amount',
    'taken',
    'of_variant',
    'backordered_amount',
    'shipped_amount',
    'cancelled_amount',
    'returned_amount',
    'restocked_amount',
  ],
} as const;

type Unit = UnitOfWork<typeof USES_OF_STATUS_CHANGE>;
type Statuses = Reads<typeof USES_OF_STATUSES>;
type HavingStatuses = Readonly<Partial<Record<StatusField, Value>>>;

/** The write that asks for a change; refusals go into it. */
type Asking = Pick<
  Draft,
  'violations' | 'conflicts' | 'environment' | 'now' | 'actor' | 'language' | 'defaultLanguage'
>;

/** A change of statuses, for the writes that carry it out. */
export interface StatusChange {
  readonly before: Stored<StatusField>;
  /** Identifiers of the new statuses, and what they do to the order. */
  readonly values: Readonly<Partial<Record<StatusField | 'stock_status', Value>>>;
  readonly movement?: Movement;
  /** Stored items whose pieces are counted otherwise from now on. */
  readonly items: ReadonlyMap<Value, { readonly backordered_amount: number; readonly of_variant: boolean }>;
}

/** The status that a client asks for by its code. @param at the field that says so */
export async function askedStatus(
  { violations, conflicts, environment }: Pick<Asking, 'violations' | 'conflicts' | 'environment'>,
  unit: Unit,
  before: Stored<StatusField>,
  { field, code, at }: { readonly field: StatusField; readonly code: Value | undefined; readonly at: string },
): Promise<Value | undefined> {
  if (typeof code !== 'string') return undefined;
  const { resource, moves } = STATUSES[field];
  const id = await statusId(unit, field, code);
  const from = await statusCode(unit, field, before[field]);
  if (id === undefined) {
    const known = (await unit.list(resource, {})).map((status) => status.code).join(', ');
    violations.add(at, 'unknown_link', `The store has no status ${JSON.stringify(code)}; it has ${known}.`);
    return undefined;
  }
  const allowed = code === from ? undefined : allowedMoves(environment.settings[moves], from);
  if (allowed && !allowed.includes(code))
    conflicts.push(
      `The store lets ${allowed.length === 0 ? 'nothing' : allowed.join(', ')} follow the status ${from}; ${code} is not allowed.`,
    );
  return id;
}

/** Decides what becomes of the stock. Refusals of the stock are conflicts. */
export async function checkStatusChange(
  { violations, conflicts }: Pick<Asking, 'violations' | 'conflicts'>,
  unit: Unit,
  before: Stored<StatusField>,
  asked: HavingStatuses,
): Promise<StatusChange> {
  const nothing: StatusChange = { before, values: asked, items: new Map() };
  if (violations.list.length > 0) return nothing;
  const [was, is] = [await codesOf(unit, before), await codesOf(unit, { ...before, ...asked })];
  const wasTaken = takesStock(was.payment_status, was.shipping_status);
  const isTaken = takesStock(is.payment_status, is.shipping_status);
  // Pieces that this very change takes are owed anew.
  const leavesBackorder = wasTaken && was.shipping_status === BACKORDERED && is.shipping_status !== BACKORDERED;
  if (wasTaken === isTaken && !leavesBackorder) return nothing;
  const items = await unit.list('OrderItem', { order: before.id });
  const lines = items.map(lineOf);
  let movement: Movement | undefined;
  if (wasTaken !== isTaken) {
    const goods = await holdLines(unit, lines);
    movement = isTaken ? take(lines, goods) : giveBack(lines, goods);
    refuseTooMany(movement, conflicts);
    for (const { index, left } of movement.shortages)
      conflicts.push(
        `Of item ${items[index]!.id}, ${JSON.stringify(items[index]!.sku)}, ${left} of ${items[index]!.taken} pieces are left in stock, so the order cannot take them again.`,
      );
  }
  const changed: [Value, { backordered_amount: number; of_variant: boolean }][] = [];
  for (const [index, item] of items.entries()) {
    const backordered_amount = leavesBackorder ? 0 : movement!.backordered[index]!;
    const of_variant = movement?.ofVariant[index] ?? item.of_variant === true;
    if (backordered_amount !== item.backordered_amount || of_variant !== item.of_variant)
      changed.push([item.id, { backordered_amount, of_variant }]);
  }
  const stock = movement ? { stock_status: isTaken ? 'reduced' : 'increased' } : {};
  return { before, values: { ...asked, ...stock }, items: new Map(changed), ...(movement ? { movement } : {}) };
}

/** Holds everything whose stock these lines may move. */
export function holdLines(unit: Unit, lines: readonly Line[]) {
  const moved = lines.filter(({ units }) => units > 0);
  return holdGoods(
    unit,
    moved.flatMap(({ product }) => product ?? []),
    moved.flatMap(({ variant }) => variant ?? []),
  );
}

/** A stock that no number can say is refused. */
export function refuseTooMany({ changes }: Movement, conflicts: Draft['conflicts']): void {
  for (const { sku, to } of changes)
    if (!Number.isSafeInteger(to))
      conflicts.push(
        `With the pieces of this order, the stock of ${JSON.stringify(sku)} would be more than ${Number.MAX_SAFE_INTEGER}.`,
      );
}

/** Moves the stock and writes the change down. The order itself has its new values already. */
export async function carryOut(
  { before, values, movement, items }: StatusChange,
  asking: Pick<Asking, 'now' | 'actor' | 'language' | 'defaultLanguage'>,
  unit: Unit,
): Promise<void> {
  await unit.updateAll('OrderItem', items);
  for (const field of Object.keys(STATUSES) as StatusField[])
    if (values[field] !== undefined && values[field] !== before[field])
      await recordStatus(unit, asking, before.id, field, [
        await remembered(unit, field, before[field]),
        await remembered(unit, field, values[field]),
      ]);
  if (movement) await carryOutMovement(movement, asking, unit, before.id);
}

export async function carryOutMovement(
  movement: Movement,
  asking: Pick<Asking, 'now' | 'actor'>,
  unit: Unit,
  order: Value,
): Promise<void> {
  await saveAmounts(unit, movement);
  if (movement.changes.length > 0)
    await record(unit, asking, order, 'CHANGE PRODUCT AMOUNT', { changes: told(movement) });
}

interface StoredLine {
  readonly product_id?: Value;
  readonly variant?: Value;
  readonly taken?: Value;
  readonly of_variant?: Value;
}

export function lineOf({ product_id = null, variant = null, taken, of_variant }: StoredLine): Line {
  return { product: product_id, variant, isOfVariant: of_variant === true, units: taken as number };
}

export async function codesOf(reads: Statuses, of: HavingStatuses): Promise<Record<StatusField, string>> {
  return {
    payment_status: await statusCode(reads, 'payment_status', of.payment_status!),
    shipping_status: await statusCode(reads, 'shipping_status', of.shipping_status!),
  };
}

async function statusCode(reads: Statuses, field: StatusField, id: Value): Promise<string> {
  return (await reads.read(STATUSES[field].resource, id))!.code as string;
}

export async function statusId(reads: Statuses, field: StatusField, code: string): Promise<Value | undefined> {
  return (await reads.identify(STATUSES[field].resource, 'code', [code])).get(code);
}
