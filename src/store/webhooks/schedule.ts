/** Decides how it goes on after an attempt to deliver an event (sync.md §2). */
import type { Sent } from '../../engine/index.ts';

export type Verdict =
  | { readonly is: 'delivered' }
  | { readonly is: 'retried'; readonly inSeconds: number; readonly reason: string }
  | { readonly is: 'set aside'; readonly reason: string }
  | { readonly is: 'paused'; readonly reason: string };

/** A receiver that refuses an event so often will refuse it again. */
const REFUSALS_MAX = 5;

/** The waits between these attempts: all of them are over within ten minutes. */
const REFUSED_WAITS_SECONDS = [5, 30, 120, 300];

/** These say that the same event may be taken later. */
const TAKEN_LATER = new Set([408, 425, 429]);

const GONE = 410;
const RETRY_AFTER_SECONDS_MAX = 24 * 3600;

/** Short waits are kept to the second. */
const JITTERED_SECONDS_MIN = 10;
const JITTER = 0.2;

/** Failed attempts, this one included if it failed. */
interface Failed {
  /** Other than refusals, one after the other, whatever was sent: a newer event may have taken the place of the first. */
  readonly count: number;
  /** Refusals of this event. */
  readonly own: number;
}

/**
 * @param waits seconds before the second attempt, the third, and so on; when they are used up the webhook pauses
 */
export function verdictOn(
  { status, answer, retryAfterSeconds = 0 }: Pick<Sent, 'status' | 'answer' | 'retryAfterSeconds'>,
  { count, own }: Failed,
  waits: readonly number[],
): Verdict {
  if (isTaken(status)) return { is: 'delivered' };
  const reason = reasonOf(status, answer);
  if (status === GONE) return { is: 'paused', reason: `${reason} So it wants no more events.` };
  const isRefused = isRefusal(status);
  if (isRefused && own >= REFUSALS_MAX) return { is: 'set aside', reason };
  const planned = waits[(isRefused ? own : count) - 1];
  if (planned === undefined && !isRefused) return { is: 'paused', reason: `${reason} It was tried ${count} times.` };
  const refused = REFUSED_WAITS_SECONDS[own - 1]!;
  const wait = isRefused ? Math.min(planned ?? waits.at(-1) ?? 0, refused) : jittered(planned!);
  return { is: 'retried', reason, inSeconds: Math.max(wait, Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX)) };
}

/** Whether the receiver does not want this very event. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !TAKEN_LATER.has(status);
}

export function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function reasonOf(status: number | undefined, answer: string): string {
  if (status === undefined) return answer;
  if (status >= 300 && status < 400) return `The receiver answered with the redirect ${status}, which is not followed.`;
  return `The receiver answered with status ${status}.`;
}

/** Receivers that failed together are not all tried again at the same moment. */
function jittered(seconds: number): number {
  if (seconds < JITTERED_SECONDS_MIN) return seconds;
  return Math.round(seconds * (1 + JITTER * Math.random()));
}
