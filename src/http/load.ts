/**
 * Overload: how much work of each kind goes on at once, how much waits for it, and that the rest is told to come again
 * before it costs anything. Kinds have rooms of their own, so that uploads and long lists cannot starve small requests.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../engine/errors.ts';
import type { World } from '../engine/resource.ts';
import type { Limits } from './limits.ts';
import { answerOf } from './wire.ts';

/** `none`: work that is too small to be counted, or that is bounded elsewhere. */
export type Work = 'read' | 'list' | 'write' | 'upload' | 'none';

/**
 * Bounds one kind of work; first come, first served. A place is free again at the end of the event loop's turn: an embedded
 * database answers at once, so what is done in one turn is at once to everybody who waits for the next.
 */
export class Room {
  #free: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #leaving = 0;

  constructor(atOnceMax: number, waitingMax: number) {
    this.#free = atOnceMax === 0 ? Number.POSITIVE_INFINITY : atOnceMax;
    this.#waitingMax = waitingMax;
  }

  /** @returns false when it is full; else `go` is called once there is a place, now or later */
  enter(go: () => void, { evenIfFull = false } = {}): boolean {
    if (this.#free > 0) {
      this.#free -= 1;
      go();
      return true;
    }
    if (this.#waiting.length >= this.#waitingMax && !evenIfFull) return false;
    this.#waiting.push(go);
    return true;
  }

  leave(): void {
    if (this.#leaving === 0) setImmediate(() => this.#letIn());
    this.#leaving += 1;
  }

  #letIn(): void {
    this.#free += this.#leaving;
    this.#leaving = 0;
    for (const go of this.#waiting.splice(0, this.#free)) {
      this.#free -= 1;
      go();
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request has its place, once it has one. */
    room: Room | undefined;
  }
}

/** From this length on a body is held as an upload; a smaller one with the address of a picture is not. */
const UPLOAD_BYTES_MIN = 65_536;

/** Refusals are told in the log, not each of them. */
const LOG_PAUSE_MS = 10_000;

export class Load {
  readonly #rooms: Readonly<Record<Exclude<Work, 'none'>, Room>>;
  readonly #world: World;
  #refusal: Refusal | undefined;
  #refused = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits, world: World) {
    this.#rooms = {
      read: new Room(limits.readsAtOnceMax, limits.requestsWaitingMax),
      list: new Room(limits.listsAtOnceMax, limits.requestsWaitingMax),
      write: new Room(limits.writesAtOnceMax, limits.requestsWaitingMax),
      upload: new Room(limits.uploadsAtOnceMax, limits.uploadsWaitingMax),
    };
    this.#world = world;
  }

  /** Before anything else is done for the request: goes on once there is a place, or answers 503. */
  begin(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
    const work = workOf(request);
    const room = work === 'none' ? undefined : this.#rooms[work];
    if (!room) go();
    else if (!room.enter(() => arrive(request, reply, room, go))) this.#refuse(request, reply);
  }

  /** A write's body may take its time to come: meanwhile the place is another's. An upload keeps its, for memory's sake. */
  awaitBody(request: FastifyRequest): void {
    if (request.room === this.#rooms.write) this.end(request);
  }

  /** The body is there. Whoever was let in before is not refused now. */
  resume(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
    const room = this.#rooms.write;
    if (request.room || request.routeOptions.config.work !== 'write') go();
    else room.enter(() => arrive(request, reply, room, go), { evenIfFull: true });
  }

  end(request: FastifyRequest): void {
    request.room?.leave();
    request.room = undefined;
  }

  /** Past the usual ways of answering, with what was made before: it must cost next to nothing. */
  #refuse(request: FastifyRequest, reply: FastifyReply): void {
    this.#refusal ??= makeRefusal(this.#world);
    const { status, headers, bodyOf } = this.#refusal;
    reply.hijack();
    reply.raw.writeHead(status, headers);
    if (isSending(request)) endAfterBody(request, reply, bodyOf(request.id));
    else reply.raw.end(request.method === 'HEAD' ? '' : bodyOf(request.id));
    this.#refused += 1;
    const now = performance.now();
    if (now - this.#toldAt < LOG_PAUSE_MS) return;
    request.log.warn({ refused: this.#refused }, 'too much to do: requests are refused');
    this.#toldAt = now;
    this.#refused = 0;
  }
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
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly bodyOf: (instance: string) => string;
}

function makeRefusal({ baseUrl }: World): Refusal {
  const detail = 'The server has too much to do now; send the request again in a second.';
  const refused = problem('service-unavailable', detail, { 'retry-after': '1' });
  // Every instance is as long as this one, so the length of the body is known.
  const instance = '00000000-0000-0000-0000-000000000000';
  const { status, headers, body } = answerOf(refused, baseUrl, undefined, instance);
  const [before, after] = body.split(instance);
  return { status, headers: Object.entries(headers).flat(), bodyOf: (own) => `${before}${own}${after}` };
}

/** Who has gone away while waiting is not served. */
function arrive(request: FastifyRequest, reply: FastifyReply, room: Room, go: () => void): void {
  if (request.raw.socket.destroyed) {
    room.leave();
    reply.hijack();
    return;
  }
  request.room = room;
  go();
}

function workOf({ routeOptions: { config }, headers }: FastifyRequest): Work {
  if (config.work !== 'upload') return config.work ?? 'read';
  const length = headers['content-length'];
  return length === undefined || Number(length) >= UPLOAD_BYTES_MIN ? 'upload' : 'none';
}
