/** Helpers for adapters that run work in child processes: one request at a time, and an end at any time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Forks a child process that sends “ready” when it is. An idle child does not keep the program running; during work,
 * the timer of its time limit does. `onEnd` is also called if the child could not be started.
 * @throws if no further process can be created
 */
export function launch(file: URL, args: string[], execArgv: string[], onEnd: (child: ChildProcess) => void) {
  const child = fork(file, args, {
    serialization: 'advanced',
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child.on('error', () => onEnd(child)).on('exit', () => onEnd(child));
}

const START_SECONDS_MAX = 20;

/** First message of a child that lacks a dependency for its work. */
export const UNABLE = 'unable';

export class Unable extends Error {
  override readonly name = 'Unable';
}

/**
 * Resolves when the child is ready; rejects if it does not become ready.
 * @throws {Unable} if the child lacks a dependency
 */
export async function ready(child: ChildProcess): Promise<ChildProcess> {
  const reply = await nextReply<'ready' | typeof UNABLE>(child, START_SECONDS_MAX);
  if (reply === 'ready') return child;
  await kill(child);
  if (reply === UNABLE) throw new Unable('A dependency is missing; see its standard error.');
  throw new Error('The process did not start; see its standard error.');
}

/** Returns the child's next message, or why there is none. Rejects if the child could not be started. */
export async function nextReply<T>(child: ChildProcess, secondsMax: number): Promise<T | 'too slow' | 'died'> {
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

const INTERVALS = 10;

/**
 * Waits in intervals, so that a sleeping machine or a blocked event loop costs the child one interval, not all its
 * time.
 */
async function pass(seconds: number, signal: AbortSignal): Promise<void> {
  for (let interval = 0; interval < INTERVALS; interval += 1)
    await delay((seconds * 1000) / INTERVALS, undefined, { signal });
}

/** Resolves when the child has exited. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
}
