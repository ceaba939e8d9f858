/** What adapters share that have work done by child processes: one question at a time, and an end at any time. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The child's next message, or why there is none. Rejects when the child could not be started. */
export async function nextAnswer<T>(child: ChildProcess, secondsMax: number): Promise<T | 'too slow' | 'died'> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as T),
      once(child, 'exit', { signal }).then(() => 'died' as const),
      pass(secondsMax, signal).then(() => 'too slow' as const),
    ]);
  } finally {
    settled.abort();
  }
}

const PIECES = 10;

/** Time goes by in pieces: a machine that sleeps, or a loop that stands still, costs the child one of them and not all. */
async function pass(seconds: number, signal: AbortSignal): Promise<void> {
  for (let piece = 0; piece < PIECES; piece += 1) await delay((seconds * 1000) / PIECES, undefined, { signal });
}

/** Resolves when the child is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
}
