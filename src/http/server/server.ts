/** The HTTP server: who may pass, which operation answers, and one form for everything that goes wrong. */
import type { Socket } from 'node:net';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { problem } from '../../engine/index.ts';
import { KeyUses } from '../../store/key-uses.ts';
import { ADMIN_PATH, addAdminRoutes, leadsToAdmin } from '../admin/routes.ts';
import { admit, type Door } from '../admission/admission.ts';
import { AdmissionControl, isUpload } from '../admission/admission-control.ts';
import { countsOf } from '../admission/rate-limits.ts';
import { addImageRoutes } from '../endpoints/images.ts';
import { addKeyRoutes } from '../endpoints/keys.ts';
import { addPrivacyRoutes } from '../endpoints/privacy.ts';
import { addStatisticsRoute } from '../endpoints/statistics.ts';
import { addStoreRoute } from '../endpoints/store-info.ts';
import { addChangesRoute } from '../feed/changes.ts';
import { addReferenceRoutes } from '../reference/routes.ts';
import { readForm } from '../resources/multipart-form.ts';
import { createReadCaches } from '../resources/reads.ts';
import { isForm, readBody } from '../resources/request-body.ts';
import { addResourceRoutes } from '../resources/routes.ts';
import { addSecretCheckRoutes } from '../resources/secret-checks.ts';
import { encodeAnswers } from '../responses/encodings.ts';
import { CORS_HEADERS, commonHeaders, PREFLIGHT_HEADERS } from '../responses/headers.ts';
import { sendProblem } from '../responses/response.ts';
import { type Addressing, addressing } from './base-address.ts';
import type { HttpOptions } from './context.ts';
import { problemOf } from './failures.ts';
import { addHealthRoutes } from './health.ts';
import { Observer } from './observer.ts';
import { OfferedMethods } from './offered-methods.ts';
import { meetExpectations, refuseUnreadable } from './protocol-errors.ts';
import { requestIdOf, traceResponse } from './request-ids.ts';
import { inTurn } from './request-ordering.ts';
import { addServerTiming, timeWork, wantsTiming } from './server-timing.ts';
import { bodyArrived, closeStalled, expectBody, isLastOnConnection, LATE_CHECK_MS } from './slow-clients.ts';

/** The parser takes this much beyond address and headers, so that the door can tell which of the two is too large. */
const HEADER_ROOM_BYTES = 4096;

