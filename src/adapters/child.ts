/** Adapters whose work child processes do share this: one question at a time, and an end at any time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A child that says “ready” when it is. While it rests it keeps no program from ending; while it works, the timer of its
 * limit does. `onEnd` is called when it could not be started, too. @throws when there is no room for another process
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

/** The first word of a child that lacks what its work takes. */
export const UNABLE = 'unable';

export class Unable extends Error {
  override readonly name = 'Unable';
}

/** Rejects with a sentence when the child does not become ready. @throws {Unable} when the child says so itself */
export async function ready(child: ChildProcess): Promise<ChildProcess> {
  const answer = await nextAnswer<'ready' | typeof UNABLE>(child, START_SECONDS_MAX);
  if (answer === 'ready') return child;
  await kill(child);
  if (answer === UNABLE) throw new Unable('It lacks what its work takes; its standard error says what.');
  throw new Error('It did not start; its standard error says why.');
}

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
  for (let chunk = 0; chunk < PIECES; chunk += 1) await delay((seconds * 1000) / PIECES, undefined, { signal });
}

/** Resolves when the child is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exit;
}
