/**
 * `@apideck/portman` makes a collection with contract tests of the document, and `newman` runs it against the store. Every
 * operation is asked for once; the records that it is asked about are made beforehand, for it alone.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationsOf } from '../test/support/openapi.ts';
import { Records } from '../test/support/operation-records.ts';
import { READ_WRITE_KEY, SPEC_VERSIONS, withoutLines, withStore } from './support/store.ts';
import { emptyFolder, runTool } from './support/tool.ts';

/**
 * Requests that it makes wrong, with the answer that must come: it asks for the type of the refusal alone. It looks for the
 * fields in the schema: where the body is without an optional list, a wrong element of it changes nothing, the body is
 * sent right and taken. So the operations whose bodies have such lists, or which are sent with only what they need, are left out.
 */
const REFUSALS = [
  {
    openApiOperation: 'POST::/*',
    openApiResponse: '422',
    excludeForOperations: [
      'createOrder',
      'createTransaction',
      'editOrder',
      'createOrderInvoice',
      'createProfileAddress',
    ],
    fuzzing: [{ requestBody: [{ requiredFields: { enabled: true }, maxLengthFields: { enabled: true } }] }],
  },
  {
    openApiOperation: 'GET::/*',
    openApiResponse: '400',
    fuzzing: [{ requestQueryParams: [{ minimumNumberFields: { enabled: true } }] }],
  },
];

/** Portman's own settings, all its contract tests on but the one that measures time. */
const CONTRACT_TESTS = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'];

const REFUSED = ['statusCode', 'contentType', 'jsonBody', 'schemaValidation'].map((name) => ({
  [name]: { enabled: true },
}));

withStore('@apideck/portman and newman', (store) => {
  for (const version of SPEC_VERSIONS)
    test(`the contract tests of every operation pass (OpenAPI ${version})`, async () => {
      const folder = await emptyFolder(`portman-${version}`);
      const { json } = await store.get(`/api/openapi.json?spec_version=${version}`);
      const document = withoutLines(json);
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      const operations = operationsOf(document);
      const records = new Records(store, document);
      const overwrites = [];
      for (const { path, method } of operations) {
        const { parameters, body } = await records.prepare(path, method);
        overwrites.push({
          openApiOperation: `${method.toUpperCase()}::${path}`,
          overwriteRequestPathVariables: Object.entries(parameters).map(overwrite),
          overwriteRequestBody: body ? [overwrite(['.', body])] : [],
        });
      }
      const config = {
        version: 1,
        tests: {
          contractTests: CONTRACT_TESTS.map((name) => ({ openApiOperation: '*::/*', [name]: { enabled: true } })),
          variationTests: REFUSALS.map(({ fuzzing, ...refusal }) => ({
            ...refusal,
            variations: [{ name: refusal.openApiResponse, fuzzing, tests: { contractTests: REFUSED } }],
          })),
        },
        overwrites,
        globals: { stripResponseExamples: true },
      };
      await writeFile(join(folder, 'portman.json'), JSON.stringify(config));

      const made = await runTool(
        'portman',
        [
          ...['--local', 'openapi.json', '--portmanConfigFile', 'portman.json'],
          ...['--output', 'collection.json', '--baseUrl', `${store.address}/api`],
        ],
        { cwd: folder },
      );
      assert.equal(made.code, 0, made.said);

      const run = await runTool(
        'newman',
        [
          ...['run', 'collection.json', '--env-var', `apiKey=${READ_WRITE_KEY}`],
          ...['--reporters', 'cli', '--reporter-cli-no-success-assertions', '--reporter-cli-no-console'],
        ],
        { cwd: folder },
      );
      assert.equal(run.code, 0, run.said.slice(run.said.indexOf('#  failure')));
      const [requests, failed] = numbersOf(run.stdout, 'requests');
      assert.ok(requests! > operations.length, `${requests} requests`);
      assert.equal(failed, 0);
      const [assertions] = numbersOf(run.stdout, 'assertions');
      assert.ok(assertions! > 3 * operations.length, `${assertions} assertions`);
    });
});

/** A row of newman's summary: how many were executed, how many failed. */
function numbersOf(summary: string, row: string): number[] {
  return summary
    .match(new RegExp(`${row} │ +(\\d+) │ +(\\d+)`))!
    .slice(1)
    .map(Number);
}

function overwrite([key, value]: [string, unknown]): object {
  return { key, value, overwrite: true };
}
