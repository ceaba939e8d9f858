/** Waits for the next second: the store's timestamps have whole seconds, so a later write needs a new second to differ. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  while (Math.floor(Date.now() / 1000) === second) await sleep(1000 - (Date.now() % 1000));
}
