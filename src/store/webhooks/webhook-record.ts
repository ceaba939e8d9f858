/** A webhook as the delivery reads it: its owner's settings and the progress of the delivery. */
import { committed, type Identity, type RequestOptions, type Service, type Value } from '../../engine/index.ts';

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
  /** Cursor text; empty: after the change of `since`. */
  readonly cursor: string;
  readonly failures: Failures;
  /** Ids of deliveries that a user has requested. */
  readonly asked: readonly number[];
  readonly is_gone: boolean;
  /** Null: every record. */
  readonly owner: Pick<Identity, 'type' | 'id' | 'name'> | null;
  /** When the owner was created, if it is a key of the store. */
  readonly owner_created: number | null;
}

export interface Failures {
  /** Id of the event that is being retried. */
  readonly message: string;
  /** Consecutive failures other than rejections, of any event. */
  readonly count: number;
  /** Rejections of this event. */
  readonly own: number;
  /** Events set aside since the last accepted one. */
  readonly set_aside: number;
}

/** Fields that the delivery writes. It always writes all of them, so that there is one statement. */
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
 * Whether the result of an attempt, made for the webhook as it was, still applies to it as it is now. A cursor reached
 * with other `events` or another owner may be behind events that are sent now, and failures of another URL do not count.
 */
export function hasSameProgress(before: Webhook, now: Webhook): boolean {
  const isSame = (['url', 'cursor', 'since', 'status'] as const).every((name) => now[name] === before[name]);
  const isSameCount = (['message', 'count', 'own', 'set_aside'] as const).every(
    (name) => now.failures[name] === before.failures[name],
  );
  const isSameOwner = JSON.stringify(now.owner) === JSON.stringify(before.owner);
  return isSame && isSameCount && isSameOwner && now.events.join() === before.events.join();
}

/** Whether the same request would be sent to both. */
export function hasSameRequest(before: Webhook, now: Webhook): boolean {
  const names = ['enabled', 'payload', 'secret', 'old_secret', 'old_secret_until'] as const;
  return hasSameProgress(before, now) && names.every((name) => now[name] === before[name]);
}

/** Returns the secrets for signing, one signature each. @param now seconds since 1970 */
export function secretsOf({ secret, old_secret, old_secret_until }: Webhook, now: number): string[] {
  return old_secret !== null && (old_secret_until ?? 0) > now ? [secret, old_secret] : [secret];
}

/** No delay is longer than this, so a later time means that the clock was set back. */
const WAIT_SECONDS_MAX = 36 * 3600;

export function isDue({ next_attempt }: Webhook, now: number): boolean {
  return next_attempt === null || next_attempt <= now || next_attempt > now + WAIT_SECONDS_MAX;
}

/** Whether its events are sent at all now. */
export function isRunning({ enabled, status }: Webhook): boolean {
  return enabled && status !== 'paused';
}
