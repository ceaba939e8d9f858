/** Exact sums of money: whole ten-thousandths as BigInt, never a binary fraction (orders.md §8). */
import { DECIMAL_MAX, DECIMAL_PLACES } from '../../../engine/vocabulary.ts';

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
export function isStorable(units: bigint): boolean {
  return units >= 0n && units <= unitsOf(DECIMAL_MAX);
}

/** Rounded half away from zero to so many decimals. */
export function rounded(units: bigint, decimals: number): bigint {
  const step = stepOf(decimals);
  return roundedQuotient(units, step) * step;
}

/** Whether the amount has more decimals than these. */
export function isFiner(amount: number, decimals: number): boolean {
  return unitsOf(amount) % stepOf(decimals) !== 0n;
}

/** The amount less so many percent, rounded once, half away from zero, to so many decimals. */
export function withoutPercent(units: bigint, percent: number, decimals: number): bigint {
  const whole = unitsOf(100);
  const step = stepOf(decimals);
  return roundedQuotient(units * (whole - unitsOf(percent)), whole * step) * step;
}

/** So many percent of the amount, rounded half away from zero to whole ten-thousandths. */
export function percentOf(units: bigint, percent: number): bigint {
  return roundedQuotient(units * unitsOf(percent), unitsOf(100));
}

export function sum(parts: readonly bigint[]): bigint {
  return parts.reduce((whole, part) => whole + part, 0n);
}

/** Ten-thousandths of the smallest amount that has so many decimals. */
function stepOf(decimals: number): bigint {
  return 10n ** BigInt(DECIMAL_PLACES - decimals);
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (dividend < 0n ? dividend - half : dividend + half) / divisor;
}
