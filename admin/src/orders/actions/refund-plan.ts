/** What a refund does to the order's lines, stock and statuses, before it is confirmed. */
import type { OrderOutput, OrderSettleInput, TransactionOutput } from 'purveyor/client';
import { paidForUnits, refundLines, total, type Units, unshippedIn } from './quantities.ts';
import { paidFor } from './status-effects.ts';

interface RefundedOrder {
  readonly order: Pick<OrderOutput, 'items' | 'payment_status' | 'shipping_status' | 'stock_status' | 'total'>;
  readonly transactions: readonly TransactionOutput[];
}

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

/** Returns the money that was paid for these units and not refunded; at most what was paid for the order. @param decimals of its currency */
export function suggestedValue({ order, transactions }: RefundedOrder, units: Units, decimals: number): number {
  const values = order.items.map((item) => paidForUnits(item, units[item.id] ?? 0, decimals));
  return Math.max(0, Math.min(total(values), paidFor(order, transactions).paid));
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
  const lines = order.items
    .filter(({ id }) => units[id])
    .map((item) => ({
      item_id: item.id,
      amount: units[item.id]!,
      value: paidForUnits(item, units[item.id]!, decimals),
    }));
  const transaction = {
    ...({ type: 'refund', status: 'S', value } as const),
    ...(lines.length > 0 ? { lines: refundLines(lines, value, decimals) } : {}),
  };
  if (isBackInStock(order)) return { canceled: [], restockedUnits: 0, settle: { transaction } };
  const unshipped = new Map(
    order.items.map((item) => [item.id, restocks ? unshippedIn(item, units[item.id] ?? 0, transactions) : 0]),
  );
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
