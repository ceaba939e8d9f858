/** Which writes of orders and their documents are refunds, so that they need the scope `orders:refund` (access.md §1). */
import type { NamedWrite } from '../../../engine/vocabulary.ts';

type Body = Readonly<Record<string, unknown>>;

export function refundWrite(covers: NamedWrite['covers']): NamedWrite {
  return { operation: 'refund', description: 'Record refunds, issue credit notes and set orders to refunded.', covers };
}

/** Whether a payment transaction is a refund, in whole or in part. */
export function isRefund({ type }: Body): boolean {
  return String(type).startsWith('refund');
}

/** A body of an order or of its actions: the payment status, and the transaction of a settlement. */
export const refundsInOrder: NamedWrite['covers'] = (sent, _stored, action) => {
  if (action === 'payment_status') return mayBeRefunded(sent.code) ? 'all' : 'none';
  const { payment_status: status, transaction, ...others } = sent;
  const isTransaction = typeof transaction === 'object' && transaction !== null;
  const hasRefund = isTransaction && isRefund(transaction as Body);
  if (!hasRefund && !mayBeRefunded(status)) return 'none';
  const hasOthers = Object.keys(others).length > 0 || (isTransaction && !hasRefund);
  return hasOthers || (status !== undefined && !mayBeRefunded(status)) ? 'some' : 'all';
};

/** A reference by id or address may name the status of refunded orders, so it counts as that. */
function mayBeRefunded(status: unknown): boolean {
  if (status === undefined || status === null) return false;
  if (typeof status !== 'string') return true;
  const code = status.trim();
  return code.toUpperCase() === 'R' || code.includes('/');
}
