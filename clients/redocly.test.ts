/** `@redocly/cli lint` finds nothing in either version of the document: its strictest ready-made set, and all its rules. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { CLIENTS, emptyFolder, runTool } from './support/tool.ts';

const RULES = {
  'recommended-strict': ['--extends', 'recommended-strict'],
  'all, but for what rules/redocly.yaml gives a reason for': ['--config', join(CLIENTS, 'rules/redocly.yaml')],
};

withStore('@redocly/cli', (store) => {
  for (const version of SPEC_VERSIONS)
    for (const [name, args] of Object.entries(RULES))
      test(`rules hold (OpenAPI ${version}): ${name}`, async () => {
        const cwd = await emptyFolder('redocly'); // where it finds no other configuration
        const linted = await runTool('redocly', ['lint', documentUrl(store, version), '--format', 'json', ...args], { cwd });
        const { totals, problems } = JSON.parse(linted.stdout);
        assert.deepEqual([linted.code, totals, problems], [0, { errors: 0, warnings: 0, ignored: 0 }, []]);
      });
});
