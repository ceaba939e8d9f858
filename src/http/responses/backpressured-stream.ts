/** A response body that is produced in chunks, no faster than the client reads it. */
import { Readable } from 'node:stream';

const UNREAD_BYTES_MAX = 262_144;

export class BackpressuredStream extends Readable {
  #wanted: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: UNREAD_BYTES_MAX });
  }

  /** Resolves when the client can take more, or when the stream is destroyed. */
  async give(text: string): Promise<void> {
    if (this.destroyed || this.push(text)) return;
    await new Promise<void>((wanted) => {
      this.#wanted = wanted;
    });
  }

  finish(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    this.#wanted?.();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wanted?.();
    done(error);
  }
}

/** Joins texts to parts of about the size that a client reads at a time. */
export function* joined(texts: Iterable<string>): Generator<string> {
  let part = '';
  for (const text of texts) {
    part += text;
    if (part.length < UNREAD_BYTES_MAX) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

/** The payload of a HEAD response whose length is unknown. Without a payload, Fastify would report a length of 0. */
export function noBody(): Readable {
  return Readable.from([]);
}
