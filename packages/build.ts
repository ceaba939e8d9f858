/**
 * `npm run build`: compiles server and client to `dist/`, file by file, and copies the files that the server reads at run time
 * (migrations, pages of the reference). `npm run build:client` compiles only the client, to `dist/client/` and to its package.
 * `npm pack` runs both. A clone runs the TypeScript sources and needs neither.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

if (process.argv[2] === 'client') buildClient();
else {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  compile('tsconfig.server.json');
  const isRead = (from: string): boolean => statSync(from).isDirectory() || !from.endsWith('.ts');
  cpSync(join(ROOT, 'src'), join(ROOT, 'dist'), { recursive: true, filter: isRead });
  buildClient();
}

function buildClient(): void {
  rmSync(join(ROOT, 'dist/client'), { recursive: true, force: true });
  compile('tsconfig.client.json');
  const into = join(ROOT, 'packages/client');
  rmSync(join(into, 'dist'), { recursive: true, force: true });
  cpSync(join(ROOT, 'dist/client'), join(into, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(into, 'LICENSE'));
}

function compile(project: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(ROOT, project)], { stdio: 'inherit' });
}
