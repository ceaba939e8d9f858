/** Webhooks as clients make and steer them. The store's deliverer does the rest, and writes down how it went. */
import type { Draft, Reads, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

export const USES_OF_WEBHOOK = {
  own: [
    ...['id', 'url', 'events', 'secret', 'since', 'status', 'reason', 'failing_since', 'next_attempt'],
    ...['old_secret', 'old_secret_until', 'cursor', 'failures', 'asked', 'is_gone'],
    ...['keep_old_hours', 'from', 'after'],
  ],
  Webhook: ['id'],
  WebhookDelivery: ['webhook', 'message_id', 'type', 'path', 'cursor', 'status', 'entry'],
} as const;

export const USES_OF_DELIVERY = {
  own: ['id', 'webhook', 'status', 'message_id'],
  Webhook: ['id', 'asked', 'failures'],
} as const;

type WebhookDraft = Draft<(typeof USES_OF_WEBHOOK.own)[number]>;
type WebhookUnit = UnitOfWork<typeof USES_OF_WEBHOOK>;

/** One process delivers all of them, each on a connection of its own. */
const WEBHOOKS_MAX = 100;

/** Tests and retries that wait for one webhook. */
const ASKED_MAX = 100;

const SECRET_BYTES = 32;
const MESSAGE_BYTES = 18;

/** In the form of Standard Webhooks. */
export function generateSecret(unit: Pick<WebhookUnit, 'randomToken'>): string {
  return `whsec_${unit.randomToken(SECRET_BYTES)}`;
}

export async function checkWebhook(draft: WebhookDraft, unit: Reads<typeof USES_OF_WEBHOOK>): Promise<void> {
  const { operation, values, violations, conflicts } = draft;
  if (operation === 'action') return;
  if (typeof values.url === 'string') checkAddress(values.url, violations);
  if (Array.isArray(values.events)) checkEvents(values.events as string[], unit.publishedResources(), violations);
  if (operation === 'create' && (await unit.count('Webhook', {})) >= WEBHOOKS_MAX)
    conflicts.push(`A store has ${WEBHOOKS_MAX} webhooks or less; delete one first.`);
}

function checkAddress(address: string, violations: WebhookDraft['violations']): void {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    violations.add('url', 'format', 'This value should be a whole address such as https://receiver.example/purveyor.');
  else if (url.username !== '' || url.password !== '')
    violations.add('url', 'format', 'This address should not hold a user name or a password.');
  else if (address.includes('#')) violations.add('url', 'format', 'This address should not have a part behind “#”.');
}

function checkEvents(events: readonly string[], told: readonly string[], violations: WebhookDraft['violations']): void {
  for (const [index, event] of events.entries()) {
    const [resource] = event.split('.');
    if (event !== '*' && !told.includes(resource!))
      violations.add(`events[${index}]`, 'choice', `This value should begin with one of ${told.join(', ')}.`);
  }
}

/** A failing webhook need not wait when its address is another, and that one has not failed yet. */
export function tryAtOnce({ values, stored }: WebhookDraft): void {
  if (values.url === undefined || values.url === stored!.url) return;
  const { message } = stored!.failures as typeof NO_FAILURES;
  Object.assign(values, { next_attempt: null, failures: { ...NO_FAILURES, message } });
}

export function rotateSecret({ sent, values, stored, now }: WebhookDraft, unit: WebhookUnit): void {
  const hours = typeof sent.keep_old_hours === 'number' ? sent.keep_old_hours : 24;
  values.old_secret = hours > 0 ? stored!.secret : null;
  values.old_secret_until = hours > 0 ? now + hours * 3600 : null;
  values.secret = generateSecret(unit);
}

export async function sendTest(draft: WebhookDraft, unit: WebhookUnit): Promise<void> {
  const { stored, conflicts } = draft;
  const asked = stored!.asked as Value[];
  if (asked.length >= ASKED_MAX) return void conflicts.push(TOO_MANY_ASKED);
  const id = await unit.insert('WebhookDelivery', {
    webhook: stored!.id,
    message_id: `test_${unit.randomToken(MESSAGE_BYTES).replaceAll(/[+/]/g, '0')}`,
    type: 'webhook.test',
    path: `/api/webhooks/${stored!.id}`,
    cursor: null,
    status: 'waiting',
    entry: {},
  });
  draft.values.asked = [...asked, id];
}

const TOO_MANY_ASKED = `${ASKED_MAX} tests and retries of this webhook wait already; come again when they are done.`;

export function resume({ sent, stored, values, now, conflicts }: WebhookDraft): void {
  // The journal tells of it, and so where it goes on: it has to change.
  if (sent.from === 'now')
    Object.assign(values, { cursor: '', since: Math.max(now, (stored!.since as number) + 1), is_gone: false });
  else if (stored!.is_gone)
    return void conflicts.push(
      'What changed while the webhook did not read is not told any more. Resume it from now, and compare your copy with an export.',
    );
  Object.assign(values, begun());
}

export async function replay(
  { sent, stored, values, violations, conflicts }: WebhookDraft,
  unit: Reads<typeof USES_OF_WEBHOOK>,
): Promise<void> {
  if (typeof sent.after !== 'string') return;
  const own = { cursor: stored!.cursor as string, since: stored!.since as number };
  const cursorState = await unit.cursorAfter(sent.after, own);
  if (cursorState === undefined)
    violations.add('after', 'format', 'This value should be a cursor that the change feed has given, or a date-time.');
  else if (cursorState === 'gone')
    conflicts.push('What changed since is not all told any more, or the cursor is of another history of the store.');
  else if (cursorState === 'ahead')
    conflicts.push(
      'Events that wait would be left out: the webhook has not come so far. Resume it from now, if that is what you want.',
    );
  else Object.assign(values, { ...begun(), cursor: cursorState.cursor, is_gone: false });
}

export const NO_FAILURES = { message: '', count: 0, own: 0, set_aside: 0 };

/** A webhook that has not failed yet. */
function begun() {
  return {
    status: 'ok',
    reason: null,
    failing_since: null,
    next_attempt: null,
    failures: { ...NO_FAILURES },
  };
}

export async function retryDelivery(
  { stored, values, conflicts }: Draft<(typeof USES_OF_DELIVERY.own)[number]>,
  unit: UnitOfWork<typeof USES_OF_DELIVERY>,
): Promise<void> {
  if (stored!.status === 'waiting') return void conflicts.push('This delivery waits for its next attempt already.');
  const [webhook] = await unit.hold('Webhook', [stored!.webhook]);
  // A webhook that was resumed from now, or wants other events, is not at this one any more.
  if (stored!.status === 'failing' && (webhook!.failures as typeof NO_FAILURES).message === stored!.message_id)
    return void conflicts.push('This event is being tried again anyway; resume the webhook to have it tried at once.');
  const asked = webhook!.asked as Value[];
  if (asked.length >= ASKED_MAX) return void conflicts.push(TOO_MANY_ASKED);
  values.status = 'waiting';
  await unit.update('Webhook', webhook!.id, { asked: [...asked, stored!.id] });
}
