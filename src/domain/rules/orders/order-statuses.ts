/**
 * Built-in statuses and their effect on stock (orders.md §§2 and 3). A store can add its own codes: for stock, such a payment
 * status counts like `P` and such a shipping status like `N`.
 */
import type { Languages } from '../../../engine/vocabulary.ts';

type Names = Readonly<Record<string, string>>;

export const PAYMENT_STATUSES: Names = {
  Q: 'Awaiting payment',
  A: 'Authorized',
  PP: 'Partially Paid',
  P: 'Paid',
  D: 'Declined',
  C: 'Cancelled',
  R: 'Refunded',
};

export const SHIPPING_STATUSES: Names = {
  N: 'New',
  P: 'Processing',
  S: 'Shipped',
  D: 'Delivered',
  WND: 'Will Not Deliver',
  R: 'Returned',
  WFA: 'Waiting for approval',
  NBA: 'New, backordered',
};

/** The two kinds of status, for rules that treat them alike. */
export const STATUSES = {
  payment_status: {
    resource: 'PaymentStatus',
    defaults: PAYMENT_STATUSES,
    moves: 'payment_status_moves',
    event: 'CHANGE PAYMENT STATUS ORDER',
  },
  shipping_status: {
    resource: 'ShippingStatus',
    defaults: SHIPPING_STATUSES,
    moves: 'shipping_status_moves',
    event: 'CHANGE SHIPPING STATUS ORDER',
  },
} as const;

export type StatusField = keyof typeof STATUSES;

/** Shipping status of an order with backordered units. */
export const BACKORDERED = 'NBA';

/** Whether an order with these statuses has taken its units out of the stock. */
export function takesStock(payment: string, shipping: string): boolean {
  if (payment === 'D' || payment === 'C') return false;
  return payment !== 'R' || shipping === 'S' || shipping === 'D';
}

/** A status as the history stores it: its code, and its names at that time by language. */
export interface StatusSnapshot {
  readonly code: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Returns the name in the reader's language, else the store's default language, else the built-in or any other name. */
export function nameOf(
  { code, names }: StatusSnapshot,
  field: StatusField,
  { language, defaultLanguage }: Languages,
): string {
  const [first] = Object.keys(names).sort();
  return names[language] ?? names[defaultLanguage] ?? STATUSES[field].defaults[code] ?? (first && names[first]) ?? code;
}

/**
 * Returns the codes that may follow a status, or undefined if all may.
 *
 * @param table - setting such as `Q>A,P,C; P>R; C>`. A status without an entry may change to any other, one with an empty
 *   entry to none
 */
export function allowedMoves(table: string | undefined, from: string): readonly string[] | undefined {
  for (const row of (table ?? '').split(';')) {
    const [left = '', right = ''] = row.split('>');
    if (left.trim() !== from) continue;
    return right
      .split(',')
      .map((code) => code.trim())
      .filter((code) => code !== '');
  }
  return undefined;
}
