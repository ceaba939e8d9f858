/** Requests that HTTP itself breaks: unreadable, too slow, with expectations. They too are answered with a problem. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Environment, type Problem, problem, problemTypes } from '../../engine/index.ts';
import type { Limits } from '../admission/limits.ts';
import { commonHeaders } from '../responses/headers.ts';
import { renderProblem } from '../responses/response.ts';
import type { Addressing } from './base-address.ts';
import type { Observer } from './observer.ts';
import { requestIdOf } from './request-ids.ts';
import { mayTakeLong } from './slow-clients.ts';

/** The error of Node’s parser for bytes that it could not read as a request. */
interface ParserError {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

interface Surroundings {
  readonly environment: Environment;
  readonly limits: Limits;
  readonly observer: Observer;
}

/** Answers what Node’s parser could not read as a request, and closes the connection. */
export function refuseUnreadable(
  error: ParserError,
  socket: Socket,
  { environment, limits, observer }: Surroundings,
): void {
  // Node's own limit is of every request; some have others.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(socket)) return;
  if (!socket.writable || wouldMislead(socket) || error.code === 'ECONNRESET') return void socket.destroy();
  refusePast(socket, brokenBy(error, limits), { baseUrl: environment.baseUrl, observer });
}

/**
 * Whether another answer would be taken for the wrong request's: one before the unreadable bytes is still to be answered,
 * or the one that never arrived whole has been answered already. Node keeps both at the socket.
 */
function wouldMislead(socket: ServerSocket): boolean {
  const answer = socket._httpMessage;
  if (answer) return answer.headersSent || answer.req.complete;
  const arriving = socket.parser?.incoming;
  return Boolean(arriving && !arriving.complete);
}

type ServerSocket = Socket & {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/** Leaves “100-continue” to the door, and refuses every other expectation (RFC 9110 §10.1.1). */
export function meetExpectations(app: FastifyInstance, addresses: Addressing, observer: Observer): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    app.routing(request, response),
  );
  // A tunnel is nothing that a store offers; without a listener the connection would be cut without a word.
  app.server.on('connect', (request: IncomingMessage, socket: Socket) =>
    refusePast(socket, problem('malformed-request', 'CONNECT is not offered here.'), {
      ...{ baseUrl: addresses.baseUrlOf(request), observer, id: requestIdOf(request.headers) },
    }),
  );
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refused = problem('expectation-failed', 'The only expectation that this server meets is “100-continue”.');
    const { accept } = request.headers;
    const { status, headers, body } = answerOf(refused, {
      ...{ baseUrl: addresses.baseUrlOf(request), accept, id: requestIdOf(request.headers) },
    });
    response.writeHead(status, { ...headers, connection: 'close' }).end(body);
  });
}

/** Whether the request line alone is too much: the parser tells only that all together is. */
function isAddressTooLong(packet: unknown, { addressBytesMax }: Limits): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const lineEnd = packet.indexOf('\n');
  return lineEnd === -1 || lineEnd > addressBytesMax;
}

function brokenBy({ code, rawPacket }: ParserError, limits: Limits): Problem {
  if (code === 'HPE_HEADER_OVERFLOW' && isAddressTooLong(rawPacket, limits))
    return problem('uri-too-long', `The address is longer than ${limits.addressBytesMax} bytes.`);
  if (code === 'HPE_HEADER_OVERFLOW')
    return problem('headers-too-large', `The headers are larger than ${limits.headerBytesMax} bytes.`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem('request-timeout', 'The request did not arrive whole in time.');
  return problem('malformed-request', 'The request is not valid HTTP/1.1.');
}

/** An answer as it goes out, for where the usual way of answering is not to be had. */
export function answerOf(
  refused: Problem,
  { baseUrl, accept, id }: { readonly baseUrl: string; readonly accept?: string | undefined; readonly id: string },
): { status: number; headers: Record<string, string>; body: string } {
  const { type, body } = renderProblem(refused, accept, id, baseUrl);
  const { status } = problemTypes[refused.problem];
  const headers = {
    ...commonHeaders(baseUrl),
    ...refused.headers,
    'content-type': type,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
  };
  return { status, headers, body };
}

interface Unread {
  readonly baseUrl: string;
  readonly observer: Observer;
  /** Where the headers could be read; else it gets one. */
  readonly id?: string;
}

/** Sends the answer as a text, where Node has none to send it with, and closes the connection. */
function refusePast(socket: Socket, refused: Problem, { baseUrl, observer, id = randomUUID() }: Unread): void {
  const { status, headers, body } = answerOf(refused, { baseUrl, id });
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  observer.answeredPast(socket, status, id);
  socket.end(`HTTP/1.1 ${status} ${problemTypes[refused.problem].title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
