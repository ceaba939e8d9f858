/**
 * Bounds how much of one kind of work goes on at once and how much waits for it. First come, first served; it promises
 * nothing about how long the work takes.
 */
import { Overloaded } from '../../engine/ports.ts';

/** Gives a function that runs work in one of `count` slots; with `waitingMax` waiting already it throws `Overloaded`. */
export function createSlots(count: number, waitingMax: number, overloaded: string) {
  let busy = 0;
  const waiting: (() => void)[] = [];

  return async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    if (busy < count) busy += 1;
    else if (waiting.length >= waitingMax) throw new Overloaded(overloaded);
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}
