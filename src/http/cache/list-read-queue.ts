/**
 * The order in which whole lists are read: one at a time, and as long as that took is then left to others. A list is read when
 * it was asked for twice. Each reading doubles how often it has to be asked for before the next, and each use halves
 * that, so a list that is never of use is hardly read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** How often a list is asked for before it is read. */
const ASKS_MIN = 2;
const ASKS_MAX = 1024;

/** Lists of which it is known that they were asked for. */
const KNOWN_MAX = 1000;

/** Lists that wait to be read; more are not, and may be asked for again. */
const WAITING_MAX = 8;

interface Asks {
  /** For the next reading. */
  needed: number;
  left: number;
}

export class ListQueue {
  readonly #asks = new LRUCache<string, Asks>({ max: KNOWN_MAX });
  readonly #waiting = new Set<string>();
  readonly #stopped = new AbortController();
  #last: Promise<void> = Promise.resolve();

  /** @param read its failure means that the list is not kept; whoever asks for a page of it hears of that */
  ask(key: string, read: () => Promise<void>): void {
    const asks = this.#asks.get(key) ?? { needed: ASKS_MIN, left: ASKS_MIN };
    this.#asks.set(key, asks);
    asks.left -= 1;
    if (asks.left > 0 || this.#waiting.has(key) || this.#waiting.size >= WAITING_MAX) return;
    asks.needed = Math.min(2 * asks.needed, ASKS_MAX);
    asks.left = asks.needed;
    this.#waiting.add(key);
    this.#last = this.#last.then(() => this.#inTurn(key, read));
  }

  /** A list that was read was of use. */
  used(key: string): void {
    const asks = this.#asks.get(key);
    if (!asks) return;
    asks.needed = Math.max(asks.needed / 2, ASKS_MIN);
    asks.left = asks.needed;
  }

  /** Reads no more. */
  stop(): void {
    this.#stopped.abort();
  }

  async #inTurn(key: string, read: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    const startedAt = performance.now();
    await read().catch(() => {});
    this.#waiting.delete(key);
    await sleep(performance.now() - startedAt, undefined, { ref: false, signal }).catch(() => {});
  }
}
