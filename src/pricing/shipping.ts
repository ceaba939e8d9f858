/** Step 8: what shipping is calculated from, and the charges (pricing.md §4). */

import { amountOfMinorUnits, type Currency } from './arithmetic.ts';
import type { Charge, Input, ShippingBasis } from './input.ts';
import { amountOf, sum, unitsOf } from './money.ts';

/** Amounts of the lines, in minor units. */
export interface LineAmounts {
  readonly subtotals: readonly bigint[];
  /** What volume discount and coupons leave of each line. */
  readonly rests: readonly bigint[];
}

/** Returns the given charges, or those of the given function. */
export function chargesOf({ shipping }: Pick<Input, 'shipping'>, basis: ShippingBasis): readonly Charge[] {
  return typeof shipping === 'function' ? shipping(basis) : shipping;
}

/** Adds up the lines without `free_shipping`. @param isFreeByCoupon whether a coupon of the type `S` applies */
export function shippingBasisOf(
  { lines }: Input,
  { subtotals, rests }: LineAmounts,
  isFreeByCoupon: boolean,
  currency: Currency,
): ShippingBasis {
  const shipped = lines.flatMap(({ product }, line) => (product.free_shipping ? [] : [line]));
  const total = (amounts: readonly bigint[]): number =>
    amountOfMinorUnits(sum(shipped.map((line) => amounts[line]!)), currency);
  return {
    items: shipped.reduce((items, line) => items + lines[line]!.amount, 0),
    weight: amountOf(sum(shipped.map((line) => unitsOf(lines[line]!.weight) * BigInt(lines[line]!.amount)))),
    total: total(subtotals),
    discounted_total: total(rests),
    free_by_coupon: isFreeByCoupon,
  };
}
