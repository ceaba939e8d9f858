/**
 * Both packages as another project has them: packed by npm from a copy of the clone, and installed by npm into an empty
 * project, where Node strips no types. One install serves all tests of a file; it asks the registry for what the cache lacks.
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

/** @returns its folder */
export async function installedProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'purveyor-packages-'));
  // Packed from a copy, so that the clone stays as it is.
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

/** Without the settings that `npm test` hands down to what it starts: they are about the clone. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  return (await execute('npm', args, { cwd, env })).stdout;
}
