/**
 * `@apideck/portman` generates a collection with contract tests from the document, and `newman` runs it against the store.
 * Each operation is tested once, with its own new records. Portman converts documents from OpenAPI 3.0; `specmatic.test.ts`
 * tests every operation against version 3.1, and `prism.test.ts` validates responses with both.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationsOf } from '../test/support/openapi.ts';
import { Records } from '../test/support/operation-records.ts';
import { READ_WRITE_KEY, type SpecVersion, withoutLines, withoutSignedInUsers, withStore } from './support/store.ts';
import { emptyFolder, runTool } from './support/tool.ts';

const VERSION: SpecVersion = '3.0.3';

/**
 * Invalid requests that Portman generates, with their expected status. It selects the field to invalidate from the schema. If
 * the field belongs to an optional list that the body omits, the body remains valid and the store accepts it. So operations
 * with optional lists, and operations with only optional fields, are excluded.
 */
const REJECTIONS = [
  {
    openApiOperation: 'POST::/*',
    openApiResponse: '422',
    excludeForOperations: [
      'createOrder',
      'quoteOrder',
      'createTransaction',
      'editOrder',
      'createOrderInvoice',
      'createProfileAddress',
      'createShippingMethod',
      'createVolumeDiscount',
    ],
    fuzzing: [{ requestBody: [{ requiredFields: { enabled: true }, maxLengthFields: { enabled: true } }] }],
  },
  {
    openApiOperation: 'GET::/*',
    openApiResponse: '400',
    fuzzing: [{ requestQueryParams: [{ minimumNumberFields: { enabled: true } }] }],
  },
];

/** All contract tests of Portman except the one for response times. */
const CONTRACT_TESTS = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'];

const REJECTION_TESTS = ['statusCode', 'contentType', 'jsonBody', 'schemaValidation'].map((name) => ({
  [name]: { enabled: true },
}));

withStore('@apideck/portman and newman', (store) => {
  test(`the contract tests of Portman pass for every operation (OpenAPI ${VERSION})`, async () => {
    const folder = await emptyFolder(`portman-${VERSION}`);
    const { json } = await store.get(`/api/openapi.json?spec_version=${VERSION}`);
    const document = withoutSignedInUsers(withoutLines(json));
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
        contractTests: CONTRACT_TESTS.map((name) => ({
          openApiOperation: '*::/*',
          // A file has one of many types. Portman does not know the wildcard for them.
          ...(name === 'contentType' ? { excludeForOperations: ['downloadProductAttachment'] } : {}),
          [name]: { enabled: true },
        })),
        variationTests: REJECTIONS.map(({ fuzzing, ...rejection }) => ({
          ...rejection,
          variations: [{ name: rejection.openApiResponse, fuzzing, tests: { contractTests: REJECTION_TESTS } }],
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
    assert.equal(made.code, 0, made.output);

    const run = await runTool(
      'newman',
      [
        ...['run', 'collection.json', '--env-var', `apiKey=${READ_WRITE_KEY}`],
        ...['--reporters', 'cli', '--reporter-cli-no-success-assertions', '--reporter-cli-no-console'],
      ],
      { cwd: folder },
    );
    assert.equal(run.code, 0, run.output.slice(run.output.indexOf('#  failure')));
    const [requests, failed] = numbersOf(run.stdout, 'requests');
    assert.ok(requests! > operations.length, `${requests} requests`);
    assert.equal(failed, 0);
    const [assertions] = numbersOf(run.stdout, 'assertions');
    assert.ok(assertions! > 3 * operations.length, `${assertions} assertions`);
  });
});

/** A row of newman's summary: the number of executed and of failed requests or assertions. */
function numbersOf(summary: string, row: string): number[] {
  return summary
    .match(new RegExp(`${row} │ +(\\d+) │ +(\\d+)`))!
    .slice(1)
    .map(Number);
}

function overwrite([key, value]: [string, unknown]): object {
  return { key, value, overwrite: true };
}
