/** `@hey-api/openapi-ts` generates a client from the document, and a program uses it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, type SpecVersion, withStore } from './support/store.ts';
import { emptyFolder, runTool } from './support/tool.ts';
import { compileAndRun } from './support/typescript.ts';

/** orval uses the other one. */
const VERSION: SpecVersion = '3.1.0';

withStore('@hey-api/openapi-ts', (store) => {
  test(`a program with the client of @hey-api/openapi-ts compiles and runs (OpenAPI ${VERSION})`, async () => {
    const folder = await emptyFolder(`hey-api-${VERSION}`);
    const generated = await runTool(
      'openapi-ts',
      ['--input', documentUrl(store, VERSION), '--output', join(folder, 'client')],
      { cwd: folder },
    );
    assert.equal(generated.code, 0, generated.output);
    assert.doesNotMatch(generated.output, /warn|error/i);
    // The runtime that the tool copies passes undefined for optional properties.
    await compileAndRun('hey-api', folder, store, { exactOptionalPropertyTypes: false });
  });
});
