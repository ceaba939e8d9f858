/** `@hey-api/openapi-ts`: a client generated of both versions of the document, and a program that uses it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, SPEC_VERSIONS, withStore } from './support/store.ts';
import { emptyFolder, runTool } from './support/tool.ts';
import { compileAndRun } from './support/typescript.ts';

withStore('@hey-api/openapi-ts', (store) => {
  for (const version of SPEC_VERSIONS)
    test(`a program of its functions works (OpenAPI ${version})`, async () => {
      const folder = await emptyFolder(`hey-api-${version}`);
      const generated = await runTool(
        'openapi-ts',
        ['--input', documentUrl(store, version), '--output', join(folder, 'client')],
        { cwd: folder },
      );
      assert.equal(generated.code, 0, generated.said);
      assert.doesNotMatch(generated.said, /warn|error/i);
      // Its own runtime, which it copies beside what it generates, passes undefined where a property may only be missing.
      await compileAndRun('hey-api', folder, store, { exactOptionalPropertyTypes: false });
    });
});
