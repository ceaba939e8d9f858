/** The lowest price of the last 30 days (pricing.md §6; Directive 98/6/EC, Art. 6a). */

/** A stored change of the public price: the unit price for quantity 1, without membership and options. */
export interface PriceChange {
  /** Unix time in seconds. The price is in force from here to the next change. */
  readonly time: number;
  readonly price: number;
  readonly regular_price: number;
}

const PERIOD_SECONDS = 30 * 86_400;

/**
 * Finds the lowest price in force in the 30 days before a reduction began, or before now if the price is not reduced.
 *
 * @param changes in any order, each with another time; later ones than `now` have no effect
 * @param now Unix time in seconds
 * @param start `PRICE_REDUCTION_START`: whether a further fall of a reduced price begins a new reduction
 * @returns null if no price was in force
 */
export function lowestPriceOf30Days(
  changes: readonly PriceChange[],
  now: number,
  start: 'each' | 'first',
): number | null {
  const past = changes.filter(({ time }) => time <= now).sort((one, other) => one.time - other.time);
  const end = reductionStartOf(past, start) ?? now;
  const begin = end - PERIOD_SECONDS;
  const inForce = past.filter(({ time }, index) => time < end && (past[index + 1]?.time ?? Infinity) > begin);
  return inForce.length === 0 ? null : Math.min(...inForce.map(({ price }) => price));
}

/**
 * Finds when the current reduction began: the start of the time in which the price was always below the regular price, or
 * with `each` the latest fall of the price since then.
 *
 * @param past changes by time
 * @returns undefined if the price is not reduced
 */
function reductionStartOf(past: readonly PriceChange[], start: 'each' | 'first'): number | undefined {
  const first = past.findLastIndex((change) => !isReduced(change)) + 1;
  if (first === past.length) return undefined;
  const latestFall = past.findLastIndex((change, index) => index > first && change.price < past[index - 1]!.price);
  return past[start === 'each' && latestFall !== -1 ? latestFall : first]!.time;
}

function isReduced({ price, regular_price }: PriceChange): boolean {
  return price < regular_price;
}
