/** The thread that serves the stores of a test process, as its parent asks. */
import { parentPort } from 'node:worker_threads';
import type { RunningServer } from '../../src/cli/serve.ts';
import { serveStore } from './serving.ts';

/** A wish of the parent; each is answered with its number. */
export type Wish = { readonly number: number } & (
  | { readonly start: Readonly<Record<string, string | undefined>> }
  | { readonly of: string; readonly what: 'settle' | 'stop' }
);

export interface Granted {
  readonly number: number;
  /** Of the server that was started. */
  readonly address?: string;
  readonly error?: Error;
}

const servers = new Map<string, RunningServer>();

async function grant(wish: Wish): Promise<string | undefined> {
  if ('start' in wish) {
    const server = await serveStore(wish.start);
    servers.set(server.address, server);
    return server.address;
  }
  const server = servers.get(wish.of)!;
  if (wish.what === 'settle') await server.settled();
  else {
    servers.delete(wish.of);
    await server.stop();
  }
  return undefined;
}

parentPort!.on('message', (wish: Wish) => {
  const { number } = wish;
  grant(wish).then(
    (address) => parentPort!.postMessage({ number, ...(address !== undefined && { address }) } satisfies Granted),
    (error) => parentPort!.postMessage({ number, error } satisfies Granted),
  );
});
