/** What a refund does to the order's lines, stock and statuses, before it is confirmed. */
import type { OrderSettleInput } from 'purveyor/client';
import { refundLines, type Units, unshippedIn } from './quantities.ts';
import { canceledIn, type RefundedOrder, refundValue } from './refund-value.ts';
import { paidFor } from './status-effects.ts';

interface Refund {
  readonly units: Units;
  readonly value: number;
  /** Whether units that were not shipped go back into stock. */
  readonly restocks: boolean;
  /** Of the order's currency. */
  readonly decimals: number;
}

export interface RefundPlan {
  /** Units that are removed from the order and go back into stock, before the refund is recorded. */
  readonly canceled: readonly { readonly item_id: number; readonly amount: number }[];
  readonly restockedUnits: number;
  readonly settle: OrderSettleInput;
}

/** Whether the status of an order has already put its units back into stock. The store allows no edit of a canceled order. */
export function isBackInStock({ payment_status, stock_status }: RefundedOrder['order']): boolean {
  return payment_status?.code === 'C' || payment_status?.code === 'D' || stock_status === 'increased';
}

/**
 * Units that were not shipped are removed from the order, which puts them back into stock. If nothing was shipped and the whole order is
 * refunded, its status does that instead, and the order keeps its lines.
 */
export function planRefund(loaded: RefundedOrder, { units, value, restocks, decimals }: Refund): RefundPlan {
  const { order, transactions } = loaded;
  const { lines } = refundValue(loaded, units, decimals);
  const transaction = {
    ...({ type: 'refund', status: 'S', value } as const),
    ...(lines.length > 0 ? { lines: refundLines(lines, value, decimals) } : {}),
  };
  if (isBackInStock(order)) return { canceled: [], restockedUnits: 0, settle: { transaction } };
  const unshippedOf = (item: (typeof order.items)[number]): number => {
    const refunded = units[item.id] ?? 0;
    return unshippedIn(item, refunded - canceledIn(item, refunded, loaded), transactions);
  };
  const unshipped = new Map(order.items.map((item) => [item.id, restocks ? unshippedOf(item) : 0]));
  const restockedUnits = [...unshipped.values()].reduce((sum, count) => sum + count, 0);
  const isFull = value >= paidFor(order, transactions).paid;
  const isWholeOrder =
    isFull && order.items.every((item) => item.shipped_amount === 0 && unshipped.get(item.id) === item.amount);
  if (isWholeOrder) return { canceled: [], restockedUnits, settle: { transaction, payment_status: 'R' } };
  const canceled = order.items
    .filter(({ id }) => unshipped.get(id)! > 0)
    .map(({ id, amount }) => ({ item_id: id, amount: amount - unshipped.get(id)! }));
  const statuses = isFull ? statusesAfter(loaded, unshipped) : {};
  return { canceled, restockedUnits, settle: { transaction, ...statuses } };
}

/**
 * With the status refunded, an order has its units in stock unless it is shipped (orders.md §3). It therefore gets that status only if
 * no unit waits to be shipped, and then counts as shipped, so that no shipped unit is put back without a return.
 */
function statusesAfter(
  { order: { items, shipping_status } }: RefundedOrder,
  unshipped: ReadonlyMap<number, number>,
): Pick<OrderSettleInput, 'payment_status' | 'shipping_status'> {
  const waits = items.some(({ id, amount, shipped_amount }) => amount - unshipped.get(id)! > shipped_amount);
  if (waits) return {};
  const isOut = shipping_status?.code === 'S' || shipping_status?.code === 'D';
  const isReturned = items.every(({ shipped_amount, returned_amount }) => shipped_amount === returned_amount);
  return { payment_status: 'R', ...(isOut || isReturned ? {} : { shipping_status: 'S' }) };
}
