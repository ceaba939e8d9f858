/**
 * Money that moved for an order: what went back is never more than what came in (orders.md §5). A write of a transaction
 * holds its order, so two refunds that are sent at once are looked at one after the other.
 */
import type { Draft, Reads, Value } from '../../engine/vocabulary.ts';
import { checkCurrency } from './currency.ts';
import { amountOf, sum, unitsOf } from './money.ts';

const MOVED = ['order', 'currency', 'status', 'type', 'value'] as const;

export const USES_OF_TRANSACTION = { own: MOVED, Order: ['currency'], Transaction: MOVED } as const;

type TransactionDraft = Draft<(typeof MOVED)[number]>;

/** Left out, it is the order's. */
export async function deriveCurrency(draft: TransactionDraft, reads: Reads<typeof USES_OF_TRANSACTION>): Promise<void> {
  const { operation, values } = draft;
  if (operation !== 'create') return;
  const { currency } = (await reads.read('Order', values.order!))!;
  values.currency ??= currency;
  // The currency of an order is always allowed for its money.
  if (values.currency !== currency) checkCurrency(draft);
}

const SUCCESS = 'S';
const CHARGES = ['sale', 'capture', 'capturePart', 'captureMulti'];
const REFUNDS = ['refund', 'refundPart', 'refundMulti'];

type Moved = Readonly<Partial<Record<(typeof MOVED)[number], Value>>>;

/** Looked at where this write takes from what came in or adds to what went back; each currency stands for itself. */
export async function checkMoneyMoved(
  draft: TransactionDraft,
  reads: Reads<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const { values, stored, violations } = draft;
  if (violations.list.length > 0) return;
  const after: Moved = { ...stored, ...values };
  if (balanceOf([after]) >= balanceOf(stored ? [stored] : [])) return;
  const others = await reads.list('Transaction', { order: after.order!, currency: after.currency! });
  const all = [...others.filter(({ id }) => id !== stored?.id), after];
  const [charged, refunded] = [movedBy(CHARGES, all), movedBy(REFUNDS, all)];
  if (refunded <= charged) return;
  const isRefund = REFUNDS.includes(after.type as string);
  violations.add(
    isRefund && !stored ? 'value' : 'status',
    'range',
    `With this, ${amountOf(refunded)} ${after.currency} would be refunded, and ${amountOf(charged)} were charged.`,
  );
}

function balanceOf(transactions: readonly Moved[]): bigint {
  return movedBy(CHARGES, transactions) - movedBy(REFUNDS, transactions);
}

function movedBy(types: readonly string[], transactions: readonly Moved[]): bigint {
  return sum(
    transactions
      .filter(({ type, status }) => status === SUCCESS && types.includes(type as string))
      .map(({ value }) => unitsOf(value as number)),
  );
}
