/** Checks that the test suites of `support/suites.ts` are complete. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesAlone, SUITES } from './support/suites.ts';

test('npm test, test:programs, test:faults and clients together run every test file exactly once', () => {
  const files = [SUITES.all, SUITES.programs, SUITES.faults, SUITES.clients].flatMap((suite) => [
    ...suite.shared.flat().map((name) => join('test', `${name}.test.ts`)),
    ...filesAlone(suite),
  ]);
  assert.deepEqual(files.sort(), globSync('{clients,test}/**/*.test.ts', { exclude: ['**/node_modules'] }).sort());
});

test('every file of the quick suite exists', () => {
  const files = SUITES.quick.shared.flat().map((name) => `test/${name}.test.ts`);
  assert.deepEqual(
    files.filter((file) => globSync(file).length === 0),
    [],
  );
});
