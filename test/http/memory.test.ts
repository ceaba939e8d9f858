/** The memory of everything that is kept: bounded, and no place for floods. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SegmentedLru } from '../../src/http/cache/segmented-lru.ts';

const entry = (name: string): { name: string } => ({ name });
const found = (memory: SegmentedLru, names: readonly string[]): string[] => names.filter((name) => memory.has(name));

test('what is asked for again stays, whatever else is asked for once', () => {
  const memory = new SegmentedLru(1000);
  for (const name of ['one', 'two']) {
    memory.set(name, entry(name), 100);
    assert.deepEqual(memory.get(name), entry(name));
  }
  memory.set('three', entry('three'), 100);
  for (let flood = 0; flood < 1000; flood += 1) memory.set(`flood ${flood}`, entry('flood'), 100);
  assert.deepEqual(found(memory, ['one', 'two', 'three', 'flood 997', 'flood 998', 'flood 999']), [
    'one',
    'two',
    'flood 998',
    'flood 999',
  ]);
});

test('never holds more than it may', () => {
  const memory = new SegmentedLru(1000);
  const names = Array.from({ length: 50 }, (_, index) => `entry ${index}`);
  for (const name of names) {
    memory.set(name, entry(name), 90);
    memory.get(name);
    memory.set(`${name} once`, entry(name), 90);
  }
  const kept = found(memory, [...names, ...names.map((name) => `${name} once`)]);
  assert.ok(kept.length * 90 <= 1000, `${kept.length} entries`);
  assert.ok(kept.length * 90 >= 800, `${kept.length} entries`);
  memory.set('too large', entry('too large'), 1001);
  assert.equal(memory.has('too large'), false);
});

test('an entry that is set again, larger, is the only one of its name', () => {
  const memory = new SegmentedLru(1000);
  memory.set('entry', entry('before'), 100);
  assert.deepEqual(memory.get('entry'), entry('before'));
  memory.set('entry', entry('after'), 300);
  assert.deepEqual(memory.get('entry'), entry('after'));
});
