/**
 * Payment transactions of an order (orders.md §5). Refunds never exceed charges. A write of a transaction locks its order, so
 * concurrent refunds are checked one after the other.
 */
import type { Draft, Reads, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { amountOf, sum, unitsOf } from '../../../pricing/money.ts';
import { afterWrite } from '../after-write.ts';
import { checkCurrency } from './currency.ts';
import { countOfUnits } from './order-stock.ts';

const MOVED = ['order', 'currency', 'status', 'type', 'value', 'lines'] as const;

export const USES_OF_TRANSACTION = {
  own: MOVED,
  Order: ['currency'],
  OrderItem: ['order', 'amount', 'cancelled_amount', 'refunded_value'],
  Transaction: MOVED,
} as const;

type TransactionDraft = Draft<(typeof MOVED)[number]>;

/** Sets the order's currency on a new transaction that has none. */
export async function deriveCurrency(draft: TransactionDraft, reads: Reads<typeof USES_OF_TRANSACTION>): Promise<void> {
  const { operation, values } = draft;
  if (operation !== 'create') return;
  const { currency } = (await reads.read('Order', values.order!))!;
  values.currency ??= currency;
  // The order's own currency is always valid, even if it is no longer active.
  if (values.currency !== currency) checkCurrency(draft);
}

const SUCCESS = 'S';
const CHARGES = ['sale', 'capture', 'capturePart', 'captureMulti'];
const REFUNDS = ['refund', 'refundPart', 'refundMulti'];

/** The part of a refund that belongs to one item. */
interface RefundedLine {
  readonly item_id: number;
  readonly amount: number;
  readonly value: number;
}

/** Checks the lines of a refund: items of the order, within the refund's value and the ordered units. */
export async function checkRefundedLines(
  draft: TransactionDraft,
  reads: Reads<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const { stored, violations } = draft;
  if (violations.list.length > 0) return;
  const after: Moved = afterWrite(draft);
  const lines = linesOf(after);
  if (lines.length === 0) return;
  if (!stored && !REFUNDS.includes(after.type as string))
    violations.add('lines', 'conflict', `Only refunds can have lines. The type is ${after.type}.`);
  if (!stored && after.currency !== (await reads.read('Order', after.order!))!.currency)
    violations.add('lines', 'conflict', 'A refund with lines must be in the currency of the order.');
  if (sum(lines.map(({ value }) => unitsOf(value))) > unitsOf(after.value as number))
    violations.add('lines', 'range', `The lines add up to more than the refund of ${after.value}.`);
  await checkRefundedUnits(draft, lines, after, reads);
}

/** Checks that no item has more units refunded than were ordered. */
async function checkRefundedUnits(
  { stored, violations }: TransactionDraft,
  lines: readonly RefundedLine[],
  after: Moved,
  reads: Reads<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const items = new Map((await reads.list('OrderItem', { order: after.order! })).map((item) => [item.id, item]));
  const refunds = refundsOf(await reads.list('Transaction', { order: after.order! }));
  const units = new Map<Value, number>();
  const count = ({ item_id, amount }: RefundedLine): void =>
    void units.set(item_id, (units.get(item_id) ?? 0) + amount);
  refunds
    .filter(({ id }) => id !== stored?.id)
    .flatMap(linesOf)
    .forEach(count);
  const isNew = !stored;
  for (const [index, line] of lines.entries()) {
    const { item_id, amount } = line;
    const item = items.get(item_id);
    if (!item) {
      violations.add(`lines[${index}].item_id`, 'unknown_link', `The order has no item with the id ${item_id}.`);
      continue;
    }
    const ordered = (item.amount as number) + (item.cancelled_amount as number);
    const refunded = units.get(item_id) ?? 0;
    count(line);
    if (refunded + amount > ordered && (isNew || after.status === SUCCESS))
      violations.add(
        isNew ? `lines[${index}].amount` : 'status',
        'range',
        `${refunded} of the ${countOfUnits(ordered)} ordered of item ${item_id} have already been refunded.`,
      );
  }
}

/** Updates the refunded value of each item when a refund succeeds, or no longer does. */
export async function countRefunded(
  draft: TransactionDraft,
  unit: UnitOfWork<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const { stored } = draft;
  const after: Moved = afterWrite(draft);
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

/** Checks each currency for refunds that exceed charges. Only a write that lowers the balance is checked. */
export async function checkMoneyMoved(
  draft: TransactionDraft,
  reads: Reads<typeof USES_OF_TRANSACTION>,
): Promise<void> {
  const { stored, violations } = draft;
  if (violations.list.length > 0) return;
  const after: Moved = afterWrite(draft);
  if (balanceOf([after]) >= balanceOf(stored ? [stored] : [])) return;
  const others = await reads.list('Transaction', { order: after.order!, currency: after.currency! });
  const all = [...others.filter(({ id }) => id !== stored?.id), after];
  const [charged, refunded] = [movedBy(CHARGES, all), movedBy(REFUNDS, all)];
  if (refunded <= charged) return;
  const isRefund = REFUNDS.includes(after.type as string);
  violations.add(
    isRefund && !stored ? 'value' : 'status',
    'range',
    `Refunds would total ${amountOf(refunded)} ${after.currency}, but only ${amountOf(charged)} has been charged.`,
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
