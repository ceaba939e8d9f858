/** Which orders no rate of a shipping method and zone applies to (shipping.md §3). */
import { amountOf } from '../money.ts';
import { type Bounds, MEASURES, type Range, rangesOf } from './ranges.ts';

/** One range for each measure, in the order of `MEASURES`. */
type Box = readonly Range[];

/** Maximum number of holes that are listed. Thousands of small rates can leave more than anybody can read. */
const HOLES_MAX = 1000;

/**
 * Maximum number of comparisons of a box with a rate for one response. A thousand rates can divide everything into millions of boxes,
 * and other requests wait meanwhile.
 */
const COMPARISONS_MAX = 1_000_000;

/** Every order that needs shipping: it has at least one item. */
const EVERYTHING: Box = MEASURES.map((measure) => ({ min: measure === 'items' ? 1n : 0n, max: null }));

/** The holes between the rates of one zone. */
interface Holes {
  /** Disjoint boxes, by their minima. */
  readonly holes: Bounds[];
  /** Whether there are no other ones. */
  readonly complete: boolean;
}

/** What a search has found, and may still do. */
interface Search {
  readonly holes: Box[];
  comparisons: number;
}

/**
 * Finds the holes between the rates of one zone: at most `HOLES_MAX`, with a limited number of comparisons.
 *
 * @param share the part of `COMPARISONS_MAX` that this zone may use
 */
export function holesBetween(rates: readonly Bounds[], share = 1): Holes {
  const search: Search = { holes: [], comparisons: COMPARISONS_MAX * share };
  const complete = findHoles(EVERYTHING, rates.map(rangesOf).sort(byMinima), search);
  return { holes: search.holes.sort(byMinima).map(boundsOf), complete };
}

/**
 * Divides what the rates leave of a box into disjoint boxes, which it adds to the holes.
 *
 * @returns whether these are all
 */
function findHoles(box: Box, rates: readonly Box[], search: Search): boolean {
  search.comparisons -= rates.length;
  if (search.comparisons < 0) return false;
  const [rate, ...others] = rates.filter((each) => each.every((range, index) => meet(range, box[index]!)));
  if (rate) return without(box, rate).every((part) => findHoles(part, others, search));
  if (search.holes.length === HOLES_MAX) return false;
  search.holes.push(box);
  return true;
}

/** Divides a box without another one that meets it: for each measure, the parts below and above, which are then cut off. */
function without(box: Box, removed: Box): Box[] {
  const rest = [...box];
  return MEASURES.flatMap((_, index) => {
    const { min, max } = box[index]!;
    const cut = removed[index]!;
    const parts: Range[] = [
      ...(cut.min > min ? [{ min, max: cut.min - 1n }] : []),
      ...(cut.max !== null && (max === null || cut.max < max) ? [{ min: cut.max + 1n, max }] : []),
    ];
    const boxes = parts.map((part) => rest.with(index, part));
    rest[index] = { min: cut.min > min ? cut.min : min, max: smaller(max, cut.max) };
    return boxes;
  });
}

function meet(one: Range, other: Range): boolean {
  return (one.max === null || one.max >= other.min) && (other.max === null || other.max >= one.min);
}

/** The smaller of two maxima. */
function smaller(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function byMinima(one: Box, other: Box): number {
  for (const [index, { min }] of one.entries()) if (min !== other[index]!.min) return min < other[index]!.min ? -1 : 1;
  return 0;
}

function boundsOf(box: Box): Bounds {
  const bound = (value: bigint, index: number): number =>
    MEASURES[index] === 'items' ? Number(value) : amountOf(value);
  return Object.fromEntries(
    box.flatMap(({ min, max }, index) => [
      [`min_${MEASURES[index]}`, bound(min, index)],
      [`max_${MEASURES[index]}`, max === null ? null : bound(max, index)],
    ]),
  ) as Bounds;
}
