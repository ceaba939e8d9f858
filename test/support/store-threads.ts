/**
 * Serves stores in a worker thread. There the test runner does not track every promise, which cost a fifth of the server's
 * time, and a second core does the work.
 */
import { Worker } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from './store-thread.ts';

interface ThreadServer {
  readonly address: string;
  settled(): Promise<void>;
  stop(): Promise<void>;
}

type RequestBody =
  | { readonly start: Readonly<Record<string, string | undefined>> }
  | { readonly address: string; readonly action: 'settle' | 'stop' };

let thread: Worker | undefined;
let lastNumber = 0;
const waiting = new Map<number, PromiseWithResolvers<ThreadResponse>>();

/** Serves a store as `serve` of `src/cli/serve.ts` does, in the worker thread. */
export async function serveInThread(environment: Readonly<Record<string, string | undefined>>): Promise<ThreadServer> {
  const started = await send({ start: environment });
  const address = started.address!;
  return {
    address,
    settled: async () => void (await send({ address, action: 'settle' })),
    stop: async () => void (await send({ address, action: 'stop' })),
  };
}

async function send(body: RequestBody): Promise<ThreadResponse> {
  thread ??= startThread();
  lastNumber += 1;
  const pending = Promise.withResolvers<ThreadResponse>();
  waiting.set(lastNumber, pending);
  thread.postMessage({ ...body, number: lastNumber } satisfies ThreadRequest);
  // The thread keeps the process alive only while a request is pending.
  thread.ref();
  const response = await pending.promise;
  if (waiting.size === 0) thread.unref();
  if (response.error) throw response.error;
  return response;
}

function startThread(): Worker {
  const worker = new Worker(new URL('./store-thread.ts', import.meta.url));
  worker.on('message', (response: ThreadResponse) => {
    const pending = waiting.get(response.number)!;
    waiting.delete(response.number);
    pending.resolve(response);
  });
  worker.on('error', (error) => {
    throw error;
  });
  return worker;
}
