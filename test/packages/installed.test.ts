/**
 * The npm packages, installed into an empty project. The server starts, stores an image, makes a backup, and reports missing
 * dependencies. The example of docs/guides/client.md prints the documented output and type-checks.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { FIGURES, statedIn } from '../../packages/figures.ts';
import { Folder } from '../cli/program.ts';
import { png } from '../support/images.ts';
import { startOf } from '../support/start-line.ts';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';
import { installedProject } from './project.ts';

const execute = promisify(execFile);

let project: string;
before(async () => {
  project = await installedProject();
});
after(() => rm(dirname(project), { recursive: true }));

describe('installed server', () => {
  let folder: Folder;
  before(async () => {
    folder = await Folder.make(join(project, 'node_modules/purveyor/bin/purveyor.js'));
  });
  after(() => folder.remove());

  const start = async () => {
    const server = folder.start(['serve'], { API_KEY_READ_WRITE: READ_WRITE_KEY });
    const { address, said } = await startOf(server);
    const send = (method: string, path: string, body?: object) =>
      fetch(`${address}${path}`, {
        method,
        headers: { 'x-auth-token': READ_WRITE_KEY, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    return { server, said, send };
  };
  const imageBody = async () => ({ filename: 'shirt.png', attachment: (await png()).toString('base64') });

  test('the package contains exactly the compiled files and the admin page, and no Node.js', () => {
    const have = globSync('**/*', { cwd: join(project, 'node_modules/purveyor') }).filter((file) =>
      /\.\w+$/.test(file),
    );
    const sources = globSync('src/**/*.*').map((file) => file.replace('src/', 'dist/').replace(/\.ts$/, '.js'));
    const types = globSync('src/client/**/*.ts').map((file) => file.replace('src/', 'dist/').replace(/\.ts$/, '.d.ts'));
    const others = ['bin/purveyor.js', 'package.json', 'README.md'];
    const page = globSync('admin/dist/**/*.*');
    assert.deepEqual(have.sort(), [...sources, ...types, ...others, ...page].sort());
    assert.deepEqual(globSync('node_modules/{node-*,purveyor-node}', { cwd: project }), []);
  });

  for (const figure of FIGURES)
    test(`the pages state the number of ${figure.name} that npm run figures measures`, () => {
      const measured = figure.measure(project);
      for (const stated of statedIn(figure))
        assert.ok(Math.abs(measured - stated) <= stated * figure.tolerance, `measured: ${measured}, stated: ${stated}`);
    });

  test('the installed server stores an image, serves the reference, and is backed up and checked', async () => {
    const { server, said, send } = await start();
    assert.doesNotMatch(said, /missing/);
    assert.equal((await send('POST', '/api/products', { sku: 'SHIRT', name: 'T-shirt', price: 20 })).status, 201);
    assert.equal((await send('POST', '/api/products/1/images', await imageBody())).status, 201);
    for (const path of ['/api', '/api/_reference/scalar.js', '/api/_reference/pages.css', '/api/docs.jsonld'])
      assert.equal((await send('GET', path)).status, 200, path);
    assert.deepEqual(await (await send('GET', '/readyz')).json(), { status: 'ready' });
    assert.equal((await folder.run(['backup', 'saved'])).code, 0);
    server.signal('SIGTERM');
    assert.equal((await server.ended).code, 0);
    assert.equal((await folder.run(['check'])).code, 0);
  });

  test('a missing image decoder is reported at the start, in /readyz and by a 503 for uploads', async () => {
    const programs = join(project, 'node_modules/@img');
    await rename(programs, `${programs}-away`);
    const { said, send } = await start();
    assert.match(said, /The image decoder \(sharp\) is not installed/);
    const ready = await send('GET', '/readyz');
    const { status, warnings } = (await ready.json()) as { status: string; warnings: string[] };
    assert.deepEqual([ready.status, status, warnings.length], [200, 'ready', 1]);
    assert.match(warnings[0]!, /npm install --include=optional/);
    const upload = await send('POST', '/api/products/1/images', await imageBody());
    assert.equal(upload.status, 503);
    assert.match(((await upload.json()) as { detail: string }).detail, /image decoder is missing/);
    // The next upload succeeds as soon as the decoder is installed.
    await rename(`${programs}-away`, programs);
    assert.equal((await send('POST', '/api/products/1/images', await imageBody())).status, 201);
    await sleep(1100); // The result of a check is cached for a second.
    assert.deepEqual(await (await send('GET', '/readyz')).json(), { status: 'ready' });
  });

  test('an older Node.js gets a message with the required version', (t) => {
    const older = olderNode();
    if (older === undefined) return t.skip('there is no Node.js below version 24 on the PATH');
    const { status, stderr } = spawnSync(older, [join(project, 'node_modules/.bin/purveyor'), 'serve']);
    assert.equal(status, 1);
    assert.match(
      stderr.toString(),
      /^Purveyor needs Node\.js 24 or later; this is \d+\.[\d.]+\. Install a newer version[^\n]*\n$/,
    );
  });
});

