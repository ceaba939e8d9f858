/** The lowest price of the last 30 days (pricing.md §6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowestPriceOf30Days, type PriceChange } from '../../src/pricing/index.ts';

/** A change on a day, counted from an arbitrary day 0. */
function change(day: number, price: number, regular_price = 100): PriceChange {
  return { time: day * 86_400, price, regular_price };
}

function lowest(changes: readonly PriceChange[], day: number, start: 'each' | 'first' = 'each'): number | null {
  return lowestPriceOf30Days(changes, day * 86_400, start);
}

test('is null if no price was in force before', () => {
  assert.equal(lowest([], 50), null);
  assert.equal(lowest([change(50, 100)], 50), null);
  assert.equal(lowest([change(60, 80)], 70), null);
});

test('of a price that is not reduced, counts the 30 days before now', () => {
  assert.equal(lowest([change(0, 70), change(10, 100)], 40), 100);
  assert.equal(lowest([change(0, 70), change(10.5, 100)], 40), 70);
  assert.equal(lowest([change(0, 70), change(10, 100)], 39), 70);
});

test('includes the price at the start of the 30 days', () => {
  assert.equal(lowest([change(0, 60), change(20, 100), change(31, 80)], 32), 60);
  assert.equal(lowest([change(0, 60), change(1, 100), change(31, 80)], 32), 100);
});

test('does not count the price that begins with the reduction', () => {
  assert.equal(lowest([change(0, 100), change(40, 80)], 41), 100);
});

test('a rise within a reduction begins no new one', () => {
  const changes = [change(0, 100), change(40, 70), change(45, 80)];
  assert.equal(lowest(changes, 46, 'each'), 100);
  assert.equal(lowest(changes, 46, 'first'), 100);
});

test('after a rise, the latest fall begins a new reduction with each', () => {
  const changes = [change(0, 100), change(40, 70), change(45, 90), change(50, 85)];
  assert.equal(lowest(changes, 51, 'each'), 70);
  assert.equal(lowest(changes, 51, 'first'), 100);
});

test('a reduction ends if the price reaches the regular price, also by a fall of the regular price', () => {
  const changes = [change(0, 100), change(40, 80), change(42, 80, 80), change(45, 80, 100)];
  // The reduction began on day 45 without a fall of the price.
  assert.equal(lowest(changes, 46, 'each'), 80);
  assert.equal(lowest(changes.slice(0, 3), 43, 'each'), 80);
});

test('ignores changes after now, and the order of the list', () => {
  const changes = [change(60, 10), change(40, 80), change(0, 100)];
  assert.equal(lowest(changes, 41), 100);
});
