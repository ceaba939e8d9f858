/** `orval` generates clients from the document, and a program uses the one for `fetch`. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentUrl, type SpecVersion, withStore } from './support/store.ts';
import { emptyFolder, runTool } from './support/tool.ts';
import { compileAndRun } from './support/typescript.ts';

/** Orval sends requests by a function of the program, which adds the address of the store and the key. */
const CONFIGURATION = `
export default {
  store: {
    input: process.env.DOCUMENT,
    output: { target: 'store.ts', client: 'fetch', override: { mutator: { path: 'send.ts', name: 'send' } } },
  },
};
`;

const SEND = `
const [address, key] = process.argv.slice(2) as [string, string];

export async function send<Result>(path: string, init: RequestInit): Promise<Result> {
  const headers = { 'Content-Type': 'application/json', ...(init.headers as Record<string, string>), 'X-Auth-Token': key };
  const response = await fetch(\`\${address}/api\${path}\`, { ...init, headers });
  const text = await response.text();
  const data: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, data, headers: response.headers } as Result;
}
`;

/** `@hey-api/openapi-ts` uses the other one. */
const VERSION: SpecVersion = '3.0.3';

withStore('orval', (store) => {
  test(`a program with the client of orval compiles and runs (OpenAPI ${VERSION})`, async () => {
    const folder = await emptyFolder(`orval-${VERSION}`);
    await writeFile(join(folder, 'orval.config.mjs'), CONFIGURATION);
    await writeFile(join(folder, 'send.ts'), SEND);
    const generated = await runTool('orval', [], { cwd: folder, env: { DOCUMENT: documentUrl(store, VERSION) } });
    assert.equal(generated.code, 0, generated.output);
    assert.doesNotMatch(generated.output, /warn|error/i);
    await compileAndRun('orval', folder, store);
  });
});
