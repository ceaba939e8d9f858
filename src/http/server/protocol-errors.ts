/**
 * Requests that fail in HTTP itself, before the router: unparsable bytes, timeouts, unknown expectations, CONNECT. They
 * too get a problem as response (RFC 9457).
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Environment, type Problem, problem, problemTypes } from '../../engine/index.ts';
import type { Limits } from '../admission/limits.ts';
import { commonHeaders } from '../responses/headers.ts';
import { renderProblem } from '../responses/response.ts';
import type { Addressing } from './base-address.ts';
import { requestBeingParsed, responseInProgress } from './node-internals.ts';
import type { Observer } from './observer.ts';
import { requestIdOf } from './request-ids.ts';
import { isLongRequest } from './slow-clients.ts';

/** The error of Node's HTTP parser. */
interface ParserError {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

interface ParserErrorOptions {
  readonly environment: Environment;
  readonly limits: Limits;
  readonly observer: Observer;
}

/** Responds to bytes that Node's parser rejects, and closes the connection. */
export function rejectUnparsable(
  error: ParserError,
  socket: Socket,
  { environment, limits, observer }: ParserErrorOptions,
): void {
  // Node's time limit applies to every request. Exports and bulks have their own.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isLongRequest(socket)) return;
  if (!socket.writable || wouldMislead(socket) || error.code === 'ECONNRESET') return void socket.destroy();
  rejectRaw(socket, parserProblem(error, limits), { baseUrl: environment.baseUrl, observer });
}

/**
 * Whether the client would take this response for that of another request: the response to an earlier request is not
 * complete, or the server has already responded to the incomplete one.
 */
function wouldMislead(socket: Socket): boolean {
  const response = responseInProgress(socket);
  if (response) return response.headersSent || response.req.complete;
  const arriving = requestBeingParsed(socket);
  return Boolean(arriving && !arriving.complete);
}

/** Leaves `100-continue` to admission and rejects every other expectation (RFC 9110 §10.1.1). */
export function registerExpectations(app: FastifyInstance, addresses: Addressing, observer: Observer): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    app.routing(request, response),
  );
  // Without a listener, Node would close the connection without a response.
  app.server.on('connect', (request: IncomingMessage, socket: Socket) =>
    rejectRaw(socket, problem('malformed-request', 'This server does not support CONNECT.'), {
      ...{ baseUrl: addresses.baseUrlOf(request), observer, id: requestIdOf(request.headers) },
    }),
  );
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const rejection = problem('expectation-failed', 'The only supported expectation is "100-continue".');
    const { accept } = request.headers;
    const { status, headers, body } = rawProblem(rejection, {
      ...{ baseUrl: addresses.baseUrlOf(request), accept, id: requestIdOf(request.headers) },
    });
    response.writeHead(status, { ...headers, connection: 'close' }).end(body);
  });
}

/** Whether the request line alone exceeds its limit. The parser reports only that line and headers together do. */
function isAddressTooLong(packet: unknown, { addressBytesMax }: Limits): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const lineEnd = packet.indexOf('\n');
  return lineEnd === -1 || lineEnd > addressBytesMax;
}

function parserProblem({ code, rawPacket }: ParserError, limits: Limits): Problem {
  if (code === 'HPE_HEADER_OVERFLOW' && isAddressTooLong(rawPacket, limits))
    return problem('uri-too-long', `The URL is longer than ${limits.addressBytesMax} bytes.`);
  if (code === 'HPE_HEADER_OVERFLOW')
    return problem('headers-too-large', `The headers are larger than ${limits.headerBytesMax} bytes.`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return problem('request-timeout', 'The request did not arrive completely in time. Send it again.');
  return problem('malformed-request', 'The request is not valid HTTP/1.1.');
}

/** Renders a problem for code that writes to the connection without Fastify. */
export function rawProblem(
  rejection: Problem,
  { baseUrl, accept, id }: { readonly baseUrl: string; readonly accept?: string | undefined; readonly id: string },
): { status: number; headers: Record<string, string>; body: string } {
  const { type, body } = renderProblem(rejection, accept, id, baseUrl);
  const { status } = problemTypes[rejection.problem];
  const headers = {
    ...commonHeaders(baseUrl),
    ...rejection.headers,
    'content-type': type,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
  };
  return { status, headers, body };
}

interface RawRejectionOptions {
  readonly baseUrl: string;
  readonly observer: Observer;
  /** A new one if the headers could not be parsed. */
  readonly id?: string;
}

/** Writes the response as text, because Node has no response object for this request, and closes the connection. */
function rejectRaw(
  socket: Socket,
  rejection: Problem,
  { baseUrl, observer, id = randomUUID() }: RawRejectionOptions,
): void {
  const { status, headers, body } = rawProblem(rejection, { baseUrl, id });
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  observer.respondedRaw(socket, status, id);
  socket.end(`HTTP/1.1 ${status} ${problemTypes[rejection.problem].title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
