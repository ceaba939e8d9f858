/** Bulk writes and exports with common HTTP clients: curl, Python's requests and PHP's cURL. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { pythonWithRequests } from '../torture/followers.ts';
import { DoesNotApply } from '../torture/report.ts';
import { READ_WRITE_KEY, withStore } from './support/store.ts';
import { CLIENTS, emptyFolder, type Outcome } from './support/tool.ts';

/** Several megabytes, which exceed the socket buffers. */
const LINES = 4000;

interface Program {
  readonly name: string;
  /** The reason for skipping it. */
  readonly skip: string | false;
  bulk(file: string, url: string): readonly string[];
  export(url: string): readonly string[];
}

const python = findOrUndefined(pythonWithRequests);
const PROGRAMS: readonly Program[] = [
  {
    name: 'curl --data-binary',
    skip: missing(['curl', '--version'], 'curl'),
    bulk: (file, url) => ['curl', ...curl('Content-Type: application/x-ndjson'), '--data-binary', `@${file}`, url],
    export: (url) => ['curl', ...curl('Accept: application/x-ndjson'), url],
  },
  {
    name: 'curl --upload-file, which sends chunks and reads at the same time',
    skip: missing(['curl', '--version'], 'curl'),
    bulk: (_, url) => ['curl', ...curl('Content-Type: application/x-ndjson'), '-X', 'POST', '-T', '-', url],
    export: (url) => ['curl', '--compressed', ...curl('Accept: application/jsonl'), url],
  },
  {
    name: 'Python’s requests',
    skip: python === undefined && 'python3-requests is missing: apt-get install python3-requests',
    bulk: (file, url) => [python!, program('lines.py'), 'bulk', file, url],
    export: (url) => [python!, program('lines.py'), 'export', url],
  },
  {
    name: 'PHP’s cURL',
    skip: missing(['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'], 'php-cli php-curl'),
    bulk: (file, url) => ['php', program('lines.php'), 'bulk', file, url],
    export: (url) => ['php', program('lines.php'), 'export', url],
  },
];

withStore('bulk writes and exports of third-party programs', (store) => {
  let file: string;
  before(async () => {
    file = join(await emptyFolder('lines'), 'products.jsonl');
    const lines = Array.from({ length: LINES }, (_, index) =>
      JSON.stringify({ sku: `L-${index}`, name: `“${index}” \u2028 ☀️`, price: index, description: 'x'.repeat(500) }),
    );
    await writeFile(file, `${lines.join('\n')}\n`);
  });

  for (const { name, skip, ...commands } of PROGRAMS)
    describe(name, { skip }, () => {
      test(`${name} sends a bulk write and repeats it without changes`, async () => {
        const url = `${store.address}/api/products/bulk`;
        const done = new Map<string, number>();
        for (const _ of ['first', 'again']) {
          const { code, stdout, stderr } = await run(commands.bulk(file, url), file);
          assert.equal(code, 0, stderr);
          const results = stdout.split('\n').filter((line) => line !== '');
          const { summary } = JSON.parse(results.pop()!);
          assert.deepEqual([summary.lines, summary.failed, summary.complete], [LINES, 0, true]);
          assert.equal(summary.created + summary.unchanged, LINES);
          assert.deepEqual(
            results.map((line) => JSON.parse(line).key),
            Array.from({ length: LINES }, (_, index) => `L-${index}`),
          );
          done.set(_, summary.unchanged);
        }
        assert.equal(done.get('again'), LINES);
      });

      test(`${name} receives a complete export`, async () => {
        const { code, stdout, stderr } = await run(commands.export(`${store.address}/api/products`), file);
        assert.equal(code, 0, stderr);
        const records = stdout.split('\n').filter((line) => line !== '');
        assert.equal(records.length, LINES);
        assert.deepEqual(
          records.map((line) => JSON.parse(line).name),
          Array.from({ length: LINES }, (_, index) => `“${index}” \u2028 ☀️`),
        );
      });

      test(`${name} reports a rejected bulk write and a rejected export`, async () => {
        const bulk = await run(commands.bulk(file, `${store.address}/api/products/bulk?atomic&mode=create`), file);
        assert.notEqual(bulk.code, 0, bulk.output);
        const unknown = await run(commands.export(`${store.address}/api/products?colour=red`), file);
        assert.notEqual(unknown.code, 0, unknown.output);
      });
    });
});

function curl(header: string): string[] {
  return ['-sS', '--fail', '-H', `X-Auth-Token: ${READ_WRITE_KEY}`, '-H', header];
}

function program(name: string): string {
  return join(CLIENTS, 'programs', name);
}

function findOrUndefined(find: () => string): string | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof DoesNotApply) return undefined;
    throw error;
  }
}

function missing([command, ...args]: readonly string[], packages: string): string | false {
  return spawnSync(command!, args).status !== 0 && `not installed: apt-get install ${packages}`;
}

/** @param input the file for its standard input */
async function run([command, ...args]: readonly string[], input: string): Promise<Outcome> {
  const child = spawn(command!, args, { env: { ...process.env, KEY: READ_WRITE_KEY }, timeout: SECONDS_MAX * 1000 });
  createReadStream(input)
    .pipe(child.stdin)
    .on('error', () => {});
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text;
    });
  const [code] = await once(child, 'close');
  return { code, ...texts, output: `${texts.stdout}\n${texts.stderr}` };
}

const SECONDS_MAX = 120;
