/**
 * Rate limits in windows of a minute, in memory: requests by key, wrong keys by address (http.md §10), wrong secrets, requests of
 * shoppers (storefront.md §10). Uses
 * the monotonic clock, so that setting the system clock has no effect. Each server counts separately; the workers of one
 * server count in its primary process.
 */
import { LRUCache } from 'lru-cache';
import type { Limits } from './limits.ts';

const WINDOW_SECONDS = 60;

/** Windows in memory. Beyond that, the least recently used ones are discarded. */
const COUNTED_MAX = 10_000;

export interface Counted {
  /** The limit is exceeded. */
  readonly isExceeded: boolean;
  /** For the response (draft-ietf-httpapi-ratelimit-headers). */
  readonly headers: Record<string, string>;
}

/** A counter in this process or in the primary process. */
export interface Counts {
  readonly isOff: boolean;
  count(who: string): Counted | Promise<Counted>;
  /** Takes back a count, e.g. of an attempt that was right. */
  uncount(who: string): void;
}

interface Rates<Counter> {
  /** Requests by key. */
  readonly requests: Counter;
  /** Wrong keys by address. */
  readonly failedKeys: Counter;
  /** Wrong secrets by address and by record. */
  readonly failedLogins: Counter;
  /** Requests of shoppers by address. */
  readonly shopReads: Counter;
  readonly shopWrites: Counter;
  /** Requests of shoppers by publishable key. */
  readonly shopKeys: Counter;
}

/** One of the counts of a request. */
export interface RequestCount {
  readonly rate: keyof Rates<Counts>;
  readonly who: string;
}

export interface RequestCounts extends Rates<Counts> {
  /** Counts a request in this order, until it exceeds a limit. Takes one message to the primary process. */
  countEach(counts: readonly RequestCount[]): readonly Counted[] | Promise<readonly Counted[]>;
}

/** Creates counters in the memory of this process. */
export function createCounts(limits: CountedLimits): RequestCounts {
  const rates: Rates<Rate> = {
    requests: new Rate('requests', limits.rateLimitPerMinute),
    failedKeys: new Rate('failed-keys', limits.failedKeysPerMinute),
    failedLogins: new Rate('failed-logins', limits.failedLoginsPerMinute),
    shopReads: new Rate('reads', limits.shopReadsPerMinute),
    shopWrites: new Rate('writes', limits.shopWritesPerMinute),
    shopKeys: new Rate('key', limits.shopKeyPerMinute),
  };
  return {
    ...rates,
    countEach(counts) {
      const counted: Counted[] = [];
      for (const { rate, who } of counts) {
        counted.push(rates[rate].count(who));
        if (counted.at(-1)!.isExceeded) break;
      }
      return counted;
    },
  };
}

/** Maximum per minute; 0 disables the limit. */
export type CountedLimits = Pick<
  Limits,
  | 'rateLimitPerMinute'
  | 'failedKeysPerMinute'
  | 'failedLoginsPerMinute'
  | 'shopReadsPerMinute'
  | 'shopWritesPerMinute'
  | 'shopKeyPerMinute'
>;

interface Window {
  /** Seconds of the monotonic clock. */
  readonly since: number;
  count: number;
}

export class Rate implements Counts {
  readonly #name: string;
  readonly #max: number;
  readonly #seconds: () => number;
  /** Created with the first count, because the LRU cache allocates its capacity at once. */
  #windows: LRUCache<string, Window> | undefined;

  /** @param max per window; 0 disables the limit */
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

  /** A window starts with its first count. */
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
    const [name, max] = [this.#name, this.#max];
    return {
      isExceeded,
      // Only built for callers that send them.
      get headers() {
        return {
          'ratelimit-policy': `"${name}";q=${max};w=${WINDOW_SECONDS}`,
          ratelimit: `"${name}";r=${left};t=${reset}`,
          ...(isExceeded ? { 'retry-after': String(reset) } : {}),
        };
      },
    };
  }
}
