/** Costs, overlaps and holes of random shipping rates against second implementations (shipping.md §§2, 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalsOf } from '../../src/pricing/currencies.ts';
import {
  type Bounds,
  holesBetween,
  MEASURES,
  overlap,
  type ShippingBasis,
  type ShippingRate,
  type ShippingTerms,
  shippingOffer,
} from '../../src/pricing/index.ts';
import { rounds } from '../support/rounds.ts';

const RUNS = rounds(500, 100_000);

/** Few values, so that ranges often meet at their ends. Amounts are ten-thousandths. */
const GRID = 4;

/** All bounds of one range on the grid. A maximum of `GRID` is no limit. */
const range = fc
  .tuple(fc.integer({ min: 0, max: GRID - 1 }), fc.integer({ min: 0, max: GRID }))
  .map(([one, other]): [number, number] => (one <= other ? [one, other] : [other, one]));

/** @param unit the value of 1 on the grid, for amounts */
const bounds = (unit = 0.0001): fc.Arbitrary<Bounds> =>
  fc.tuple(range, range, range, range).map(
    (ranges) =>
      Object.fromEntries(
        MEASURES.flatMap((measure, index) => {
          const [min, max] = ranges[index]!;
          const scaled = (value: number) => (measure === 'items' ? value : Math.round(value * unit * 10_000) / 10_000);
          return [
            [`min_${measure}`, scaled(min)],
            [`max_${measure}`, max === GRID ? null : scaled(max)],
          ];
        }),
      ) as unknown as Bounds,
  );

/** Ten-thousandths of a decimal, read from its text. */
function exact(value: number): bigint {
  const [whole, decimals = ''] = value.toFixed(4).split('.');
  return BigInt(`${whole}${decimals}`);
}

/** Rates of one zone without overlaps: those that overlap an earlier one are left out. */
const disjoint = (unit?: number) =>
  fc.array(bounds(unit), { maxLength: 12 }).map((all) => {
    const kept: Bounds[] = [];
    for (const one of all) if (kept.every((each) => !overlap(each, one))) kept.push(one);
    return kept;
  });

type Point = readonly number[];

/** Points of the grid and one beyond it. */
const POINTS: readonly Point[] = MEASURES.reduce<Point[]>(
  (points, measure) =>
    points.flatMap((point) =>
      [...Array(GRID + 2).keys()].filter((value) => measure !== 'items' || value > 0).map((value) => [...point, value]),
    ),
  [[]],
);

/** Whether bounds contain a point of the grid. */
function covers(one: Bounds, point: Point): boolean {
  return MEASURES.every((measure, index) => {
    const value = measure === 'items' ? point[index]! : point[index]! / 10_000;
    const max = one[`max_${measure}`];
    return one[`min_${measure}`] <= value && (max === null || value <= max);
  });
}

test('rates overlap if they share more than an end of a range', () => {
  /** Values that both ranges have, in halves, so that there is one between any two ends. */
  const overlapIn = (one: Bounds, other: Bounds, measure: (typeof MEASURES)[number]): boolean => {
    const ends = (each: Bounds) => {
      const scale = measure === 'items' ? 2 : 20_000;
      const max = each[`max_${measure}`];
      return [Math.round(each[`min_${measure}`] * scale), max === null ? 1000 : Math.round(max * scale)] as const;
    };
    const [[min, max], [otherMin, otherMax]] = [ends(one), ends(other)];
    const shared = [...Array(1001).keys()].filter(
      (value) => min <= value && value <= max && otherMin <= value && value <= otherMax,
    );
    const isEndOfBoth = (value: number) => [min, max].includes(value) && [otherMin, otherMax].includes(value);
    const areSameValue = min === max && otherMin === otherMax && min === otherMin;
    return areSameValue || shared.some((value) => !isEndOfBoth(value)) || shared.length > 1;
  };
  fc.assert(
    fc.property(bounds(), bounds(), (one, other) => {
      const expected = MEASURES.every((measure) => overlapIn(one, other, measure));
      assert.equal(overlap(one, other), expected);
      assert.equal(overlap(other, one), expected);
    }),
    { numRuns: RUNS },
  );
});

test('each order is covered by a rate, or by exactly one hole', () => {
  fc.assert(
    fc.property(disjoint(), (rates) => {
      const { holes, complete } = holesBetween(rates);
      assert.ok(complete);
      for (const point of POINTS) {
        const isCovered = rates.some((rate) => covers(rate, point));
        assert.equal(holes.filter((hole) => covers(hole, point)).length, isCovered ? 0 : 1, `${point}`);
      }
      for (const hole of holes) assert.ok(POINTS.some((point) => covers(hole, point)));
    }),
    { numRuns: Math.ceil(RUNS / 5) },
  );
});

test('at most 1000 holes are listed, even between a thousand rates', () => {
  const open = { ...{ min_total: 0, max_total: null, min_discounted_total: 0, max_discounted_total: null } };
  const table = (from: number, to: number, item: number): Bounds => ({
    ...open,
    ...{ min_weight: from, max_weight: to, min_items: item, max_items: item },
  });
  const scattered = Array.from({ length: 1000 }, (_, index) => table(2 * index + 1, 2 * index + 2, (index % 50) + 2));
  const { holes, complete } = holesBetween(scattered);
  assert.deepEqual([holes.length, complete], [1000, false]);
  const steps = Array.from({ length: 1000 }, (_, index) => ({
    ...table(index / 2, index / 2 + 0.4999, 1),
    max_items: null,
  }));
  assert.deepEqual(holesBetween(steps), {
    holes: [{ ...open, min_weight: 500, max_weight: null, min_items: 1, max_items: null }],
    complete: true,
  });
});

