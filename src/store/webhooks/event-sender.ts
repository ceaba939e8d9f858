/** Sends one webhook its events, one at a time, in the order of the feed. */
import {
  type Cursor,
  committed,
  cursorText,
  isProblem,
  type Problem,
  type RequestOptions,
  type Sender,
  type Service,
} from '../../engine/index.ts';
import { type FeedEntry, readFeed } from '../feed.ts';
import type { KnownKey } from '../keys.ts';
import { resultOf } from './attempt-result.ts';
import { countPending, cursorOf } from './cursor.ts';
import { type Attempted, logAttempt, logProgress, logRequestedAttempt } from './delivery-log.ts';
import { EventFilter, withoutReplaced } from './events.ts';
import { lastErasure } from './forget.ts';
import type { Lease } from './lease.ts';
import { bodyOf, type Event, eventOf, type Subject } from './message.ts';
import { type Access, isSameAccess, type LostAccess, readAccess } from './owner-rights.ts';
import { isAccepted, isRejection, type Verdict, verdictOn } from './schedule.ts';
import { signedHeaders } from './sign.ts';
import {
  hasSameRequest,
  isDue,
  isRunning,
  type Progress,
  readWebhook,
  secretsOf,
  type Webhook,
} from './webhook-record.ts';

export interface DeliveryContext {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly sender: Sender;
  readonly lease: Lease;
  /** Seconds between attempts. */
  readonly waits: readonly number[];
  /** API keys from the environment. */
  readonly keys: readonly KnownKey[];
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Aborted to stop sending further events. */
  readonly stopping: AbortSignal;
  /** Aborted to cancel running attempts. */
  readonly stopped: AbortSignal;
}

/** Number of entries read together. Few, because newer changes may replace them. */
const ENTRIES_AT_ONCE = 50;
const READ_AHEAD_AGE_MAX_MS = 1000;

/** Interval for saving the cursor of a webhook while no events match it. */
const CURSOR_SAVE_INTERVAL_MS = 60_000;

/** Interval for counting waiting events, which reads up to 10,000 changes. */
const COUNT_INTERVAL_MS = 10_000;

interface ReadAhead {
  /** The webhook's cursor and events when the entries were read. */
  readonly subscription: string;
  /** The rights of the webhook's owner when the entries were read. */
  readonly access: Access;
  /** Position after the last entry. */
  readonly feedCursor: Cursor;
  readonly entries: readonly FeedEntry[];
  readonly readAt: number;
  readonly pending: number;
}

/** The next entry to send, or the reason why there is none. */
type NextEntry = FeedEntry | LostAccess | 'expired' | 'changed';

