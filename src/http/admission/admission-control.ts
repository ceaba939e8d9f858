/**
 * Overload: how much work of each kind goes on at once, how long the rest may wait for it, and that what would wait longer is
 * told to come again before it costs anything. Kinds have rooms of their own, so that uploads and long lists cannot starve
 * small requests; in each room keys have their turns, so that no key can starve another.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { problem } from '../../engine/index.ts';
import type { WorkCounts } from '../../metrics/metrics.ts';
import { hashOf } from '../../store/keys.ts';
import { countedAs } from '../server/client-address.ts';
import { rawProblem } from '../server/protocol-errors.ts';
import { instanceOf } from '../server/request-ids.ts';
import { credentialText } from './authentication.ts';
import type { Limits } from './limits.ts';
import { RequestQueue } from './request-queue.ts';

/** `none`: work that is too small to be counted, or that is bounded elsewhere. */
export type Work = 'read' | 'list' | 'write' | 'upload' | 'none';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request has its place, once it has one. */
    queue: RequestQueue | undefined;
  }
}

/** From this length on a body is held as an upload; a smaller one with the address of a picture is not. */
const UPLOAD_BYTES_MIN = 65_536;

/** So many keys have turns of their own; beyond, those that were quiet longest count as strangers. */
const KNOWN_KEYS_MAX = 1000;

/** Strangers have few turns, however many addresses they come from. */
const UNAUTHENTICATED_FLOWS = 8;
const UNAUTHENTICATED_SALT = randomUUID();

/** The time that a refused client is told to wait. */
const PAUSE_MS = 1000;

/** A part that is refused asks again after this. */
const REFUSED_PAUSE_MS = 100;

/** Refusals are told in the log, not each of them. */
const LOG_PAUSE_MS = 10_000;

export class AdmissionControl {
  readonly #queues: Readonly<Record<Exclude<Work, 'none'>, RequestQueue>>;
  readonly #refusals = new Map<RequestQueue, number>();
  /** Hashes of keys that were right. */
  readonly #knownKeys = new LRUCache<string, true>({ max: KNOWN_KEYS_MAX });
  readonly #answered = new WeakSet<FastifyRequest>();
  /** Connections whose last request was refused, and when they were told to wait. */
  readonly #toldToWait = new WeakMap<Socket, number>();
  #refusal: Refusal | undefined;
  #refused = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

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

  /** Before anything else is done for the request: goes on once there is a place, or answers 503. */
  begin(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
    const work = workOf(request);
    const queue = work === 'none' ? undefined : this.#queues[work];
    if (!queue) go();
    else
      queue.enter({
        flow: () => this.#flowOf(request),
        go: () => arrive(request, reply, queue, go),
        refuse: () => {
          this.#countRefusal(queue);
          this.#refuse(request, reply);
        },
      });
  }

  /** The key of the request is right, so its requests have turns of their own from now on. */
  know(request: FastifyRequest): void {
    const key = credentialText(request);
    if (key !== undefined) this.#knownKeys.set(hashOf(key), true);
  }

  /** A write's body may take its time to come: meanwhile the place is another's. An upload keeps its, for memory's sake. */
  awaitBody(request: FastifyRequest): void {
    if (request.queue === this.#queues.write) this.end(request);
  }

  /** The body is there. A request that was let in before is not refused now. */
  resume(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
    const queue = this.#queues.write;
    if (request.queue || request.routeOptions.config.work !== 'write') go();
    else queue.enterAgain(() => arrive(request, reply, queue, go));
  }

  /** A body that has become as long as an upload waits for a place among uploads, unread. */
  grow(request: FastifyRequest, go: () => void, refuse: () => void): void {
    const queue = this.#queues.upload;
    // It was answered meanwhile, as too slow, or its client has gone.
    const isOver = (): boolean => this.#answered.has(request) || request.raw.destroyed;
    queue.enter({
      flow: () => this.#flowOf(request),
      go: () => {
        if (isOver()) return queue.leave();
        request.queue = queue;
        go();
      },
      refuse: () => {
        this.#countRefusal(queue);
        if (!isOver()) refuse();
      },
    });
  }

  /** For slow work of a write that is bounded elsewhere: meanwhile its place is another's. An upload keeps its. */
  releaseSlotDuring(request: FastifyRequest): <T>(work: () => Promise<T>) => Promise<T> {
    const queue = this.#queues.write;
    return async (work) => {
      if (request.queue !== queue) return work();
      this.end(request);
      try {
        return await work();
      } finally {
        await new Promise<void>((go) => queue.enterAgain(go));
        request.queue = queue;
      }
    };
  }

  /** A list's work, of a request that holds no place before and after. @returns undefined where there is too much to do */
  async withSlot<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.list;
    const isLetIn = await new Promise<boolean>((resolve) =>
      queue.enter({ flow: () => this.#flowOf(request), go: () => resolve(true), refuse: () => resolve(false) }),
    );
    if (!isLetIn) {
      this.#countRefusal(queue);
      return undefined;
    }
    try {
      return await work();
    } finally {
      queue.leave();
    }
  }

  /**
   * Turns for a request that has many parts and holds no place: each part has one, between those of others and of its own
   * key.
   */
  slotsFor(request: FastifyRequest, kind: 'list' | 'write'): <T>(work: () => Promise<T>) => Promise<T> {
    const queue = this.#queues[kind];
    const flow = `parts ${this.#flowOf(request)}`;
    const enter = (): Promise<boolean> =>
      new Promise((resolve) =>
        queue.enter({ flow: () => flow, go: () => resolve(true), refuse: () => resolve(false) }),
      );
    return async (work) => {
      while (!(await enter())) await sleep(REFUSED_PAUSE_MS);
      try {
        return await work();
      } finally {
        queue.leave();
      }
    };
  }

  /** Of each kind of work, as it is now. */
  figures(): WorkCounts[] {
    return Object.entries(this.#queues).map(([work, queue]) => ({
      ...{ work, running: queue.running, waiting: queue.waiting, refused: this.#refusals.get(queue) ?? 0 },
    }));
  }

  answered(request: FastifyRequest): void {
    this.#answered.add(request);
    this.end(request);
  }

  end(request: FastifyRequest): void {
    request.queue?.leave();
    request.queue = undefined;
  }

  /** A key that is not known to be right could be invented for each request, so its address counts. */
  #flowOf(request: FastifyRequest): string {
    const key = credentialText(request);
    const hash = key === undefined ? '' : hashOf(key);
    return this.#knownKeys.get(hash) ? hash : `strangers ${flowOf(countedAs(request.ip))}`;
  }

