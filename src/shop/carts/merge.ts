/** Assigns carts of guests to customers, and merges them (storefront.md §5). The caller has locked the profile. */
import { CART_COUPONS_MAX } from '../../domain/rules/carts/cart-fields.ts';
import { isProblem, type Problem, type Unit } from '../../engine/index.ts';
import {
  type CartValues,
  holdCart,
  mergeAway,
  openCartOf,
  type StoredCart,
  takeOver,
} from '../../store/carts/stored-cart.ts';
import { findCart } from '../../store/carts/tokens.ts';
import { currentCart } from './calculated.ts';
import { mergeLines } from './lines.ts';
import type { CartOwner, CartSettings, CartWriting } from './settings.ts';
import type { ShownCart } from './shown-cart.ts';
import { noCart, rejectGone, valuesOf, writeCart } from './write.ts';

/**
 * Makes the cart of a guest that of a customer, or merges it into the customer’s open cart. A repeat has no effect.
 * @param id of the cart
 * @returns the customer’s open cart
 */
export async function assignCart(
  unit: Unit,
  id: number,
  owner: CartOwner,
  writing: CartWriting,
): Promise<ShownCart | Problem> {
  const cart = await holdCart(unit, id);
  const isOwn = cart?.customer_id === owner.id;
  if (!cart || (cart.customer_id !== null && !isOwn)) return noCart();
  const open = await openCartOf(unit, owner.id, unit.now);
  if (isOwn && open) return currentCart(unit, open, writing.settings);
  const rejected = rejectGone(cart, unit.now) ?? (await writing.check(unit, cart));
  if (rejected) return rejected;
  if (open) {
    await mergeAway(unit, cart, owner.id);
    return writeCart(unit, open, merged(open, cart, owner), writing);
  }
  const taken = await takeOver(unit, cart, owner.id);
  return writeCart(unit, taken, { ...valuesOf(taken), email: taken.email ?? owner.login }, writing);
}

/**
 * Returns the open cart of a customer who logs in.
 * @param token of a cart that becomes the customer’s; if it cannot be used, there is no cart
 */
export async function cartAtLogin(
  unit: Unit,
  owner: CartOwner,
  token: string | null | undefined,
  writing: CartWriting,
): Promise<ShownCart['body'] | null> {
  if (typeof token !== 'string') return openCart(unit, owner, writing.settings);
  const cart = await findCart(unit, token);
  const assigned = cart && (await assignCart(unit, cart.id, owner, writing));
  return assigned && !isProblem(assigned) ? assigned.body : null;
}

async function openCart(unit: Unit, { id }: CartOwner, settings: CartSettings): Promise<ShownCart['body'] | null> {
  const open = await openCartOf(unit, id, unit.now);
  return open ? (await currentCart(unit, open, settings)).body : null;
}

/** The content of a customer’s cart, with that of a guest’s cart. */
function merged(open: StoredCart, guest: StoredCart, { login }: CartOwner): CartValues {
  return {
    ...mergeLines(open, guest.lines),
    coupons: [...new Set([...open.coupons, ...guest.coupons])].slice(0, CART_COUPONS_MAX),
    email: open.email ?? guest.email ?? login,
    notes: open.notes || guest.notes,
    billing_address: open.billing_address ?? guest.billing_address,
    shipping_address: open.shipping_address ?? guest.shipping_address,
    shipping: open.shipping ?? guest.shipping,
  };
}
