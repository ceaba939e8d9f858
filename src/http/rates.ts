/**
 * Counts in windows of a minute, in the memory of this process: requests by key, wrong keys by address (http.md §10).
 * Time is the monotonic clock's, so that a clock that is set changes nothing. Several processes count apart.
 */
import { LRUCache } from 'lru-cache';

const WINDOW_SECONDS = 60;

/** So many are counted at once; beyond, those that were quiet longest are forgotten. */
const COUNTED_MAX = 10_000;

interface Window {
  /** Seconds of the monotonic clock. */
  readonly since: number;
  count: number;
}

export class Rate {
  readonly #name: string;
  readonly #max: number;
  readonly #seconds: () => number;
  readonly #windows = new LRUCache<string, Window>({ max: COUNTED_MAX });

  /** @param max a window; 0 lets everything pass */
  constructor(name: string, max: number, seconds = () => performance.now() / 1000) {
    this.#name = name;
    this.#max = max;
    this.#seconds = seconds;
  }

  get isOff(): boolean {
    return this.#max === 0;
  }

  /**
   * Counts one more. A window begins with the first that falls into it.
   * @returns whether it is one too many, and what the answer says of it (draft-ietf-httpapi-ratelimit-headers)
   */
  count(who: string): { readonly isExceeded: boolean; readonly headers: Record<string, string> } {
    const now = this.#seconds();
    let window = this.#windows.get(who);
    if (!window || now - window.since >= WINDOW_SECONDS) {
      window = { since: now, count: 0 };
      this.#windows.set(who, window);
    }
    window.count += 1;
    const left = Math.max(0, this.#max - window.count);
    const reset = Math.ceil(window.since + WINDOW_SECONDS - now);
    const isExceeded = window.count > this.#max;
    return {
      isExceeded,
      headers: {
        'ratelimit-policy': `"${this.#name}";q=${this.#max};w=${WINDOW_SECONDS}`,
        ratelimit: `"${this.#name}";r=${left};t=${reset}`,
        ...(isExceeded ? { 'retry-after': String(reset) } : {}),
      },
    };
  }
}
