/** Predicts what a change of statuses does to the stock (orders.md §3), so that the user sees it before confirming. */

export type StockChange = 'restock' | 'deduct' | 'none';

export interface OrderStatuses {
  readonly payment: string;
  readonly shipping: string;
}

/** Whether an order with these status codes has its units deducted. A store's own codes count like `P` and `N`. */
function isDeducted({ payment, shipping }: OrderStatuses): boolean {
  if (payment === 'D' || payment === 'C') return false;
  return payment !== 'R' || shipping === 'S' || shipping === 'D';
}

/** @param hasDeducted the order has deducted units before; otherwise it has none to restock */
export function stockChangeOf(before: OrderStatuses, after: OrderStatuses, hasDeducted: boolean): StockChange {
  if (isDeducted(before) === isDeducted(after)) return 'none';
  if (isDeducted(after)) return 'deduct';
  return hasDeducted ? 'restock' : 'none';
}

interface Transaction {
  readonly type: string;
  readonly status: string;
  readonly value: number;
}

/** The store's amounts have 4 decimals. Sums of integers are exact. */
const UNITS = 10_000;

/** Returns the sum of successful payments. */
export function received(transactions: readonly Transaction[]): number {
  return netPaid(transactions.filter(({ type }) => signOf(type) > 0));
}

/** Returns successful payments minus successful refunds. */
export function netPaid(transactions: readonly Transaction[]): number {
  const sum = transactions
    .filter(({ status }) => status === 'S')
    .reduce((total, { type, value }) => total + Math.round(value * UNITS) * signOf(type), 0);
  return sum / UNITS;
}

/**
 * Returns what was paid for an order and not refunded. A paid order without any recorded payment counts as paid in full; `unrecorded` is
 * the payment that has to be recorded before a refund.
 */
export function paidFor(
  order: { readonly total: number; readonly payment_status: { readonly code: string } | null },
  transactions: readonly Transaction[],
): { paid: number; unrecorded: number } {
  const hasPayment = transactions.some(({ type, status }) => status === 'S' && signOf(type) > 0);
  const unrecorded = !hasPayment && order.payment_status?.code === 'P' ? order.total : 0;
  return { paid: netPaid(transactions) + unrecorded, unrecorded };
}

function signOf(type: string): number {
  if (type === 'sale' || type.startsWith('capture')) return 1;
  return type.startsWith('refund') ? -1 : 0;
}
