/**
 * Money that moved for an order: what went back is never more than what came in (orders.md §5). A write of a transaction
 * holds its order, so two refunds that are sent at once are looked at one after the other.
 */
import type { Draft, Reads, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { checkCurrency } from './currency.ts';
import { amountOf, sum, unitsOf } from './money.ts';

const MOVED = ['order', 'currency', 'status', 'type', 'value', 'lines'] as const;

export const USES_OF_TRANSACTION = {
  own: MOVED,
  Order: ['currency'],
  OrderItem: ['order', 'amount', 'cancelled_amount', 'refunded_value'],
  Transaction: MOVED,
} as const;

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

/** The part of a refund that pays one item back. */
interface RefundedLine {
  readonly item_id: number;
  readonly amount: number;
  readonly value: number;
}

/** Only a refund pays lines back: items of the order, with no more money than its own and no more pieces than were ordered. */
export async function checkRefundedLines(
  draft: TransactionDraft,
  reads: Reads<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const { values, stored, violations } = draft;
  if (violations.list.length > 0) return;
  const after: Moved = { ...stored, ...values };
  const lines = linesOf(after);
  if (lines.length === 0) return;
  if (!stored && !REFUNDS.includes(after.type as string))
    violations.add('lines', 'conflict', `Only a refund pays lines back; this is of the type ${after.type}.`);
  if (!stored && after.currency !== (await reads.read('Order', after.order!))!.currency)
    violations.add('lines', 'conflict', 'Lines are paid back in the currency of the order.');
  if (sum(lines.map(({ value }) => unitsOf(value))) > unitsOf(after.value as number))
    violations.add('lines', 'range', `The lines come to more than the refund, which is ${after.value}.`);
  const items = new Map((await reads.list('OrderItem', { order: after.order! })).map((item) => [item.id, item]));
  const others = refundsOf(await reads.list('Transaction', { order: after.order! })).filter(
    ({ id }) => id !== stored?.id,
  );
  const units = new Map<Value, number>();
  for (const { item_id, amount } of others.flatMap(linesOf)) units.set(item_id, (units.get(item_id) ?? 0) + amount);
  const isNew = !stored;
  for (const [index, { item_id, amount }] of lines.entries()) {
    const item = items.get(item_id);
    if (!item) {
      violations.add(`lines[${index}].item_id`, 'unknown_link', `The order has no item with the id ${item_id}.`);
      continue;
    }
    const ordered = (item.amount as number) + (item.cancelled_amount as number);
    const left = ordered - (units.get(item_id) ?? 0);
    units.set(item_id, (units.get(item_id) ?? 0) + amount);
    if (amount > left && (isNew || after.status === SUCCESS))
      violations.add(
        isNew ? `lines[${index}].amount` : 'status',
        'range',
        `Of item ${item_id} ${ordered} were ordered, and ${ordered - left} were paid back already.`,
      );
  }
}

/** Keeps each line's sum of the refunds that succeeded. */
export async function countRefunded(
  { values, stored }: TransactionDraft,
  unit: UnitOfWork<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const after: Moved = { ...stored, ...values };
  const factor = BigInt(refundsOf([after]).length - refundsOf(stored ? [stored] : []).length);
  if (factor === 0n) return;
  const difference = new Map<Value, bigint>();
  for (const { item_id, value } of linesOf(after))
    difference.set(item_id, (difference.get(item_id) ?? 0n) + factor * unitsOf(value));
  const items = difference.size === 0 ? [] : await unit.list('OrderItem', { id: [...difference.keys()] });
  await unit.updateAll(
    'OrderItem',
    new Map(
      items.map(({ id, refunded_value }) => [
        id,
        { refunded_value: amountOf(unitsOf(refunded_value as number) + difference.get(id)!) },
      ]),
    ),
  );
}

function linesOf({ lines }: Moved): readonly RefundedLine[] {
  return (lines ?? []) as unknown as RefundedLine[];
}

function refundsOf<T extends Moved>(transactions: readonly T[]): T[] {
  return transactions.filter(({ type, status }) => status === SUCCESS && REFUNDS.includes(type as string));
}

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
