/** Which tax rate applies to a line or a charge (pricing.md §4, *Selection*). */

import type { TaxRate } from './input.ts';
import { isActive, matchesLink } from './matching.ts';
import { sum, unitsOf } from './money.ts';
import type { Reason } from './result.ts';
import type { MatchedZone } from './zones.ts';

/** For whom and where rates are selected. */
export interface TaxSituation {
  readonly membership: number | null;
  /** The zones of the address. */
  readonly zones: readonly MatchedZone[];
  readonly time: number;
}

/** A line is taxed by the rates of the bases `subtotal` and `discounted_subtotal`, a charge by those of `shipping`. */
export type TaxedKind = 'line' | 'charge';

/** The rates of a line or charge. */
export interface SelectedRates {
  /** At most one for each code, by id. */
  readonly all: readonly TaxRate[];
  /** Those of the type `%`. */
  readonly percentages: readonly TaxRate[];
  /** R: the sum of the percentages, in ten-thousandths of a percent (pricing.md §4, *Conversion*). */
  readonly total: bigint;
}

/** The rates of an exempt buyer, or of a product that is not taxable. */
export const NO_RATES: SelectedRates = { all: [], percentages: [], total: 0n };

/** Selects rates by tax class. */
export type RateSelection = (taxClass: number | null) => SelectedRates;

/** Prepares the selection of rates in one situation. Each tax class is decided once. */
export function selectRates(rates: readonly TaxRate[], situation: TaxSituation, kind: TaxedKind): RateSelection {
  const open = rates
    .filter((rate) => isFor(rate, kind) && reasonAgainstRate(rate, situation) === null)
    .sort((one, other) => comparePrecedence(one, other, situation) || one.id - other.id);
  const selected = new Map<number | null, SelectedRates>();
  return (taxClass) => {
    const known = selected.get(taxClass);
    if (known) return known;
    const all = firstOfEachCode(open, taxClass);
    const percentages = all.filter(({ type }) => type === '%');
    const rates = { all, percentages, total: sum(percentages.map(({ value }) => unitsOf(value))) };
    selected.set(taxClass, rates);
    return rates;
  };
}

export function isFor({ base }: TaxRate, kind: TaxedKind): boolean {
  return (base === 'shipping') === (kind === 'charge');
}

/** @returns why a rate applies to no tax class in this situation; null if it could apply */
export function reasonAgainstRate(rate: TaxRate, { membership, zones, time }: TaxSituation): Reason | null {
  if (!rate.enabled) return 'disabled';
  if (!isActive(rate, time)) return 'dates';
  if (!matchesLink(rate.membership, membership)) return 'membership';
  return rate.zone === null || zones.some(({ id }) => id === rate.zone) ? null : 'zone';
}

/** @returns `not_listed` if the rate is for another tax class */
export function reasonAgainstTaxClass(rate: TaxRate, taxClass: number | null): Reason | null {
  return matchesLink(rate.tax_class, taxClass) ? null : 'not_listed';
}

/**
 * Compares two rates of one code: by position; with class first; with membership first; by the more specific zone, null last
 * (pricing.md §4).
 *
 * @returns 0 if only the id decides
 */
export function comparePrecedence(one: TaxRate, other: TaxRate, { zones }: TaxSituation): number {
  const specificityOf = ({ zone }: TaxRate): number => zones.find(({ id }) => id === zone)?.specificity ?? -1;
  return (
    one.position - other.position ||
    Number(one.tax_class === null) - Number(other.tax_class === null) ||
    Number(one.membership === null) - Number(other.membership === null) ||
    specificityOf(other) - specificityOf(one)
  );
}

function firstOfEachCode(sorted: readonly TaxRate[], taxClass: number | null): TaxRate[] {
  const byCode = new Map<string, TaxRate>();
  for (const rate of sorted)
    if (!byCode.has(rate.tax) && reasonAgainstTaxClass(rate, taxClass) === null) byCode.set(rate.tax, rate);
  return [...byCode.values()].sort((one, other) => one.id - other.id);
}
