/**
 * Requests that a client sends on one connection without waiting for answers. Node begins each as it comes and only sends
 * the answers in their order, so a read could be answered from before the write that stands in front of it. Only safe
 * requests run side by side (RFC 9112 §9.3.2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The last answer on each connection that is to a request which may change something. */
const lastChanging = new WeakMap<Socket, ServerResponse>();

/** How many requests of a connection are held back. */
const heldBack = new WeakMap<Socket, number>();

/** Goes on at once, or when everything before it on its connection is answered. A closed connection's requests are dropped. */
export function inTurn({ method, socket }: IncomingMessage, answer: ServerResponse, go: () => void): void {
  const isSafe = SAFE.has(method!);
  const ahead = lastChanging.get(socket);
  if (!isSafe) lastChanging.set(socket, answer);
  // Node gives an answer its socket when those before it are sent.
  const isFirst = answer.socket !== null;
  if (isFirst || (isSafe && (!ahead || ahead.writableFinished))) go();
  else hold(socket, answer, go);
}

/** Nothing more is read of a connection meanwhile, so that what is held back does not grow. */
function hold(socket: Socket, answer: ServerResponse, go: () => void): void {
  heldBack.set(socket, (heldBack.get(socket) ?? 0) + 1);
  socket.pause();
  answer.once('socket', () => {
    const left = heldBack.get(socket)! - 1;
    heldBack.set(socket, left);
    if (left === 0) socket.resume();
    // Node has not finished with giving the socket.
    process.nextTick(go);
  });
}
