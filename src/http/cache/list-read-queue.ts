/**
 * Decides which complete lists are read, and when: one at a time, and after each read with a pause as long as that read. A
 * list is read after the second request for it. Each read doubles the number of requests needed before the next read, and each use
 * halves it, so that a list that never helps is hardly ever read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Requests for a list before it is read. */
const REQUESTS_MIN = 2;
const REQUESTS_MAX = 1024;

/** Lists whose requests are counted. */
const COUNTED_MAX = 1000;

/** Lists that wait to be read. Others are requested again later. */
const WAITING_MAX = 8;

interface RequestCount {
  /** Requests needed for the next read. */
  needed: number;
  left: number;
}

export class ListReadQueue {
  readonly #counts = new LRUCache<string, RequestCount>({ max: COUNTED_MAX });
  readonly #waiting = new Set<string>();
  readonly #stopped = new AbortController();
  #last: Promise<void> = Promise.resolve();

  /** @param read may fail: then the list is not cached, and the next query for a page reports the error */
  request(key: string, read: () => Promise<void>): void {
    const count = this.#counts.get(key) ?? { needed: REQUESTS_MIN, left: REQUESTS_MIN };
    this.#counts.set(key, count);
    count.left -= 1;
    if (count.left > 0 || this.#waiting.has(key) || this.#waiting.size >= WAITING_MAX) return;
    count.needed = Math.min(2 * count.needed, REQUESTS_MAX);
    count.left = count.needed;
    this.#waiting.add(key);
    this.#last = this.#last.then(() => this.#run(key, read));
  }

  /** Records that a cached list served a request. */
  used(key: string): void {
    const count = this.#counts.get(key);
    if (!count) return;
    count.needed = Math.max(count.needed / 2, REQUESTS_MIN);
    count.left = count.needed;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(key: string, read: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    const startedAt = performance.now();
    await read().catch(() => {});
    this.#waiting.delete(key);
    await sleep(performance.now() - startedAt, undefined, { ref: false, signal }).catch(() => {});
  }
}
