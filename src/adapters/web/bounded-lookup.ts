/**
 * DNS lookups with limited concurrency. The system's lookup blocks a thread, and libuv allows such calls half of its
 * four threads. Without a limit, names whose servers do not respond would delay all lookups, including those of the
 * database.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';

export type Lookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** As many as libuv runs concurrently. */
const AT_ONCE_MAX = 2;
/** Further lookups are rejected immediately. */
const WAITING_MAX = 100;
/** Measured from the request. A lookup that takes longer still occupies its slot until the system gives up. */
const SECONDS_MAX = 10;

interface Bounds {
  readonly atOnceMax?: number;
  readonly waitingMax?: number;
  readonly secondsMax?: number;
}

/**
 * Wraps a lookup so that it fails with `EAI_AGAIN` if it takes too long. Concurrent lookups of the same name share one
 * call.
 */
export function boundLookups(
  lookup: Lookup,
  { atOnceMax = AT_ONCE_MAX, waitingMax = WAITING_MAX, secondsMax = SECONDS_MAX }: Bounds = {},
): Lookup {
  const shared = new Map<string, Promise<LookupAddress[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function lookUp(name: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    const until = performance.now() + secondsMax * 1000;
    if (running < atOnceMax) running += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((start) => waiting.push(start));
    else throw tryAgain('Too many names are being looked up.');
    try {
      // All callers have timed out.
      if (performance.now() > until) throw tooLong();
      return await new Promise((resolve, reject) =>
        lookup(name, options, (error, addresses) => (error ? reject(error) : resolve(addresses))),
      );
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return (name, options, callback) => {
    const key = `${name} ${options.family ?? 0} ${options.hints ?? 0}`;
    let pending = shared.get(key);
    if (!pending) {
      pending = lookUp(name, options).finally(() => shared.delete(key));
      shared.set(key, pending);
    }
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooLong()), secondsMax * 1000);
    Promise.race([pending, promise])
      .finally(() => clearTimeout(timer))
      .then(
        (addresses) => callback(null, addresses),
        (error) => callback(error, []),
      );
  };
}

function tooLong(): NodeJS.ErrnoException {
  return tryAgain('The name was not looked up in time.');
}

function tryAgain(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'EAI_AGAIN' });
}
