/**
 * Watches the event loop from a thread of its own. When the loop stands still, nothing is answered and no signal is
 * heard: the thread logs where it stands and, when that lasts, ends the process, so that a supervisor starts it again.
 * Acknowledged writes are on disk.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../wiring/config.ts';

export interface Watch extends Pick<Config, 'blockedLogSeconds' | 'blockedExitSeconds' | 'logLevel'> {
  /** Counts the beats of the loop. */
  readonly beats: Int32Array;
}

export const BEAT_MS = 500;

/** From now on until the process ends; not for a start, whose migrations may take as long as they need. */
export function watchLoop({ blockedLogSeconds, blockedExitSeconds, logLevel }: Config): void {
  if (blockedLogSeconds === 0 && blockedExitSeconds === 0) return;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: Watch = { beats, blockedLogSeconds, blockedExitSeconds, logLevel };
  new Worker(new URL(`./watchdog-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData,
    execArgv: [],
  }).unref();
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
}
