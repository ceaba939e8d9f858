/**
 * Look-ups of names, a few at a time. The system's own is a call that blocks a thread, and libuv gives such calls half of its four
 * threads: names that nobody answers for would else stand in front of everyone's look-ups, those of the database too.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';

export type Lookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** As many as libuv does side by side. */
const AT_ONCE_MAX = 2;
/** More of them are refused at once. */
const WAITING_MAX = 100;
/** From when it is asked for; a look-up that takes longer keeps its place until the system gives up. */
const SECONDS_MAX = 10;

interface Bounds {
  readonly atOnceMax?: number;
  readonly waitingMax?: number;
  readonly secondsMax?: number;
}

/** The same look-up, which answers with `EAI_AGAIN` where it takes too long. Whoever asks for a name that is being looked up shares it. */
export function boundLookups(
  lookup: Lookup,
  { atOnceMax = AT_ONCE_MAX, waitingMax = WAITING_MAX, secondsMax = SECONDS_MAX }: Bounds = {},
): Lookup {
  const shared = new Map<string, Promise<LookupAddress[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function look(name: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    const until = performance.now() + secondsMax * 1000;
    if (running < atOnceMax) running += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((begin) => waiting.push(begin));
    else throw tryAgain('Too many names are being looked up.');
    try {
      // Everyone who asked for it has gone.
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

  return (name, options, answer) => {
    const key = `${name} ${options.family ?? 0} ${options.hints ?? 0}`;
    let looking = shared.get(key);
    if (!looking) {
      looking = look(name, options).finally(() => shared.delete(key));
      shared.set(key, looking);
    }
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooLong()), secondsMax * 1000);
    Promise.race([looking, promise])
      .finally(() => clearTimeout(timer))
      .then(
        (addresses) => answer(null, addresses),
        (error) => answer(error, []),
      );
  };
}

function tooLong(): NodeJS.ErrnoException {
  return tryAgain('The name was not looked up in time.');
}

function tryAgain(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'EAI_AGAIN' });
}
