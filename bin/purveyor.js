#!/usr/bin/env node
// Starts the program: the TypeScript of a clone as it stands, or what the package has compiled. On an older Node a clone
// hands over to the one that npm brought along when npm started it; else this says in one line what it needs. Plain
// JavaScript, so that an old Node can read it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;

const source = new URL('../src/cli/main.ts', import.meta.url);
const isClone = existsSync(source);

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // Beside the packages, where only those who may change the program write. Where it cannot be written there is none,
  // unless NODE_COMPILE_CACHE names a folder.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  await import(isClone ? source.href : new URL('../dist/cli/main.js', import.meta.url).href);
} else if (isClone && process.env.npm_execpath && !process.env.PURVEYOR_HANDED_OVER) {
  handOver();
} else {
  const way = isClone
    ? 'run it with "npm start" or "npx purveyor" after "npm ci", which bring one'
    : 'install a newer Node, from https://nodejs.org or your system’s packages, and run it again';
  console.error(`Purveyor needs Node ${NODE_MAJOR_MIN} or newer and this is ${process.versions.node}: ${way}.`);
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
