/** The part of a discount or tax that a credit note of chosen lines takes back (pricing.md §5, *Credit notes*). */

import { amountOfMinorUnits, currencyOf, toMinorUnits } from './arithmetic.ts';
import { unitsOf } from './money.ts';

/** What is credited of a line, as amounts; as numbers of units if the line's subtotal is 0. */
export interface CreditedLine {
  /** T: the line's subtotal. */
  readonly whole: number;
  /** C: credited before on the same invoice. */
  readonly before: number;
  /** c: credited now. */
  readonly now: number;
}

/**
 * Computes R(V(C + c) ÷ T) − R(VC ÷ T), so that the parts of all credit notes add up to the share.
 *
 * @param share V: the line's share of a discount or tax
 * @param currency ISO 4217 code
 */
export function creditedPart(share: number, { whole, before, now }: CreditedLine, currency: string): number {
  const known = currencyOf(currency);
  const partOf = (credited: bigint): bigint =>
    toMinorUnits({ numerator: unitsOf(share) * credited, denominator: unitsOf(whole) }, known);
  return amountOfMinorUnits(partOf(unitsOf(before) + unitsOf(now)) - partOf(unitsOf(before)), known);
}
