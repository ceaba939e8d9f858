#!/usr/bin/env node
// Starts the program: the TypeScript sources of a clone, or the compiled files of a package. If npm started it with an older
// Node.js, a clone runs the copy that npm installed; otherwise it prints the required version. Plain JavaScript, so that old
// versions can parse it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;

const source = new URL('../src/cli/main.ts', import.meta.url);
const isClone = existsSync(source);

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // In node_modules, which only users who can change the program can write. Without write permission there is no cache unless
  // NODE_COMPILE_CACHE names a folder.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  await import(isClone ? source.href : new URL('../dist/cli/main.js', import.meta.url).href);
} else if (isClone && process.env.npm_execpath && !process.env.PURVEYOR_HANDED_OVER) {
  handOver();
} else {
  const remedy = isClone
    ? 'Run "npm ci", which installs a copy, and then "npm start" or "npx purveyor".'
    : 'Install a newer version from https://nodejs.org or from your system’s packages.';
  console.error(`Purveyor needs Node.js ${NODE_MAJOR_MIN} or later; this is ${process.versions.node}. ${remedy}`);
  process.exit(1);
}

function handOver() {
  const script = fileURLToPath(new URL('./node.sh', import.meta.url));
  const program = fileURLToPath(import.meta.url);
  const child = spawn('sh', [script, program, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, PURVEYOR_HANDED_OVER: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
