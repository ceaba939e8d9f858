/** The effect of a change of status on the stock (orders.md §3), so that a person reads it before it is done. */

export type StockChange = 'restock' | 'deduct' | 'none';

/** Whether the pieces of an order with these statuses are out of the stock. Codes of a store's own count like `P` and `N`. */
function isOut(payment: string, shipping: string): boolean {
  if (payment === 'D' || payment === 'C') return false;
  return payment !== 'R' || shipping === 'S' || shipping === 'D';
}

export interface Pair {
  readonly payment: string;
  readonly shipping: string;
}

/** @param hasTaken the order once took pieces; one that never did moves nothing back */
export function moveOf(before: Pair, after: Pair, hasTaken: boolean): StockChange {
  const [was, becomes] = [isOut(before.payment, before.shipping), isOut(after.payment, after.shipping)];
  if (was === becomes) return 'none';
  return becomes ? 'deduct' : hasTaken ? 'restock' : 'none';
}

interface Transaction {
  readonly type: string;
  readonly status: string;
  readonly value: number;
}

/** Money that came in and was not given back yet, of successful transactions; exact to 4 decimals. */
export function moneyHeld(transactions: readonly Transaction[]): number {
  const sum = transactions
    .filter(({ status }) => status === 'S')
    .reduce((held, { type, value }) => held + Math.round(value * 10_000) * signOf(type), 0);
  return sum / 10_000;
}

function signOf(type: string): number {
  if (type === 'sale' || type.startsWith('capture')) return 1;
  return type.startsWith('refund') ? -1 : 0;
}
