/** Step 7: coupons, by ascending id (pricing.md §§2, 4). */

import type { Currency } from './arithmetic.ts';
import {
  type AppliedDiscount,
  amountOfDiscount,
  applyDiscount,
  isAtLeast,
  isAtMost,
  withoutShares,
} from './discounts.ts';
import type { Coupon, Input, Line } from './input.ts';
import { allowsMembership, allowsZones, isActive, matchesProduct } from './matching.ts';
import { sum } from './money.ts';
import type { Reason } from './result.ts';

export interface AppliedCoupons {
  /** By id. */
  readonly applied: readonly AppliedDiscount<Coupon>[];
  /** Why the other coupons do not apply. */
  readonly reasons: ReadonlyMap<Coupon, Reason>;
  /** What is left of each line, in minor units. */
  readonly rests: readonly bigint[];
}

/**
 * Takes off every coupon that applies. A percentage is of the subtotals from step 5, so that percentages do not compound.
 *
 * @param subtotals of the lines, in minor units
 * @param restsBefore what the volume discount leaves of them
 */
export function applyCoupons(
  input: Input,
  subtotals: readonly bigint[],
  restsBefore: readonly bigint[],
  currency: Currency,
): AppliedCoupons {
  const applied: AppliedDiscount<Coupon>[] = [];
  const reasons = new Map<Coupon, Reason>();
  let rests = restsBefore;
  for (const coupon of [...input.coupons].sort((one, other) => one.id - other.id)) {
    const isCovered = input.lines.map((line) => covers(coupon, line));
    const covered = sum(onlyCovered(subtotals, isCovered));
    const reason = reasonAgainstCoupon(coupon, input, { isCovered, covered }, currency);
    if (reason !== null) {
      reasons.set(coupon, reason);
      continue;
    }
    const amount = amountOfDiscount(coupon, covered, currency);
    const discount = applyDiscount(coupon, amount, onlyCovered(rests, isCovered));
    applied.push(discount);
    rests = withoutShares(rests, discount.shares);
  }
  return { applied, reasons, rests };
}

/** Whether a coupon matches a line. */
function covers(coupon: Coupon, { product, listed_by }: Line): boolean {
  if (listed_by === undefined) return matchesProduct(coupon, product);
  return matchesProduct({ ...coupon, products: listed_by.includes(coupon.id) ? [product.id] : [] }, product);
}

/** The lines that a coupon matches. */
interface CoveredLines {
  /** One element per line. */
  readonly isCovered: readonly boolean[];
  /** Sum of their subtotals, in minor units. */
  readonly covered: bigint;
}

/** Finds the first reason why a coupon does not apply (pricing.md §2). @returns null if it applies */
function reasonAgainstCoupon(
  coupon: Coupon,
  input: Input,
  { isCovered, covered }: CoveredLines,
  currency: Currency,
): Reason | null {
  if (!coupon.enabled) return 'disabled';
  if (!isActive(coupon, input.time)) return 'dates';
  if (!allowsMembership(coupon.memberships, input.buyer)) return 'membership';
  if (!allowsZones(coupon.zones, input.address)) return 'zone';
  if (!isCovered.includes(true)) return 'not_listed';
  if (!isInTotalRange(coupon, covered, currency)) return 'subtotal';
  if (!hasUsesLeft(coupon)) return 'uses';
  return coupon.single_use && input.coupons.length > 1 ? 'not_combinable' : null;
}

/** Replaces the amounts of lines that the coupon does not cover by 0. */
function onlyCovered(amounts: readonly bigint[], isCovered: readonly boolean[]): bigint[] {
  return amounts.map((amount, line) => (isCovered[line]! ? amount : 0n));
}

function isInTotalRange(coupon: Coupon, subtotal: bigint, currency: Currency): boolean {
  const { total_range_begin: begin, total_range_end: end } = coupon;
  return isAtLeast(subtotal, begin, currency) && (end === 0 || isAtMost(subtotal, end, currency));
}

/** Whether one more order of the buyer can use the coupon (pricing.md §2). */
export function hasUsesLeft({ uses_limit, uses_limit_per_user, uses, uses_by_user }: Coupon): boolean {
  if (uses_limit > 0 && uses >= uses_limit) return false;
  return uses_limit_per_user === 0 || uses_by_user === null || uses_by_user < uses_limit_per_user;
}
