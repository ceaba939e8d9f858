/** Injects faults into system calls of a running process with strace: the n-th call after attaching, or all from then on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DoesNotApply } from './report.ts';

export interface Fault {
  readonly call: string;
  /** `error=EIO`, `delay_enter=20000` */
  readonly inject: string;
  /** The n-th call of each thread. */
  readonly nth: number;
  readonly forEver: boolean;
  /** SQLite runs in the main thread; image files are written in others. */
  readonly threads: 'main' | 'all';
}

export interface Attached {
  /** Ends the injection. @returns the number of affected calls */
  detach(): Promise<number>;
}

/** Resolves when strace is attached. */
export async function attach(pid: number, fault: Fault, folder: string): Promise<Attached> {
  const log = join(folder, 'strace.log');
  const when = `${fault.nth}${fault.forEver ? '+' : ''}`;
  const child = spawn(
    'strace',
    [
      '-qq',
      ...(fault.threads === 'all' ? ['-f'] : []),
      ...['-o', log, '-p', String(pid)],
      ...['-e', `trace=${fault.call}`, '-e', `inject=${fault.call}:${fault.inject}:when=${when}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  const ended = once(child, 'exit');
  while (!isTraced(pid, fault.threads)) {
    if (child.exitCode !== null) throw new DoesNotApply(`strace cannot attach to a process: ${output}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    async detach() {
      if (child.exitCode === null) child.kill('SIGINT');
      await ended;
      return readFileSync(log, 'utf8').match(/\(INJECTED\)|\(DELAYED\)/g)?.length ?? 0;
    },
  };
}

function isTraced(pid: number, threads: Fault['threads']): boolean {
  const tasks = threads === 'main' ? [String(pid)] : readdirSync(`/proc/${pid}/task`);
  return tasks.every((task) => {
    try {
      return !/^TracerPid:\s+0$/m.test(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'));
    } catch {
      return true; // The thread has exited.
    }
  });
}
