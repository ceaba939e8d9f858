/** The HTTP server: who may pass, which operation answers, and one form for everything that goes wrong. */
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { type Problem, problem } from '../engine/errors.ts';
import { DatabaseUnavailable, ImagesUnavailable, Overloaded } from '../engine/ports.ts';
import { admit, tooLarge } from './admission.ts';
import { sendProblem } from './answer.ts';
import type { HttpOptions } from './context.ts';
import { commonHeaders, PREFLIGHT_HEADERS } from './headers.ts';
import { addHealthRoutes } from './health.ts';
import { addImageRoutes } from './images.ts';
import { addReferenceRoutes } from './reference.ts';
import { addResourceRoutes } from './resources.ts';
import { meetExpectations, refuseUnreadable } from './wire.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
/** Room for an address and headers of 8 KiB each: the door tells which of the two is too large. */
const HEADER_SIZE_MAX = 20 * 1024;
const PARAMETER_LENGTH_MAX = 8192;

/** Not yet listening: the caller says where. */
export async function createServer(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: { level: options.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // A request without Host, or with two, is refused at the door in the form of every other problem.
    http: { maxHeaderSize: HEADER_SIZE_MAX, requireHostHeader: false },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket as Socket, options.service.world),
    // The absolute form of an address (RFC 9112 §3.2.2) may name any host; only its path counts.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    exposeHeadRoutes: true,
    // A request on an open connection is still answered while the server stops; the connection closes after it.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) =>
      void refuseUnroutable(request as FastifyRequest, reply as unknown as FastifyReply, options),
  });
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  app.decorateRequest('visit');
  app.decorateRequest('answerType', '');
  app.decorateRequest('address');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(options.service.world.baseUrl));
    if (request.method === 'OPTIONS') return reply.headers(PREFLIGHT_HEADERS).code(204).send();
    const refused = await admit(request, options);
    // A client that waits to be told to go on (RFC 9110 §10.1.1) sends its body only once it has passed the door.
    const waits = request.headers.expect !== undefined;
    if (waits && refused) reply.header('connection', 'close');
    if (waits && !refused) reply.raw.writeContinue();
    if (refused) return sendProblem(reply, refused, options.service.world.baseUrl);
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(reply, problemOf(error, request), options.service.world.baseUrl),
  );
  app.setNotFoundHandler((_request, reply) => reply);
  if (options.logLevel === 'debug' || options.logLevel === 'trace') logRequests(app);
  addHealthRoutes(app, options);
  addImageRoutes(app, options);
  addReferenceRoutes(app, options);
  addResourceRoutes(app, options);
  meetExpectations(app, options.service.world);
  return app;
}

/** An address that the router cannot even decode: as any unknown path, behind the key. */
async function refuseUnroutable(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<void> {
  reply.headers(commonHeaders(options.service.world.baseUrl));
  const refused = await admit(request, options).catch((error: FastifyError) => problemOf(error, request));
  sendProblem(
    reply,
    refused ?? problem('not-found', 'The path is not valid percent-encoded UTF-8.'),
    options.service.world.baseUrl,
  );
}

function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  const [, what] = UNAVAILABLE.find(([kind]) => error instanceof kind) ?? [];
  if (what !== undefined) {
    request.log.warn({ err: error }, 'not available');
    return problem('service-unavailable', `${what} now; send the request again in a second.`, { 'retry-after': '1' });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit);
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return problem('malformed-request', 'The body is not as long as its Content-Length says.');
  request.log.error({ err: error }, 'internal error');
  return problem(
    'internal-error',
    'Something went wrong here. Tell the store’s operator the request id in “instance”.',
  );
}

const UNAVAILABLE = [
  [DatabaseUnavailable, 'The database cannot answer'],
  [ImagesUnavailable, 'The image files cannot be read or written'],
  [Overloaded, 'The server has too much to do'],
] as const;

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?')[0];
    request.log.debug(
      { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
}
