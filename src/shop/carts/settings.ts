/** Limits of carts (storefront.md §§5 and 10). */
export interface CartSettings {
  /** Units of one line. */
  readonly lineAmountMax: number;
  /** New carts of a client address in an hour; 0: no limit. */
  readonly newMax: number;
  /** Unknown coupon codes in an hour, sent to one cart and by one client address; 0: no limit. */
  readonly wrongCodesOfCart: number;
  readonly wrongCodes: number;
}
