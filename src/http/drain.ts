/**
 * Takes a server out of service without cutting anybody off: nobody new is let in, and whoever has a connection gets an
 * answer that asks to close it. A connection on which nothing comes for a while is left for the server's own `close`.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Longer than a busy client takes from one answer to its next request. Closing at once would meet that request half-way,
 * and the client could not tell whether it was done.
 */
const IDLE_MILLISECONDS = 200;

export async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // The HTTP server's own `close` would close idle connections as well.
  const isEmpty = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await Promise.race([isEmpty, sleep(IDLE_MILLISECONDS)]);
}
