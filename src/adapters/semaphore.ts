/**
 * Bounds how much of one kind of work goes on at once, how much waits for it and for how long. First come, first served;
 * it promises nothing about how long the work takes.
 */
import { Overloaded } from '../engine/ports.ts';

interface SemaphoreOptions {
  readonly count: number;
  readonly waitingMax: number;
  readonly waitingSecondsMax: number;
  /** The message for a caller whose work would wait too long. */
  readonly overloaded: string;
}

/** Gives a function that runs work in one of the slots; it throws `Overloaded` for what would wait too long or too many. */
export function createSemaphore({ count, waitingMax, waitingSecondsMax, overloaded }: SemaphoreOptions) {
  let busy = 0;
  const waiting: (() => void)[] = [];

  return async function withPermit<T>(work: () => Promise<T>): Promise<T> {
    if (busy < count) busy += 1;
    else if (waiting.length >= waitingMax) throw new Overloaded(overloaded);
    else await turn();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(new Overloaded(overloaded));
      }, waitingSecondsMax * 1000);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(start);
    });
  }
}
