/** Step 6: the best volume discount (pricing.md §4, *Volume discount*). */

import type { Currency } from './arithmetic.ts';
import { type AppliedDiscount, amountOfDiscount, applyDiscount, isAtLeast, smaller } from './discounts.ts';
import type { Input, VolumeDiscount } from './input.ts';
import { allowsZones, isActive, matchesLink } from './matching.ts';
import { sum } from './money.ts';
import type { Reason } from './result.ts';

/**
 * Finds the volume discount with the largest amount after the cap. Ties go to the lower id.
 *
 * @param subtotals of the lines, in minor units
 * @returns undefined if none applies, or if the largest amount is 0
 */
export function bestVolumeDiscount(
  input: Input,
  subtotals: readonly bigint[],
  currency: Currency,
): AppliedDiscount<VolumeDiscount> | undefined {
  const whole = sum(subtotals);
  const amounts = input.rules.volume_discounts
    .filter((discount) => reasonAgainstVolumeDiscount(discount, input, whole, currency) === null)
    .map((discount) => ({ discount, amount: volumeAmountOf(discount, whole, currency) }))
    .sort((one, other) => one.discount.id - other.discount.id);
  const [first] = amounts;
  if (!first) return undefined;
  const best = amounts.reduce((largest, each) => (each.amount > largest.amount ? each : largest), first);
  return best.amount === 0n ? undefined : applyDiscount(best.discount, best.amount, subtotals);
}

/** Computes the amount of a volume discount after its cap. @param whole `sub_total` in minor units */
export function volumeAmountOf(discount: VolumeDiscount, whole: bigint, currency: Currency): bigint {
  return smaller(amountOfDiscount(discount, whole, currency), whole);
}

/** @returns why a volume discount does not apply; null if it does. @param whole `sub_total` in minor units */
export function reasonAgainstVolumeDiscount(
  discount: VolumeDiscount,
  { buyer, address, time }: Input,
  whole: bigint,
  currency: Currency,
): Reason | null {
  if (!isActive(discount, time)) return 'dates';
  if (!matchesLink(discount.membership, buyer.membership)) return 'membership';
  if (!allowsZones(discount.zones, address)) return 'zone';
  return isAtLeast(whole, discount.subtotal_range_begin, currency) ? null : 'subtotal';
}
