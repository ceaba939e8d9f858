/** Calculates stored carts, for reads and as the last step of writes (storefront.md §5). */
import { calculateCart, cartShippingOptions } from '../../domain/rules/carts/calculation.ts';
import type { CalculatedCart, CartShippingOptions } from '../../domain/rules/carts/cart-content.ts';
import type { Reads } from '../../engine/index.ts';
import type { CartValues, StoredCart } from '../../store/carts/stored-cart.ts';
import type { CartSettings } from './settings.ts';
import { contentOf, contextOf, type ShownCart, shownCart } from './shown-cart.ts';

type CartReads = Parameters<typeof calculateCart>[0];

/** The same reads, with the types that rules declare. */
export function rulesReads(reads: Reads): CartReads {
  return reads as unknown as CartReads;
}

export function calculated(
  reads: Reads,
  values: CartValues,
  customer: number | null,
  settings: CartSettings,
): Promise<CalculatedCart> {
  return calculateCart(rulesReads(reads), contentOf(values, customer), contextOf(reads.service, reads, settings));
}

/** Returns a cart with its current prices. */
export async function currentCart(reads: Reads, cart: StoredCart, settings: CartSettings): Promise<ShownCart> {
  return shownCart(reads.service, cart, await calculated(reads, cart, cart.customer_id, settings), cart.lines);
}

export async function shippingOptionsOf(
  reads: Reads,
  cart: StoredCart,
  settings: CartSettings,
): Promise<readonly object[]> {
  const content = contentOf(cart, cart.customer_id);
  const options: CartShippingOptions = await cartShippingOptions(
    rulesReads(reads),
    content,
    contextOf(reads.service, reads, settings),
  );
  return options.map(({ method_id, name, delivery_time, cost }) => ({
    ...{ method_id, service: null, name, delivery_time, cost, quote: null },
  }));
}
