/**
 * A short run of the fuzzer (`npm run torture -- fuzz` is the long one). Requests with one error get no 5xx and do not change
 * the store, valid writes are read back unchanged, and both databases return the same responses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { storeModel } from '../../src/wiring/open.ts';
import { fuzz } from '../../torture/fuzz.ts';
import { cases } from '../../torture/fuzz-cases.ts';
import { runWith } from '../../torture/report.ts';
import { databaseNames } from '../support/databases.ts';
import { operationsOf } from '../support/openapi.ts';

const SEED = 20260102;

test('600 requests with one error each get equal responses from both databases and no 5xx', async () => {
  const log: string[] = [];
  await runWith(
    'fuzz',
    SEED,
    async (run) => {
      const { statuses } = await fuzz(run, { cases: 600, databases: databaseNames });
      for (const status of [200, 201, 204, 400, 404, 422]) assert.ok(statuses[status], `there were ${status}s`);
    },
    (line) => log.push(line),
  ).catch((error) => assert.fail(`${error.message}\n${log.join('\n')}`));
});

test('the fuzzer generates requests for every operation of the OpenAPI document', () => {
  const document = openApiDocument(storeModel(), { baseUrl: '', programVersion: 'test', specVersion: '3.1.0' });
  const made = new Set(
    fc.sample(cases(document), { seed: SEED, numRuns: 24_000 }).map(({ method, template }) => `${method} ${template}`),
  );
  const missing = operationsOf(document)
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    .filter((operation) => !made.has(operation));
  assert.deepEqual(missing, []);
});
