/** Worker thread that serves the stores of a test process. */
import { parentPort } from 'node:worker_threads';
import type { RunningServer } from '../../src/cli/serve.ts';
import { serveStore } from './serving.ts';

/** A message of the parent thread; the reply has the same number. */
export type ThreadRequest = { readonly number: number } & (
  | { readonly start: Readonly<Record<string, string | undefined>> }
  | { readonly address: string; readonly action: 'settle' | 'stop' }
);

export interface ThreadResponse {
  readonly number: number;
  /** The address of the started server. */
  readonly address?: string;
  readonly error?: Error;
}

const servers = new Map<string, RunningServer>();

async function handle(request: ThreadRequest): Promise<string | undefined> {
  if ('start' in request) {
    const server = await serveStore(request.start);
    servers.set(server.address, server);
    return server.address;
  }
  const server = servers.get(request.address)!;
  if (request.action === 'settle') await server.settled();
  else {
    servers.delete(request.address);
    await server.stop();
  }
  return undefined;
}

parentPort!.on('message', (request: ThreadRequest) => {
  const { number } = request;
  handle(request).then(
    (address) =>
      parentPort!.postMessage({ number, ...(address !== undefined && { address }) } satisfies ThreadResponse),
    (error) => parentPort!.postMessage({ number, error } satisfies ThreadResponse),
  );
});
