/**
 * Counts in windows of a minute, in the memory of this process: requests by key, wrong keys by address (http.md §10), wrong secrets.
 * Time is the monotonic clock's, so that a clock that is set changes nothing. Several servers count apart; the workers of
 * one server count in its first process.
 */
import { LRUCache } from 'lru-cache';
import type { Limits } from './limits.ts';

const WINDOW_SECONDS = 60;

/** So many are counted at once; beyond, those that were quiet longest are forgotten. */
const COUNTED_MAX = 10_000;

/** The outcome of one more. */
export interface Counted {
  /** It is one too many. */
  readonly isExceeded: boolean;
  /** The answer says so of it (draft-ietf-httpapi-ratelimit-headers). */
  readonly headers: Record<string, string>;
}

/** Counts here, or asks somebody else to. */
export interface Counts {
  readonly isOff: boolean;
  count(who: string): Counted | Promise<Counted>;
  /** Takes one back that was counted and turned out to be none. */
  uncount(who: string): void;
}

/** All that is counted of requests. */
export interface RequestCounts {
  /** Requests by key. */
  readonly requests: Counts;
  /** Wrong keys by address. */
  readonly failedKeys: Counts;
  /** Wrong secrets by address, and by the record that they are for. */
  readonly failedLogins: Counts;
}

/** In the memory of this process. */
export function createCounts(limits: CountedLimits): RequestCounts {
  return {
    requests: new Rate('requests', limits.rateLimitPerMinute),
    failedKeys: new Rate('failed-keys', limits.failedKeysPerMinute),
    failedLogins: new Rate('failed-logins', limits.failedLoginsPerMinute),
  };
}

/** Most in a minute; 0 is no limit. */
export type CountedLimits = Pick<Limits, 'rateLimitPerMinute' | 'failedKeysPerMinute' | 'failedLoginsPerMinute'>;

interface Window {
  /** Seconds of the monotonic clock. */
  readonly since: number;
  count: number;
}

export class Rate implements Counts {
  readonly #name: string;
  readonly #max: number;
  readonly #seconds: () => number;
  /** Made with the first that is counted: it takes its whole room at once. */
  #windows: LRUCache<string, Window> | undefined;

  /** @param max a window; 0 lets everything pass */
  constructor(name: string, max: number, seconds = () => performance.now() / 1000) {
    this.#name = name;
    this.#max = max;
    this.#seconds = seconds;
  }

  uncount(who: string): void {
    const window = this.#windows?.get(who);
    if (window && window.count > 0) window.count -= 1;
  }

  get isOff(): boolean {
    return this.#max === 0;
  }

  /** Counts one more. A window begins with the first that falls into it. */
  count(who: string): Counted {
    const now = this.#seconds();
    this.#windows ??= new LRUCache({ max: COUNTED_MAX });
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
