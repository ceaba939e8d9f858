/** `@stoplight/spectral-cli` reports no problem and no hint in either version of the document. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { CLIENTS, runTool } from './support/tool.ts';

withStore('@stoplight/spectral-cli', (store) => {
  for (const version of SPEC_VERSIONS)
    test(`Spectral reports no problem with the rules of spectral:oas (OpenAPI ${version})`, async () => {
      const linted = await runTool('spectral', [
        'lint',
        documentUrl(store, version),
        ...[
          '--ruleset',
          join(CLIENTS, 'rules/spectral.yaml'),
          '--fail-severity',
          'hint',
          '--format',
          'json',
          '--quiet',
        ],
      ]);
      assert.deepEqual([linted.code, JSON.parse(linted.stdout), linted.stderr], [0, [], '']);
    });
});
