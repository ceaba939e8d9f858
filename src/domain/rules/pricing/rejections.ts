/** Why a coupon or a shipping method does not apply, in words (pricing.md §5, shipping.md §4). */
import type { Rejection } from '../../../pricing/index.ts';

/** Why a coupon does not apply, as the end of a sentence. */
export const COUPON_REASONS: Readonly<Partial<Record<Rejection['reason'], string>>> = {
  disabled: 'it is disabled',
  dates: 'it is not valid at this time',
  membership: 'it is for members only, and the buyer has none of its memberships',
  zone: 'the address of the buyer is in none of its zones',
  not_listed: 'it covers none of the items',
  subtotal: 'the subtotal of the items that it covers is out of its range',
  uses: 'it has no uses left',
  not_combinable: 'it cannot be combined with another coupon',
};

/** Why a shipping method cannot be chosen, as the end of a sentence. */
export const SHIPPING_REASONS = {
  disabled: 'it is disabled',
  zone: 'it has no rates for the address',
  rates: 'none of its rates for the address covers the weight, totals and number of the items',
} as const;
