/** What a shipping method costs for an order (shipping.md §3). */
import {
  amountOfMinorUnits,
  type Currency,
  currencyOf,
  minorUnitsOf,
  percentageOf,
  toCommonDenominator,
  toMinorUnits,
  wholeFraction,
} from '../arithmetic.ts';
import type { ShippingBasis } from '../input.ts';
import { isStorable, sum, unitsOf } from '../money.ts';
import type { MatchedZone } from '../zones.ts';
import { type Bounds, contains, MEASURES, rangesOf } from './ranges.ts';

/** A rate of a shipping method for one zone (shipping.md §2). */
export interface ShippingRate extends Bounds {
  readonly id: number;
  readonly zone_id: number;
  readonly markup_flat: number;
  /** Percentage of `discounted_total`. */
  readonly markup_percent: number;
  readonly markup_per_item: number;
  readonly markup_per_weight: number;
}

/** The fields of a shipping method that determine its cost (shipping.md §1). */
export interface ShippingTerms {
  readonly handling_fee: number;
  /** The `discounted_total` from which shipping is free; null for none. */
  readonly free_from: number | null;
  /** Whether a coupon for free shipping makes this method free. */
  readonly free_by_coupon: boolean;
}

/** The cost of a method, or why it is not offered: it has no rate for a zone of the address, or none that applies. */
export type ShippingOffer = { readonly cost: number } | { readonly reason: 'zone' | 'rates' };

/**
 * Computes the cost of a shipping method.
 *
 * @param rates of the method
 * @param zones that match the address, the most specific first (`matchedZones`)
 * @param basis of the lines that need shipping
 * @param currencyCode of all amounts
 */
export function shippingOffer(
  terms: ShippingTerms,
  rates: readonly ShippingRate[],
  zones: readonly MatchedZone[],
  basis: ShippingBasis,
  currencyCode: string,
): ShippingOffer {
  if (basis.items === 0) return { cost: 0 };
  const zone = zones.find(({ id }) => rates.some((rate) => rate.zone_id === id));
  if (!zone) return { reason: 'zone' };
  const rate = rateFor(
    rates.filter(({ zone_id }) => zone_id === zone.id),
    basis,
  );
  if (!rate) return { reason: 'rates' };
  if (isFree(terms, basis)) return { cost: 0 };
  const currency = currencyOf(currencyCode);
  const cost = costOf(rate, basis, currency) + minorUnitsOf(terms.handling_fee, currency);
  return isStorable(cost * currency.step) ? { cost: amountOfMinorUnits(cost, currency) } : { reason: 'rates' };
}

/**
 * Chooses the rate. If several rates apply because they share an end, returns the one with the larger minimum in the first
 * measure in which their minima differ; if all are equal, the one with the smaller maximum.
 */
function rateFor(rates: readonly ShippingRate[], basis: ShippingBasis): ShippingRate | undefined {
  const [first] = rates.filter((rate) => contains(rate, basis)).sort(byPrecedence);
  return first;
}

function byPrecedence(one: ShippingRate, other: ShippingRate): number {
  const [ranges, others] = [rangesOf(one), rangesOf(other)];
  const minimum = MEASURES.findIndex((_, index) => ranges[index]!.min !== others[index]!.min);
  if (minimum !== -1) return ranges[minimum]!.min > others[minimum]!.min ? -1 : 1;
  const maximum = MEASURES.findIndex((_, index) => ranges[index]!.max !== others[index]!.max);
  if (maximum === -1) return one.id - other.id;
  const [max, otherMax] = [ranges[maximum]!.max, others[maximum]!.max];
  return max !== null && (otherMax === null || max < otherMax) ? -1 : 1;
}

function isFree({ free_from, free_by_coupon }: ShippingTerms, basis: ShippingBasis): boolean {
  const isReached = free_from !== null && unitsOf(basis.discounted_total) >= unitsOf(free_from);
  return isReached || (free_by_coupon && basis.free_by_coupon);
}

/** Adds up the four parts exactly, and rounds once. @returns minor units */
function costOf(rate: ShippingRate, basis: ShippingBasis, currency: Currency): bigint {
  const { numerators, denominator } = toCommonDenominator([
    wholeFraction(unitsOf(rate.markup_flat)),
    percentageOf(unitsOf(basis.discounted_total), rate.markup_percent),
    wholeFraction(unitsOf(rate.markup_per_item) * BigInt(basis.items)),
    { numerator: unitsOf(rate.markup_per_weight) * unitsOf(basis.weight), denominator: unitsOf(1) },
  ]);
  return toMinorUnits({ numerator: sum(numerators), denominator }, currency);
}