test('a search that would divide everything into too many boxes stops, and is not complete', () => {
  /** Rates for all orders: bands of totals, each with two ranges of weights that meet elsewhere. */
  const bands = (count: number): Bounds[] =>
    Array.from({ length: count }, (_, index) => {
      const band = { min_total: index, max_total: index === count - 1 ? null : index + 0.9999 };
      const others = { min_discounted_total: 0, max_discounted_total: null, min_items: 0, max_items: null };
      const weight = ((index * 7) % count) + 1;
      return [
        { ...band, ...others, min_weight: 0, max_weight: weight - 0.0001 },
        { ...band, ...others, min_weight: weight, max_weight: null },
      ];
    }).flat();
  assert.deepEqual(holesBetween(bands(50)), { holes: [], complete: true });
  assert.equal(holesBetween(bands(50), 0.01).complete, false);
  assert.equal(holesBetween(bands(500)).complete, false);
});

/** Independent implementation of shipping.md §3, with fractions of integers. */
function expectedCost(
  { handling_fee, free_from, free_by_coupon }: ShippingTerms,
  rates: readonly ShippingRate[],
  zones: readonly number[],
  basis: ShippingBasis,
  currency: string,
): bigint | undefined {
  if (basis.items === 0) return 0n;
  const zone = zones.find((id) => rates.some(({ zone_id }) => zone_id === id));
  const value = (measure: (typeof MEASURES)[number]) => exact(basis[measure]);
  const applying = rates.filter(
    (rate) =>
      rate.zone_id === zone &&
      MEASURES.every((measure) => {
        const max = rate[`max_${measure}`];
        return exact(rate[`min_${measure}`]) <= value(measure) && (max === null || value(measure) <= exact(max));
      }),
  );
  if (applying.length === 0) return undefined;
  const LAST = 10n ** 30n;
  const key = (rate: ShippingRate) => [
    ...MEASURES.map((measure) => -exact(rate[`min_${measure}`])),
    ...MEASURES.map((measure) => (rate[`max_${measure}`] === null ? LAST : exact(rate[`max_${measure}`]!))),
  ];
  const rate = applying.reduce((best, each) => {
    const [one, other] = [key(each), key(best)];
    const at = one.findIndex((part, index) => part !== other[index]);
    return at !== -1 && one[at]! < other[at]! ? each : best;
  });
  if (free_from !== null && basis.discounted_total >= free_from) return 0n;
  if (free_by_coupon && basis.free_by_coupon) return 0n;
  // All in units of 10^-10: percent × amount has 10^-8 and a hundredth of it.
  const cost =
    exact(rate.markup_flat) * 10n ** 6n +
    exact(rate.markup_percent) * exact(basis.discounted_total) +
    exact(rate.markup_per_item) * BigInt(basis.items) * 10n ** 6n +
    exact(rate.markup_per_weight) * exact(basis.weight) * 100n;
  const minorUnit = 10n ** BigInt(10 - decimalsOf(currency));
  const fee = exact(handling_fee) * 10n ** 6n;
  return (2n * cost + minorUnit) / (2n * minorUnit) + fee / minorUnit;
}

test('costs equal those of a second implementation', () => {
  const amount = (max: number) => fc.integer({ min: 0, max }).map((units) => units / 10_000);
  const scenario = fc.constantFrom('USD', 'JPY', 'KWD').chain((currency) => {
    const minor = 10 ** decimalsOf(currency);
    const money = fc.integer({ min: 0, max: GRID * 10 * minor }).map((units) => units / minor);
    const markups = fc.record({
      markup_flat: amount(100_000),
      markup_percent: amount(1_000_000),
      markup_per_item: amount(50_000),
      markup_per_weight: amount(50_000),
    });
    const ofZone = (zone_id: number) =>
      fc
        .tuple(disjoint(10), fc.array(markups, { minLength: 12, maxLength: 12 }))
        .map(([all, prices]) =>
          all.map((each, index): ShippingRate => ({ ...each, ...prices[index]!, id: zone_id * 100 + index, zone_id })),
        );
    /** On the ends of ranges, or between them. */
    const near = fc.oneof(fc.constantFrom(0, 10, 20, 30, 40), money);
    return fc.record({
      currency: fc.constant(currency),
      terms: fc.record({
        handling_fee: money,
        free_from: fc.option(near),
        free_by_coupon: fc.boolean(),
      }),
      rates: fc.tuple(ofZone(1), ofZone(2)).map((both) => both.flat()),
      zones: fc.shuffledSubarray([1, 2, 3]),
      basis: fc.record({
        items: fc.integer({ min: 0, max: GRID + 1 }),
        weight: fc.oneof(near, amount(500_000)),
        total: near,
        discounted_total: near,
        free_by_coupon: fc.boolean(),
      }),
    });
  });
  let offered = 0;
  fc.assert(
    fc.property(scenario, ({ currency, terms, rates, zones, basis }) => {
      const expected = expectedCost(terms, rates, zones, basis, currency);
      const matched = zones.map((id, index) => ({ id, specificity: 4 - index }));
      const offer = shippingOffer(terms, rates, matched, basis, currency);
      if (expected === undefined) {
        const hasZone = zones.some((id) => rates.some(({ zone_id }) => zone_id === id));
        assert.deepEqual(offer, { reason: hasZone ? 'rates' : 'zone' });
      } else {
        offered += 1;
        assert.deepEqual(offer, { cost: Number(expected) / 10 ** decimalsOf(currency) });
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(offered > RUNS / 10, `only ${offered} of ${RUNS} orders had a cost`);
});
