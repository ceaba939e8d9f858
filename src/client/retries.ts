/**
 * Retries requests that got no response or a temporary error. Waits as long as `Retry-After` says; otherwise the waits
 * double, with jitter, so that clients do not retry at the same time.
 */
import { StoreUnreachable } from './unreachable.ts';

export interface RetryPolicy {
  /** Maximum number of retries of a request. */
  readonly retriesMax: number;
  /** Approximate wait before the first retry. Each further wait is twice as long. */
  readonly firstWaitSeconds: number;
  /** Longest wait. A response with a longer `Retry-After` is not retried. */
  readonly waitSecondsMax: number;
  /** Timeout of one attempt, including the response body. */
  readonly attemptSecondsMax: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retriesMax: 4,
  firstWaitSeconds: 0.5,
  waitSecondsMax: 30,
  attemptSecondsMax: 60,
};

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The request, for errors. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly isIdempotent: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface LastReply extends Reply {
  /** Whether an earlier attempt may have been executed: it got no response, or one from a proxy or a failing server. */
  readonly wasPerhapsDone: boolean;
}

/**
 * Sends a request, with retries if it is idempotent.
 *
 * @throws the caller's abort reason
 * @throws {StoreUnreachable} if the last attempt got no response
 */
export async function sendWithRetries(
  attempt: (signal: AbortSignal) => Promise<Reply>,
  { method, url, isIdempotent, signal }: Sent,
  policy: RetryPolicy,
): Promise<LastReply> {
  const retriesMax = isIdempotent ? policy.retriesMax : 0;
  let wasPerhapsDone = false;
  for (let retries = 0; ; retries += 1) {
    signal?.throwIfAborted();
    let waitSeconds = backOffSeconds(retries, policy);
    try {
      const reply = await attempt(withTimeout(policy.attemptSecondsMax, signal));
      if (!isTemporary(reply) || retries === retriesMax) return { ...reply, wasPerhapsDone };
      const requestedSeconds = retryAfterSeconds(reply.headers);
      if (requestedSeconds !== undefined && requestedSeconds > policy.waitSecondsMax)
        return { ...reply, wasPerhapsDone };
      if (requestedSeconds !== undefined) waitSeconds = requestedSeconds + Math.random() * policy.firstWaitSeconds;
      wasPerhapsDone ||= reply.status >= 500;
    } catch (error) {
      if (signal?.aborted) throw error;
      if (retries === retriesMax) throw new StoreUnreachable(method, url, error);
      wasPerhapsDone = true;
    }
    await pause(waitSeconds, signal);
  }
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 §10.2.3). A date is compared with the server's `Date`, if there is one. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const time = Date.parse(value);
  if (Number.isNaN(time)) return undefined;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (time - (Number.isNaN(sent) ? Date.now() : sent)) / 1000);
}

const TEMPORARY = new Set([408, 429, 502, 503, 504]);

function isTemporary({ status, headers }: Reply): boolean {
  // A 409 with Retry-After: the first request with the same idempotency key is still running.
  return TEMPORARY.has(status) || (status === 409 && headers.has('retry-after'));
}

function backOffSeconds(retries: number, { firstWaitSeconds, waitSecondsMax }: RetryPolicy): number {
  const full = Math.min(waitSecondsMax, firstWaitSeconds * 2 ** retries);
  return full * (0.5 + Math.random() / 2);
}

function withTimeout(seconds: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(seconds * 1000);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
