/** Races and random steps that `npm test` tries a few times, tried many times (`support/rounds.ts`). */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';

const FILES: readonly [file: string, suites: string][] = [
  ['api/category-tree', 'two moves at once|deleting'],
  ['api/attribute-values', 'the product of a class|what is deleted while it is named'],
  ['api/concurrency', 'deleted at once'],
  ['api/order-money', 'money of random orders'],
  ['api/order-options-sums', 'random lines with options'],
  ['api/order-stock', 'random sequences'],
  ['engine/text-indexes', 'texts are found by their trigrams'],
  ['http/cached-and-uncached', 'cached responses equal'],
  ['http/cached-lists', 'returns what the store contains after every write'],
];

for (const [file, suites] of FILES)
  test(`${file}: ${suites.replaceAll('|', ', ')}`, async () => {
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
    const args = ['--test', '--test-reporter=spec', `--test-name-pattern=${suites}`, `test/${file}.test.ts`];
    const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) => {
      const options = { env: { ...environment, TEST_ROUNDS: 'many' }, maxBuffer: 2 ** 26 };
      execFile(process.execPath, args, options, (error, stdout) => resolve({ failed: error !== null, output: stdout }));
    });
    assert.equal(failed, false, output);
    assert.doesNotMatch(output, /^ℹ pass 0$/m);
  });
