/**
 * Stops a server without dropping requests: it accepts the connections in the system's queue, stops listening, and adds
 * `Connection: close` to the next response on each connection. Connections that stay idle are left to the server's `close`.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';

/**
 * Longer than a busy client takes from a response to its next request. If the connection were closed at once, that request could
 * be lost on the way, and the client would not know whether it was run.
 */
const IDLE_MILLISECONDS = 200;

/** New clients may connect continuously. */
const QUEUE_MILLISECONDS_MAX = 1000;

const QUIET_MILLISECONDS = 0.5;

export interface Draining {
  /** How long idle connections stay open; 200 ms by default. */
  readonly idleMs?: number;
  /** Another process accepts connections from the same socket, so the queue need not be emptied. */
  readonly hasSuccessor?: boolean;
}

export async function drain(
  server: Server,
  { idleMs = IDLE_MILLISECONDS, hasSuccessor = false }: Draining = {},
): Promise<void> {
  if (!hasSuccessor) await emptyQueue(server);
  // `close` of the HTTP server would close idle connections too.
  const isEmpty = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // Not earlier: a client whose connection closes reconnects, and would wait in the queue.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  await Promise.race([isEmpty, sleep(idleMs)]);
}

/**
 * Accepts the connections in the system's queue until an event loop iteration brings no new one. The system resets the rest.
 * The iteration must be short, because connections that arrive during it are not yet accepted.
 */
async function emptyQueue(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on('connection', count);
  const startedAt = performance.now();
  // The current iteration may already have polled for connections.
  for (
    let isQuiet = false, iterations = 0;
    !isQuiet && performance.now() - startedAt < QUEUE_MILLISECONDS_MAX;
    iterations += 1
  ) {
    const [before, since] = [accepted, performance.now()];
    await nextTick();
    isQuiet = iterations > 0 && accepted === before && performance.now() - since < QUIET_MILLISECONDS;
  }
  server.off('connection', count);
}
