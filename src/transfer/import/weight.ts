/**
 * Weights in the store's unit, exact to the four decimals that the store keeps. Reckoned in whole numbers, so
 * that no binary fraction decides which way a half is rounded (up).
 */
export type WeightUnit = 'kg' | 'lb' | 'oz' | 'g';

/** `grams` is a plain number as its digits, e.g. `1360.78`. */
export function weightFromGrams(grams: string, unit: WeightUnit): number {
  return convertWeight(grams, 'g', unit);
}

/** A plain number as its digits, from one unit to another. */
export function convertWeight(digits: string, from: WeightUnit, to: WeightUnit): number {
  const weight = plainDecimal(digits);
  const [given, wanted] = [plainDecimal(GRAMS_PER_UNIT[from]), plainDecimal(GRAMS_PER_UNIT[to])];
  const dividend = weight.digits * given.digits * 10n ** BigInt(wanted.decimals) * KEPT_STEPS_PER_UNIT;
  const divisor = wanted.digits * 10n ** BigInt(weight.decimals + given.decimals);
  const steps = (2n * dividend + divisor) / (2n * divisor);
  return Number(steps) / Number(KEPT_STEPS_PER_UNIT);
}

/** The pound and the ounce are defined as exactly these numbers of grams. */
const GRAMS_PER_UNIT: Readonly<Record<WeightUnit, string>> = {
  kg: '1000',
  lb: '453.59237',
  oz: '28.349523125',
  g: '1',
};

/** Four decimals. */
const KEPT_STEPS_PER_UNIT = 10_000n;

function plainDecimal(text: string): { digits: bigint; decimals: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}
