/** The mistakes that `npm run torture -- mutants` makes in a copy of the program can still be made: their lines are there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isFoundOnce, MUTANTS } from '../torture/mutant-list.ts';

test('every mistake has its place in the program exactly once', () => {
  assert.ok(MUTANTS.length >= 45);
  const wrong = MUTANTS.filter(({ file, from }) => !existsSync(file) || !isFoundOnce(readFileSync(file, 'utf8'), from));
  assert.deepEqual(
    wrong.map(({ name, file, from }) => `“${name}”: ${file} should have this exactly once: ${from}`),
    [],
  );
});

test('every mistake changes something, is called by a name of its own, and has tests that are there', () => {
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  for (const { name, from, to, tests } of MUTANTS) {
    assert.notEqual(from, to, name);
    assert.ok(tests.length > 0 && tests.every((file) => existsSync(file)), name);
  }
});
