/** A cart as its shopper sees it (storefront.md §5). */
import type { CalculatedCart, CartContent, CartContext } from '../../domain/rules/carts/cart-content.ts';
import { formatTimestamp, type Languages, type Service, type Value } from '../../engine/index.ts';
import type { CartValues, StoredCart, StoredLine } from '../../store/carts/stored-cart.ts';
import type { CartSettings } from './settings.ts';

/** A cart, and what its entity tag consists of. */
export interface ShownCart {
  readonly body: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

/** A price that differs from the one in the response to the last write. */
interface PriceChange {
  readonly line_id: number;
  readonly field: 'price';
  readonly was: number;
  readonly now: number;
}

export function contentOf(values: CartValues, customer: number | null): CartContent {
  const { email, billing_address, shipping_address, coupons, lines, shipping } = values;
  return {
    ...{ email, coupons, lines, shipping, customer },
    billing_address: billing_address as CartContent['billing_address'],
    shipping_address: shipping_address as CartContent['shipping_address'],
  };
}

export function contextOf(
  { environment, clock }: Service,
  { language, defaultLanguage }: Languages,
  { lineAmountMax }: CartSettings,
): CartContext {
  return { language, defaultLanguage, currency: environment.settings.currency!, now: clock.now(), lineAmountMax };
}

/** @param before the lines as of the last write */
export function shownCart(
  service: Service,
  cart: StoredCart,
  calculated: CalculatedCart,
  before: readonly StoredLine[],
): ShownCart {
  const { lines, surcharges, coupons, sub_total, total, is_final, problems } = calculated;
  const { id, state, currency, email, notes, shipping, revision, expires_at } = cart;
  const body = {
    ...{ id, state, currency, email, notes },
    billing_address: shownAddress(service, 'billing_address', cart.billing_address),
    shipping_address: shownAddress(service, 'shipping_address', cart.shipping_address),
    shipping: shipping && { method_id: shipping.method_id, quote: null },
    payment_method: null,
    ...{ coupons, lines, surcharges, sub_total, total, is_final, problems },
    changes: changesOf(calculated, before),
    expires_at: formatTimestamp(expires_at, service.environment.timeZone),
  };
  return { body, revision };
}

function shownAddress({ model, environment }: Service, name: string, value: Value): Value {
  return model.resources.get('Cart')!.fields.get(name)!.field.show!(value, environment);
}

/** Lines that do not count have no price to compare. */
function changesOf({ lines }: CalculatedCart, before: readonly StoredLine[]): PriceChange[] {
  const prices = new Map(before.map(({ id, price }) => [id, price]));
  return lines.flatMap(({ id, price: now }): PriceChange[] => {
    const was = prices.get(id) ?? null;
    return was === null || now === null || was === now ? [] : [{ line_id: id, field: 'price', was, now }];
  });
}
