/**
 * Records the result of an attempt: the delivery, and the webhook's progress. None of it is recorded in the journal.
 */
import { inUnit, type RequestOptions, type Sent, type Service, type Unit, type Value } from '../../engine/index.ts';
import { lockLastErasure } from './forget.ts';
import type { Lease } from './lease.ts';
import type { Event } from './message.ts';
import { asWebhook, hasSameProgress, type Progress, progressOf, type Webhook } from './webhook-record.ts';

interface LogContext {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly lease: Lease;
}

/** A sent attempt, with the value of `lastErasure` from before its body was created. */
export interface Attempted extends Sent {
  readonly erasure: string;
}

type Status = 'waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced';

const ATTEMPTS_STORED_MAX = 20;

/**
 * Records an attempt of the webhook's current event.
 * @param before the webhook when the event was chosen; if it has changed since, its progress stays and the event is
 * sent again
 * @returns the current webhook; undefined if it was deleted or another process delivers
 */
export function logAttempt(
  { service, requestOptions, lease }: LogContext,
  before: Webhook,
  event: Event,
  { sent, at, status, progress }: { sent: Attempted; at: number; status: Status; progress: Partial<Progress> },
): Promise<Webhook | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const now = await lockWebhook(unit, lease, before.id);
    if (!now) return undefined;
    await saveDelivery(unit, before.id, event, { sent, at, status });
    const { message } = before.failures;
    if (message !== '' && message !== event.messageId) await markReplaced(unit, before.id, message);
    return hasSameProgress(before, now) ? saveProgress(unit, now, progress) : now;
  });
}

/** Records an attempt requested by a user. It does not change the webhook's progress. */
export function logRequestedAttempt(
  { service, requestOptions, lease }: LogContext,
  id: number,
  delivery: number,
  result: { event: Event; sent: Attempted; at: number; status: Status } | undefined,
): Promise<Webhook | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const now = await lockWebhook(unit, lease, id);
    if (!now) return undefined;
    if (result) await saveDelivery(unit, id, result.event, result);
    const asked = now.asked.filter((one) => one !== delivery);
    await unit.update('Webhook', id, { asked });
    return { ...now, asked };
  });
}

/**
 * Records progress without an attempt, such as a cursor that has advanced or a pause.
 * @returns the current webhook; undefined if it has changed or was deleted, or another process delivers
 */
export function logProgress(
  { service, requestOptions, lease }: LogContext,
  before: Webhook,
  progress: Partial<Progress>,
): Promise<Webhook | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const now = await lockWebhook(unit, lease, before.id);
    return now && hasSameProgress(before, now) ? saveProgress(unit, now, progress) : undefined;
  });
}

async function lockWebhook(unit: Unit, lease: Lease, id: number): Promise<Webhook | undefined> {
  const [stored] = await unit.hold('Webhook', [id]);
  return stored && (await lease.holdsIn(unit)) ? asWebhook(stored) : undefined;
}

async function saveProgress(unit: Unit, now: Webhook, changes: Partial<Progress>): Promise<Webhook> {
  const progress = { ...progressOf(now), ...changes };
  await unit.update('Webhook', now.id, { ...progress, failures: { ...progress.failures } });
  return { ...now, ...progress };
}

async function saveDelivery(
  unit: Unit,
  webhook: number,
  event: Event,
  { sent, at, status }: { sent: Attempted; at: number; status: Status },
): Promise<void> {
  // The response may contain data of somebody who was erased during the attempt.
  const response = (await lockLastErasure(unit)) === sent.erasure ? sent.response : '';
  const attempt = { date: at, status: sent.status ?? null, duration_ms: sent.durationMs, answer: response };
  const { messageId, type, path, cursor, entry } = event;
  const [known] = await unit.list('WebhookDelivery', { webhook, message_id: messageId });
  if (known) {
    const attempts = [...(known.attempts as Value[]), attempt].slice(-ATTEMPTS_STORED_MAX);
    await unit.update('WebhookDelivery', known.id!, { status, attempts });
    return;
  }
  const own = { webhook, message_id: messageId, type, path, cursor, entry: { ...entry } };
  await unit.insert('WebhookDelivery', { ...own, status, attempts: [attempt] });
}

/** Marks the delivery of a failed event that a newer one of the same record replaces. */
async function markReplaced(unit: Unit, webhook: number, message: string): Promise<void> {
  const [known] = await unit.list('WebhookDelivery', { webhook, message_id: message });
  if (known?.status === 'failing') await unit.update('WebhookDelivery', known.id!, { status: 'replaced' });
}
