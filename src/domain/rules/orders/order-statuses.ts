/**
 * The statuses that every store begins with, and what they mean for stock (orders.md §§2 and 3). A store may add codes of
 * its own: such a payment status counts like `P`, such a shipping status like `N`.
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

/** The names of the two kinds of status, where rules treat them alike. */
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

/** Backordered pieces are waited for in this shipping status. */
export const BACKORDERED = 'NBA';

/** Whether an order in these statuses has taken its pieces out of the stock. */
export function takesStock(payment: string, shipping: string): boolean {
  if (payment === 'D' || payment === 'C') return false;
  return payment !== 'R' || shipping === 'S' || shipping === 'D';
}

/** A status as history keeps it: its code, and its name in every language at that time. */
export interface StatusSnapshot {
  readonly code: string;
  readonly names: Readonly<Record<string, string>>;
}

/** The name in the reader's language, else in the store's default, else the built-in one, else the first by code. */
export function nameOf(
  { code, names }: StatusSnapshot,
  field: StatusField,
  { language, defaultLanguage }: Languages,
): string {
  const [first] = Object.keys(names).sort();
  return names[language] ?? names[defaultLanguage] ?? STATUSES[field].defaults[code] ?? (first && names[first]) ?? code;
}

/**
 * The codes that a store lets follow a status, or undefined where any may. A table reads `Q>A,P,C; P>R; C>`: what stands
 * on no left side may move anywhere, what has an empty right side nowhere.
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
