/** What reads and writes of carts need (storefront.md §§5 and 10). */
import type { Problem, Unit } from '../../engine/index.ts';
import type { StoredCart } from '../../store/carts/stored-cart.ts';

/** Limits of carts. */
export interface CartSettings {
  /** Units of one line. */
  readonly lineAmountMax: number;
  /** New carts of a client address in an hour; 0: no limit. */
  readonly newMax: number;
  /** Unknown coupon codes in an hour, sent to one cart and by one client address; 0: no limit. */
  readonly wrongCodesOfCart: number;
  readonly wrongCodes: number;
}

/** What all writes need. */
export interface CartWriting {
  readonly settings: CartSettings;
  /** The client’s address, or its group of addresses. */
  readonly address: string;
  /** Checks the client’s conditions on the cart as it is now. */
  readonly check: (unit: Unit, cart: StoredCart) => Promise<Problem | undefined>;
}
