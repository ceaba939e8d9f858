/**
 * Grams in the store's unit of weight, exact to the four decimals that the store keeps. Reckoned in whole numbers, so
 * that no binary fraction decides which way a half is rounded (up).
 */
export type WeightUnit = 'kg' | 'lb' | 'oz' | 'g';

/** `grams` is a plain number as its digits, e.g. `1360.78`. */
export function weightFromGrams(grams: string, unit: WeightUnit): number {
  const weight = plainDecimal(grams);
  const unitWeight = plainDecimal(GRAMS_PER_UNIT[unit]);
  const dividend = weight.digits * 10n ** BigInt(unitWeight.places) * KEPT_STEPS_PER_UNIT;
  const divisor = unitWeight.digits * 10n ** BigInt(weight.places);
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

function plainDecimal(text: string): { digits: bigint; places: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}
