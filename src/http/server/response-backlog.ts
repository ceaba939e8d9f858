/**
 * The bytes of responses that were handed to a connection and not sent yet, because the client does not read them. Their
 * memory is limited over all connections, and a connection that accepts no more of them is closed.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Limits } from '../admission/limits.ts';
import { acceptedBytes } from './node-internals.ts';
import { timeLimitOf } from './slow-clients.ts';

/** Interval of the checks for progress. A stalled connection is closed at most two intervals late. */
const CHECK_MS = 250;

/** Node copies a text while it waits to be sent. Longer texts become bytes, which Node does not copy. */
const TEXT_LENGTH_MAX = 65_536;

interface Progress {
  /** Bytes of the response's texts that Node counts as fewer characters. */
  uncountedBytes: number;
  /** Bytes that have moved on the connection by the last check. */
  moved: number;
  /** When a check last found that bytes had moved. */
  movedAt: number;
}

/** A response with unsent bytes costs a check every `CHECK_MS`; all others cost one comparison. */
export class ResponseBacklog {
  readonly #bytesMax: number;
  readonly #stalledSecondsMax: number;
  /** Responses that had unsent bytes after their last write. */
  readonly #unsent = new Map<ServerResponse, Progress>();
  /** The bytes at the last count, plus those written since. */
  #bytesAtMost = 0;
  #checks: NodeJS.Timeout | undefined;

  constructor({ responseBacklogBytesMax, stalledSecondsMax }: Limits) {
    this.#bytesMax = responseBacklogBytesMax;
    this.#stalledSecondsMax = stalledSecondsMax;
  }

  /** Unsent bytes of all connections. */
  get bytes(): number {
    let bytes = 0;
    for (const [response, { uncountedBytes }] of this.#unsent) {
      const own = response.req.socket.destroyed ? 0 : response.writableLength;
      if (own === 0) this.#unsent.delete(response);
      else bytes += own + uncountedBytes;
    }
    this.#bytesAtMost = bytes;
    return bytes;
  }

  get isFull(): boolean {
    return !this.#hasRoomFor(1);
  }

  /** Whether there is room for a body. If nothing else is unsent there is, so that a large response is never rejected forever. */
  fits(body: string | Buffer): boolean {
    return this.#unsent.size === 0 || this.#hasRoomFor(Buffer.byteLength(body));
  }

  /** Records what a response has just written. */
  written(response: ServerResponse, chunk: unknown): void {
    const unsentBytes = response.writableLength;
    if (unsentBytes === 0) return;
    const progress = this.#unsent.get(response) ?? {
      uncountedBytes: 0,
      moved: movedBytes(response),
      movedAt: performance.now(),
    };
    this.#unsent.set(response, progress);
    if (typeof chunk === 'string') progress.uncountedBytes += Buffer.byteLength(chunk) - chunk.length;
    this.#bytesAtMost += unsentBytes + progress.uncountedBytes;
    this.#checks ??= setInterval(() => this.#check(), CHECK_MS).unref();
  }

  #hasRoomFor(bytes: number): boolean {
    if (this.#bytesMax === 0 || this.#bytesAtMost + bytes <= this.#bytesMax) return true;
    const unsentBytes = this.bytes;
    return unsentBytes === 0 || unsentBytes + bytes <= this.#bytesMax;
  }

  #check(): void {
    if (this.bytes === 0) {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
    const now = performance.now();
    for (const [response, progress] of this.#unsent) {
      const moved = movedBytes(response);
      const seconds = timeLimitOf(response)?.stalledSecondsMax ?? this.#stalledSecondsMax;
      // A response without a socket waits for earlier ones of its connection.
      if (moved !== progress.moved || response.socket === null) Object.assign(progress, { moved, movedAt: now });
      else if (now - progress.movedAt >= seconds * 1000) closeUnlessMoving(response, moved);
    }
  }
}

/** The client of a bulk may send all of its lines before it reads a result. */
function movedBytes(response: ServerResponse): number {
  const { socket } = response.req;
  return acceptedBytes(socket) + (timeLimitOf(response)?.countsSending ? socket.bytesRead : 0);
}

/** If the event loop was blocked or the machine slept, the check runs before the system accepts what it has room for. */
function closeUnlessMoving(response: ServerResponse, moved: number): void {
  setImmediate(() => {
    if (movedBytes(response) === moved) response.req.socket.destroy();
  });
}

/** Returns the class of a server's responses, which report their writes. */
export function reportingResponse(backlog: ResponseBacklog): typeof ServerResponse {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override write(chunk: unknown, encoding?: unknown, sent?: unknown): boolean {
      const given = asBytes(chunk);
      const hasRoom = super.write(given as never, encoding as never, sent as never);
      backlog.written(this, given);
      return hasRoom;
    }

    override end(chunk?: unknown, encoding?: unknown, sent?: unknown): this {
      const given = asBytes(chunk);
      super.end(given as never, encoding as never, sent as never);
      backlog.written(this, given);
      return this;
    }
  };
}

function asBytes(chunk: unknown): unknown {
  return typeof chunk === 'string' && chunk.length > TEXT_LENGTH_MAX ? Buffer.from(chunk) : chunk;
}
