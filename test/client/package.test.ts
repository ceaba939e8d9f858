/**
 * The client as another program has it: packed by npm, put into its `node_modules`, where Node strips no types. The example
 * of docs/reference/client.md runs there against stores and prints what the page says, and the types hold there.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

const execute = promisify(execFile);

let project: string;

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'purveyor-client-'));
  // Packed from a copy, so that the clone stays as it is.
  const clone = join(project, 'clone');
  for (const part of ['bin', 'src/client', 'package.json', 'tsconfig.json', 'tsconfig.client.json'])
    await cp(part, join(clone, part), { recursive: true });
  await symlink(join(process.cwd(), 'node_modules'), join(clone, 'node_modules'));
  await execute('npm', ['pack', '--pack-destination', project], { cwd: clone });
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await mkdir(join(project, 'node_modules'));
  await execute('tar', ['-xzf', join(project, `purveyor-${version}.tgz`), '-C', project]);
  await cp(join(project, 'package'), join(project, 'node_modules', 'purveyor'), { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
});

after(() => rm(project, { recursive: true }));

async function blocksOfPage(): Promise<{ example: string; output: string }> {
  const page = await readFile('docs/reference/client.md', 'utf8');
  const [, example] = /```js\n(.*?)```/s.exec(page)!;
  const [, output] = /It prints\n\n```\n(.*?)```/s.exec(page)!;
  return { example: example!, output: output! };
}

onOneDatabase('the example of the page', {}, (store) => {
  test('prints what the page says', async () => {
    const { example, output } = await blocksOfPage();
    const script = example.replace('https://shop.example', store.address).replace('pv_rw_…', READ_WRITE_KEY);
    await writeFile(join(project, `example-${store.database}.js`), script);
    const { stdout, stderr } = await execute(process.execPath, [`example-${store.database}.js`], { cwd: project });
    assert.equal(stderr, '');
    assert.equal(stdout, output);
  });
});

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])
  test(`its types hold in a strict project (${moduleResolution})`, async () => {
    const { example } = await blocksOfPage();
    const types = await readFile('test/client/types.ts', 'utf8');
    await writeFile(join(project, 'types.ts'), types.replace('../../src/client/index.ts', 'purveyor/client'));
    await writeFile(join(project, 'example.ts'), example);
    const compilerOptions = {
      ...{ module, moduleResolution, strict: true, exactOptionalPropertyTypes: true, noEmit: true },
      ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [] },
    };
    const config = { compilerOptions, files: ['types.ts', 'example.ts'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(process.cwd(), 'node_modules', 'typescript', 'bin', 'tsc');
    await execute(process.execPath, [compiler, '-p', project]).catch(({ stdout }) => assert.fail(stdout));
  });
