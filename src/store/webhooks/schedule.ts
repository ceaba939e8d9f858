/** Decides what happens after an attempt to deliver an event (sync.md §2). */
import type { Sent } from '../../engine/index.ts';

export type Verdict =
  | { readonly is: 'delivered' }
  | { readonly is: 'retried'; readonly inSeconds: number; readonly reason: string }
  | { readonly is: 'set aside'; readonly reason: string }
  | { readonly is: 'paused'; readonly reason: string };

/** A receiver that has rejected an event this often will reject it again. */
const REJECTIONS_MAX = 5;

/** Delays between these attempts; all of them are over within ten minutes. */
const REJECTED_WAITS_SECONDS = [5, 30, 120, 300];

/** Statuses with which the receiver may accept the same event later. */
const RETRYABLE = new Set([408, 425, 429]);

const HTTP_GONE = 410;
const RETRY_AFTER_SECONDS_MAX = 24 * 3600;

/** Shorter delays have no jitter. */
const JITTERED_SECONDS_MIN = 10;
const JITTER = 0.2;

/** Failed attempts, this one included if it failed. */
interface Failed {
  /** Consecutive failures other than rejections, of any event: a newer event may have replaced the first. */
  readonly count: number;
  /** Rejections of this event. */
  readonly own: number;
}

/** @param waits seconds before the second attempt, the third, and so on; after the last one the webhook pauses */
export function verdictOn(
  { status, response, retryAfterSeconds = 0 }: Pick<Sent, 'status' | 'response' | 'retryAfterSeconds'>,
  { count, own }: Failed,
  waits: readonly number[],
): Verdict {
  if (isAccepted(status)) return { is: 'delivered' };
  const reason = reasonOf(status, response);
  if (status === HTTP_GONE) return { is: 'paused', reason: `${reason} The receiver wants no more events.` };
  const isRejected = isRejection(status);
  if (isRejected && own >= REJECTIONS_MAX) return { is: 'set aside', reason };
  const planned = waits[(isRejected ? own : count) - 1];
  if (planned === undefined && !isRejected)
    return { is: 'paused', reason: `${reason} Delivery was attempted ${count} times.` };
  const rejectedWait = REJECTED_WAITS_SECONDS[own - 1]!;
  const wait = isRejected ? Math.min(planned ?? waits.at(-1) ?? 0, rejectedWait) : jittered(planned!);
  // Times are whole seconds, rounded down. The additional second makes sure that the retry is not early.
  const requested = retryAfterSeconds > 0 ? Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX) + 1 : 0;
  return { is: 'retried', reason, inSeconds: Math.max(wait, requested) };
}

/** Whether the receiver rejects this particular event. */
export function isRejection(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !RETRYABLE.has(status);
}

export function isAccepted(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function reasonOf(status: number | undefined, response: string): string {
  if (status === undefined) return response;
  if (status >= 300 && status < 400) return `The receiver returned a redirect (${status}), which is not followed.`;
  return `The receiver returned status ${status}.`;
}

/** Spreads the retries of receivers that failed at the same time. */
function jittered(seconds: number): number {
  if (seconds < JITTERED_SECONDS_MIN) return seconds;
  return Math.round(seconds * (1 + JITTER * Math.random()));
}
