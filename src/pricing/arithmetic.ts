/**
 * Exact fractions, rounding and allocation (pricing.md §§3, 4). Unit prices are whole ten-thousandths, as in
 * `money.ts`. All other amounts are whole minor units of the currency. No value is a binary fraction.
 */
import { decimalsOf } from './currencies.ts';
import { amountOf, sum, unitsOf } from './money.ts';

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
  const size = numerator < 0n ? -numerator : numerator;
  const quotient = size / denominator;
  const result = roundsUp(quotient, (size % denominator) * 2n, denominator, rounding) ? quotient + 1n : quotient;
  return numerator < 0n ? -result : result;
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
  const products = weights.map((weight) => amount * weight);
  const parts = products.map((product) => product / whole);
  const remaining = Number(amount - sum(parts));
  if (remaining === 0) return parts;
  const fractions = products.map((product, index) => ({ index, fraction: product - parts[index]! * whole }));
  // The sort is stable, so ties remain in the order of their indexes.
  fractions.sort((one, other) => compare(other.fraction, one.fraction));
  for (const { index } of fractions.slice(0, remaining)) parts[index]! += 1n;
  return parts;
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
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
}

export function currencyOf(code: string): Currency {
  return { code, step: unitsOf(1) / 10n ** BigInt(decimalsOf(code)) };
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

/** Converts minor units to an amount of the result. */
export function amountOfMinorUnits(minorUnits: bigint, { step }: Currency): number {
  return amountOf(minorUnits * step);
}
