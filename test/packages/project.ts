/**
 * Packs both packages with npm and installs them into an empty project, where Node.js does not strip types. One installation
 * serves all tests of a file. It downloads dependencies that are not in npm's cache.
 */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const PACKED = ['bin', 'src', 'packages', 'package.json', 'LICENSE', 'README.md'];
const PROJECTS = ['tsconfig.json', 'tsconfig.client.json', 'tsconfig.server.json'];

/** @returns the folder of the project */
export async function installedProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'purveyor-packages-'));
  // Packed from a copy, so that the checkout does not change.
  const clone = join(project, 'clone');
  for (const part of [...PACKED, ...globSync('admin/dist'), ...PROJECTS])
    await cp(part, join(clone, part), { recursive: true });
  await symlink(join(process.cwd(), 'node_modules'), join(clone, 'node_modules'));
  const packed = await npm(clone, 'pack', '--json', '--pack-destination', project, '.', './packages/client');
  const files = [...packed.matchAll(/"filename": "([^"]+)"/g)].map(([, file]) => `../${file}`);
  const empty = join(project, 'empty');
  await mkdir(empty);
  await writeFile(join(empty, 'package.json'), '{ "type": "module" }');
  await npm(empty, 'install', '--prefer-offline', '--no-audit', '--no-fund', ...files);
  await rm(clone, { recursive: true });
  return empty;
}

/** Runs npm without the `npm_*` variables that `npm test` sets, because they refer to the checkout. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  return (await execute('npm', args, { cwd, env })).stdout;
}
