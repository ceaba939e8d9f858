/**
 * Overload protection: limits concurrent work and waiting times. A request that would wait too long gets a 503 before it costs
 * anything. Each kind of work has its own queue, so that uploads and long lists cannot starve small requests. Each queue is
 * fair between API keys (docs/decisions/0009-admission-by-time.md).
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { problem } from '../../engine/index.ts';
import type { WorkCounts } from '../../metrics/metrics.ts';
import { hashOf } from '../../store/keys.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import { rawProblem } from '../server/protocol-errors.ts';
import { instanceOf } from '../server/request-ids.ts';
import { credentialText } from './authentication.ts';
import type { Limits } from './limits.ts';
import { RequestQueue } from './request-queue.ts';

/** `none`: too small to be counted, or limited elsewhere. */
export type Work = 'read' | 'list' | 'write' | 'upload' | 'none';

declare module 'fastify' {
  interface FastifyRequest {
    /** The queue in which the request has a slot, once it has one. */
    queue: RequestQueue | undefined;
  }
}

/** A shorter body of an upload route is not an upload: it contains the URL of an image. */
const UPLOAD_BYTES_MIN = 65_536;

/** Keys with their own flow. Beyond that, the least recently used ones count as unauthenticated clients. */
const KNOWN_KEYS_MAX = 1000;

/** Unauthenticated clients share a few flows, however many addresses they have. */
const UNAUTHENTICATED_FLOWS = 8;
const UNAUTHENTICATED_SALT = randomUUID();

/** `Retry-After` of rejected requests. */
const RETRY_AFTER_MS = 1000;

/** Delay before a part of a long request tries again. */
const PART_RETRY_MS = 100;

/** Rejections are logged together, at most once in this time. */
const LOG_INTERVAL_MS = 10_000;

