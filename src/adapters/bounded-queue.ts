/** Queue with limits for concurrency, length and waiting time, for one kind of work. First come, first served. */
import { Overloaded } from '../engine/ports.ts';

interface BoundedQueueOptions {
  readonly concurrencyMax: number;
  readonly waitingMax: number;
  readonly waitingSecondsMax: number;
  /** Message of the error when the queue is full or the wait too long. */
  readonly overloaded: string;
}

/** Returns a function that runs work when its turn comes. It throws `Overloaded` if the queue is full or the wait too long. */
export function createBoundedQueue({ concurrencyMax, waitingMax, waitingSecondsMax, overloaded }: BoundedQueueOptions) {
  let busy = 0;
  const waiting: (() => void)[] = [];

  return async function runInQueue<T>(work: () => Promise<T>): Promise<T> {
    if (busy < concurrencyMax) busy += 1;
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
