/**
 * Sends a request again when it was not answered, or was answered “not now”: after `Retry-After` where the answer has one,
 * else after waits that double, each with some chance in it so that clients do not come back all at once.
 */
export const USUAL_PATIENCE = {
    retriesMax: 4,
    firstWaitSeconds: 0.5,
    waitSecondsMax: 30,
    attemptSecondsMax: 60,
};
/**
 * @param isRepeatable whether doing it twice does no more than doing it once
 * @param signal of the caller
 */
export async function sendPatiently(attempt, { isRepeatable, signal }, patience) {
    const retriesMax = isRepeatable ? patience.retriesMax : 0;
    let wasPerhapsDone = false;
    for (let retries = 0;; retries += 1) {
        signal?.throwIfAborted();
        let waitSeconds = backOffSeconds(retries, patience);
        try {
            const reply = await attempt(within(patience.attemptSecondsMax, signal));
            if (!isPassing(reply) || retries === retriesMax)
                return { ...reply, wasPerhapsDone };
            const asked = retryAfterSeconds(reply.headers);
            if (asked !== undefined && asked > patience.waitSecondsMax)
                return { ...reply, wasPerhapsDone };
            if (asked !== undefined)
                waitSeconds = asked + Math.random() * patience.firstWaitSeconds;
            wasPerhapsDone ||= reply.status >= 500;
        }
        catch (error) {
            if (signal?.aborted || retries === retriesMax)
                throw error;
            wasPerhapsDone = true;
        }
        await pause(waitSeconds, signal);
    }
}
/** In seconds or as a moment (RFC 9110 §10.2.3); a moment is compared with the server's own clock where it tells. */
export function retryAfterSeconds(headers) {
    const value = headers.get('retry-after')?.trim();
    if (!value)
        return undefined;
    if (/^\d+$/.test(value))
        return Number(value);
    const moment = Date.parse(value);
    if (Number.isNaN(moment))
        return undefined;
    const sent = Date.parse(headers.get('date') ?? '');
    return Math.max(0, (moment - (Number.isNaN(sent) ? Date.now() : sent)) / 1000);
}
const PASSING = new Set([408, 429, 502, 503, 504]);
function isPassing({ status, headers }) {
    // The first request with the same idempotency key still runs; any other conflict stays one.
    return PASSING.has(status) || (status === 409 && headers.has('retry-after'));
}
function backOffSeconds(retries, { firstWaitSeconds, waitSecondsMax }) {
    const full = Math.min(waitSecondsMax, firstWaitSeconds * 2 ** retries);
    return full * (0.5 + Math.random() / 2);
}
function within(seconds, signal) {
    const limit = AbortSignal.timeout(seconds * 1000);
    return signal ? AbortSignal.any([signal, limit]) : limit;
}
function pause(seconds, signal) {
    return new Promise((resolve, reject) => {
        const onAbort = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
        }, seconds * 1000);
        if (signal?.aborted)
            onAbort();
        else
            signal?.addEventListener('abort', onAbort, { once: true });
    });
}
