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

export class Memory {
  readonly #fresh: LRUCache<string, Sized>;
  readonly #proven: LRUCache<string, Sized>;

  constructor(bytesMax: number) {
    const bytesOfNew = Math.ceil(bytesMax * SHARE_OF_NEW);
    this.#fresh = lruOf(bytesOfNew);
    this.#proven = lruOf(Math.max(1, bytesMax - bytesOfNew));
  }

  has(key: string): boolean {
    return this.#proven.has(key) || this.#fresh.has(key);
  }

  get(key: string): object | undefined {
    const proven = this.#proven.get(key);
    if (proven) return proven.value;
    const fresh = this.#fresh.get(key);
    if (!fresh) return undefined;
    this.#fresh.delete(key);
    this.#proven.set(key, fresh);
    return fresh.value;
  }

  /** @param isProven it was asked for more than once already */
  set(key: string, value: object, size: number, isProven = this.#proven.has(key)): void {
    (isProven ? this.#proven : this.#fresh).set(key, { value, size });
  }

  delete(key: string): void {
    this.#fresh.delete(key);
    this.#proven.delete(key);
  }
}

function lruOf(bytesMax: number): LRUCache<string, Sized> {
  return new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ size }) => size });
}
