/**
 * Watches the event loop from a separate thread. A blocked loop handles no requests and no signals. The thread logs
 * where the loop is blocked and, if it stays blocked, ends the process so that a supervisor restarts it. Acknowledged
 * writes are on disk.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../wiring/settings/index.ts';

export interface Watch extends Pick<Config, 'blockedLogSeconds' | 'blockedExitSeconds' | 'logLevel'> {
  /** Incremented by the loop every `BEAT_MS`. */
  readonly beats: Int32Array;
}

export const BEAT_MS = 500;

/** Watches until the process ends. Not for use during a start, because migrations may block the loop for long. */
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
