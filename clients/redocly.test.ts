/** `@redocly/cli lint` finds nothing in either version of the document: its strictest ready-made set, and all its rules. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Json } from '../test/support/openapi.ts';
import { documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { CLIENTS, emptyFolder, runTool } from './support/tool.ts';

const RULES = {
  'recommended-strict': ['--extends', 'recommended-strict'],
  'all, but for what rules/redocly.yaml gives a reason for': ['--config', join(CLIENTS, 'rules/redocly.yaml')],
};

/**
 * The contract has `/orders/by_number/{orderNumber}` beside `/orders/{id}/details`. Redocly compares paths without their
 * parameters' schemas: `by_number` is no integer, so the two never meet. The rule stays on for all other paths.
 */
const IS_FIXED = /^no-ambiguous-paths: .*`\/orders\/by_number\/\{orderNumber\}` and `\/orders\/\{(order_)?id\}\//;

withStore('@redocly/cli', (store) => {
  for (const version of SPEC_VERSIONS)
    for (const [name, args] of Object.entries(RULES))
      test(`rules hold (OpenAPI ${version}): ${name}`, async () => {
        const cwd = await emptyFolder('redocly'); // where it finds no other configuration
        const linted = await runTool(
          'redocly',
          ['lint', documentUrl(store, version), '--format', 'json', '--max-problems', '1000', ...args],
          { cwd },
        );
        const { problems } = JSON.parse(linted.stdout);
        const found = problems.map(({ ruleId, message }: Json) => `${ruleId}: ${message}`);
        assert.deepEqual(
          found.filter((each: string) => !IS_FIXED.test(each)),
          [],
        );
      });
});
