/** Checks that every mutant of `npm run torture -- mutants` still applies to the sources. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isFoundOnce, MUTANTS } from '../torture/mutant-list.ts';

test('every mutant replaces text that is in its file exactly once', () => {
  assert.ok(MUTANTS.length >= 45);
  const wrong = MUTANTS.filter(({ file, from }) => !existsSync(file) || !isFoundOnce(readFileSync(file, 'utf8'), from));
  assert.deepEqual(
    wrong.map(({ name, file, from }) => `“${name}”: ${file} must contain this exactly once: ${from}`),
    [],
  );
});

test('every mutant has a unique name, a different text and existing test files', () => {
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  for (const { name, from, to, tests } of MUTANTS) {
    assert.notEqual(from, to, name);
    assert.ok(tests.length > 0 && tests.every((file) => existsSync(file)), name);
  }
});