export class EventSender {
  readonly #context: DeliveryContext;
  readonly #id: number;
  /** Entries of the feed after the webhook's cursor. */
  #readAhead: ReadAhead | undefined;
  #cursorSavedAt = Number.NEGATIVE_INFINITY;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(context: DeliveryContext, id: number) {
    this.#context = context;
    this.#id = id;
  }

  /** Sends until nothing is due. @returns the webhook at that time; undefined if it was deleted or delivery stopped */
  async run(): Promise<Webhook | undefined> {
    const { service } = this.#context;
    let webhook = await this.#read();
    while (webhook && this.#maySend) {
      const [requested] = webhook.asked;
      if (requested !== undefined) webhook = await this.#sendRequested(webhook, requested);
      else if (!isRunning(webhook) || !isDue(webhook, service.clock.now())) return webhook;
      else {
        const entry = await this.#nextEntry(webhook);
        if (!entry) return this.#endRun(webhook);
        webhook = await this.#handle(webhook, entry);
      }
    }
    return undefined;
  }

  #handle(webhook: Webhook, entry: NextEntry): Promise<Webhook | undefined> {
    if (entry === 'changed') return this.#read();
    if (entry === 'expired') return this.#pauseWebhook(webhook, EVENTS_EXPIRED, { is_gone: true });
    return 'lost' in entry ? this.#pauseWebhook(webhook, entry.lost) : this.#sendEntry(webhook, entry);
  }

  /** Counts the waiting events of a webhook that is sent none at present. */
  async updatePending(webhook: Webhook): Promise<void> {
    const { service } = this.#context;
    const feedCursor = await cursorOf(service, webhook);
    const access = await this.#access(webhook);
    if (!feedCursor || isProblem(feedCursor) || 'lost' in access) return;
    const pending = await countPending(service, feedCursor, new EventFilter(webhook.events, service, access));
    if (pending !== webhook.pending) await logProgress(this.#context, webhook, { pending });
  }

  /** Pauses a webhook whose owner has no rights any more, although no event may be waiting. */
  async checkOwner(webhook: Webhook): Promise<void> {
    const access = await this.#access(webhook);
    if ('lost' in access) await this.#pauseWebhook(webhook, access.lost);
  }

  #access(webhook: Webhook): Promise<Access | LostAccess> {
    return readAccess(this.#context.service, this.#context.keys, webhook);
  }

  #read(): Promise<Webhook | undefined> {
    return readWebhook(this.#context.service, this.#context.requestOptions, this.#id);
  }

  /** Reads the webhook after it, or the rights of its owner, have changed. */
  #readAgain(): Promise<Webhook | undefined> {
    this.#readAhead = undefined;
    return this.#read();
  }

  /**
   * Whether the webhook was changed since it was read, so that a different request is to be sent.
   * @param access the rights of the owner, if they are compared too
   */
  async #isChanged(webhook: Webhook, access?: Access): Promise<boolean> {
    const now = await this.#read();
    if (!now || !hasSameRequest(webhook, now)) return true;
    return access !== undefined && !isSameAccess(access, await this.#access(now));
  }

  get #maySend(): boolean {
    return this.#context.lease.isHeld && !this.#context.stopping.aborted;
  }

  async #sendEntry(webhook: Webhook, entry: FeedEntry): Promise<Webhook | undefined> {
    const { service } = this.#context;
    const event = eventOf(entry);
    const at = service.clock.now();
    const sent = await this.#attempt(webhook, event, at, this.#readAhead!.access);
    if (sent === 'changed') return this.#readAgain();
    if (!sent) return undefined;
    const { failures } = webhook;
    const earlierRejections = failures.message === event.messageId ? failures.own : 0;
    const isRejected = isRejection(sent.status);
    const failed = {
      message: event.messageId,
      count: failures.count + (isRejected ? 0 : 1),
      own: earlierRejections + (isRejected ? 1 : 0),
      set_aside: failures.set_aside,
    };
    const verdict = verdictOn(sent, failed, this.#context.waits);
    const pending = this.#readAhead?.pending ?? webhook.pending;
    const { status, progress } = resultOf(verdict, webhook, failed, {
      cursor: event.cursor!,
      pending,
      now: service.clock.now(),
    });
    const now = await logAttempt(this.#context, webhook, event, { sent, at, status, progress });
    if (now && now.cursor === event.cursor) this.#dropFirstEntry(now);
    this.#log(webhook, event, verdict, now);
    return now;
  }

  /** Sends a test, or a delivery that a user wants repeated: one attempt, whatever the webhook's status. */
  async #sendRequested(webhook: Webhook, delivery: number): Promise<Webhook | undefined> {
    const { service, requestOptions } = this.#context;
    const [stored] = await committed(service, requestOptions).list('WebhookDelivery', { id: delivery });
    if (!stored) return logRequestedAttempt(this.#context, webhook.id, delivery, undefined);
    const at = service.clock.now();
    const entry = stored.entry as Partial<Subject>;
    const event: Event = {
      messageId: stored.message_id as string,
      type: stored.type as string,
      path: stored.path as string,
      cursor: stored.cursor as string | null,
      entry: entry.resource === undefined ? await this.#testSubject(webhook, at) : (entry as Subject),
    };
    const sent = await this.#attemptRequested(webhook, event, at);
    if (sent === 'changed') return this.#readAgain();
    if (!sent) return undefined;
    const status = isAccepted(sent.status) ? 'delivered' : 'set_aside';
    return logRequestedAttempt(this.#context, webhook.id, delivery, { event, sent, at, status });
  }

  /** Makes the attempt if the owner of the webhook can read the record. Otherwise its result says why it was not made. */
  async #attemptRequested(webhook: Webhook, event: Event, at: number): Promise<Attempted | 'changed' | undefined> {
    const { service } = this.#context;
    const access = await this.#access(webhook);
    const isLost = 'lost' in access;
    if (!isLost && new EventFilter(webhook.events, service, access).canRead(event.entry.resource))
      return this.#attempt(webhook, event, at, access);
    const response = isLost ? access.lost : UNREADABLE;
    const erasure = await lastErasure(service);
    return { status: undefined, response, retryAfterSeconds: undefined, durationMs: 0, erasure };
  }

  /** The subject of a test is the webhook itself. */
  async #testSubject(webhook: Webhook, at: number): Promise<Subject> {
    const { service, requestOptions } = this.#context;
    const [route] = service.model.resources.get('Webhook')!.routes;
    const shown = await committed(service, requestOptions).shown({ route: route!, parents: [], id: webhook.id });
    return { resource: 'Webhook', id: webhook.id, version: shown?.version ?? 1, at };
  }

  /** @returns `changed` if nothing was sent; undefined if the attempt was canceled, so that its result is unknown */
  async #attempt(
    webhook: Webhook,
    event: Event,
    at: number,
    access: Access,
  ): Promise<Attempted | 'changed' | undefined> {
    const { service, requestOptions, sender, stopped } = this.#context;
    const erasure = await lastErasure(service);
    const body = await bodyOf(service, requestOptions, event, { withRecord: webhook.payload === 'record', access });
    // The body may contain data that was erased since, or that the owner of the webhook may not read any more.
    if ((await this.#isChanged(webhook, access)) || (await lastErasure(service)) !== erasure) return 'changed';
    if (!this.#maySend) return undefined;
    const headers = signedHeaders(secretsOf(webhook, at), { id: event.messageId, timestamp: at, body });
    const sent = await sender.send(webhook.url, { headers, body }, stopped);
    return stopped.aborted ? undefined : { ...sent, erasure };
  }

  /** Returns the next entry to send; undefined if there is none yet; `changed` if the webhook has changed meanwhile. */
  async #nextEntry(webhook: Webhook): Promise<NextEntry | undefined> {
    const readAhead = this.#readAhead?.subscription === subscriptionKey(webhook) ? this.#readAhead : undefined;
    const [first] = readAhead?.entries ?? [];
    if (first && performance.now() - readAhead!.readAt < READ_AHEAD_AGE_MAX_MS) return first;
    const access = await this.#access(webhook);
    if ('lost' in access) return access;
    const isRead = readAhead && !first && isSameAccess(access, readAhead.access);
    const start = isRead ? readAhead.feedCursor : await cursorOf(this.#context.service, webhook);
    return this.#readEntries(webhook, access, start);
  }

  /** Reads the next entries. @returns the first one */
  async #readEntries(
    webhook: Webhook,
    access: Access,
    start: Cursor | Problem | undefined,
  ): Promise<NextEntry | undefined> {
    const { service } = this.#context;
    const filter = new EventFilter(webhook.events, service, access);
    const subscription = subscriptionKey(webhook);
    let feedCursor = start;
    for (;;) {
      if (!feedCursor || isProblem(feedCursor)) return 'expired';
      const page = await readFeed(service, feedCursor, { resources: filter.resources(), limit: ENTRIES_AT_ONCE });
      if (isProblem(page)) return 'expired';
      const entries = await withoutReplaced(
        service,
        page.entries.filter((entry) => filter.has(entry)),
        filter,
      );
      // By now the webhook may subscribe to events that this page left out.
      if (await this.#isChanged(webhook)) return 'changed';
      const isEnd = page.entries.length < ENTRIES_AT_ONCE && page.next.read === undefined;
      const pending = isEnd
        ? page.entries.filter((entry) => filter.has(entry)).length
        : await this.#countPending(feedCursor, filter);
      feedCursor = page.next;
      this.#readAhead = { subscription, access, feedCursor, entries, readAt: performance.now(), pending };
      if (entries.length > 0 || isEnd || !this.#maySend) return entries[0];
    }
  }

  /**
   * Counts waiting events if there are more than were read. Between counts, each sent event reduces the number by one.
   */
  async #countPending(feedCursor: Cursor, filter: EventFilter): Promise<number> {
    if (performance.now() - this.#countedAt < COUNT_INTERVAL_MS)
      return Math.max(ENTRIES_AT_ONCE, this.#readAhead?.pending ?? 0);
    this.#countedAt = performance.now();
    return countPending(this.#context.service, feedCursor, filter);
  }

  /** Drops the first entry after it was sent and the webhook's cursor is behind it. */
  #dropFirstEntry(webhook: Webhook): void {
    if (!this.#readAhead) return;
    const { entries, pending } = this.#readAhead;
    this.#readAhead = {
      ...this.#readAhead,
      subscription: subscriptionKey(webhook),
      entries: entries.slice(1),
      pending: Math.max(0, pending - 1),
    };
  }

  /**
   * Ends a run with nothing left to send. Moves the cursor to the end of the feed, so that older changes may be
   * deleted.
   */
  async #endRun(webhook: Webhook): Promise<Webhook | undefined> {
    if (!this.#readAhead || !this.#maySend) return undefined;
    const cursor = cursorText(this.#readAhead.feedCursor);
    const isOld = performance.now() - this.#cursorSavedAt >= CURSOR_SAVE_INTERVAL_MS;
    const isAhead = cursor !== webhook.cursor && (isOld || webhook.cursor === '');
    // The event that failed was set aside, or the webhook no longer subscribes to it.
    const isFailureOver = webhook.status === 'failing' || webhook.failures.message !== '';
    if (!isAhead && !isFailureOver && webhook.pending === 0) return webhook;
    this.#cursorSavedAt = performance.now();
    const failures = { ...webhook.failures, message: '', count: 0, own: 0 };
    const reset = { status: 'ok', reason: null, failing_since: null, next_attempt: null, failures } as const;
    const now = await logProgress(this.#context, webhook, { cursor, pending: 0, ...(isFailureOver && reset) });
    if (now?.cursor === cursor) this.#readAhead = { ...this.#readAhead, subscription: subscriptionKey(now) };
    return now;
  }

  /** Pauses a webhook without an attempt. @param more further progress */
  async #pauseWebhook(webhook: Webhook, reason: string, more: Partial<Progress> = {}): Promise<Webhook | undefined> {
    const since = webhook.failing_since ?? this.#context.service.clock.now();
    const paused = { status: 'paused', reason, failing_since: since, next_attempt: null, ...more } as const;
    const now = await logProgress(this.#context, webhook, paused);
    if (now) this.#context.log.warn({ webhook: webhook.id, reason }, PAUSED);
    return now;
  }

  /** Logs what an operator may need to act on. The webhook's URL may contain a secret, so it is not logged. */
  #log(before: Webhook, { messageId }: Event, verdict: Verdict, now: Webhook | undefined): void {
    const { log } = this.#context;
    const details = { webhook: before.id, event: messageId, ...('reason' in verdict && { reason: verdict.reason }) };
    if (now?.status === 'paused') log.warn({ ...details, reason: now.reason }, PAUSED);
    else if (verdict.is === 'set aside') log.warn(details, 'webhook rejected an event; the event is set aside');
    else if (verdict.is === 'retried' && before.status === 'ok') log.info(details, 'webhook failed; retrying');
    else if (verdict.is === 'delivered' && before.status === 'failing')
      log.info(details, 'webhook accepts events again');
  }
}

function subscriptionKey({ cursor, since, events }: Webhook): string {
  return `${cursor} ${since} ${events.join()}`;
}

const PAUSED = 'webhook paused; no events are sent until it is resumed';

const UNREADABLE = 'The owner of the webhook cannot read this record, so the event was not sent.';

const EVENTS_EXPIRED =
  'The change feed no longer contains its next event: the receiver failed for longer than CHANGES_KEEP_DAYS, or the store was restored. Resume it from now.';
