/**
 * `npm run bench:start -- --rounds 9`: the processor time from the start of a program to its first response. Compares a
 * one-line server on plain Node, the TypeScript of this clone and the package. All use an existing store and the compile
 * cache of an earlier start; the package is also measured without the cache. Asserts no times.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/postgres-server.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS = 100;

const BARE = `require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')`;

const folder = await mkdtemp(join(tmpdir(), 'purveyor-start-'));
try {
  execFileSync(process.execPath, [join(ROOT, 'packages/build.ts')], { stdio: 'inherit' });
  // Like the published package, without the TypeScript sources.
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(folder, 'purveyor', part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const packed = join(folder, 'purveyor/bin/purveyor.js');
  const deleteCompileCache = (): void =>
    rmSync(join(folder, 'purveyor/node_modules'), { recursive: true, force: true });

  const kinds: readonly { title: string; args: string[]; before?: () => void }[] = [
    { title: 'bare Node, a one-line server', args: ['-e', BARE] },
    { title: 'package, later start', args: [packed, 'serve'] },
    { title: 'package, first start', args: [packed, 'serve'], before: deleteCompileCache },
    { title: 'TypeScript of a clone, later start', args: [join(ROOT, 'bin/purveyor.js'), 'serve'] },
  ];
  const rounds: number[][] = kinds.map(() => []);
  for (const { args } of kinds) await start(args); // Creates the store and the compile cache.
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const [index, { args, before }] of kinds.entries()) {
      before?.();
      rounds[index]!.push(await start(args));
    }
  console.log(`${describeMachine()}; medians of ${options.rounds} starts, lowest and highest.\n`);
  console.log('| | ms of processor time | ÷ bare Node |\n|---|---|---|');
  for (const [index, { title }] of kinds.entries()) {
    const times = rounds[index]!;
    const ratio = medianOf(times) / medianOf(rounds[0]!);
    console.log(
      `| ${title} | ${medianOf(times)} (${Math.min(...times)}–${Math.max(...times)}) | ${ratio.toFixed(1)} |`,
    );
  }
} finally {
  await rm(folder, { recursive: true });
}

/** @returns the processor time of all threads until the first response, in milliseconds */
async function start(args: readonly string[]): Promise<number> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error('The program exited before its first response.');
      await sleep(5);
    }
    const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))!;
    return ((Number(user) + Number(system)) / TICKS) * 1000;
  } finally {
    child.kill();
    await ended;
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false;
  }
}
