/** Exact sums of money: whole ten-thousandths as BigInt, never a binary fraction (orders.md §1). */
import { DECIMAL_MAX, DECIMAL_PLACES } from '../../engine/fields/number.ts';

const SCALE = 10 ** DECIMAL_PLACES;

/** Ten-thousandths of an amount with at most four decimals; such a number times the scale rounds to the whole that it is. */
export function unitsOf(amount: number): bigint {
  return BigInt(Math.round(amount * SCALE));
}

/** The amount that has so many ten-thousandths; at most fourteen digits, which a double holds exactly as text. */
export function amountOf(units: bigint): number {
  return Number(units) / SCALE;
}

/** Whether an amount of money can be kept: from 0 to 9999999999.9999. */
export function isKeepable(units: bigint): boolean {
  return units >= 0n && units <= unitsOf(DECIMAL_MAX);
}

/** The price less so many percent, rounded half away from zero to four decimals. */
export function lessPercent(price: number, percent: number): number {
  const whole = unitsOf(100);
  return amountOf((unitsOf(price) * (whole - unitsOf(percent)) + whole / 2n) / whole);
}
