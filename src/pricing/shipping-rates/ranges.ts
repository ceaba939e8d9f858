/** The ranges of shipping rates, and which rates overlap (shipping.md §2). */
import type { ShippingBasis } from '../input.ts';
import { unitsOf } from '../money.ts';

/** What a rate limits, in the order in which rates are compared. */
export const MEASURES = ['weight', 'total', 'discounted_total', 'items'] as const;

type Measure = (typeof MEASURES)[number];

/** The bounds of a rate. Both are inclusive; a maximum of null is no limit. */
export type Bounds = Readonly<Record<`min_${Measure}`, number>> & Readonly<Record<`max_${Measure}`, number | null>>;

/** A range in its smallest unit: 0.0001, or 1 item. */
export interface Range {
  readonly min: bigint;
  /** Null: no limit. */
  readonly max: bigint | null;
}

/** Returns the ranges of a rate, in the order of `MEASURES`. */
export function rangesOf(bounds: Bounds): Range[] {
  return MEASURES.map((measure) => {
    const max = bounds[`max_${measure}`];
    return { min: exact(measure, bounds[`min_${measure}`]), max: max === null ? null : exact(measure, max) };
  });
}

/** Whether a rate applies to this basis. */
export function contains(bounds: Bounds, basis: ShippingBasis): boolean {
  return rangesOf(bounds).every(({ min, max }, index) => {
    const measure = MEASURES[index]!;
    const value = exact(measure, basis[measure]);
    return min <= value && (max === null || value <= max);
  });
}

/**
 * Whether two rates overlap: in each of the four ranges, they share more than a value that is an end of both, or both are the
 * same single value.
 */
export function overlap(one: Bounds, other: Bounds): boolean {
  const others = rangesOf(other);
  return rangesOf(one).every((range, index) => overlapIn(range, others[index]!));
}

function overlapIn(one: Range, other: Range): boolean {
  const areSameValue = one.min === one.max && other.min === other.max && one.min === other.min;
  return areSameValue || !(endsBefore(one, other) || endsBefore(other, one));
}

/** Whether a range ends where another one begins, or before. */
function endsBefore({ max }: Range, { min }: Range): boolean {
  return max !== null && max <= min;
}

function exact(measure: Measure, value: number): bigint {
  return measure === 'items' ? BigInt(value) : unitsOf(value);
}
