/** After random changes, the order of the identifiers equals the order after sorting all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderedIds } from '../../src/http/cache/ordered-ids.ts';
import { Random } from '../../torture/random.ts';

for (const size of [0, 1, 2, 40, 5000])
  test(`inserts, removes and moves records in a list of ${size}`, async () => {
    const random = new Random(size);
    const keys = new Map<number, number>();
    for (let id = 1; id <= size; id += 1) keys.set(id, random.whole(0, size / 2));
    const sorted = (ids: Iterable<number>): number[] =>
      [...ids].filter((id) => keys.has(id)).sort((one, other) => keys.get(one)! - keys.get(other)! || one - other);
    const ordered = new OrderedIds(sorted(keys.keys()));
    let queried = 0;
    for (let round = 0; round < 60; round += 1) {
      const changed = new Set<number>();
      const neighbours = random.whole(1, size + 5);
      for (let count = random.pick([1, 2, 3, 30, 300]); count > 0; count -= 1) {
        const id = random.chance(0.3) ? neighbours + count : random.whole(1, size + 20);
        changed.add(id);
        if (random.chance(0.3)) keys.delete(id);
        else keys.set(id, random.pick([0, size, random.whole(0, size)]));
      }
      const edits = await ordered.editsFor(changed, async (ids) => {
        queried += ids.length;
        return sorted(ids);
      });
      ordered.apply(edits!);
      assert.deepEqual(ordered.slice(0, Number.MAX_SAFE_INTEGER), sorted(keys.keys()), `round ${round}`);
      assert.equal(ordered.length, keys.size);
    }
    assert.ok(queried / 60 < 1500, `${queried} records were queried`);
  });

test('detects a changed record that was not reported', async () => {
  const ordered = new OrderedIds([1, 2, 3, 4, 5]);
  const edits = await ordered.editsFor(new Set([9]), async (ids) => ids.filter((id) => id !== 3));
  assert.equal(edits, undefined);
  assert.deepEqual(ordered.slice(1, 3), [2, 3]);
});

test('detects records that moved without being reported', async () => {
  const ordered = new OrderedIds(Array.from({ length: 5000 }, (_, index) => index));
  const [low, high] = [10_000, 20_000];
  const keyOf = (id: number): number => (id === low ? 1500.5 : id === high ? 3500.5 : id);
  let queried = 0;
  const edits = await ordered.editsFor(new Set([low, high]), async (ids) => {
    const sorted = ids.toSorted((one, other) => keyOf(one) - keyOf(other));
    queried += 1;
    assert.ok(queried < 100, 'does not terminate');
    if (queried < 3) return sorted;
    // Between two queries the second half has moved before the first.
    const unchanged = sorted.filter((id) => id < low);
    return [low, ...unchanged.filter((id) => id >= 2500), ...unchanged.filter((id) => id < 2500), high];
  });
  assert.equal(edits, undefined);
});

test('accepts only integers of 32 bits', () => {
  assert.ok(OrderedIds.fits([0, 2 ** 32 - 1]));
  for (const ids of [[-1], [1.5], [2 ** 32], ['a'], [null]]) assert.equal(OrderedIds.fits(ids), false, String(ids));
});
