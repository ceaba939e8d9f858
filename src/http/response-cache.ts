/**
 * Bytes of earlier answers, kept only while nothing was committed since: every commit, of any process, changes the
 * database's generation and empties the cache. Where the database cannot tell (`undefined`), nothing is kept.
 */
import { LRUCache } from 'lru-cache';

/** A whole answer to a read, ready to send. */
export interface Rendered {
  /** A string goes out with the headers in one piece, which a buffer does not. */
  readonly body: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** V8 keeps a string in one or two bytes a character. */
const CHARACTER_BYTES_MAX = 2;
/** The size of an entry beside its body: its key, headers and bookkeeping. */
const ENTRY_BYTES = 1024;

export class ResponseCache {
  readonly #entries: LRUCache<string, Rendered> | undefined;
  #generation: number | undefined;

  /** @param bytesMax 0 keeps nothing */
  constructor(bytesMax: number) {
    if (bytesMax > 0)
      this.#entries = new LRUCache({
        maxSize: bytesMax,
        sizeCalculation: ({ body }) => body.length * CHARACTER_BYTES_MAX + ENTRY_BYTES,
      });
  }

  /** @param generation the database's generation when this request began */
  get(key: string, generation: number | undefined): Rendered | undefined {
    if (!this.#entries || generation === undefined) return undefined;
    if (generation !== this.#generation) {
      this.#entries.clear();
      this.#generation = generation;
    }
    return this.#entries.get(key);
  }

  /** Keeps what a request that began in this generation has read. */
  set(key: string, generation: number | undefined, rendered: Rendered): void {
    if (generation !== undefined && generation === this.#generation) this.#entries?.set(key, rendered);
  }
}
