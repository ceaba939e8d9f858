/**
 * Overload: how much work of each kind goes on at once, how much waits for it, and that the rest is told to come again
 * before it costs anything. Kinds have rooms of their own, so that uploads and long lists cannot starve small requests.
 */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../engine/errors.ts';
import type { Limits } from './limits.ts';
import { answerOf } from './wire.ts';

/** `none`: work that is too small to be counted, or that is bounded elsewhere. */
export type Work = 'read' | 'list' | 'write' | 'upload' | 'none';

export interface RoomLimits {
  /** 0 is no limit. */
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** How long somebody must always have waited for the room to be crowded; 0 is for ever. */
  readonly crowdedAfterMs: number;
}

/** Of those who wait in a crowded room, for each that is served at once. */
const CROWDED_WAITING_MAX = 2;

/** So long after the last refusal who was told to wait has come back, or will not. */
const CROWDED_MS = 2000;

/**
 * Bounds one kind of work; first come, first served. A place is free again at the end of the event loop's turn: an embedded
 * database answers at once, so what is done in one turn is at once to everybody who waits for the next.
 *
 * A burst finds a large waiting room and is soon gone. Where more come all the time than can be served, a full waiting room
 * would only make everybody wait for its whole length, so a crowded room lets few wait until nobody is refused any more.
 */
export class Room {
  #free: number;
  readonly #limits: RoomLimits;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  readonly #returning: (() => void)[] = [];
  /** Since when there was always somebody waiting, if there is. */
  #waitingSince = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #leaving = 0;

  /** @param now in milliseconds, never backwards */
  constructor(limits: RoomLimits, now = (): number => performance.now()) {
    this.#free = limits.atOnceMax === 0 ? Number.POSITIVE_INFINITY : limits.atOnceMax;
    this.#limits = limits;
    this.#now = now;
  }

  /** @returns false when it is full; else `go` is called once there is a place, now or later */
  enter(go: () => void): boolean {
    if (this.#take(go)) return true;
    const now = this.#now();
    if (this.#waiting.length === 0) this.#waitingSince = now;
    if (this.#waiting.length >= this.#waitingMax(now)) {
      this.#refusedAt = now;
      return false;
    }
    this.#waiting.push(go);
    return true;
  }

  /** Whoever was let in before has the next place. */
  enterAgain(go: () => void): void {
    if (!this.#take(go)) this.#returning.push(go);
  }

  leave(): void {
    if (this.#leaving === 0) setImmediate(() => this.#letIn());
    this.#leaving += 1;
  }

  #waitingMax(now: number): number {
    const { atOnceMax, waitingMax, crowdedAfterMs } = this.#limits;
    const isCrowded = now - this.#waitingSince > crowdedAfterMs || now - this.#refusedAt < CROWDED_MS;
    return crowdedAfterMs > 0 && isCrowded ? Math.min(waitingMax, CROWDED_WAITING_MAX * atOnceMax) : waitingMax;
  }

  #take(go: () => void): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    go();
    return true;
  }

  #letIn(): void {
    this.#free += this.#leaving;
    this.#leaving = 0;
    for (const queue of [this.#returning, this.#waiting]) for (const go of queue.splice(0, this.#free)) this.#take(go);
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

/** What a refused client is told to wait. */
const PAUSE_MS = 1000;

/** Refusals are told in the log, not each of them. */
const LOG_PAUSE_MS = 10_000;

export class Load {
  readonly #rooms: Readonly<Record<Exclude<Work, 'none'>, Room>>;
  /** Connections whose last request was refused, and when they were told to wait. */
  readonly #toldToWait = new WeakMap<Socket, number>();
  #refusal: Refusal | undefined;
  #refused = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    const { requestsWaitingMax: waitingMax, crowdedAfterMs } = limits;
    this.#rooms = {
      read: new Room({ atOnceMax: limits.readsAtOnceMax, waitingMax, crowdedAfterMs }),
      list: new Room({ atOnceMax: limits.listsAtOnceMax, waitingMax, crowdedAfterMs }),
      write: new Room({ atOnceMax: limits.writesAtOnceMax, waitingMax, crowdedAfterMs }),
      upload: new Room({ atOnceMax: limits.uploadsAtOnceMax, waitingMax: limits.uploadsWaitingMax, crowdedAfterMs: 0 }),
    };
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
    else room.enterAgain(() => arrive(request, reply, room, go));
  }

  end(request: FastifyRequest): void {
    request.room?.leave();
    request.room = undefined;
  }

  /**
   * Past the usual ways of answering, with what was made before: it must cost next to nothing. Who asks again on the same
   * connection before the second is over that it was told to wait, and is refused again, hears so when it is over; else
   * clients that ignore a 503 have the server do nothing but refuse.
   */
  #refuse(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    this.#count(request);
    const { socket } = request.raw;
    const toldAt = this.#toldToWait.get(socket) ?? Number.NEGATIVE_INFINITY;
    // What is sent behind it before its answer is answered behind it.
    this.#toldToWait.delete(socket);
    const restMs = toldAt + PAUSE_MS - performance.now();
    if (restMs <= 0) this.#sendRefusal(request, reply);
    // Not all at one moment: they come back as they are let go.
    else setTimeout(() => this.#sendRefusal(request, reply), restMs + PAUSE_MS * Math.random());
  }

  #sendRefusal(request: FastifyRequest, reply: FastifyReply): void {
    const { baseUrl } = request.service.world;
    if (this.#refusal?.baseUrl !== baseUrl) this.#refusal = makeRefusal(baseUrl);
    const { status, headers, bodyOf } = this.#refusal;
    reply.raw.writeHead(status, headers);
    if (isSending(request)) endAfterBody(request, reply, bodyOf(request.id));
    else reply.raw.end(request.method === 'HEAD' ? '' : bodyOf(request.id));
    // Not for what came in the same turn: its client could not know yet.
    setImmediate(() => this.#toldToWait.set(request.raw.socket, performance.now()));
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
  /** Names and values in turn. */
  readonly headers: string[];
  readonly bodyOf: (instance: string) => string;
}

function makeRefusal(baseUrl: string): Refusal {
  const detail = 'The server has too much to do now; send the request again in a second.';
  const refused = problem('service-unavailable', detail, { 'retry-after': String(PAUSE_MS / 1000) });
  // Every instance is as long as this one, so the length of the body is known.
  const instance = '00000000-0000-0000-0000-000000000000';
  const { status, headers, body } = answerOf(refused, baseUrl, undefined, instance);
  const [before, after] = body.split(instance);
  return { baseUrl, status, headers: Object.entries(headers).flat(), bodyOf: (own) => `${before}${own}${after}` };
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
