/** Waits for another process's lock without blocking the event loop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors.ts';

/** Upper bound of the random pause, so that waiting processes do not retry in lockstep. */
const LOCK_PAUSE_MILLISECONDS_MAX = 10;

/**
 * Retries until no other process holds the lock.
 * @param giveUpAt as of `performance.now()`
 * @param pauseMs longest pause between two attempts
 * @throws SQLite's last error
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