export class AdmissionControl {
  readonly #queues: Readonly<Record<Exclude<Work, 'none'>, RequestQueue>>;
  readonly #rejections = new Map<RequestQueue, number>();
  /** Hashes of valid keys. */
  readonly #knownKeys = new LRUCache<string, true>({ max: KNOWN_KEYS_MAX });
  readonly #responded = new WeakSet<FastifyRequest>();
  /** Connections whose last request was rejected, with the time of the response. */
  readonly #rejectedAt = new WeakMap<Socket, number>();
  #rejection: RenderedRejection | undefined;
  #unlogged = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    const { requestsWaitingMax: waitingMax, waitMsMax } = limits;
    this.#queues = {
      read: new RequestQueue({ atOnceMax: limits.readsAtOnceMax, waitingMax, waitMsMax }),
      list: new RequestQueue({ atOnceMax: limits.listsAtOnceMax, waitingMax, waitMsMax }),
      write: new RequestQueue({ atOnceMax: limits.writesAtOnceMax, waitingMax, waitMsMax }),
      upload: new RequestQueue({
        atOnceMax: limits.uploadsAtOnceMax,
        waitingMax: limits.uploadsWaitingMax,
        waitMsMax: 0,
      }),
    };
  }

  /** Calls `go` when there is a slot, or responds with 503. Call it before any other work for the request. */
  begin(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
    const work = workOf(request);
    const queue = work === 'none' ? undefined : this.#queues[work];
    if (!queue) go();
    else
      queue.enter({
        flow: () => this.#flowOf(request),
        go: () => startUnlessDisconnected(request, reply, queue, go),
        reject: () => {
          this.#countRejection(queue);
          this.#reject(request, reply);
        },
      });
  }

  /** Gives the request's key, which is valid, its own flow. */
  rememberValidKey(request: FastifyRequest): void {
    const key = credentialText(request);
    if (key !== undefined) this.#knownKeys.set(hashOf(key), true);
  }

  /** Releases the slot of a write until its body has arrived. Uploads keep theirs, to limit memory. */
  awaitBody(request: FastifyRequest): void {
    if (request.queue === this.#queues.write) this.releaseSlot(request);
  }

  /** Waits for a slot again when the body has arrived. A request that was admitted once is not rejected now. */
  resume(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
    const queue = this.#queues.write;
    if (request.queue || request.routeOptions.config.work !== 'write') go();
    else queue.enterAgain(() => startUnlessDisconnected(request, reply, queue, go));
  }

  /** Waits for an upload slot when a body becomes as large as an upload. The rest of the body is not read meanwhile. */
  enterUploadQueue(request: FastifyRequest, go: () => void, reject: () => void): void {
    const queue = this.#queues.upload;
    // The request has timed out or its client has disconnected meanwhile.
    const isOver = (): boolean => this.#responded.has(request) || request.raw.destroyed;
    queue.enter({
      flow: () => this.#flowOf(request),
      go: () => {
        if (isOver()) return queue.leave();
        request.queue = queue;
        go();
      },
      reject: () => {
        this.#countRejection(queue);
        if (!isOver()) reject();
      },
    });
  }

  /** Releases the slot of a write during slow work that is limited elsewhere. Uploads keep theirs. */
  releaseSlotDuring(request: FastifyRequest): <T>(work: () => Promise<T>) => Promise<T> {
    const queue = this.#queues.write;
    return async (work) => {
      if (request.queue !== queue) return work();
      this.releaseSlot(request);
      try {
        return await work();
      } finally {
        await new Promise<void>((go) => queue.enterAgain(go));
        request.queue = queue;
      }
    };
  }

  /** Runs work of a request without a slot in a list slot. @returns undefined if the server is overloaded */
  async withSlot<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.list;
    const isAdmitted = await new Promise<boolean>((resolve) =>
      queue.enter({ flow: () => this.#flowOf(request), go: () => resolve(true), reject: () => resolve(false) }),
    );
    if (!isAdmitted) {
      this.#countRejection(queue);
      return undefined;
    }
    try {
      return await work();
    } finally {
      queue.leave();
    }
  }

  /**
   * Runs each part of a long request in its own slot. The request itself has none, so that its parts take turns with other
   * requests, also of the same key.
   */
  slotsFor(request: FastifyRequest, kind: 'list' | 'write'): <T>(work: () => Promise<T>) => Promise<T> {
    const queue = this.#queues[kind];
    const flow = `parts ${this.#flowOf(request)}`;
    const enter = (): Promise<boolean> =>
      new Promise((resolve) =>
        queue.enter({ flow: () => flow, go: () => resolve(true), reject: () => resolve(false) }),
      );
    return async (work) => {
      while (!(await enter())) await sleep(PART_RETRY_MS);
      try {
        return await work();
      } finally {
        queue.leave();
      }
    };
  }

  /** Current figures of each kind of work. */
  workCounts(): WorkCounts[] {
    return Object.entries(this.#queues).map(([work, queue]) => ({
      ...{ work, running: queue.running, waiting: queue.waiting, refused: this.#rejections.get(queue) ?? 0 },
    }));
  }

  responseReady(request: FastifyRequest): void {
    this.#responded.add(request);
    this.releaseSlot(request);
  }

  releaseSlot(request: FastifyRequest): void {
    request.queue?.leave();
    request.queue = undefined;
  }

  /** Clients could invent a key for each request, so only valid keys have their own flow; others are grouped by address. */
  #flowOf(request: FastifyRequest): string {
    const key = credentialText(request);
    const hash = key === undefined ? '' : hashOf(key);
    return this.#knownKeys.get(hash) ? hash : `unauthenticated ${flowOf(rateLimitGroup(request.ip))}`;
  }

  /**
   * Responds without Fastify, with a rendered response, to cost as little as possible. If a client ignores `Retry-After` on the same
   * connection and is rejected again, it gets the response after that time. Otherwise clients that ignore a 503 would keep
   * the server busy with rejections.
   */
  #reject(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    this.#logRejection(request);
    const { socket } = request.raw;
    const rejectedAt = this.#rejectedAt.get(socket) ?? Number.NEGATIVE_INFINITY;
    // A request that arrives before this response is not early.
    this.#rejectedAt.delete(socket);
    const remainingMs = rejectedAt + RETRY_AFTER_MS - performance.now();
    if (remainingMs <= 0) this.#sendRejection(request, reply);
    // Clients return when they get the response, so the delays are spread.
    else setTimeout(() => this.#sendRejection(request, reply), remainingMs + RETRY_AFTER_MS * Math.random());
  }

  #sendRejection(request: FastifyRequest, reply: FastifyReply): void {
    const { baseUrl } = request.service.environment;
    if (this.#rejection?.baseUrl !== baseUrl) this.#rejection = renderRejection(baseUrl);
    const { status, headers, bodyOf } = this.#rejection;
    const body = bodyOf(request.id);
    reply.raw.writeHead(status, [...headers, 'content-length', String(body.length), 'x-request-id', request.id]);
    if (isSending(request)) endAfterBody(request, reply, body);
    else reply.raw.end(request.method === 'HEAD' ? '' : body);
    // Not for requests of the same event loop iteration: the client did not have the response yet.
    setImmediate(() => this.#rejectedAt.set(request.raw.socket, performance.now()));
  }

  #countRejection(queue: RequestQueue): void {
    this.#rejections.set(queue, (this.#rejections.get(queue) ?? 0) + 1);
  }

  #logRejection({ log }: FastifyRequest): void {
    this.#unlogged += 1;
    const now = performance.now();
    if (now - this.#loggedAt < LOG_INTERVAL_MS) return;
    log.warn({ refused: this.#unlogged }, 'overloaded: requests rejected');
    this.#loggedAt = now;
    this.#unlogged = 0;
  }
}

/** Salted, so that clients cannot choose addresses that share the flow of another client. */
function flowOf(address: string): number {
  return Number.parseInt(hashOf(`${UNAUTHENTICATED_SALT} ${address}`).slice(0, 8), 16) % UNAUTHENTICATED_FLOWS;
}

/** Whether a body may contain images, and so needs more time to arrive. */
export function isUpload(request: FastifyRequest): boolean {
  const { work, uploadFrom } = request.routeOptions.config;
  if (uploadFrom === undefined) return work === 'upload';
  return request.headers['content-length'] === undefined || workOf(request) === 'upload';
}

/** Whether the client is sending a large body. With `Expect: 100-continue` it has not started. */
function isSending(request: FastifyRequest): boolean {
  return workOf(request) === 'upload' && request.headers.expect === undefined;
}

/**
 * Sends the response at once, but ends it only after the body was read and discarded: closing the connection of a client that
 * is still sending resets it, and the client would not get the response.
 */
function endAfterBody({ raw: incoming }: FastifyRequest, { raw: outgoing }: FastifyReply, body: string): void {
  outgoing.write(body);
  incoming.once('close', () => outgoing.end()).resume();
}

interface RenderedRejection {
  readonly baseUrl: string;
  readonly status: number;
  /** Names and values, alternating, without length and request id. */
  readonly headers: string[];
  /** Contains only ASCII. */
  readonly bodyOf: (id: string) => string;
}

function renderRejection(baseUrl: string): RenderedRejection {
  const detail = 'The server is overloaded. Retry in a second.';
  const rejection = problem('service-unavailable', detail, { 'retry-after': String(RETRY_AFTER_MS / 1000) });
  const id = 'id-placeholder';
  const response = rawProblem(rejection, { baseUrl, id });
  const { 'content-length': _, 'x-request-id': __, ...headers } = response.headers;
  const [before, after] = response.body.split(instanceOf(id));
  const bodyOf: RenderedRejection['bodyOf'] = (own) => `${before}${instanceOf(own)}${after}`;
  return { baseUrl, status: response.status, headers: Object.entries(headers).flat(), bodyOf };
}

/** Drops the request if its client has disconnected while it waited. */
function startUnlessDisconnected(
  request: FastifyRequest,
  reply: FastifyReply,
  queue: RequestQueue,
  go: () => void,
): void {
  if (request.raw.socket.destroyed) {
    queue.leave();
    reply.hijack();
    return;
  }
  request.queue = queue;
  go();
}

function workOf({ routeOptions: { config }, headers }: FastifyRequest): Work {
  const length = headers['content-length'];
  // A body of unknown length counts as a write until it becomes large.
  if (config.uploadFrom !== undefined) return Number(length ?? 0) >= config.uploadFrom ? 'upload' : 'write';
  if (config.work !== 'upload') return config.work ?? 'read';
  return length === undefined || Number(length) >= UPLOAD_BYTES_MIN ? 'upload' : 'none';
}
