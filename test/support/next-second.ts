/** Waits until the store's clock, which counts seconds, shows another one: a date that moves then is a later one. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  while (Math.floor(Date.now() / 1000) === second) await sleep(1000 - (Date.now() % 1000));
}
