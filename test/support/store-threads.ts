/**
 * Serves stores in a thread beside the tests. There the test runner does not follow every promise, which took a fifth of a
 * server's time, and the second core has work.
 */
import { Worker } from 'node:worker_threads';
import type { Granted, Wish } from './store-thread.ts';

interface ThreadServer {
  readonly address: string;
  settled(): Promise<void>;
  stop(): Promise<void>;
}

type Ask =
  | { readonly start: Readonly<Record<string, string | undefined>> }
  | { readonly of: string; readonly what: 'settle' | 'stop' };

let thread: Worker | undefined;
let asked = 0;
const waiting = new Map<number, PromiseWithResolvers<Granted>>();

/** As `serve` of `src/cli/serve.ts`. */
export async function serveBeside(environment: Readonly<Record<string, string | undefined>>): Promise<ThreadServer> {
  const { address } = await ask({ start: environment });
  const of = address!;
  return {
    address: of,
    settled: async () => void (await ask({ of, what: 'settle' })),
    stop: async () => void (await ask({ of, what: 'stop' })),
  };
}

async function ask(wish: Ask): Promise<Granted> {
  thread ??= startThread();
  asked += 1;
  const answer = Promise.withResolvers<Granted>();
  waiting.set(asked, answer);
  thread.postMessage({ ...wish, number: asked } satisfies Wish);
  // A test process ends when its tests have, and not before what they asked for.
  thread.ref();
  const granted = await answer.promise;
  if (waiting.size === 0) thread.unref();
  if (granted.error) throw granted.error;
  return granted;
}

function startThread(): Worker {
  const worker = new Worker(new URL('./store-thread.ts', import.meta.url));
  worker.on('message', (granted: Granted) => {
    const answer = waiting.get(granted.number)!;
    waiting.delete(granted.number);
    answer.resolve(granted);
  });
  worker.on('error', (error) => {
    throw error;
  });
  return worker;
}
