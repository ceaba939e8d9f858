/**
 * Takes a server out of service without cutting anybody off: who has come is let in, nobody new is, and whoever has a
 * connection gets an answer that asks to close it. A connection on which nothing comes for a while is left for the
 * server's own `close`.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';

/**
 * Longer than a busy client takes from one answer to its next request. Closing at once would meet that request half-way,
 * and the client could not tell whether it was done.
 */
const IDLE_MILLISECONDS = 200;

/** New clients may come without end. */
const QUEUE_MILLISECONDS_MAX = 1000;

const QUIET_MILLISECONDS = 0.5;

export interface Draining {
  /** So long a connection is left alone on which nothing comes; a fifth of a second when not said. */
  readonly idleMs?: number;
  /** Another process goes on to accept, or will, so that nobody is lost who waits in the system's queue. */
  readonly hasSuccessor?: boolean;
}

export async function drain(
  server: Server,
  { idleMs = IDLE_MILLISECONDS, hasSuccessor = false }: Draining = {},
): Promise<void> {
  if (!hasSuccessor) await emptyQueue(server);
  // The HTTP server's own `close` would close idle connections as well.
  const isEmpty = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // Not before: who is asked to close comes back with a new connection, which would stand in the queue.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  await Promise.race([isEmpty, sleep(idleMs)]);
}

/**
 * Lets in whoever the system has connected already, until a turn of the event loop brings nobody: the rest is reset. The
 * turn has to be short, as who comes while it works is not seen.
 */
async function emptyQueue(server: Server): Promise<void> {
  let comers = 0;
  const count = (): void => {
    comers += 1;
  };
  server.on('connection', count);
  const begunAt = performance.now();
  // The first one is under way: it may have looked for connections already.
  for (let isQuiet = false, turns = 0; !isQuiet && performance.now() - begunAt < QUEUE_MILLISECONDS_MAX; turns += 1) {
    const [before, since] = [comers, performance.now()];
    await nextTick();
    isQuiet = turns > 0 && comers === before && performance.now() - since < QUIET_MILLISECONDS;
  }
  server.off('connection', count);
}