  /**
   * Past the usual ways of answering, with what was made before: it must cost next to nothing. A client is told to wait
   * for a second. If it asks again earlier on the same connection, and is refused again, it gets that answer when the
   * second is over. Else clients that ignore a 503 would keep the server busy with refusals.
   */
  #refuse(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    this.#count(request);
    const { socket } = request.raw;
    const toldAt = this.#toldToWait.get(socket) ?? Number.NEGATIVE_INFINITY;
    // A request that arrives before this answer is answered behind it.
    this.#toldToWait.delete(socket);
    const restMs = toldAt + PAUSE_MS - performance.now();
    if (restMs <= 0) this.#sendRefusal(request, reply);
    // Not all at one moment: they come back as they are let go.
    else setTimeout(() => this.#sendRefusal(request, reply), restMs + PAUSE_MS * Math.random());
  }

  #sendRefusal(request: FastifyRequest, reply: FastifyReply): void {
    const { baseUrl } = request.service.environment;
    if (this.#refusal?.baseUrl !== baseUrl) this.#refusal = makeRefusal(baseUrl);
    const { status, headers, bodyOf } = this.#refusal;
    const body = bodyOf(request.id);
    reply.raw.writeHead(status, [...headers, 'content-length', String(body.length), 'x-request-id', request.id]);
    if (isSending(request)) endAfterBody(request, reply, body);
    else reply.raw.end(request.method === 'HEAD' ? '' : body);
    // Not for what came in the same turn: its client could not know yet.
    setImmediate(() => this.#toldToWait.set(request.raw.socket, performance.now()));
  }

  #countRefusal(queue: RequestQueue): void {
    this.#refusals.set(queue, (this.#refusals.get(queue) ?? 0) + 1);
  }

  #count({ log }: FastifyRequest): void {
    this.#refused += 1;
    const now = performance.now();
    if (now - this.#toldAt < LOG_PAUSE_MS) return;
    log.warn({ refused: this.#refused }, 'too much to do: requests are refused');
    this.#toldAt = now;
    this.#refused = 0;
  }
}

/** The same for the same address, and not to be guessed for another. */
function flowOf(address: string): number {
  return Number.parseInt(hashOf(`${UNAUTHENTICATED_SALT} ${address}`).slice(0, 8), 16) % UNAUTHENTICATED_FLOWS;
}

/** Whether a body may have pictures in it, and so takes long to come. */
export function isUpload(request: FastifyRequest): boolean {
  const { work, uploadFrom } = request.routeOptions.config;
  if (uploadFrom === undefined) return work === 'upload';
  return request.headers['content-length'] === undefined || workOf(request) === 'upload';
}

/** Whether a large body is on its way; who expects “100-continue” has not begun. */
function isSending(request: FastifyRequest): boolean {
  return workOf(request) === 'upload' && request.headers.expect === undefined;
}

/**
 * The whole answer goes out at once, but is ended only when the body was read to nowhere: a connection that is closed while
 * its client still sends is reset, and the client never learns why.
 */
function endAfterBody({ raw: incoming }: FastifyRequest, { raw: outgoing }: FastifyReply, body: string): void {
  outgoing.write(body);
  incoming.once('close', () => outgoing.end()).resume();
}

interface Refusal {
  readonly baseUrl: string;
  readonly status: number;
  /** Names and values in turn; the length and the id are missing. */
  readonly headers: string[];
  /** Of ASCII alone. */
  readonly bodyOf: (id: string) => string;
}

function makeRefusal(baseUrl: string): Refusal {
  const detail = 'The server has too much to do now; send the request again in a second.';
  const refused = problem('service-unavailable', detail, { 'retry-after': String(PAUSE_MS / 1000) });
  const id = 'the-place-of-the-id';
  const answer = rawProblem(refused, { baseUrl, id });
  const { 'content-length': _, 'x-request-id': __, ...headers } = answer.headers;
  const [before, after] = answer.body.split(instanceOf(id));
  const bodyOf: Refusal['bodyOf'] = (own) => `${before}${instanceOf(own)}${after}`;
  return { baseUrl, status: answer.status, headers: Object.entries(headers).flat(), bodyOf };
}

/** A client that has gone away while waiting is not served. */
function arrive(request: FastifyRequest, reply: FastifyReply, queue: RequestQueue, go: () => void): void {
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
  // Of unknown length it is a write until it has become long.
  if (config.uploadFrom !== undefined) return Number(length ?? 0) >= config.uploadFrom ? 'upload' : 'write';
  if (config.work !== 'upload') return config.work ?? 'read';
  return length === undefined || Number(length) >= UPLOAD_BYTES_MIN ? 'upload' : 'none';
}
