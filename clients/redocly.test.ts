/** `@redocly/cli lint` reports no problem in either version of the document, with its strictest preset and with all rules. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Json } from '../test/support/openapi.ts';
import { DOCUMENTS, documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { CLIENTS, emptyFolder, runTool } from './support/tool.ts';

const RULES = {
  'recommended-strict, except those that rules/redocly.yaml changes': [
    ...['--extends', 'recommended-strict', '--skip-rule', 'operation-4xx-response'],
    ...['--skip-rule', 'no-invalid-media-type-examples'],
  ],
  'all rules except those that rules/redocly.yaml disables': ['--config', join(CLIENTS, 'rules/redocly.yaml')],
};

/**
 * The contract has `/orders/by_number/{orderNumber}` and `/orders/{id}/details`, `/products/by_url/{clean_url}` and
 * `/products/{product_id}/variants`. Redocly ignores that `by_number` and `by_url` are no integers and reports them as ambiguous.
 * The rule applies to all other paths.
 */
const FALSE_POSITIVE =
  /^no-ambiguous-paths: .*`\/(orders\/by_number|products\/by_url)\/\{\w+\}` and `\/(orders|products)\/\{\w*id\}\//;

withStore('@redocly/cli', (store) => {
  for (const [version, base] of SPEC_VERSIONS.flatMap((each) => DOCUMENTS.map((base) => [each, base] as const)))
    for (const [name, args] of Object.entries(RULES))
      test(`Redocly reports no problem of ${base} (OpenAPI ${version}, rules: ${name})`, async () => {
        const cwd = await emptyFolder('redocly'); // a folder without another configuration
        const linted = await runTool(
          'redocly',
          ['lint', documentUrl(store, version, base), '--format', 'json', '--max-problems', '1000', ...args],
          { cwd },
        );
        const { problems } = JSON.parse(linted.stdout);
        const found = problems.map(({ ruleId, message }: Json) => `${ruleId}: ${message}`);
        assert.deepEqual(
          found.filter((each: string) => !FALSE_POSITIVE.test(each)),
          [],
        );
      });
});
