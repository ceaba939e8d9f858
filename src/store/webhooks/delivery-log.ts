/** Writes down how an attempt went: the delivery, and where its webhook is now. Nothing of it is told in the journal. */
import { inUnit, type RequestOptions, type Sent, type Service, type Unit, type Value } from '../../engine/index.ts';
import { lastErasure } from './forget.ts';
import type { Lease } from './lease.ts';
import type { Event } from './message.ts';
import { asWebhook, isWhereItWas, type Progress, progressOf, type Webhook } from './webhook-record.ts';

interface Circumstances {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly lease: Lease;
}

/** An attempt, and `lastErasure` from before its body was made. */
export interface Attempted extends Sent {
  readonly erasure: string | undefined;
}

type Status = 'waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced';

const ATTEMPTS_STORED_MAX = 20;

/**
 * After an attempt of the event that it was at.
 * @param before the webhook as it was when the event was chosen; who has changed it since is right, and the event comes again
 * @returns the webhook as it is now; undefined where it is gone, or another process delivers
 */
export function noteAttempt(
  { service, requestOptions, lease }: Circumstances,
  before: Webhook,
  event: Event,
  { sent, at, status, progress }: { sent: Attempted; at: number; status: Status; progress: Partial<Progress> },
): Promise<Webhook | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const now = await held(unit, lease, before.id);
    if (!now) return undefined;
    await keepDelivery(unit, before.id, event, { sent, at, status });
    const { message } = before.failures;
    if (message !== '' && message !== event.messageId) await endReplaced(unit, before.id, message);
    return isWhereItWas(before, now) ? moved(unit, now, progress) : now;
  });
}

/** After an attempt that somebody asked for, which moves nothing. */
export function noteAsked(
  { service, requestOptions, lease }: Circumstances,
  id: number,
  delivery: number,
  outcome: { event: Event; sent: Attempted; at: number; status: Status } | undefined,
): Promise<Webhook | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const now = await held(unit, lease, id);
    if (!now) return undefined;
    if (outcome) await keepDelivery(unit, id, outcome.event, outcome);
    const asked = now.asked.filter((one) => one !== delivery);
    await unit.update('Webhook', id, { asked });
    return { ...now, asked };
  });
}

/**
 * Where nothing was sent: its place went on, or it cannot go on.
 * @returns the webhook as it is now; undefined where it was changed meanwhile, is gone, or another process delivers
 */
export function noteProgress(
  { service, requestOptions, lease }: Circumstances,
  before: Webhook,
  progress: Partial<Progress>,
): Promise<Webhook | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const now = await held(unit, lease, before.id);
    return now && isWhereItWas(before, now) ? moved(unit, now, progress) : undefined;
  });
}

async function held(unit: Unit, lease: Lease, id: number): Promise<Webhook | undefined> {
  const [stored] = await unit.hold('Webhook', [id]);
  return stored && (await lease.holdsIn(unit)) ? asWebhook(stored) : undefined;
}

async function moved(unit: Unit, now: Webhook, changes: Partial<Progress>): Promise<Webhook> {
  const progress = { ...progressOf(now), ...changes };
  await unit.update('Webhook', now.id, { ...progress, failures: { ...progress.failures } });
  return { ...now, ...progress };
}

async function keepDelivery(
  unit: Unit,
  webhook: number,
  event: Event,
  { sent, at, status }: { sent: Attempted; at: number; status: Status },
): Promise<void> {
  // It may tell of somebody who was erased while it was on its way.
  const answer = (await lastErasure(unit)) === sent.erasure ? sent.answer : '';
  const attempt = { date: at, status: sent.status ?? null, duration_ms: sent.durationMs, answer };
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

/** An event that failed, and in whose place a newer one of its record is sent. */
async function endReplaced(unit: Unit, webhook: number, message: string): Promise<void> {
  const [known] = await unit.list('WebhookDelivery', { webhook, message_id: message });
  if (known?.status === 'failing') await unit.update('WebhookDelivery', known.id!, { status: 'replaced' });
}
