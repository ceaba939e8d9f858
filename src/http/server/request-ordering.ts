/**
 * Orders pipelined requests. Node starts each request when it arrives and orders only the responses, so a read could return
 * data from before a write that the client sent first. Only safe requests run concurrently (RFC 9112 §9.3.2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The last response to an unsafe request on each connection. */
const lastUnsafe = new WeakMap<Socket, ServerResponse>();

/** The number of delayed requests of each connection. */
const delayed = new WeakMap<Socket, number>();

/** Calls `go` at once, or when the earlier responses of the connection are sent. Requests of closed connections are dropped. */
export function inOrder({ method, socket }: IncomingMessage, response: ServerResponse, go: () => void): void {
  const isSafe = SAFE.has(method!);
  const ahead = lastUnsafe.get(socket);
  if (!isSafe) lastUnsafe.set(socket, response);
  // Node assigns the socket to a response when the earlier ones are sent.
  const isFirst = response.socket !== null;
  if (isFirst || (isSafe && (!ahead || ahead.writableFinished))) go();
  else delay(socket, response, go);
}

/** Pauses the connection, so that the number of delayed requests does not grow. */
function delay(socket: Socket, response: ServerResponse, go: () => void): void {
  delayed.set(socket, (delayed.get(socket) ?? 0) + 1);
  socket.pause();
  response.once('socket', () => {
    const left = delayed.get(socket)! - 1;
    delayed.set(socket, left);
    if (left === 0) socket.resume();
    // Node has not finished assigning the socket.
    process.nextTick(go);
  });
}
