/** Runs the races and random steps of `npm test` with many rounds (`support/rounds.ts`). */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';

const FILES: readonly [file: string, suites: string][] = [
  ['api/category-tree', 'concurrent moves|deletion of categories'],
  ['api/attribute-values', 'deletion of values|deletion during a concurrent reference'],
  ['api/concurrency', 'concurrent deletion'],
  ['api/order-money', 'totals of random orders'],
  ['api/order-option-totals', 'random lines with options'],
  ['api/order-stock', 'random sequences'],
  ['api/order-units', 'units of concurrent orders'],
  ['engine/text-indexes', 'lists with text indexes'],
  ['http/cached-lists', 'returns what the store contains after every write'],
];

for (const [file, suites] of FILES)
  test(`${file} passes with many rounds: ${suites.replaceAll('|', ', ')}`, async () => {
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
    const args = ['--test', '--test-reporter=spec', `--test-name-pattern=${suites}`, `test/${file}.test.ts`];
    const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) => {
      const options = { env: { ...environment, TEST_ROUNDS: 'many' }, maxBuffer: 2 ** 26 };
      execFile(process.execPath, args, options, (error, stdout) => resolve({ failed: error !== null, output: stdout }));
    });
    assert.equal(failed, false, output);
    assert.doesNotMatch(output, /^ℹ pass 0$/m);
  });
