/**
 * How many units of an order's lines can be shipped, returned, refunded and put back into stock. Amounts of money are computed in
 * units of 1/10,000, as the store does.
 */
import type { OrderItemOutput, OrderOutput, OrderReturnOutput, TransactionOutput } from 'purveyor/client';

type Item = Pick<OrderItemOutput, 'id' | 'amount' | 'cancelled_amount' | 'shipped_amount' | 'returned_amount'>;

/** Units by the identifier of their item. */
export type Units = Readonly<Record<number, number>>;

const SCALE = 10_000;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const isRefund = ({ type, status }: Pick<TransactionOutput, 'type' | 'status'>): boolean =>
  type.startsWith('refund') && status === 'S';

export function shippable({ amount, shipped_amount }: Item): number {
  return amount - shipped_amount;
}

/** Shipped units that are in no return that was requested or received. */
export function returnable({ id, shipped_amount }: Item, returns: readonly OrderReturnOutput[]): number {
  const inReturns = returns
    .filter(({ status }) => status !== 'refused')
    .flatMap(({ lines }) => lines.filter((line) => line.item_id === id));
  return shipped_amount - sum(inReturns.map(({ amount }) => amount));
}

/** Units that successful refunds have paid back. */
export function refundedUnits({ id }: Pick<Item, 'id'>, transactions: readonly TransactionOutput[]): number {
  const lines = transactions.filter(isRefund).flatMap((refund) => refund.lines.filter((line) => line.item_id === id));
  return sum(lines.map(({ amount }) => amount));
}

/** Units that edits have removed and no refund has paid back. Refunds are assumed to have paid back canceled units first. */
export function canceledNotRefunded(item: Item, transactions: readonly TransactionOutput[]): number {
  return Math.max(0, item.cancelled_amount - refundedUnits(item, transactions));
}

/** Returned units that have not been refunded. Refunds are assumed to have paid back canceled units first. */
export function returnedNotRefunded(item: Item, transactions: readonly TransactionOutput[]): number {
  return Math.max(0, item.returned_amount - Math.max(0, refundedUnits(item, transactions) - item.cancelled_amount));
}

/**
 * How many of the units of a refund go back into stock: those that were not shipped. Returned units come first, because their return has
 * already decided about the stock; shipped units need a return.
 *
 * @param units of the order, without those that an edit has removed: these are back in stock
 */
export function unshippedIn(item: Item, units: number, transactions: readonly TransactionOutput[]): number {
  return Math.max(0, Math.min(units - returnedNotRefunded(item, transactions), shippable(item)));
}

/** Rounds half away from zero, as the store does. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  const scaled = Math.abs(value) * factor;
  // 1.005 * 100 is 100.49999999999999 in binary floating point.
  return (Math.sign(value) * Math.round(scaled + scaled * Number.EPSILON)) / factor;
}

/** Adds amounts of money without binary rounding. */
export function total(values: readonly number[]): number {
  return sum(values.map((value) => Math.round(value * SCALE))) / SCALE;
}

/**
 * Divides a refund among its lines. If it is less than what was paid for the units, each line gets its share; if it is more, the rest
 * belongs to no line.
 */
export function refundLines(
  lines: readonly { readonly item_id: number; readonly amount: number; readonly value: number }[],
  value: number,
  decimals: number,
): { item_id: number; amount: number; value: number }[] {
  const full = total(lines.map((line) => line.value));
  if (full <= value) return lines.map((line) => ({ ...line }));
  let left = value;
  return lines.map((line, at) => {
    const share = at === lines.length - 1 ? left : Math.min(left, round((line.value * value) / full, decimals));
    left = total([left, -share]);
    return { ...line, value: share };
  });
}

const countOf = (order: Pick<OrderOutput, 'items'>, field: 'amount' | 'shipped_amount' | 'returned_amount'): number =>
  sum(order.items.map((item) => item[field]));

export function isPartlyShipped(order: Pick<OrderOutput, 'items'>): boolean {
  const shipped = countOf(order, 'shipped_amount');
  return shipped > 0 && shipped < countOf(order, 'amount');
}

export function isPartlyReturned(order: Pick<OrderOutput, 'items'>): boolean {
  const returned = countOf(order, 'returned_amount');
  return returned > 0 && returned < countOf(order, 'amount');
}

/** Whether some of the money of the order's lines was paid back. */
export function isPartlyRefunded({ items, payment_status }: Pick<OrderOutput, 'items' | 'payment_status'>): boolean {
  return payment_status?.code !== 'R' && items.some(({ refunded_value }) => refunded_value > 0);
}
