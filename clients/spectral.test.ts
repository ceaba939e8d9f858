/** `@stoplight/spectral-cli` reports no problem and no hint in either version of the document. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DOCUMENTS, documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { CLIENTS, runTool } from './support/tool.ts';

withStore('@stoplight/spectral-cli', (store) => {
  for (const [version, base] of SPEC_VERSIONS.flatMap((each) => DOCUMENTS.map((base) => [each, base] as const)))
    test(`Spectral reports no problem of ${base} with the rules of spectral:oas (OpenAPI ${version})`, async () => {
      const linted = await runTool('spectral', [
        'lint',
        documentUrl(store, version, base),
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
