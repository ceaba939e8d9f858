/** What is still to be paid for an order, or to be paid back. */
import type { OrderOutput, TransactionOutput } from 'purveyor/client';
import { refundedUnits, round, total } from './quantities.ts';
import { paidFor, received } from './status-effects.ts';

export interface PaidOrder {
  readonly order: Pick<OrderOutput, 'items' | 'payment_status' | 'total'>;
  readonly transactions: readonly TransactionOutput[];
}

interface Balance {
  readonly due: number;
  readonly toPayBack: number;
}

/**
 * Compares the payments of an order with its total. After a refund of units that are still in the order, such as returned ones, these
 * are not paid again. The same is true for a refund that names no units. A canceled or declined order has to be paid back in full.
 */
export function balanceOf({ order, transactions }: PaidOrder): Balance {
  if (order.payment_status?.code === 'R') return { due: 0, toPayBack: 0 };
  const { paid, unrecorded } = paidFor(order, transactions);
  const refunds = order.items.map((item) => refundOfCanceled(item, transactions));
  const owed = total([order.total, ...refunds.map(({ value }) => value), -received(transactions), -unrecorded]);
  const isRounding = owed < 1 && refunds.some(({ isExact }) => !isExact);
  return {
    due: isEnded(order) || isRounding ? 0 : Math.max(0, owed),
    toPayBack: Math.max(0, total([paid, isEnded(order) ? 0 : -order.total])),
  };
}

/** Whether an order is canceled or declined. */
export function isEnded({ payment_status }: Pick<OrderOutput, 'payment_status'>): boolean {
  return payment_status?.code === 'C' || payment_status?.code === 'D';
}

/**
 * The money that refunds of canceled units paid back: the total does not contain these units. Returned units count as refunded first. If
 * the same refunds paid back other units too, the money is divided by units, which can differ by some minor units.
 */
function refundOfCanceled(
  item: PaidOrder['order']['items'][number],
  transactions: readonly TransactionOutput[],
): { readonly value: number; readonly isExact: boolean } {
  const refunded = refundedUnits(item, transactions);
  const canceled = Math.min(item.cancelled_amount, Math.max(0, refunded - item.returned_amount));
  const value = canceled === 0 ? 0 : round((item.refunded_value * canceled) / refunded, 2);
  return { value, isExact: canceled === 0 || canceled === refunded };
}
