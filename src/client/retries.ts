/**
 * Sends a request again when it was not answered, or was answered “not now”: after `Retry-After` where the answer has one,
 * else after waits that double, each with some chance in it so that clients do not come back all at once.
 */

export interface Patience {
  /** How often a request is sent again. */
  readonly retriesMax: number;
  /** About how long the first wait is; each further one is twice as long. */
  readonly firstWaitSeconds: number;
  /** No wait is longer; an answer that asks for a longer one is given to the caller. */
  readonly waitSecondsMax: number;
  /** How long one attempt may take, the body of the answer included. */
  readonly attemptSecondsMax: number;
}

export const USUAL_PATIENCE: Patience = {
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

export interface LastReply extends Reply {
  /** An earlier attempt was not answered, or not by one who would know whether it was done. */
  readonly wasPerhapsDone: boolean;
}

/**
 * @param isRepeatable whether doing it twice does no more than doing it once
 * @param signal of the caller
 */
export async function sendPatiently(
  attempt: (signal: AbortSignal) => Promise<Reply>,
  { isRepeatable, signal }: { readonly isRepeatable: boolean; readonly signal: AbortSignal | undefined },
  patience: Patience,
): Promise<LastReply> {
  const retriesMax = isRepeatable ? patience.retriesMax : 0;
  let wasPerhapsDone = false;
  for (let retries = 0; ; retries += 1) {
    signal?.throwIfAborted();
    let waitSeconds = backOffSeconds(retries, patience);
    try {
      const reply = await attempt(within(patience.attemptSecondsMax, signal));
      if (!isPassing(reply) || retries === retriesMax) return { ...reply, wasPerhapsDone };
      const asked = retryAfterSeconds(reply.headers);
      if (asked !== undefined && asked > patience.waitSecondsMax) return { ...reply, wasPerhapsDone };
      if (asked !== undefined) waitSeconds = asked + Math.random() * patience.firstWaitSeconds;
      wasPerhapsDone ||= reply.status >= 500;
    } catch (error) {
      if (signal?.aborted || retries === retriesMax) throw error;
      wasPerhapsDone = true;
    }
    await pause(waitSeconds, signal);
  }
}

/** In seconds or as a moment (RFC 9110 §10.2.3); a moment is compared with the server's own clock where it tells. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const time = Date.parse(value);
  if (Number.isNaN(time)) return undefined;
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (time - (Number.isNaN(sent) ? Date.now() : sent)) / 1000);
}

const PASSING = new Set([408, 429, 502, 503, 504]);

function isPassing({ status, headers }: Reply): boolean {
  // The first request with the same idempotency key still runs; any other conflict stays one.
  return PASSING.has(status) || (status === 409 && headers.has('retry-after'));
}

function backOffSeconds(retries: number, { firstWaitSeconds, waitSecondsMax }: Patience): number {
  const full = Math.min(waitSecondsMax, firstWaitSeconds * 2 ** retries);
  return full * (0.5 + Math.random() / 2);
}

function within(seconds: number, signal: AbortSignal | undefined): AbortSignal {
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
