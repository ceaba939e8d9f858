/** Waits for the lock of another process, and lets the event loop go on meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors.ts';

/** A pause is drawn between nothing and this, so that waiting processes do not march in step. */
const LOCK_PAUSE_MILLISECONDS_MAX = 10;

/**
 * Tries until no other process holds the lock.
 * @param giveUpAt of `performance.now()`
 * @param pauseMs the longest pause between two attempts
 * @throws what SQLite raised last
 */
export async function whenFree<T>(
  attempt: () => T,
  giveUpAt: number,
  pauseMs = LOCK_PAUSE_MILLISECONDS_MAX,
): Promise<T> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      await sleep(Math.random() * pauseMs);
    }
  }
}
