/** Clients that keep a connection without using it: each wait for them ends, and nobody else waits for them. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../engine/index.ts';
import type { Limits } from '../admission/limits.ts';
import { sendProblem } from '../responses/response.ts';

/** Node looks for requests that are late this often. */
export const LATE_CHECK_MS = 1000;

/** Node keeps the answer that is under way at the socket. */
type ServerSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Closes connections on which nothing moves: nobody reads the answer, or nobody asks. While we work, they wait for us. */
export function closeStalled({ server }: FastifyInstance, { stalledSecondsMax, connectionsMax }: Limits): void {
  if (connectionsMax > 0) server.maxConnections = connectionsMax;
  server.setTimeout(stalledSecondsMax * 1000);
  server.on('timeout', (socket: ServerSocket) => {
    // A connection that has not asked yet is left to the limit of its headers, which answers.
    const isIdle = !socket._httpMessage && socket.bytesWritten > 0;
    const isUnread = socket.writableLength > 0;
    if (isUnread) socket.destroy();
    else if (isIdle) closeUnlessAsked(socket);
  });
}

/** After a loop that stood still, or a machine that slept, the clock runs out before what has come meanwhile is read. */
function closeUnlessAsked(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** Connections whose request has limits of its own. */
const long = new WeakSet<Socket>();

/** @param stalledSecondsMax in place of the usual, while this request is answered */
export function takeLong({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, stalledSecondsMax: number): void {
  long.add(socket);
  // Node sets the usual limit again when the answer has ended.
  socket.setTimeout(stalledSecondsMax * 1000);
  raw.once('close', () => long.delete(socket));
}

export function mayTakeLong(socket: Socket): boolean {
  return long.has(socket);
}

/** Node says “close” in the last answer that a connection may have; we also do it, before more requests on it are dropped. */
export function isLastOnConnection({ raw }: FastifyReply): boolean {
  return (raw as ServerResponse & { maxRequestsOnConnectionReached?: boolean }).maxRequestsOnConnectionReached === true;
}

const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

/** Limits the wait for a body, from when we are ready to read it; what is not whole then is refused. */
export function expectBody(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const refuse = (): void => {
    const detail = `The body did not arrive whole within ${seconds} seconds.`;
    if (!reply.sent) sendProblem(reply, problem('request-timeout', detail, { connection: 'close' }));
  };
  timers.set(request, setTimeout(refuse, seconds * 1000));
  // However it ends: whole, broken off, or refused half-way.
  request.raw.once('close', () => bodyArrived(request));
}

export function bodyArrived(request: FastifyRequest): void {
  clearTimeout(timers.get(request));
}
