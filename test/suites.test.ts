/** Checks that the test suites of `support/suites.ts` are complete. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { SUITES } from './support/suites.ts';

test('npm test, test:programs and test:faults together run every test file exactly once', () => {
  const files = [SUITES.all, SUITES.programs, SUITES.faults].flatMap(({ shared, alone }) => [
    ...shared.flat().map((name) => `test/${name}.test.ts`),
    ...alone.flatMap((pattern) => globSync(pattern)),
  ]);
  assert.deepEqual(files.sort(), globSync('test/**/*.test.ts').sort());
});

test('every file of the quick suite exists', () => {
  const files = SUITES.quick.shared.flat().map((name) => `test/${name}.test.ts`);
  assert.deepEqual(
    files.filter((file) => globSync(file).length === 0),
    [],
  );
});
