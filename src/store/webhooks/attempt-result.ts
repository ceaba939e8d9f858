/** Computes a delivery's status and the webhook's progress after an attempt. */
import type { Verdict } from './schedule.ts';
import type { Failures, Progress, Webhook } from './webhook-record.ts';

/** If this many events in a row are set aside, the problem is the receiver, not the events. */
const SET_ASIDE_MAX = 10;

interface AttemptResult {
  /** Status of the delivery. */
  readonly status: 'delivered' | 'failing' | 'set_aside';
  readonly progress: Partial<Progress>;
}

/**
 * @param failures including this attempt, if it failed
 * @param cursor position after the event
 * @param pending number of waiting events, including this one
 */
export function resultOf(
  verdict: Verdict,
  webhook: Webhook,
  failures: Failures,
  { cursor, pending, now }: { readonly cursor: string; readonly pending: number; readonly now: number },
): AttemptResult {
  const behind = { cursor, next_attempt: null, pending: Math.max(0, pending - 1), is_gone: false };
  const failing = { failing_since: webhook.failing_since ?? now, pending };
  switch (verdict.is) {
    case 'delivered': {
      const none = { message: '', count: 0, own: 0, set_aside: 0 };
      const ok = { status: 'ok', reason: null, failing_since: null, failures: none } as const;
      return { status: 'delivered', progress: { ...behind, ...ok } };
    }
    case 'retried': {
      const next = { status: 'failing', reason: verdict.reason, next_attempt: now + verdict.inSeconds } as const;
      return { status: 'failing', progress: { ...failing, ...next, failures } };
    }
    case 'paused': {
      const paused = { status: 'paused', reason: verdict.reason, next_attempt: null } as const;
      return { status: 'failing', progress: { ...failing, ...paused, failures } };
    }
    case 'set aside': {
      const aside = { message: '', count: 0, own: 0, set_aside: failures.set_aside + 1 };
      const isTooMany = aside.set_aside >= SET_ASIDE_MAX;
      const reason = isTooMany
        ? `${verdict.reason} The receiver rejected ${SET_ASIDE_MAX} events in a row.`
        : verdict.reason;
      const status = isTooMany ? 'paused' : 'failing';
      return { status: 'set_aside', progress: { ...failing, ...behind, status, reason, failures: aside } };
    }
  }
}
