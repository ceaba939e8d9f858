/**
 * Converts weights to the store's unit, rounded half up to the store's four decimals. Uses integer arithmetic, because
 * binary fractions would round some halves down.
 */
export type WeightUnit = 'kg' | 'lb' | 'oz' | 'g';

/** @param grams decimal digits, such as `1360.78` */
export function weightFromGrams(grams: string, unit: WeightUnit): number {
  return convertWeight(grams, 'g', unit);
}

/** @param digits a weight in the unit `from`, as decimal digits @returns the weight in the unit `to` */
export function convertWeight(digits: string, from: WeightUnit, to: WeightUnit): number {
  const weight = plainDecimal(digits);
  const [source, target] = [plainDecimal(GRAMS_PER_UNIT[from]), plainDecimal(GRAMS_PER_UNIT[to])];
  const dividend = weight.digits * source.digits * 10n ** BigInt(target.decimals) * STEPS_PER_UNIT;
  const divisor = target.digits * 10n ** BigInt(weight.decimals + source.decimals);
  const steps = (2n * dividend + divisor) / (2n * divisor);
  return Number(steps) / Number(STEPS_PER_UNIT);
}

/** Exact by definition of the international pound and ounce. */
const GRAMS_PER_UNIT: Readonly<Record<WeightUnit, string>> = {
  kg: '1000',
  lb: '453.59237',
  oz: '28.349523125',
  g: '1',
};

/** Four decimals. */
const STEPS_PER_UNIT = 10_000n;

function plainDecimal(text: string): { digits: bigint; decimals: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}
