/** The memory of the response cache: limited, and resistant to floods of single requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SegmentedLru } from '../../src/http/cache/segmented-lru.ts';

const entry = (name: string): { name: string } => ({ name });
const found = (lru: SegmentedLru, names: readonly string[]): string[] => names.filter((name) => lru.has(name));

test('entries requested repeatedly are not evicted by entries requested once', () => {
  const lru = new SegmentedLru(1000);
  for (const name of ['one', 'two']) {
    lru.set(name, entry(name), 100);
    assert.deepEqual(lru.get(name), entry(name));
  }
  lru.set('three', entry('three'), 100);
  for (let flood = 0; flood < 1000; flood += 1) lru.set(`flood ${flood}`, entry('flood'), 100);
  assert.deepEqual(found(lru, ['one', 'two', 'three', 'flood 997', 'flood 998', 'flood 999']), [
    'one',
    'two',
    'flood 998',
    'flood 999',
  ]);
});

test('the size never exceeds the limit', () => {
  const lru = new SegmentedLru(1000);
  const names = Array.from({ length: 50 }, (_, index) => `entry ${index}`);
  for (const name of names) {
    lru.set(name, entry(name), 90);
    lru.get(name);
    lru.set(`${name} once`, entry(name), 90);
  }
  const present = found(lru, [...names, ...names.map((name) => `${name} once`)]);
  assert.ok(present.length * 90 <= 1000, `${present.length} entries`);
  assert.ok(present.length * 90 >= 800, `${present.length} entries`);
  lru.set('too large', entry('too large'), 1001);
  assert.equal(lru.has('too large'), false);
});

test('an entry set again replaces the previous one', () => {
  const lru = new SegmentedLru(1000);
  lru.set('entry', entry('before'), 100);
  assert.deepEqual(lru.get('entry'), entry('before'));
  lru.set('entry', entry('after'), 300);
  assert.deepEqual(lru.get('entry'), entry('after'));
});
