/**
 * `specmatic` tests the store against the document: for every operation one request, from the document's own example, about
 * records that are made beforehand for it alone, and held against it together with the example of the answer. It needs a
 * Java; the jar comes with the npm package.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationsOf } from '../test/support/openapi.ts';
import { Records } from '../test/support/operation-records.ts';
import { READ_WRITE_KEY, SPEC_VERSIONS, withoutLines, withStore } from './support/store.ts';
import { CLIENTS, emptyFolder, runProgram } from './support/tool.ts';

const JAR = join(CLIENTS, 'node_modules/specmatic/specmatic.jar');
const skip = spawnSync('java', ['-version']).status !== 0 && 'no Java here: install a JRE (default-jre-headless)';

/** Left alone, it takes a quarter of the machine's memory before it tidies up. */
const HEAP = ['-Xmx768m', '-XX:+UseSerialGC'];

/** It takes what the reference page suggests for optional parameters for requests that have all of them at once. */
const OVERLAY = `overlay: 1.0.0
info: { title: Without suggestions for parameters, version: 1.0.0 }
actions:
  - { target: '$.paths.*.*.parameters[*].examples', remove: true }
`;

withStore('specmatic', (store) => {
  for (const version of SPEC_VERSIONS)
    test(`its contract tests pass for every operation (OpenAPI ${version})`, { skip }, async () => {
      const folder = await emptyFolder(`specmatic-${version}`);
      await mkdir(join(folder, 'examples'));
      const { json } = await store.get(`/api/openapi.json?spec_version=${version}`);
      const document = withoutLines(json);
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      await writeFile(join(folder, 'overlay.yaml'), OVERLAY);
      const operations = operationsOf(document);
      const records = new Records(store, document);
      for (const { path, method, operation } of operations) {
        const { parameters, body } = await records.prepare(path, method);
        const [status, success] = Object.entries<{ content?: Record<string, { example: unknown }> }>(
          operation.responses,
        )[0]!;
        const answer = success.content?.['application/json']?.example;
        const example = {
          'http-request': {
            method: method.toUpperCase(),
            path: `${path.replace(/\{(\w+)\}/g, (_, name) => parameters[name]!)}`,
            headers: {
              'X-Auth-Token': READ_WRITE_KEY,
              ...(body ? { 'Content-Type': 'application/json' } : {}),
            },
            ...(body ? { body } : {}),
          },
          'http-response': {
            status: Number(status),
            ...(answer === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: answer }),
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
          '--overlay-file=overlay.yaml',
        ],
        { cwd: folder },
      );
      await writeFile(join(folder, 'said.txt'), run.said);
      const [, succeeded, failed] = run.said.match(/Tests run: \d+, Successes: (\d+), Failures: (\d+)/)!;
      assert.equal(run.code, 0, run.said.slice(-20_000));
      assert.deepEqual([Number(succeeded), Number(failed)], [operations.length, 0]);
    });
});
