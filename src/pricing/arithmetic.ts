/**
 * Exact fractions, rounding and allocation (pricing.md §§3, 4). Unit prices are whole ten-thousandths, as in
 * `money.ts`. All other amounts are whole minor units of the currency. No value is a binary fraction.
 */
import { decimalsOf } from './currencies.ts';
import { sum, unitsOf } from './money.ts';

/** How taxes are rounded (pricing.md §3). `half_up` is half away from zero. */
export type Rounding = 'half_up' | 'half_even' | 'half_down' | 'down';

/** An exact number. The denominator is above 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** 100 %, in ten-thousandths of a percent. */
export const WHOLE: bigint = unitsOf(100);

/** Rounds to a whole number, half away from zero if no other rounding is given. */
export function rounded({ numerator, denominator }: Fraction, rounding: Rounding = 'half_up'): bigint {
  const isNegative = numerator < 0n;
  const size = isNegative ? -numerator : numerator;
  const quotient = size / denominator;
  const rest = size - quotient * denominator;
  const result = rest > 0n && roundsUp(quotient, rest * 2n, denominator, rounding) ? quotient + 1n : quotient;
  return isNegative ? -result : result;
}

function roundsUp(quotient: bigint, twiceTheRest: bigint, denominator: bigint, rounding: Rounding): boolean {
  if (rounding === 'down') return false;
  if (twiceTheRest !== denominator) return twiceTheRest > denominator;
  return rounding === 'half_up' || (rounding === 'half_even' && quotient % 2n === 1n);
}

/** Computes a percentage of an amount. */
export function percentageOf(amount: bigint, percent: number): Fraction {
  return { numerator: amount * unitsOf(percent), denominator: WHOLE };
}

/** Subtracts a percentage, without rounding. */
export function withoutPercentage({ numerator, denominator }: Fraction, percent: number): Fraction {
  return { numerator: numerator * (WHOLE - unitsOf(percent)), denominator: denominator * WHOLE };
}

export function wholeFraction(amount: bigint): Fraction {
  return { numerator: amount, denominator: 1n };
}

/**
 * Divides an amount in proportion to weights (pricing.md §4). Part i gets ⌊amount · wᵢ ÷ Σw⌋. The remaining units go
 * one each to the parts with the largest fractions, ties to the lower index. If Σw = 0, part 0 gets the amount.
 *
 * @param amount at least 0, in the smallest unit
 * @param weights at least 0
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights);
  if (whole === 0n) return weights.map((_, index) => (index === 0 ? amount : 0n));
  const parts = weights.map((weight) => (amount * weight) / whole);
  const remaining = Number(amount - sum(parts));
  if (remaining === 0) return parts;
  const fractions = weights.map((weight, index) => amount * weight - parts[index]! * whole);
  // Fractions are below the sum of the weights. Doubles, if exact, are compared faster.
  const compared = whole <= Number.MAX_SAFE_INTEGER ? fractions.map(Number) : fractions;
  for (const index of indexesOfLargest(compared, remaining)) parts[index]! += 1n;
  return parts;
}

/** Finds the indexes of the largest numbers. Ties go to the lower index, because the sort is stable. */
function indexesOfLargest(numbers: readonly (number | bigint)[], count: number): number[] {
  const descending = (one: number, other: number): number => {
    if (numbers[one]! === numbers[other]!) return 0;
    return numbers[one]! > numbers[other]! ? -1 : 1;
  };
  return [...numbers.keys()].sort(descending).slice(0, count);
}

/** Expresses fractions with a common denominator. @returns the numerators */
export function toCommonDenominator(fractions: readonly Fraction[]): { numerators: bigint[]; denominator: bigint } {
  const denominator = [...new Set(fractions.map((fraction) => fraction.denominator))].reduce(
    (product, each) => product * each,
    1n,
  );
  return {
    numerators: fractions.map((fraction) => fraction.numerator * (denominator / fraction.denominator)),
    denominator,
  };
}

/** A currency and its minor unit (orders.md §8). */
export interface Currency {
  readonly code: string;
  /** Ten-thousandths in a minor unit. */
  readonly step: bigint;
  /** Minor units in one unit of the currency. */
  readonly minorUnits: number;
}

export function currencyOf(code: string): Currency {
  const minorUnits = 10 ** decimalsOf(code);
  return { code, step: unitsOf(1) / BigInt(minorUnits), minorUnits };
}

/** Rounds a fraction of ten-thousandths to minor units, half away from zero. */
export function toMinorUnits({ numerator, denominator }: Fraction, { step }: Currency): bigint {
  return rounded({ numerator, denominator: denominator * step });
}

/** Rounds a unit price to the currency's decimals. @returns ten-thousandths */
export function roundedPrice(exact: Fraction, currency: Currency): bigint {
  return toMinorUnits(exact, currency) * currency.step;
}

/** Converts an amount of the input to minor units. */
export function minorUnitsOf(amount: number, currency: Currency): bigint {
  return toMinorUnits(wholeFraction(unitsOf(amount)), currency);
}

/** Converts minor units to an amount of the result. Up to the largest storable amount, a double represents both numbers exactly. */
export function amountOfMinorUnits(amount: bigint, { minorUnits }: Currency): number {
  return Number(amount) / minorUnits;
}
