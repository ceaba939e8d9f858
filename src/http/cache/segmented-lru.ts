/**
 * A byte-limited LRU cache in two segments, so that entries requested once cannot evict entries requested repeatedly. New
 * entries use a quarter of the bytes. An entry moves to the other segment when it is requested. Each segment evicts its least
 * recently used entries.
 */
import { LRUCache } from 'lru-cache';

interface Sized {
  readonly value: object;
  readonly size: number;
}

const NEW_ENTRIES_SHARE = 1 / 4;

export class SegmentedLru {
  readonly #probation: LRUCache<string, Sized>;
  readonly #protected: LRUCache<string, Sized>;

  constructor(bytesMax: number) {
    this.#probation = createSegment(bytesMax * NEW_ENTRIES_SHARE);
    this.#protected = createSegment(bytesMax * (1 - NEW_ENTRIES_SHARE));
  }

  has(key: string): boolean {
    return this.#protected.has(key) || this.#probation.has(key);
  }

  get(key: string): object | undefined {
    const known = this.#protected.get(key);
    if (known) return known.value;
    const recent = this.#probation.get(key);
    if (!recent) return undefined;
    this.#probation.delete(key);
    this.#protected.set(key, recent);
    return recent.value;
  }

  set(key: string, value: object, size: number): void {
    (this.#protected.has(key) ? this.#protected : this.#probation).set(key, { value, size });
  }
}

function createSegment(bytesMax: number): LRUCache<string, Sized> {
  return new LRUCache({ maxSize: Math.ceil(bytesMax), sizeCalculation: ({ size }) => size });
}
