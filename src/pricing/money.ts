/** Exact arithmetic with money: whole ten-thousandths as BigInt, never binary fractions (orders.md §8). */
import { DECIMAL_MAX, DECIMAL_PLACES } from '../engine/vocabulary.ts';

const SCALE = 10 ** DECIMAL_PLACES;

/** Converts an amount with at most four decimals to ten-thousandths. For such numbers the rounding is exact. */
export function unitsOf(amount: number): bigint {
  return BigInt(Math.round(amount * SCALE));
}

/** Converts ten-thousandths to an amount. A storable amount has at most 14 digits, which a double represents exactly. */
export function amountOf(units: bigint): number {
  return Number(units) / SCALE;
}

/** Whether an amount can be stored: 0 to 9999999999.9999. */
export function isStorable(units: bigint): boolean {
  return units >= 0n && units <= unitsOf(DECIMAL_MAX);
}

/** Rounds half away from zero to a number of decimals. */
export function rounded(units: bigint, decimals: number): bigint {
  const step = stepOf(decimals);
  return roundedQuotient(units, step) * step;
}

/** Whether the amount has more decimals than given. */
export function isFiner(amount: number, decimals: number): boolean {
  return unitsOf(amount) % stepOf(decimals) !== 0n;
}

/** Subtracts a percentage. Rounds once, half away from zero, to a number of decimals. */
export function withoutPercent(units: bigint, percent: number, decimals: number): bigint {
  const whole = unitsOf(100);
  const step = stepOf(decimals);
  return roundedQuotient(units * (whole - unitsOf(percent)), whole * step) * step;
}

/** Computes a percentage of the amount, rounded half away from zero to whole ten-thousandths. */
export function percentOf(units: bigint, percent: number): bigint {
  return roundedQuotient(units * unitsOf(percent), unitsOf(100));
}

export function sum(parts: readonly bigint[]): bigint {
  let whole = 0n;
  for (const part of parts) whole += part;
  return whole;
}

/** Ten-thousandths in the smallest amount with a number of decimals. */
function stepOf(decimals: number): bigint {
  return 10n ** BigInt(DECIMAL_PLACES - decimals);
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const half = divisor / 2n;
  return (dividend < 0n ? dividend - half : dividend + half) / divisor;
}
