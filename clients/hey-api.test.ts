/** `@hey-api/openapi-ts` generates a client from both versions of the document, and a program uses it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { emptyFolder, runTool } from './support/tool.ts';
import { compileAndRun } from './support/typescript.ts';

withStore('@hey-api/openapi-ts', (store) => {
  for (const version of SPEC_VERSIONS)
    test(`a program with the client of @hey-api/openapi-ts compiles and runs (OpenAPI ${version})`, async () => {
      const folder = await emptyFolder(`hey-api-${version}`);
      const generated = await runTool(
        'openapi-ts',
        ['--input', documentUrl(store, version), '--output', join(folder, 'client')],
        { cwd: folder },
      );
      assert.equal(generated.code, 0, generated.output);
      assert.doesNotMatch(generated.output, /warn|error/i);
      // The runtime that the tool copies passes undefined for optional properties.
      await compileAndRun('hey-api', folder, store, { exactOptionalPropertyTypes: false });
    });
});
