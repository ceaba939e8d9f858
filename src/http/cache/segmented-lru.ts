/**
 * A bounded memory in which things that are asked for once cannot push out those that are asked for again and again: what is
 * new has a quarter of the bytes, and moves to the rest when it is asked for. In both parts the longest unused gives way.
 */
import { LRUCache } from 'lru-cache';

interface Sized {
  readonly value: object;
  readonly size: number;
}

const SHARE_OF_NEW = 1 / 4;

export class SegmentedLru {
  readonly #recent: LRUCache<string, Sized>;
  readonly #proven: LRUCache<string, Sized>;

  constructor(bytesMax: number) {
    this.#recent = lruOf(bytesMax * SHARE_OF_NEW);
    this.#proven = lruOf(bytesMax * (1 - SHARE_OF_NEW));
  }

  has(key: string): boolean {
    return this.#proven.has(key) || this.#recent.has(key);
  }

  get(key: string): object | undefined {
    const proven = this.#proven.get(key);
    if (proven) return proven.value;
    const recent = this.#recent.get(key);
    if (!recent) return undefined;
    this.#recent.delete(key);
    this.#proven.set(key, recent);
    return recent.value;
  }

  set(key: string, value: object, size: number): void {
    (this.#proven.has(key) ? this.#proven : this.#recent).set(key, { value, size });
  }
}

function lruOf(bytesMax: number): LRUCache<string, Sized> {
  return new LRUCache({ maxSize: Math.ceil(bytesMax), sizeCalculation: ({ size }) => size });
}
