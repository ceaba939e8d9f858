/**
 * `specmatic` tests the store against the document. For each operation it sends one request from the document's example, with
 * new records, and validates the response and the example of the response. It needs Java; the npm package contains the jar.
 * `portman.test.ts` tests every operation against version 3.0.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Json, operationsOf } from '../test/support/openapi.ts';
import { Records } from '../test/support/operation-records.ts';
import {
  READ_WRITE_KEY,
  type SpecVersion,
  withoutLines,
  withoutSignedInUsers,
  withoutSuggestions,
  withStore,
} from './support/store.ts';
import { CLIENTS, emptyFolder, runProgram } from './support/tool.ts';

const VERSION: SpecVersion = '3.1.0';

const JAR = join(CLIENTS, 'node_modules/specmatic/specmatic.jar');
const skip =
  spawnSync('java', ['-version']).status !== 0 && 'Java is not installed: apt-get install default-jre-headless';

/** Without a limit, the heap grows to a quarter of the machine's memory. */
const HEAP = ['-Xmx768m', '-XX:+UseSerialGC'];

withStore('specmatic', (store) => {
  test(`the contract tests of Specmatic pass for every operation (OpenAPI ${VERSION})`, { skip }, async () => {
    const folder = await emptyFolder(`specmatic-${VERSION}`);
    await mkdir(join(folder, 'examples'));
    const { json } = await store.get(`/api/openapi.json?spec_version=${VERSION}`);
    const document = withoutSuggestions(withoutSignedInUsers(withoutLines(json)));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const operations = operationsOf(document);
    const records = new Records(store, document);
    for (const { path, method, operation } of operations) {
      const { parameters, body } = await records.prepare(path, method);
      // Of two successes, the first is that of a dry run.
      const [status, success] = Object.entries<{ content?: Record<string, { example: unknown }> }>(
        operation.responses,
      ).findLast(([each]) => each.startsWith('2'))!;
      const required = operation.parameters.filter((each: Json) => each.in === 'query' && each.required);
      const query = Object.fromEntries(required.map(({ name, example }: Json) => [name, example]));
      const response = success.content?.['application/json']?.example;
      const example = {
        'http-request': {
          method: method.toUpperCase(),
          path: `${path.replace(/\{(\w+)\}/g, (_, name) => parameters[name]!)}`,
          ...(Object.keys(query).length > 0 ? { query } : {}),
          headers: {
            'X-Auth-Token': READ_WRITE_KEY,
            ...(body ? { 'Content-Type': 'application/json' } : {}),
          },
          ...(body ? { body } : {}),
        },
        'http-response': {
          status: Number(status),
          ...(response === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: response }),
        },
      };
      await writeFile(join(folder, 'examples', `${operation.operationId}.json`), JSON.stringify(example));
    }

    const run = await runProgram(
      'java',
      [
        ...HEAP,
        ...['-jar', JAR, 'test', 'openapi.json', '--strict', '--examples=examples'],
        `--testBaseURL=${store.address}/api`,
      ],
      { cwd: folder },
    );
    await writeFile(join(folder, 'output.txt'), run.output);
    const [, succeeded, failed] = run.output.match(/Tests run: \d+, Successes: (\d+), Failures: (\d+)/)!;
    assert.equal(run.code, 0, run.output.slice(-20_000));
    assert.deepEqual([Number(succeeded), Number(failed)], [operations.length, 0]);
  });
});
