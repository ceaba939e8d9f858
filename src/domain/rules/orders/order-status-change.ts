/**
 * Status changes of an order (orders.md §§2 and 3). The store's settings can forbid a transition, and a stock shortage can
 * forbid a status. A change moves the units that the order has taken; returned units no longer count among them.
 */
import type { Draft, Reads, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { applyUses, checkUses, USES_OF_COUPONS, type UsesChange } from './coupon-uses.ts';
import { record, recordStatus, statusSnapshot, USES_OF_HISTORY, USES_OF_STATUSES } from './order-history.ts';
import { allowedMoves, BACKORDERED, STATUSES, type StatusField, takesStock } from './order-statuses.ts';
import {
  countOfUnits,
  giveBack,
  historyChanges,
  holdGoods,
  type Line,
  type Movement,
  saveAmounts,
  take,
  USES_OF_STOCK,
} from './order-stock.ts';

export const USES_OF_STATUS_CHANGE = {
  ...USES_OF_STOCK,
  ...USES_OF_HISTORY,
  ...USES_OF_STATUSES,
  Coupon: USES_OF_COUPONS.Coupon,
  UsedCoupon: USES_OF_COUPONS.UsedCoupon,
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
type StatusIds = Readonly<Partial<Record<StatusField, Value>>>;

/** The write that requests the change. It collects violations and conflicts. */
type StatusWrite = Pick<
  Draft,
  'violations' | 'conflicts' | 'environment' | 'now' | 'actor' | 'language' | 'defaultLanguage'
>;

/** A checked change of statuses, ready to be applied. */
export interface StatusChange {
  readonly before: Stored<StatusField>;
  /** Identifiers of the new statuses, and the order's new stock status. */
  readonly values: Readonly<Partial<Record<StatusField | 'stock_status', Value>>>;
  readonly movement?: Movement;
  /** New stock fields of the items that change. */
  readonly items: ReadonlyMap<Value, { readonly backordered_amount: number; readonly of_variant: boolean }>;
  readonly uses?: UsesChange | undefined;
}

/**
 * Resolves the code of a requested status and checks that the store's settings allow the transition.
 *
 * @returns the status identifier, or undefined if no valid code was sent
 */
export async function requestedStatus(
  { violations, conflicts, environment }: Pick<StatusWrite, 'violations' | 'conflicts' | 'environment'>,
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
    violations.add(at, 'unknown_link', `There is no status ${JSON.stringify(code)}. Use one of ${known}.`);
    return undefined;
  }
  const allowed = code === from ? undefined : allowedMoves(environment.settings[moves], from);
  if (allowed && !allowed.includes(code))
    conflicts.push(
      `The status cannot change from ${from} to ${code}. ${allowed.length === 0 ? `The store allows no change from ${from}` : `Allowed: ${allowed.join(', ')}`}.`,
    );
  return id;
}

/**
 * Decides how a status change moves the stock and changes the uses of coupons. Shortages become conflicts.
 *
 * @param requested - identifiers of the new statuses
 */
export async function checkStatusChange(
  { violations, conflicts }: Pick<StatusWrite, 'violations' | 'conflicts'>,
  unit: Unit,
  before: Stored<StatusField>,
  requested: StatusIds,
): Promise<StatusChange> {
  if (violations.list.length > 0) return { before, values: requested, items: new Map() };
  const [was, is] = [await codesOf(unit, before), await codesOf(unit, { ...before, ...requested })];
  const change = await checkStock(conflicts, unit, { before, requested, was, is });
  return { ...change, uses: await checkUses(unit, before.id, [was.payment_status, is.payment_status], conflicts) };
}

/** The statuses before and after a change, by identifier and by code. */
interface Transition {
  readonly before: Stored<StatusField>;
  readonly requested: StatusIds;
  readonly was: Readonly<Record<StatusField, string>>;
  readonly is: Readonly<Record<StatusField, string>>;
}

async function checkStock(
  conflicts: Draft['conflicts'],
  unit: Unit,
  { before, requested, was, is }: Transition,
): Promise<StatusChange> {
  const withoutMovement: StatusChange = { before, values: requested, items: new Map() };
  const wasTaken = takesStock(was.payment_status, was.shipping_status);
  const isTaken = takesStock(is.payment_status, is.shipping_status);
  // Units that this change itself takes may be backordered again, so their count is computed, not cleared.
  const leavesBackorder = wasTaken && was.shipping_status === BACKORDERED && is.shipping_status !== BACKORDERED;
  if (wasTaken === isTaken && !leavesBackorder) return withoutMovement;
  const items = await unit.list('OrderItem', { order: before.id });
  const lines = items.map(lineOf);
  let movement: Movement | undefined;
  if (wasTaken !== isTaken) {
    const goods = await holdLines(unit, lines);
    movement = isTaken ? take(lines, goods) : giveBack(lines, goods);
    rejectUnsafeStock(movement, conflicts);
    for (const { index, left } of movement.shortages)
      conflicts.push(
        `Not enough stock for item ${items[index]!.id} (SKU ${JSON.stringify(items[index]!.sku)}): ${left} of ${countOfUnits(items[index]!.taken)} available.`,
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
  return { before, values: { ...requested, ...stock }, items: new Map(changed), ...(movement ? { movement } : {}) };
}

/** Locks the products and variants whose stock the lines may move. */
export function holdLines(unit: Unit, lines: readonly Line[]) {
  const moved = lines.filter(({ units }) => units > 0);
  return holdGoods(
    unit,
    moved.flatMap(({ product }) => product ?? []),
    moved.flatMap(({ variant }) => variant ?? []),
  );
}

/** Adds a conflict for each stock level beyond the safe integers. */
export function rejectUnsafeStock({ changes }: Movement, conflicts: Draft['conflicts']): void {
  for (const { sku, to } of changes)
    if (!Number.isSafeInteger(to))
      conflicts.push(
        `The stock of SKU ${JSON.stringify(sku)} would exceed the maximum of ${Number.MAX_SAFE_INTEGER} with the units of this order.`,
      );
}

/** Moves the stock and records the change in the history. The order itself already has its new values. */
export async function applyStatusChange(
  { before, values, movement, items, uses }: StatusChange,
  write: Pick<StatusWrite, 'now' | 'actor' | 'language' | 'defaultLanguage'>,
  unit: Unit,
): Promise<void> {
  await unit.updateAll('OrderItem', items);
  for (const field of Object.keys(STATUSES) as StatusField[])
    if (values[field] !== undefined && values[field] !== before[field])
      await recordStatus(unit, write, before.id, field, [
        await statusSnapshot(unit, field, before[field]),
        await statusSnapshot(unit, field, values[field]),
      ]);
  if (movement) await applyMovement(movement, write, unit, before.id);
  if (uses) await applyUses(unit, uses);
}

export async function applyMovement(
  movement: Movement,
  write: Pick<StatusWrite, 'now' | 'actor'>,
  unit: Unit,
  order: Value,
): Promise<void> {
  await saveAmounts(unit, movement);
  if (movement.changes.length > 0)
    await record(unit, write, order, 'CHANGE PRODUCT AMOUNT', { changes: historyChanges(movement) });
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

export async function codesOf(reads: Statuses, of: StatusIds): Promise<Record<StatusField, string>> {
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
