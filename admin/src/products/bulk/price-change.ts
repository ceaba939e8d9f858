/** A change of prices as it is typed: `5%`, `-5%`, `+1.50`, `-2` or `=9.99`. */

export type PriceChange =
  | { readonly kind: 'percent'; readonly value: number }
  | { readonly kind: 'add'; readonly value: number }
  | { readonly kind: 'set'; readonly value: number };

/** @returns undefined if the text is not a change */
export function parsePriceChange(text: string): PriceChange | undefined {
  const [, sign, digits, percent] =
    /^([+\-−=]?)(\d+(?:\.\d{1,4})?)(%?)$/.exec(text.replace(/\s/g, '').replace(',', '.')) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits) * (sign === '-' || sign === '−' ? -1 : 1);
  if (percent) return sign === '=' ? undefined : { kind: 'percent', value };
  if (sign === '=') return { kind: 'set', value };
  // A number alone could mean either.
  return sign ? { kind: 'add', value } : undefined;
}

/** Prices have up to 4 decimals. */
const SCALE_DECIMALS = 4;
const SCALE = 10 ** SCALE_DECIMALS;
const HUNDRED = 100 * SCALE;

/** Returns the new price, rounded half away from zero to the decimals of the currency. The arithmetic is exact. */
export function changedPrice(price: number, change: PriceChange, decimals: number): number {
  const scaled = BigInt(Math.round(price * SCALE));
  const by = BigInt(Math.round(change.value * SCALE));
  if (change.kind === 'percent')
    return rounded(scaled * (BigInt(HUNDRED) + by), BigInt(SCALE) * BigInt(HUNDRED), decimals);
  return rounded(change.kind === 'set' ? by : scaled + by, BigInt(SCALE), decimals);
}

function rounded(numerator: bigint, denominator: bigint, decimals: number): number {
  const factor = 10n ** BigInt(decimals);
  const [sign, size] = numerator < 0n ? [-1n, -numerator] : [1n, numerator];
  const units = (2n * size * factor + denominator) / (2n * denominator);
  return Number(sign * units) / Number(factor);
}
