/** Rounding and allocation (pricing.md §§3, 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allocate, type Rounding, rounded } from '../../src/pricing/arithmetic.ts';

for (const [rounding, expected] of [
  ['half_up', [1n, 2n, 3n, 0n, 1n, -1n, -3n]],
  ['half_even', [0n, 2n, 2n, 0n, 1n, 0n, -2n]],
  ['half_down', [0n, 1n, 2n, 0n, 1n, 0n, -2n]],
  ['down', [0n, 1n, 2n, 0n, 0n, 0n, -2n]],
] as const satisfies readonly [Rounding, readonly bigint[]][])
  test(`${rounding} rounds halves and other fractions of both signs`, () => {
    const tenths = [5n, 15n, 25n, 4n, 6n, -5n, -25n];
    assert.deepEqual(
      tenths.map((numerator) => rounded({ numerator, denominator: 10n }, rounding)),
      expected,
    );
  });

test('allocates remaining units to the largest fractions, ties to the lower index', () => {
  assert.deepEqual(allocate(1000n, [1n, 1n, 1n]), [334n, 333n, 333n]);
  assert.deepEqual(allocate(5n, [1n, 0n, 1n, 1n, 1n]), [2n, 0n, 1n, 1n, 1n]);
  assert.deepEqual(allocate(3n, [1n, 4n, 1n]), [1n, 2n, 0n]);
});

test('allocates everything to part 0 if all weights are 0', () => {
  assert.deepEqual(allocate(7n, [0n, 0n]), [7n, 0n]);
});

test('parts add up, and differ from their exact part by less than a unit', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(amount, fc.array(amount, { minLength: 1 }), (whole, weights) => {
      const parts = allocate(whole, weights);
      const total = weights.reduce((sum, weight) => sum + weight, 0n);
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0n),
        whole,
      );
      if (total === 0n) return;
      for (const [index, part] of parts.entries()) {
        const difference = part * total - whole * weights[index]!;
        assert.ok(difference < total && difference > -total);
      }
    }),
  );
});