/** Not yet listening: the caller says where. */
export async function createServer(options: HttpOptions): Promise<FastifyInstance> {
  const { limits } = options;
  const { environment } = options.service;
  const admissionControl = new AdmissionControl(limits);
  const addresses = addressing(options.service, options.followsHost, options.trustProxy);
  const app = fastify({
    logger: { level: options.logLevel, ...(options.logNames && { base: options.logNames }) },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers),
    requestTimeout: limits.requestSecondsMax * 1000,
    keepAliveTimeout: limits.keepAliveSecondsMax * 1000,
    maxRequestsPerSocket: limits.requestsPerConnectionMax,
    http: {
      maxHeaderSize: limits.addressBytesMax + limits.headerBytesMax + HEADER_ROOM_BYTES,
      headersTimeout: Math.min(limits.headersSecondsMax, limits.requestSecondsMax) * 1000,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // A request without Host, or with two, is refused at the door in the form of every other problem.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket as Socket, { environment, limits, observer }),
    // The absolute form of an address (RFC 9112 §3.2.2) may name any host; only its path counts.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    routerOptions: { maxParamLength: limits.addressBytesMax },
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    exposeHeadRoutes: true,
    // The fields check bodies themselves (docs/decisions/0002); Fastify would load Ajv at each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // A request on an open connection is still answered while the server stops; the connection closes after it.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) =>
      void refuseUnroutable(request as FastifyRequest, reply as unknown as FastifyReply, {
        ...{ options, door, addresses, observer },
      }),
  });
  const observer = new Observer(options.metrics, isLogged(options) ? app.log.child({}, { level: 'info' }) : undefined);
  const counts = options.counts ?? countsOf(limits);
  const door: Door = {
    ...counts,
    offered: new OfferedMethods(app),
    keyUses: new KeyUses(options.service),
  };
  app.decorateRequest('requestContext');
  app.decorateRequest('answerType', '');
  app.decorateRequest('address');
  app.decorateRequest('bulk');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const { filePart } = request.routeOptions.config;
    if (request.routeOptions.config.takesLines) {
      done(null, payload);
      return;
    }
    const isFormHere = filePart !== undefined && isForm(request.headers['content-type']);
    if (isFormHere) readForm(request, payload, { filePart, fileBytesMax: options.imageBytesMax }, done);
    else readBody(request, payload, admissionControl, done);
  });
  app.decorateRequest('queue');
  app.decorateRequest('service');
  app.decorateRequest('hostProblem');
  app.addHook('onRequest', (request, reply, done) => {
    addresses.address(request);
    observer.routed(request);
    nameAnswer(request, reply, observer);
    done();
  });
  app.addHook('onRequest', (request, reply, done) =>
    inTurn(request.raw, reply.raw, () => admissionControl.begin(request, reply, done)),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.service.environment.baseUrl));
    const { negotiates, isForOwnPages } = request.routeOptions.config;
    if (negotiates === false) reply.removeHeader('vary');
    if (isForOwnPages) for (const name of CORS_HEADERS) reply.removeHeader(name);
    if (isLastOnConnection(reply)) reply.header('connection', 'close');
    if (request.method === 'OPTIONS') return reply.headers(PREFLIGHT_HEADERS).code(204).send();
    if (leadsToAdmin(request, options)) return reply.redirect(ADMIN_PATH, 303);
    const refused = await admit(request, reply, options, door);
    if (request.requestContext) admissionControl.know(request);
    // A public path proves nothing about its client.
    if (request.requestContext && !refused) addresses.keep(request);
    // A client that waits to be told to go on (RFC 9110 §10.1.1) sends its body only once it has passed the door.
    const waits = request.headers.expect !== undefined;
    if (waits && refused) reply.header('connection', 'close');
    if (waits && !refused) reply.raw.writeContinue();
    if (refused) return sendProblem(reply, refused);
    if (wantsTiming(request.headers.prefer)) timeWork(request, reply);
    const { takesBody, takesLines } = request.routeOptions.config;
    if (!takesBody || takesLines) return;
    admissionControl.awaitBody(request);
    expectBody(request, reply, isUpload(request) ? limits.uploadSecondsMax : limits.bodySecondsMax);
  });
  app.addHook('preHandler', (request, reply, done) => {
    bodyArrived(request);
    admissionControl.resume(request, reply, done);
  });
  encodeAnswers(app);
  app.addHook('onSend', (request, _reply, payload, done) => {
    admissionControl.answered(request);
    done(null, payload);
  });
  addServerTiming(app);
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(reply, problemOf(error, request)));
  app.setNotFoundHandler((_request, reply) => reply);
  addHealthRoutes(app, options);
  addImageRoutes(app, options);
  addReferenceRoutes(app, options);
  const caches = createReadCaches(options, observer, door.keyUses);
  app.addHook('onClose', async () => caches.pages.lists?.queue.stop());
  addResourceRoutes(app, options, admissionControl, caches);
  addPrivacyRoutes(app, options);
  addSecretCheckRoutes(app, options, admissionControl, counts.failedLogins);
  addChangesRoute(app, options, admissionControl);
  addKeyRoutes(app, options);
  addStatisticsRoute(app);
  addStoreRoute(app);
  addAdminRoutes(app, options, door.failedKeys);
  meetExpectations(app, addresses, observer);
  closeStalled(app, limits);
  caches.fastPath.stand(app);
  observer.stand(app);
  options.metrics?.showWork(() => admissionControl.figures());
  return app;
}

function isLogged({ logRequests, logLevel }: HttpOptions): boolean {
  return logRequests || logLevel === 'debug' || logLevel === 'trace';
}

/** The answer says by which names the log has its request. */
function nameAnswer(request: FastifyRequest, reply: FastifyReply, observer: Observer): void {
  reply.header('x-request-id', request.id);
  const trace = observer.traceOf(request.raw);
  if (trace) reply.header('traceresponse', traceResponse(trace));
}

interface Surroundings {
  readonly options: HttpOptions;
  readonly door: Door;
  readonly addresses: Addressing;
  readonly observer: Observer;
}

/** An address that the router cannot even decode: like an unknown path, behind the key. */
async function refuseUnroutable(
  request: FastifyRequest,
  reply: FastifyReply,
  { options, door, addresses, observer }: Surroundings,
): Promise<void> {
  addresses.address(request);
  observer.routed(request);
  nameAnswer(request, reply, observer);
  reply.headers(commonHeaders(request.service.environment.baseUrl));
  const refused = await admit(request, reply, options, door).catch((error: FastifyError) => problemOf(error, request));
  sendProblem(reply, refused ?? problem('not-found', 'The path is not valid percent-encoded UTF-8.'));
}

function noSchemas(): never {
  throw new Error('A route has a schema of Fastify; the fields of the model check bodies here.');
}
