/**
 * What the customer paid for units of an order, and how this amount comes about. Units of a calculated order cost their price less
 * their parts of the discounts, plus their parts of the taxes: the same as in a credit note (pricing.md §5, *Credit notes*).
 */
import type { OrderItemOutput, OrderOutput, TransactionOutput } from 'purveyor/client';
import { balanceOf, type PaidOrder } from './balance.ts';
import { canceledNotRefunded, refundedUnits, round, total, type Units } from './quantities.ts';
import { paidFor } from './status-effects.ts';

/** A part of the amount. */
export interface ValuePart {
  /** `canceled`: paid for units that an edit has removed; `limit`: what was not paid, or is already refunded. */
  readonly kind: 'items' | 'surcharge' | 'canceled' | 'limit';
  /** Of a surcharge. */
  readonly name?: string;
  readonly type?: string;
  readonly value: number;
}

export interface RefundValue {
  readonly value: number;
  readonly parts: readonly ValuePart[];
  readonly lines: readonly { readonly item_id: number; readonly amount: number; readonly value: number }[];
}

export interface RefundedOrder extends PaidOrder {
  readonly order: PaidOrder['order'] & Pick<OrderOutput, 'shipping_status' | 'stock_status'>;
}

type Item = PaidOrder['order']['items'][number];

/** Units of a refund that an edit has removed from the order. They count first, as long as more is paid than the order costs. */
export function canceledIn(item: Item, units: number, paid: PaidOrder): number {
  return balanceOf(paid).toPayBack > 0 ? Math.min(units, canceledNotRefunded(item, paid.transactions)) : 0;
}

/** How many units of an item a refund can have. Canceled ones only count if more is paid than the order costs. */
export function refundableUnits(item: Item, paid: PaidOrder): number {
  const refundable = Math.max(0, item.amount + item.cancelled_amount - refundedUnits(item, paid.transactions));
  return Math.min(refundable, item.amount + canceledIn(item, refundable, paid));
}

/** @param decimals of the order's currency */
export function refundValue(paid: RefundedOrder, units: Units, decimals: number): RefundValue {
  const { order, transactions } = paid;
  const chosen = order.items.filter(({ id }) => units[id]);
  const canceled = canceledValues(chosen, units, paid, decimals);
  const shares = new Map<number, ValuePart>();
  const itemParts: number[] = [];
  const limits: number[] = [];
  const lines = chosen.map((item, index) => {
    const amount = units[item.id]!;
    const price = priceOfUnits(item, amount - canceledIn(item, amount, paid), transactions, decimals);
    itemParts.push(price.subtotal);
    limits.push(total([price.value, -price.subtotal, ...price.shares.map(({ value }) => -value)]));
    for (const { id, ...share } of price.shares)
      shares.set(id, { ...share, kind: 'surcharge', value: total([share.value, shares.get(id)?.value ?? 0]) });
    return { item_id: item.id, amount, value: total([price.value, canceled[index]!]) };
  });
  const sum = total(lines.map(({ value }) => value));
  const value = Math.max(0, Math.min(sum, paidFor(order, transactions).paid));
  const parts: readonly ValuePart[] = [
    { kind: 'items', value: total(itemParts) },
    ...shares.values(),
    { kind: 'canceled', value: total(canceled) },
    { kind: 'limit', value: total([...limits, value, -sum]) },
  ];
  return { value, parts: parts.filter((part) => part.value !== 0), lines };
}

/** What is to be paid back, for each item by the price of its canceled units. */
function canceledValues(items: readonly Item[], units: Units, paid: PaidOrder, decimals: number): readonly number[] {
  const { toPayBack } = balanceOf(paid);
  const weightOf = (item: Item, amount: number): number => item.price * canceledIn(item, amount, paid);
  const whole = paid.order.items.reduce((sum, item) => sum + weightOf(item, item.cancelled_amount), 0);
  let before = 0;
  return items.map((item) => {
    if (whole === 0) return 0;
    const start = round((toPayBack * before) / whole, decimals);
    before += weightOf(item, units[item.id]!);
    return total([round((toPayBack * before) / whole, decimals), -start]);
  });
}

interface UnitsPrice {
  readonly subtotal: number;
  readonly shares: readonly {
    readonly id: number;
    readonly name: string;
    readonly type: string;
    readonly value: number;
  }[];
  /** At most what was paid for the line and is not refunded. */
  readonly value: number;
}

/** What was paid for units that are in the order, after those that are refunded already. */
function priceOfUnits(
  item: OrderItemOutput,
  units: number,
  transactions: readonly TransactionOutput[],
  decimals: number,
): UnitsPrice {
  const { amount, cancelled_amount, discounted_subtotal: whole, refunded_value } = item;
  const refunded = refundedUnits(item, transactions);
  const before = Math.max(0, refunded - cancelled_amount);
  const surcharges = item.surcharges as readonly Share[];
  const subtotalOf = (count: number): number => {
    if (amount === 0) return 0;
    // As an edit with `prorate` computes it.
    if (surcharges.length > 0) return total([whole, -round(item.price * (amount - Math.min(count, amount)), decimals)]);
    return round((whole / amount) * count, decimals);
  };
  const partOf = (value: number, count: number): number =>
    whole === 0
      ? creditedPart(value, count, amount, decimals)
      : creditedPart(value, subtotalOf(count), whole, decimals);
  const between = (at: (count: number) => number): number => total([at(before + units), -at(before)]);
  const shares = surcharges
    .filter(({ include }) => !include)
    .map(({ id, name, type, value }) => ({ id, name, type, value: between((count) => partOf(value, count)) }));
  const subtotal = between(subtotalOf);
  const refundedInOrder = refunded > cancelled_amount ? (refunded_value * before) / refunded : 0;
  const refundedOthers = refunded === 0 ? refunded_value : 0;
  const left = total([
    whole,
    ...surcharges.filter(({ include }) => !include).map(({ value }) => value),
    -round(refundedInOrder, decimals),
    -refundedOthers,
  ]);
  const value = total([subtotal, ...shares.map((share) => share.value)]);
  return { subtotal, shares, value: Math.max(0, Math.min(value, left)) };
}

interface Share {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly include: boolean;
  readonly value: number;
}

const UNITS = 10_000;

/**
 * The part of a share that belongs to some of a line's units, rounded half away from zero: the store's formula for a credit note.
 * Exact: the product of two amounts can be beyond the integers of a double.
 */
export function creditedPart(share: number, credited: number, whole: number, decimals: number): number {
  const exact = (amount: number): bigint => BigInt(Math.round(amount * UNITS));
  const [numerator, denominator] = [exact(Math.abs(share)) * exact(credited), exact(whole)];
  if (denominator === 0n) return 0;
  const divisor = denominator * BigInt(UNITS / 10 ** decimals);
  const minor = (numerator * 2n + divisor) / (divisor * 2n);
  return (Math.sign(share) * Number(minor)) / 10 ** decimals;
}
