/** Exact arithmetic with the text of a decimal number. Doubles would round before the comparison. */

/** A decimal number as a count of units of 10^-places. */
interface ScaledDecimal {
  readonly isNegative: boolean;
  /** The whole units, without the sign. */
  readonly units: bigint;
  /** The part of a unit that is left, as `rest / unit`. */
  readonly rest: bigint;
  readonly unit: bigint;
}

const FORM = /^([-+ ]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/**
 * Splits a number into whole units and the rest.
 * @param text a number, as in JSON or in a filter; its exponent must be small if the number is not zero
 */
export function scaleDecimal(text: string, places: number): ScaledDecimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = FORM.exec(text)!;
  const digits = BigInt(whole + fraction);
  const shift = digits === 0n ? 0 : Number(exponent) - fraction.length + places;
  const unit = shift < 0 ? 10n ** BigInt(-shift) : 1n;
  const scaled = shift < 0 ? digits : digits * 10n ** BigInt(shift);
  return { isNegative: sign === '-', units: scaled / unit, rest: scaled % unit, unit };
}

/** Rounds half away from zero. @returns the double next to the rounded number; never -0 */
export function roundDecimal(text: string, places: number): number {
  // A number this small rounds to 0, and its exponent could take any amount of memory.
  if (Math.abs(Number(text)) < 10 ** -(places + 1)) return 0;
  const { isNegative, units, rest, unit } = scaleDecimal(text, places);
  const rounded = rest * 2n >= unit ? units + 1n : units;
  return Number(isNegative ? -rounded : rounded) / 10 ** places;
}

/** The number of significant digits of the shortest text that represents the double. */
export function significantDigits(number: number): number {
  const [mantissa = ''] = number.toExponential().split('e');
  return mantissa.replace('-', '').replace('.', '').length;
}
