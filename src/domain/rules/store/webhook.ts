/** Rules of webhooks and their actions. `store/webhooks/` sends the events and records the results. */
import type { Draft, Reads, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

export const USES_OF_WEBHOOK = {
  own: [
    ...['id', 'url', 'events', 'secret', 'since', 'status', 'reason', 'failing_since', 'next_attempt'],
    ...['old_secret', 'old_secret_until', 'cursor', 'failures', 'asked', 'is_gone'],
    ...['payload', 'former_events', 'owner', 'owner_created'],
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

/** One process sends to all webhooks, each on its own connection. */
const WEBHOOKS_MAX = 100;

/** Pending tests and retries of one webhook. */
const REQUESTED_MAX = 100;

const SECRET_BYTES = 32;
const MESSAGE_BYTES = 18;

/** Generates a secret in the format of Standard Webhooks. */
export function generateSecret(unit: Pick<WebhookUnit, 'randomToken'>): string {
  return `whsec_${unit.randomToken(SECRET_BYTES)}`;
}

export async function checkWebhook(draft: WebhookDraft, unit: Reads<typeof USES_OF_WEBHOOK>): Promise<void> {
  const { operation, values, violations, conflicts } = draft;
  if (operation === 'action') return;
  if (typeof values.url === 'string') checkAddress(values.url, draft);
  if (Array.isArray(values.events)) checkEvents(values.events as string[], unit.publishedResources(), violations);
  if (operation === 'create' && (await unit.count('Webhook', {})) >= WEBHOOKS_MAX)
    conflicts.push(`A store can have at most ${WEBHOOKS_MAX} webhooks. Delete one first.`);
}

function checkAddress(
  address: string,
  { violations, environment }: Pick<WebhookDraft, 'violations' | 'environment'>,
): void {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    violations.add('url', 'format', 'The value must be an absolute URL such as https://receiver.example/purveyor.');
  else if (url.username !== '' || url.password !== '')
    violations.add('url', 'format', 'The URL must not contain a user name or a password.');
  else if (address.includes('#')) violations.add('url', 'format', 'The URL must not contain a fragment (“#”).');
  else if (isPrivate(url.hostname, environment))
    violations.add(
      'url',
      'format',
      'This address is private. Use one on the public internet, or ask the operator of the store to allow its network.',
    );
}

/**
 * Whether a host is a private address, or a name of the server itself. Other names are resolved and checked at each
 * connection, because their addresses can change.
 */
function isPrivate(hostname: string, { maySendTo = () => true }: WebhookDraft['environment']): boolean {
  const host = hostname.replace(/\.$/, '');
  if (/(?:^|\.)localhost$/.test(host)) return !['127.0.0.1', '::1'].some(maySendTo);
  if (host.startsWith('[')) return !maySendTo(host.slice(1, -1));
  // The URL parser has already converted other notations, such as 0x7f.1.
  return /^\d+(?:\.\d+){3}$/.test(host) && !maySendTo(host);
}

function checkEvents(
  events: readonly string[],
  published: readonly string[],
  violations: WebhookDraft['violations'],
): void {
  for (const [index, event] of events.entries()) {
    const [resource] = event.split('.');
    if (event !== '*' && !published.includes(resource!))
      violations.add(`events[${index}]`, 'choice', `The value must start with one of ${published.join(', ')}.`);
  }
}

/** A change of one of these decides what is sent, or where. */
const OF_OWNER = ['url', 'events', 'payload'] as const;

/** Makes the client the owner of a webhook if it creates it, or changes what it sends or where. */
export function ownChanged(draft: WebhookDraft): void {
  const { operation, values, stored } = draft;
  const isChanged = (name: (typeof OF_OWNER)[number]): boolean =>
    values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(stored?.[name]);
  if (OF_OWNER.some(isChanged)) own(draft);
  if (operation === 'create' || !Array.isArray(values.events)) return;
  const earlier = new Set([...(stored!.former_events as string[]), ...(stored!.events as string[])]);
  values.former_events = [...earlier].filter((event) => !(values.events as string[]).includes(event));
}

/** Makes the client the owner, whose rights decide which events are sent. The program itself has all rights. */
function own({ actor: { identity }, values }: Pick<WebhookDraft, 'actor' | 'values'>): void {
  const { type, id, name, created = null } = identity ?? {};
  values.owner = identity ? ({ type, id, name } as Value) : null;
  values.owner_created = created;
}

/** Clears the failures of a webhook whose URL changes, so that it does not wait for the next attempt. */
export function retryNewUrl({ values, stored }: WebhookDraft): void {
  if (values.url === undefined || values.url === stored!.url) return;
  const { message } = stored!.failures as typeof NO_FAILURES;
  Object.assign(values, { next_attempt: null, failures: { ...NO_FAILURES, message } });
}

export function rotateSecret(draft: WebhookDraft, unit: WebhookUnit): void {
  const { sent, values, stored, now } = draft;
  own(draft);
  const hours = typeof sent.keep_old_hours === 'number' ? sent.keep_old_hours : 24;
  values.old_secret = hours > 0 ? stored!.secret : null;
  values.old_secret_until = hours > 0 ? now + hours * 3600 : null;
  values.secret = generateSecret(unit);
}

export async function sendTest(draft: WebhookDraft, unit: WebhookUnit): Promise<void> {
  const { stored, conflicts } = draft;
  const requested = stored!.asked as Value[];
  if (requested.length >= REQUESTED_MAX) return void conflicts.push(TOO_MANY_REQUESTED);
  const id = await unit.insert('WebhookDelivery', {
    webhook: stored!.id,
    message_id: `test_${unit.randomToken(MESSAGE_BYTES).replaceAll(/[+/]/g, '0')}`,
    type: 'webhook.test',
    path: `/api/webhooks/${stored!.id}`,
    cursor: null,
    status: 'waiting',
    entry: {},
  });
  draft.values.asked = [...requested, id];
}

const TOO_MANY_REQUESTED = `${REQUESTED_MAX} tests and retries of this webhook are already pending. Try again later.`;

export function resume(draft: WebhookDraft): void {
  const { sent, stored, values, now, conflicts } = draft;
  own(draft);
  // The webhook resumes at the journal entry of this write, so the write must change a value: hence `+ 1`.
  if (sent.from === 'now')
    Object.assign(values, { cursor: '', since: Math.max(now, (stored!.since as number) + 1), is_gone: false });
  else if (stored!.is_gone)
    return void conflicts.push(
      'The changes since the webhook stopped are no longer available. Resume it from now, and compare your copy with an export.',
    );
  Object.assign(values, freshState());
}

export async function replay(draft: WebhookDraft, unit: Reads<typeof USES_OF_WEBHOOK>): Promise<void> {
  const { sent, stored, values, violations, conflicts } = draft;
  if (typeof sent.after !== 'string') return;
  own(draft);
  const reader = { cursor: stored!.cursor as string, since: stored!.since as number };
  const cursorState = await unit.cursorAfter(sent.after, reader);
  if (cursorState === undefined)
    violations.add('after', 'format', 'The value must be a cursor of the change feed or a date-time.');
  else if (cursorState === 'gone')
    conflicts.push(
      'The changes since then are no longer available, or the cursor belongs to another history of the store. Use a newer cursor.',
    );
  else if (cursorState === 'ahead')
    conflicts.push('This cursor would skip pending events. To skip them, resume the webhook from now.');
  else Object.assign(values, { ...freshState(), cursor: cursorState.cursor, is_gone: false });
}

export const NO_FAILURES = { message: '', count: 0, own: 0, set_aside: 0 };

/** State of a webhook without failures. */
function freshState() {
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
  if (stored!.status === 'waiting')
    return void conflicts.push('This delivery is already waiting for its next attempt.');
  const [webhook] = await unit.hold('Webhook', [stored!.webhook]);
  // A failing delivery can be retried if its webhook has moved past it: resumed from now, or no longer sends such events.
  if (stored!.status === 'failing' && (webhook!.failures as typeof NO_FAILURES).message === stored!.message_id)
    return void conflicts.push('This event is already being retried. To send it now, resume the webhook.');
  const requested = webhook!.asked as Value[];
  if (requested.length >= REQUESTED_MAX) return void conflicts.push(TOO_MANY_REQUESTED);
  values.status = 'waiting';
  await unit.update('Webhook', webhook!.id, { asked: [...requested, stored!.id] });
}
