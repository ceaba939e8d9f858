/**
 * Answers and records that are kept as they were rendered. Each is used only while it is what the store holds
 * (`store/freshness.ts`), and what was used longest ago gives way.
 */
import { LRUCache } from 'lru-cache';
import type { Freshness, Reading, Sources } from '../store/freshness.ts';

/** A whole answer to a read, ready to send. */
export interface Rendered {
  /** A string goes out with the headers in one piece, which a buffer does not. */
  readonly body: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** V8 keeps a string in one or two bytes a character; the encodings of an answer take less than another. */
const CHARACTER_BYTES_MAX = 3;
/** The size of an entry beside its texts. */
const ENTRY_BYTES = 1024;

interface Entry<T> {
  readonly value: T;
  readonly reading: Reading;
  readonly sources: Sources;
}

export class Kept<T> {
  readonly #freshness: Freshness;
  readonly #entries: LRUCache<string, Entry<T>> | undefined;

  /**
   * @param bytesMax 0 keeps nothing
   * @param lengthOf the characters of a value's texts
   */
  constructor(freshness: Freshness, bytesMax: number, lengthOf: (value: T) => number) {
    this.#freshness = freshness;
    if (bytesMax > 0)
      this.#entries = new LRUCache({
        maxSize: bytesMax,
        sizeCalculation: ({ value }, key) => (lengthOf(value) + key.length) * CHARACTER_BYTES_MAX + ENTRY_BYTES,
      });
  }

  get keepsNothing(): boolean {
    return this.#entries === undefined;
  }

  /** A value that holds at the newest look at the store. */
  get(key: string): T | undefined {
    const entry = this.#entries?.get(key);
    return entry && this.#freshness.holds(entry.reading, entry.sources) ? entry.value : undefined;
  }

  /** Whether something was kept under this key, which may hold no more. */
  knows(key: string): boolean {
    return this.#entries?.has(key) ?? false;
  }

  /**
   * Keeps what was just read.
   * @param after the look that was taken before the reading began
   */
  set(key: string, value: T, sources: Sources, after: number): void {
    // A change since then would make it useless from the start.
    if (!this.#entries || !this.#freshness.isUnchangedSince(after, sources)) return;
    this.#entries.set(key, { value, sources, reading: { after, until: this.#freshness.begun } });
  }
}
