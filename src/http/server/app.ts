/** Creates the Fastify instance, with its limits and options, and the parts that the stages of a request share. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { problem } from '../../engine/index.ts';
import { KeyUses } from '../../store/keys/key-uses.ts';
import { ShopperSessions } from '../../store/shoppers/sessions.ts';
import { type AdmissionContext, admit } from '../admission/admission.ts';
import { AdmissionControl } from '../admission/admission-control.ts';
import { createCounts } from '../admission/rate-limits.ts';
import { setCommonHeaders } from '../responses/headers.ts';
import { sendProblem } from '../responses/response.ts';
import { type Addressing, addressing } from './base-address.ts';
import type { HttpOptions } from './context.ts';
import { problemOf } from './failures.ts';
import { Observer } from './observer.ts';
import { OfferedMethods } from './offered-methods.ts';
import { rejectUnparsable } from './protocol-errors.ts';
import { requestIdOf, traceResponse } from './request-ids.ts';
import { ResponseBacklog, reportingResponse } from './response-backlog.ts';
import { LATE_CHECK_MS } from './slow-clients.ts';
import { pathAndQuery, withoutTrailingSlash } from './trailing-slash.ts';

/** Shared by the stages of a request. */
export interface ServerParts {
  readonly app: FastifyInstance;
  readonly options: HttpOptions;
  readonly admissionControl: AdmissionControl;
  readonly admission: AdmissionContext;
  readonly addresses: Addressing;
  readonly observer: Observer;
  readonly backlog: ResponseBacklog;
}

/** The parser accepts this many bytes more, so that admission can say whether the URL or the headers are too large. */
const HEADER_MARGIN_BYTES = 4096;

export function createParts(options: HttpOptions): ServerParts {
  const backlog = new ResponseBacklog(options.limits);
  // Fastify calls the handlers in its options only for requests, when the parts are complete.
  const app: FastifyInstance = fastify({
    ...connectionOptions(options, backlog),
    ...routingOptions(options),
    logger: loggerOptions(options),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers),
    clientErrorHandler: (error, socket) =>
      rejectUnparsable(error, socket as Socket, {
        ...{ environment: options.service.environment, limits: options.limits, observer: parts.observer },
      }),
    frameworkErrors: (_error, request, reply) =>
      void rejectUnroutable(request as FastifyRequest, reply as unknown as FastifyReply, parts),
  });
  const requestLog = isRequestLogged(options) ? app.log.child({}, { level: 'info' }) : undefined;
  const parts: ServerParts = {
    app,
    options,
    admissionControl: new AdmissionControl(options.limits),
    admission: {
      ...(options.counts ?? createCounts(options.limits)),
      offered: new OfferedMethods(app),
      keyUses: new KeyUses(options.service),
      shopperSessions: new ShopperSessions(options.service),
    },
    addresses: addressing(options.service, options.followsHost, options.trustProxy),
    observer: new Observer(options.metrics, requestLog),
    backlog,
  };
  return parts;
}

function loggerOptions({ logLevel, logNames, logStream }: HttpOptions) {
  return { level: logLevel, ...(logNames && { base: logNames }), ...(logStream && { stream: logStream }) };
}

function connectionOptions({ limits }: HttpOptions, backlog: ResponseBacklog) {
  return {
    requestTimeout: limits.requestSecondsMax * 1000,
    keepAliveTimeout: limits.keepAliveSecondsMax * 1000,
    maxRequestsPerSocket: limits.requestsPerConnectionMax,
    http: {
      ServerResponse: reportingResponse(backlog),
      maxHeaderSize: limits.addressBytesMax + limits.headerBytesMax + HEADER_MARGIN_BYTES,
      headersTimeout: Math.min(limits.headersSecondsMax, limits.requestSecondsMax) * 1000,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // Admission checks Host itself, so that a missing or duplicate one gets a problem as response.
      requireHostHeader: false,
    },
    // While the server stops, requests on open connections are still served. The connection closes after the response.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  } satisfies FastifyHttpOptions<Server>;
}

function routingOptions({ limits, trustProxy }: HttpOptions) {
  return {
    rewriteUrl: ({ url = '/' }) => withoutTrailingSlash(pathAndQuery(url)),
    routerOptions: { maxParamLength: limits.addressBytesMax },
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    exposeHeadRoutes: true,
    // Declared fields validate bodies (docs/decisions/0002). Without this, Fastify would load Ajv at each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  } satisfies FastifyHttpOptions<Server>;
}

function noSchemas(): never {
  throw new Error('Routes must not have a Fastify schema. Declare fields of the model instead.');
}

function isRequestLogged({ logRequests, logLevel }: HttpOptions): boolean {
  return logRequests || logLevel === 'debug' || logLevel === 'trace';
}

/** Prepares a request that has just been routed: its base URL, its observation, and the ids in its response. */
export function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  { addresses, observer }: Pick<ServerParts, 'addresses' | 'observer'>,
): void {
  addresses.address(request);
  observer.routed(request);
  reply.header('x-request-id', request.id);
  const trace = observer.traceOf(request.raw);
  if (trace) reply.header('traceresponse', traceResponse(trace));
}

/** Responds to a path that the router cannot decode. Like an unknown path, it needs a key. */
async function rejectUnroutable(request: FastifyRequest, reply: FastifyReply, parts: ServerParts): Promise<void> {
  identify(request, reply, parts);
  setCommonHeaders(request, reply);
  const rejection = await admit(request, reply, parts.options, parts.admission).catch((error: FastifyError) =>
    problemOf(error, request),
  );
  sendProblem(reply, rejection ?? problem('not-found', 'The path is not valid percent-encoded UTF-8.'));
}
