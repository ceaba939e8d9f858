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
export declare const USUAL_PATIENCE: Patience;
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
export declare function sendPatiently(attempt: (signal: AbortSignal) => Promise<Reply>, { isRepeatable, signal }: {
    readonly isRepeatable: boolean;
    readonly signal: AbortSignal | undefined;
}, patience: Patience): Promise<LastReply>;
/** In seconds or as a moment (RFC 9110 §10.2.3); a moment is compared with the server's own clock where it tells. */
export declare function retryAfterSeconds(headers: Headers): number | undefined;