function olderNode(): string | undefined {
  const candidates = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'));
  return candidates.find((node) => /^v(\d|1\d|2[0-3])\./.test(spawnSync(node, ['--version']).stdout?.toString() ?? ''));
}

async function blocksOfPage(guide = 'client'): Promise<{ example: string; output: string }> {
  const page = await readFile(`docs/guides/${guide}.md`, 'utf8');
  const [, example] = /```js\n(.*?)```/s.exec(page)!;
  const [, output] = /prints\n\n```\n(.*?)```/s.exec(page)!;
  return { example: example!, output: output! };
}

onOneDatabase('client guide', {}, (store) => {
  test('the example of the client guide prints the documented output', async () => {
    const { example, output } = await blocksOfPage();
    const script = example.replace('https://shop.example', store.address).replace('pv_rw_…', READ_WRITE_KEY);
    await writeFile(join(project, 'example.js'), script);
    const { stdout, stderr } = await execute(process.execPath, ['example.js'], { cwd: project });
    assert.equal(stderr, '');
    assert.equal(stdout, output);
  });
});

onOneDatabase('storefront guide', {}, (store) => {
  test('the example of the storefront guide prints the documented output', async () => {
    const { example, output } = await blocksOfPage('storefront');
    const origins = ['https://shop.example'];
    const { key } = await store.made('/api/keys', { name: 'Shop', kind: 'publishable', origins });
    await store.product({ sku: 'SHIRT', name: 'T-shirt', price: 20, amount: 3 });
    const script = example.replace('https://api.shop.example', store.address).replace('pv_pk_…', key);
    await writeFile(join(project, 'shop.js'), script);
    const { stdout, stderr } = await execute(process.execPath, ['shop.js'], { cwd: project });
    assert.deepEqual([stdout, stderr], [output, '']);
  });
});

test('both packages have the same version and export the same client', async () => {
  const of = (path: string) => JSON.parse(readFileSync(path, 'utf8')).version;
  assert.equal(of('packages/client/package.json'), of('package.json'));
  const names = (from: string) => `console.log(Object.keys(await import('${from}')).sort().join())`;
  const under = (from: string) => execute(process.execPath, ['-e', names(from)], { cwd: project });
  for (const [path, exported] of [
    ['', /StoreProblem,StoreUnreachable,createClient/],
    ['/storefront', /StoreProblem,StoreUnreachable,createStorefront/],
  ] as const) {
    const client = await under(`purveyor-client${path}`);
    assert.match(client.stdout, exported);
    assert.equal((await under(`purveyor/client${path}`)).stdout, client.stdout);
  }
});

test('the client of the storefront has at most 10 KB when it is compressed', () => {
  const files = new Map<string, string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.set(file, readFileSync(file, 'utf8'));
    for (const [, from] of files.get(file)!.matchAll(/from '(\.[^']+)'/g)) visit(join(dirname(file), from!));
  };
  visit(join(project, 'node_modules/purveyor-client/dist/storefront/index.js'));
  assert.ok(files.size > 4);
  assert.ok(gzipSync([...files.values()].join('\n')).length <= 10 * 1024);
});

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])
  test(`the client and its example type-check in a strict project (moduleResolution: ${moduleResolution})`, async () => {
    const { example } = await blocksOfPage();
    const types = await readFile('test/client/types.ts', 'utf8');
    await writeFile(join(project, 'types.ts'), types.replace('../../src/client/index.ts', 'purveyor-client'));
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
