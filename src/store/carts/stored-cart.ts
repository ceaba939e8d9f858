/** The row of a cart (storefront.md §5). Each write locks it, so writes of a cart are serialized. */
import type { ShownRecord, Unit, Value } from '../../engine/index.ts';
import { expiryOf } from './expiry.ts';

type Json = Readonly<Record<string, Value>>;

/** A choice of the shopper. */
interface StoredOption {
  readonly attribute_id: number;
  readonly value_id?: number;
  readonly text?: string;
}

export interface StoredLine {
  readonly id: number;
  readonly product_id: number;
  readonly variant: number | null;
  readonly options: readonly StoredOption[];
  readonly amount: number;
  /** As of the last write; null if the line did not count. */
  readonly price: number | null;
  /** As of the last write; null if the product was deleted. */
  readonly sku: string | null;
  readonly name: string | null;
}

/** What a shopper has written. */
export interface CartValues {
  readonly email: string | null;
  readonly notes: string;
  readonly billing_address: Json | null;
  readonly shipping_address: Json | null;
  readonly shipping: { readonly method_id: number } | null;
  readonly coupons: readonly string[];
  readonly lines: readonly StoredLine[];
  /** The largest id that a line has had. */
  readonly last_line: number;
}

export interface StoredCart extends CartValues {
  readonly id: number;
  readonly state: 'open' | 'expired' | 'merged';
  /** Id of the profile; null for a guest. */
  readonly customer_id: number | null;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of writes. */
  readonly revision: number;
  /** Seconds since 1970. */
  readonly expires_at: number;
}

export const EMPTY_CART: CartValues = {
  ...{ email: null, notes: '', billing_address: null, shipping_address: null, shipping: null },
  ...{ coupons: [], lines: [], last_line: 0 },
};

/** The totals as of a write. */
interface Totals {
  readonly sub_total: number;
  readonly total: number;
}

export function storedCart(row: ShownRecord): StoredCart {
  return row as unknown as StoredCart;
}

/** Locks a cart until the unit ends. @returns undefined if it was deleted */
export async function holdCart(unit: Unit, id: number): Promise<StoredCart | undefined> {
  const [row] = await unit.hold('Cart', [id]);
  return row && storedCart(row);
}

/** Creates an open cart. @param owner its customer, if it has one, and the hash of its token */
export async function insertCart(
  unit: Unit,
  owner: { readonly customer_id: number | null; readonly hash: string },
  values: CartValues & Totals,
  currency: string,
): Promise<StoredCart> {
  const { customer_id, hash } = owner;
  const { now } = unit;
  const times = { create_date: now, update_date: now, expires_at: expiryOf(now, { ...values, customer_id }) };
  const own = { state: 'open', customer_id, currency, revision: 1, ...times } as const;
  const id = await unit.insert('Cart', { ...columns(values), ...own, hash });
  return { ...values, ...own, id: Number(id) };
}

/** Writes a cart that the unit has locked, and counts the write. */
export async function updateCart(unit: Unit, cart: StoredCart, values: CartValues & Totals): Promise<StoredCart> {
  const { now } = unit;
  const revision = cart.revision + 1;
  const expires_at = expiryOf(now, { ...values, customer_id: cart.customer_id });
  await unit.update('Cart', cart.id, { ...columns(values), revision, update_date: now, expires_at });
  return { ...cart, ...values, revision, expires_at };
}

export async function removeCart(unit: Unit, id: number): Promise<void> {
  await unit.remove('Cart', { id });
}

function columns(values: CartValues & Totals): Record<string, Value> {
  return { ...values } as unknown as Record<string, Value>;
}
