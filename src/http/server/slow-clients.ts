/** Time limits for connections whose client does not send. `response-backlog.ts` closes those whose client does not read. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../../engine/index.ts';
import type { Limits } from '../admission/limits.ts';
import { sendProblem } from '../responses/response.ts';
import { isLastResponseOfConnection, responseInProgress } from './node-internals.ts';

/** Interval at which Node checks for requests that exceed its time limits. */
export const LATE_CHECK_MS = 1000;

/**
 * Limits the number of connections, and closes idle ones. While the server works on a request, its connection has no
 * time limit.
 */
export function registerConnectionLimits(
  { server }: FastifyInstance,
  { stalledSecondsMax, connectionsMax }: Limits,
): void {
  if (connectionsMax > 0) server.maxConnections = connectionsMax;
  server.setTimeout(stalledSecondsMax * 1000);
  server.on('timeout', (socket: Socket) => {
    // Before its first request, a connection has only the time limit for headers, which ends with a 408.
    const isIdle = !responseInProgress(socket) && socket.bytesWritten > 0;
    if (isIdle) closeUnlessReceiving(socket);
  });
}

/** If the event loop was blocked or the machine slept, the timer fires before Node reads the bytes that arrived meanwhile. */
function closeUnlessReceiving(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** Replaces the general time limit of a response. */
interface TimeLimit {
  readonly stalledSecondsMax: number;
  /** A client that sends is not stalled, even if it does not read. */
  readonly countsSending: boolean;
}

const timeLimits = new WeakMap<ServerResponse, TimeLimit>();

/**
 * Sets the time limit of a long request. @returns a promise that resolves when the response is sent or its connection closed
 */
export function allowLongRequest(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
  timeLimit: TimeLimit,
): Promise<void> {
  timeLimits.set(raw, timeLimit);
  return new Promise((resolve) => {
    const end = (): void => {
      raw.off('close', end);
      socket.off('close', end);
      resolve();
    };
    raw.once('close', end);
    // Node does not close a pipelined response whose connection ends before its turn.
    socket.once('close', end);
    if (socket.destroyed) end();
  });
}

/** @returns undefined if the general limit applies */
export function timeLimitOf(response: ServerResponse): TimeLimit | undefined {
  return timeLimits.get(response);
}

export function isLongRequest(socket: Socket): boolean {
  const response = responseInProgress(socket);
  return response !== undefined && timeLimits.has(response);
}

/** Node adds `Connection: close` itself, but only after the handler. Earlier hooks need to know. */
export function isLastOnConnection({ raw }: FastifyReply): boolean {
  return isLastResponseOfConnection(raw);
}

/** Until when the body of a request must arrive, and since when the server waits for it. */
const expected = new WeakMap<FastifyRequest, { readonly timer: NodeJS.Timeout; readonly since: number }>();

/** Starts the time limit for the body. If the body is incomplete by then, the server responds with 408. */
export function expectBody(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const reject = (): void => {
    const detail = `The body did not arrive completely within ${seconds} seconds. Send the request again.`;
    if (!reply.sent) sendProblem(reply, problem('request-timeout', detail, { connection: 'close' }));
  };
  expected.set(request, { timer: setTimeout(reject, seconds * 1000), since: performance.now() });
  // Covers complete, aborted and rejected bodies.
  request.raw.once('close', () => bodyArrived(request));
}

export function bodyArrived(request: FastifyRequest): void {
  clearTimeout(expected.get(request)?.timer);
}

/** Milliseconds since the server began to wait for the body; 0 if the request has none. */
export function waitedMs(request: FastifyRequest): number {
  const since = expected.get(request)?.since;
  return since === undefined ? 0 : performance.now() - since;
}
