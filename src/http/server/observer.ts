/**
 * Observes every request from its first byte to the last byte of its response, whichever code responds, for the metrics
 * and the request log. It changes no response, and is not installed if neither metrics nor request log are enabled.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics, ReadSource } from '../../metrics/metrics.ts';
import { responseInProgress } from './node-internals.ts';
import { type Trace, traceOf } from './request-ids.ts';

/** The route label of requests to no known path. Otherwise every invented URL would be a time series. */
const UNKNOWN_ROUTE = 'unknown';

/** Unknown methods share one label (OpenTelemetry: `_OTHER`). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = '_OTHER';

/** What the router and authentication know about a request when its response is sent. */
interface RoutedRequest {
  readonly route: string;
  readonly keyName: string | undefined;
}

const UNROUTED: RoutedRequest = { route: UNKNOWN_ROUTE, keyName: undefined };

/** The ids of a request in its response. */
interface RequestIds {
  readonly id: string;
  readonly trace: Trace | undefined;
}

interface Observation {
  readonly method: string;
  readonly startedAt: number;
  /** Bytes of the response body that were passed to the connection. */
  bytes: number;
  /** Set if the response was written without Node's response object. */
  status: number | undefined;
  /** The client's address, after trusted proxies. */
  client: string;
  request: FastifyRequest | RoutedRequest | undefined;
  ids: RequestIds | undefined;
}

export class Observer {
  readonly #metrics: Metrics | undefined;
  readonly #log: FastifyBaseLogger | undefined;
  readonly #observations = new WeakMap<IncomingMessage, Observation>();
  readonly #traces = new WeakMap<IncomingMessage, Trace>();

  /** @param log receives one line for each request */
  constructor(metrics: Metrics | undefined, log: FastifyBaseLogger | undefined) {
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Puts the observer before all other `request` listeners. Call it after they are registered. */
  attach({ server }: FastifyInstance): void {
    if (!this.#metrics && !this.#log) return;
    const begin = (request: IncomingMessage, response: ServerResponse): void => this.#begin(request, response);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, begin);
  }

  /** Records the matched route. Key and client are read from the request when it ends. */
  routed(request: FastifyRequest): void {
    const observation = this.#observations.get(request.raw);
    if (!observation) return;
    observation.request = request;
    observation.client = request.ip;
    observation.ids = { id: request.id, trace: this.traceOf(request.raw) };
  }

  /** Records a response that the fast path sent before the router. */
  repeated(request: IncomingMessage, routed: RoutedRequest & { readonly client: string }, ids: RequestIds): void {
    this.readCompleted('repeated');
    const observation = this.#observations.get(request);
    if (observation) Object.assign(observation, { request: routed, client: routed.client, ids });
  }

  /** Counts a read by the cache layer that produced its response. */
  readCompleted(source: ReadSource): void {
    this.#metrics?.readCompleted(source);
  }

  /** Returns the same trace for every call, because the server's part of a trace has one span id. */
  traceOf(request: IncomingMessage): Trace | undefined {
    const header = request.headers.traceparent;
    if (header === undefined) return undefined;
    const trace = this.#traces.get(request) ?? traceOf(header);
    if (trace) this.#traces.set(request, trace);
    return trace;
  }

  /** Records a response that was written to the connection as text because the request could not be parsed completely. */
  respondedRaw(socket: Socket, status: number, id: string): void {
    const request = responseInProgress(socket)?.req;
    const observation = request && this.#observations.get(request);
    if (observation) Object.assign(observation, { status, ids: { id, trace: observation.ids?.trace } });
    else
      this.#report({
        ...{ method: OTHER_METHOD, startedAt: performance.now(), bytes: 0, status },
        ...{ client: addressOf(socket), request: undefined },
        ids: { id, trace: undefined },
      });
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const method = METHODS.has(request.method!) ? request.method! : OTHER_METHOD;
    const observation: Observation = {
      ...{ method, startedAt: performance.now(), bytes: 0, status: undefined },
      ...{ client: addressOf(request.socket), request: undefined, ids: undefined },
    };
    this.#observations.set(request, observation);
    this.#metrics?.requestBegan(method);
    if (this.#log && method !== 'HEAD') countBytes(response, observation);
    response.once('close', () => {
      this.#metrics?.requestEnded(method);
      if (response.headersSent) observation.status ??= response.statusCode;
      this.#report(observation);
    });
  }

  #report({ method, startedAt, bytes, status, client, request, ids }: Observation): void {
    const milliseconds = performance.now() - startedAt;
    const { route, keyName } = request && 'raw' in request ? routedRequest(request) : (request ?? UNROUTED);
    this.#metrics?.requestCompleted(method, route, status, milliseconds / 1000);
    if (!this.#log) return;
    const { id = randomUUID(), trace } = ids ?? {};
    const traceIds = trace && { trace_id: trace.traceId, span_id: trace.ownId, parent_span_id: trace.parentId };
    this.#log.info(
      {
        ...{ method, route, status: status ?? null, ms: Math.round(milliseconds * 1000) / 1000, bytes },
        ...{ key: keyName ?? null, client, reqId: id, ...traceIds },
      },
      status === undefined ? 'request aborted' : 'request completed',
    );
  }
}

/** Returns the route in the form of the reference, e.g. `/api/products/{id}`, and the name of the request's key. */
export function routedRequest(request: FastifyRequest): RoutedRequest {
  const { routeOptions, is404, requestContext } = request;
  const url = is404 ? undefined : routeOptions.url;
  const route = url?.replace(/:(\w+)/g, '{$1}') ?? UNKNOWN_ROUTE;
  return { route, keyName: requestContext?.keyName };
}

/** A closed connection has no address any more. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress;
}

function countBytes(response: ServerResponse, observation: Observation): void {
  const { write, end } = response;
  const count = (chunk: unknown): void => {
    if (typeof chunk === 'string') observation.bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) observation.bytes += chunk.byteLength;
  };
  response.write = (...given: unknown[]) => {
    count(given[0]);
    return Reflect.apply(write, response, given);
  };
  response.end = (...given: unknown[]) => {
    count(given[0]);
    return Reflect.apply(end, response, given);
  };
}
