/** `openapi-typescript` generates types from both versions of the document, and a program uses them with `openapi-fetch`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { committedTypes, storefrontTypes } from './support/storefront-types.ts';
import { emptyFolder, runTool } from './support/tool.ts';
import { compileAndRun } from './support/typescript.ts';

test('the types of the storefront client are those of the OpenAPI document', async () => {
  const [generated, committed] = await Promise.all([storefrontTypes(), committedTypes()]);
  assert.ok(generated === committed, 'Run: npm run renew:storefront');
});

withStore('openapi-typescript and openapi-fetch', (store) => {
  for (const version of SPEC_VERSIONS)
    test(`a program with openapi-typescript and openapi-fetch compiles and runs (OpenAPI ${version})`, async () => {
      const folder = await emptyFolder(`openapi-typescript-${version}`);
      const generated = await runTool('openapi-typescript', [
        documentUrl(store, version),
        ...['--output', join(folder, 'store.d.ts')],
      ]);
      assert.equal(generated.code, 0, generated.output);
      assert.doesNotMatch(generated.output, /warn|error/i);
      await compileAndRun('openapi-fetch', folder, store);
    });
});
