/** What volume discounts and coupons have in common: amounts, and their shares by line (pricing.md §4). */

import { allocate, type Currency, minorUnitsOf, percentageOf, rounded } from './arithmetic.ts';
import type { Coupon, VolumeDiscount } from './input.ts';
import { sum, unitsOf } from './money.ts';

/** A discount that applies. Amounts are in minor units. */
export interface AppliedDiscount<D> {
  readonly discount: D;
  readonly amount: bigint;
  /** One amount per line. */
  readonly shares: readonly bigint[];
}

/**
 * Computes the amount of a discount before its cap. A percentage is rounded once (pricing.md §4).
 *
 * @param subtotal base of a percentage, in minor units
 */
export function amountOfDiscount(
  { type, value }: Pick<VolumeDiscount | Coupon, 'type' | 'value'>,
  subtotal: bigint,
  currency: Currency,
): bigint {
  if (type === 'S') return 0n;
  return type === '%' ? rounded(percentageOf(subtotal, value)) : minorUnitsOf(value, currency);
}

/**
 * Caps a discount at what is left of its lines, and allocates it to them (pricing.md §4).
 *
 * @param rests what is left of each line; 0 for lines that the discount does not cover
 */
export function applyDiscount<D>(discount: D, amount: bigint, rests: readonly bigint[]): AppliedDiscount<D> {
  const capped = smaller(amount, sum(rests));
  return { discount, amount: capped, shares: allocate(capped, rests) };
}

/** Subtracts shares from what is left of the lines. */
export function withoutShares(rests: readonly bigint[], shares: readonly bigint[]): bigint[] {
  return rests.map((rest, line) => rest - shares[line]!);
}

export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Compares minor units with a bound, which may be finer than the currency. */
export function isAtLeast(minorUnits: bigint, bound: number, { step }: Currency): boolean {
  return minorUnits * step >= unitsOf(bound);
}

export function isAtMost(minorUnits: bigint, bound: number, { step }: Currency): boolean {
  return minorUnits * step <= unitsOf(bound);
}
