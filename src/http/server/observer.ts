/**
 * Sees every request from its first byte to the last of its answer, whoever answers it, and tells the figures and the log. It
 * changes nothing, and does not stand there where neither is wanted.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics, ReadSource } from '../../metrics/metrics.ts';
import { type Trace, traceOf } from './request-ids.ts';

/** Where no path of the interface was asked for; else every address that somebody makes up would be a route. */
const UNKNOWN_ROUTE = 'unknown';

/** Programs may send any word; those that are offered nowhere are one (OpenTelemetry: `_OTHER`). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = '_OTHER';

/** Whoever asked, as far as it is known when the answer is sent. */
interface Asked {
  readonly route: string;
  readonly keyName: string | undefined;
}

const NOTHING_ASKED: Asked = { route: UNKNOWN_ROUTE, keyName: undefined };

/** The names that a request goes by in its answer. */
interface Names {
  readonly id: string;
  readonly trace: Trace | undefined;
}

interface Seen {
  readonly method: string;
  readonly startedAt: number;
  /** Of the answer's body, as they were given to the connection. */
  bytes: number;
  /** Of an answer that was sent past Node's own. */
  status: number | undefined;
  /** The address of the client, after the trusted proxies. */
  client: string;
  asked: FastifyRequest | Asked | undefined;
  names: Names | undefined;
}

/** Node keeps the answer that is under way at the socket. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

export class Observer {
  readonly #metrics: Metrics | undefined;
  readonly #log: FastifyBaseLogger | undefined;
  readonly #seen = new WeakMap<IncomingMessage, Seen>();
  readonly #traces = new WeakMap<IncomingMessage, Trace>();

  /** @param log gets a line for each request */
  constructor(metrics: Metrics | undefined, log: FastifyBaseLogger | undefined) {
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Begins to look; call it when everybody else who listens for requests does. */
  stand({ server }: FastifyInstance): void {
    if (!this.#metrics && !this.#log) return;
    const begin = (request: IncomingMessage, answer: ServerResponse): void => this.#begin(request, answer);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, begin);
  }

  /** The router knows the route; key and client are read off the request when it has ended. */
  routed(request: FastifyRequest): void {
    const seen = this.#seen.get(request.raw);
    if (!seen) return;
    seen.asked = request;
    seen.client = request.ip;
    seen.names = { id: request.id, trace: this.traceOf(request.raw) };
  }

  /** It was answered before the router. */
  repeated(request: IncomingMessage, asked: Asked & { readonly client: string }, names: Names): void {
    this.readCompleted('repeated');
    const seen = this.#seen.get(request);
    if (seen) Object.assign(seen, { asked, client: asked.client, names });
  }

  readCompleted(source: ReadSource): void {
    this.#metrics?.readCompleted(source);
  }

  /** The same however often it is asked for, as one part of a trace has one id. */
  traceOf(request: IncomingMessage): Trace | undefined {
    const header = request.headers.traceparent;
    if (header === undefined) return undefined;
    const trace = this.#traces.get(request) ?? traceOf(header);
    if (trace) this.#traces.set(request, trace);
    return trace;
  }

  /** Answered with a text of the whole answer, as nobody could read the request, or all of it. */
  answeredPast(socket: ServerSocket, status: number, id: string): void {
    const under = socket._httpMessage?.req;
    const seen = under && this.#seen.get(under);
    if (seen) Object.assign(seen, { status, names: { id, trace: seen.names?.trace } });
    else
      this.#tell({
        ...{ method: OTHER_METHOD, startedAt: performance.now(), bytes: 0, status },
        ...{ client: addressOf(socket), asked: undefined },
        names: { id, trace: undefined },
      });
  }

  #begin(request: IncomingMessage, answer: ServerResponse): void {
    const method = METHODS.has(request.method!) ? request.method! : OTHER_METHOD;
    const seen: Seen = {
      ...{ method, startedAt: performance.now(), bytes: 0, status: undefined },
      ...{ client: addressOf(request.socket), asked: undefined, names: undefined },
    };
    this.#seen.set(request, seen);
    this.#metrics?.requestBegan(method);
    if (this.#log && method !== 'HEAD') countBytes(answer, seen);
    answer.once('close', () => {
      this.#metrics?.requestEnded(method);
      if (answer.headersSent) seen.status ??= answer.statusCode;
      this.#tell(seen);
    });
  }

  #tell({ method, startedAt, bytes, status, client, asked, names }: Seen): void {
    const milliseconds = performance.now() - startedAt;
    const { route, keyName } = asked && 'raw' in asked ? askedBy(asked) : (asked ?? NOTHING_ASKED);
    this.#metrics?.requestCompleted(method, route, status, milliseconds / 1000);
    if (!this.#log) return;
    const { id = randomUUID(), trace } = names ?? {};
    const ids = trace && { trace_id: trace.traceId, span_id: trace.ownId, parent_span_id: trace.parentId };
    this.#log.info(
      {
        ...{ method, route, status: status ?? null, ms: Math.round(milliseconds * 1000) / 1000, bytes },
        ...{ key: keyName ?? null, client, reqId: id, ...ids },
      },
      status === undefined ? 'cut off' : 'answered',
    );
  }
}

/** The route as the reference writes it: `/api/products/{id}`. */
export function askedBy(request: FastifyRequest): Asked {
  const { routeOptions, is404, requestContext } = request;
  const url = is404 ? undefined : routeOptions.url;
  const route = url?.replace(/:(\w+)/g, '{$1}') ?? UNKNOWN_ROUTE;
  return { route, keyName: requestContext?.keyName };
}

/** A connection that is closed has none any more. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress;
}

function countBytes(answer: ServerResponse, seen: Seen): void {
  const { write, end } = answer;
  const count = (chunk: unknown): void => {
    if (typeof chunk === 'string') seen.bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) seen.bytes += chunk.byteLength;
  };
  answer.write = (...given: unknown[]) => {
    count(given[0]);
    return Reflect.apply(write, answer, given);
  };
  answer.end = (...given: unknown[]) => {
    count(given[0]);
    return Reflect.apply(end, answer, given);
  };
}
