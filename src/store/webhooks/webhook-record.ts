/** A webhook as the deliverer reads it: what its owner set, and what the deliverer wrote down beside it. */
import { committed, type RequestOptions, type Service, type Value } from '../../engine/index.ts';

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly payload: 'thin' | 'record';
  readonly secret: string;
  readonly old_secret: string | null;
  readonly old_secret_until: number | null;
  readonly since: number;
  readonly status: 'ok' | 'failing' | 'paused';
  readonly reason: string | null;
  readonly failing_since: number | null;
  readonly next_attempt: number | null;
  readonly pending: number;
  /** As a text; empty: behind the change of `since`. */
  readonly cursor: string;
  readonly failures: Failures;
  /** Deliveries that somebody asked for. */
  readonly asked: readonly number[];
  readonly is_gone: boolean;
}

export interface Failures {
  /** The event that is tried now. */
  readonly message: string;
  /** Failures other than refusals, one after the other, whatever was sent. */
  readonly count: number;
  /** Refusals of this event. */
  readonly own: number;
  /** Events set aside since one was taken. */
  readonly set_aside: number;
}

/** The deliverer's notes; it always writes all of them, so that it is one statement. */
export type Progress = Pick<
  Webhook,
  'status' | 'reason' | 'failing_since' | 'next_attempt' | 'pending' | 'cursor' | 'failures' | 'is_gone'
>;

export function asWebhook(stored: Readonly<Record<string, Value>>): Webhook {
  return stored as unknown as Webhook;
}

export function progressOf(webhook: Webhook): Progress {
  const { status, reason, failing_since, next_attempt, pending, cursor, failures, is_gone } = webhook;
  return { status, reason, failing_since, next_attempt, pending, cursor, failures, is_gone };
}

export async function readWebhooks(service: Service, requestOptions: RequestOptions): Promise<Webhook[]> {
  return (await committed(service, requestOptions).list('Webhook', {})).map(asWebhook);
}

export async function readWebhook(
  service: Service,
  requestOptions: RequestOptions,
  id: number,
): Promise<Webhook | undefined> {
  const [stored] = await committed(service, requestOptions).list('Webhook', { id });
  return stored && asWebhook(stored);
}

/**
 * Whether what was found out for a webhook as it was holds for it as it is now. A place that was reached with other `events` may
 * be behind some that it wants now, and another address need not pay for what this one did.
 */
export function isWhereItWas(before: Webhook, now: Webhook): boolean {
  const isSame = (['url', 'cursor', 'since', 'status'] as const).every((name) => now[name] === before[name]);
  const isSameCount = (['message', 'count', 'own', 'set_aside'] as const).every(
    (name) => now.failures[name] === before.failures[name],
  );
  return isSame && isSameCount && now.events.join() === before.events.join();
}

/** Whether the same request would be sent to it. */
export function isSentTheSame(before: Webhook, now: Webhook): boolean {
  const names = ['enabled', 'payload', 'secret', 'old_secret', 'old_secret_until'] as const;
  return isWhereItWas(before, now) && names.every((name) => now[name] === before[name]);
}

/** Signatures are made with each of them. @param now seconds since 1970 */
export function secretsOf({ secret, old_secret, old_secret_until }: Webhook, now: number): string[] {
  return old_secret !== null && (old_secret_until ?? 0) > now ? [secret, old_secret] : [secret];
}

/** A clock that was set back makes nobody wait for longer than any wait is. */
const WAIT_SECONDS_MAX = 36 * 3600;

export function isDue({ next_attempt }: Webhook, now: number): boolean {
  return next_attempt === null || next_attempt <= now || next_attempt > now + WAIT_SECONDS_MAX;
}

/** Whether its events are sent at all now. */
export function isRunning({ enabled, status }: Webhook): boolean {
  return enabled && status !== 'paused';
}
