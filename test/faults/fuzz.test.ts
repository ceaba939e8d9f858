/**
 * A short run of the fuzzer (`npm run torture -- fuzz` is the long one): requests with one thing wrong get no 5xx and change
 * nothing, right ones are read as they were written, and both databases say the same.
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

const SEED = 20260101;

test('hundreds of requests, each with one thing wrong, on both databases', async () => {
  const told: string[] = [];
  await runWith(
    'fuzz',
    SEED,
    async (run) => {
      const { statuses } = await fuzz(run, { cases: 600, databases: databaseNames });
      for (const status of [200, 201, 204, 400, 404, 422]) assert.ok(statuses[status], `there were ${status}s`);
    },
    (line) => told.push(line),
  ).catch((error) => assert.fail(`${error.message}\n${told.join('\n')}`));
});

test('every operation of the document is among the cases', () => {
  const document = openApiDocument(storeModel(), { baseUrl: '', programVersion: 'test', specVersion: '3.1.0' });
  const made = new Set(
    fc.sample(cases(document), { seed: SEED, numRuns: 24_000 }).map(({ method, template }) => `${method} ${template}`),
  );
  const missing = operationsOf(document)
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    .filter((operation) => !made.has(operation));
  assert.deepEqual(missing, []);
});
