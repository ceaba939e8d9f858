/** Sends one webhook its events, one at a time, in the order of the feed. */
import {
  type Cursor,
  committed,
  cursorText,
  isProblem,
  type RequestOptions,
  type Sender,
  type Service,
} from '../../engine/index.ts';
import { type FeedEntry, readFeed } from '../feed.ts';
import { settingsOf } from '../settings.ts';
import { resultOf } from './attempt-result.ts';
import { countPending, cursorOf } from './cursor.ts';
import { type Attempted, logAttempt, logProgress, logRequestedAttempt } from './delivery-log.ts';
import { EventFilter, withoutReplaced } from './events.ts';
import { lastErasure } from './forget.ts';
import type { Lease } from './lease.ts';
import { bodyOf, type Event, eventOf, type Subject } from './message.ts';
import { isAccepted, isRejection, type Verdict, verdictOn } from './schedule.ts';
import { signedHeaders } from './sign.ts';
import { getsSameRequest, isDue, isRunning, readWebhook, secretsOf, type Webhook } from './webhook-record.ts';

export interface DispatcherTools {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly sender: Sender;
  readonly lease: Lease;
  /** Seconds between attempts. */
  readonly waits: readonly number[];
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Aborted to stop sending further events. */
  readonly stopping: AbortSignal;
  /** Aborted to cancel running attempts. */
  readonly stopped: AbortSignal;
}

/** Number of entries read together. Few, because newer changes may replace them. */
const ENTRIES_AT_ONCE = 50;
const READ_AHEAD_MS = 1000;

/** Interval for saving the cursor of a webhook while no events match it. */
const CURSOR_SAVE_INTERVAL_MS = 60_000;

/** Interval for counting waiting events, which reads up to 10,000 changes. */
const COUNTED_MS = 10_000;

interface ReadAhead {
  /** The webhook's cursor and events when the entries were read. */
  readonly of: string;
  /** Position after the last entry. */
  readonly feedCursor: Cursor;
  readonly entries: readonly FeedEntry[];
  readonly readAt: number;
  readonly pending: number;
}

export class WebhookDispatcher {
  readonly #tools: DispatcherTools;
  readonly #id: number;
  /** Entries of the feed after the webhook's cursor. */
  #ahead: ReadAhead | undefined;
  #cursorSavedAt = Number.NEGATIVE_INFINITY;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(tools: DispatcherTools, id: number) {
    this.#tools = tools;
    this.#id = id;
  }

  /** Sends until nothing is due. @returns the webhook at that time; undefined if it was deleted or delivery stopped */
  async run(): Promise<Webhook | undefined> {
    const { service } = this.#tools;
    let webhook = await this.#read();
    while (webhook && this.#maySend) {
      const [requested] = webhook.asked;
      if (requested !== undefined) webhook = await this.#sendRequested(webhook, requested);
      else if (!isRunning(webhook) || !isDue(webhook, service.clock.now())) return webhook;
      else {
        const entry = await this.#next(webhook);
        if (!entry) return this.#finish(webhook);
        if (entry === 'changed') webhook = await this.#read();
        else webhook = entry === 'gone' ? await this.#pause(webhook) : await this.#deliver(webhook, entry);
      }
    }
    return undefined;
  }

  /** Counts the waiting events of a webhook that is sent nothing at present. */
  async count(webhook: Webhook): Promise<void> {
    const { service } = this.#tools;
    const feedCursor = await cursorOf(service, webhook);
    if (!feedCursor || isProblem(feedCursor)) return;
    const pending = await countPending(service, feedCursor, new EventFilter(webhook.events));
    if (pending !== webhook.pending) await logProgress(this.#tools, webhook, { pending });
  }

  #read(): Promise<Webhook | undefined> {
    return readWebhook(this.#tools.service, this.#tools.requestOptions, this.#id);
  }

  /** Whether the webhook was changed since it was read, so that a different request is to be sent. */
  async #isChanged(webhook: Webhook): Promise<boolean> {
    const now = await this.#read();
    return !now || !getsSameRequest(webhook, now);
  }

  get #maySend(): boolean {
    return this.#tools.lease.isHeld && !this.#tools.stopping.aborted;
  }

  async #deliver(webhook: Webhook, entry: FeedEntry): Promise<Webhook | undefined> {
    const { service } = this.#tools;
    const event = eventOf(entry);
    const at = service.clock.now();
    const sent = await this.#send(webhook, event, at);
    if (sent === 'changed') return this.#read();
    if (!sent) return undefined;
    const { failures } = webhook;
    const rejections = failures.message === event.messageId ? failures.own : 0;
    const [count, own] = isRejection(sent.status) ? [failures.count, rejections + 1] : [failures.count + 1, rejections];
    const failed = { message: event.messageId, count, own, set_aside: failures.set_aside };
    const verdict = verdictOn(sent, failed, this.#tools.waits);
    const pending = this.#ahead?.pending ?? webhook.pending;
    const { status, progress } = resultOf(verdict, webhook, failed, {
      cursor: event.cursor!,
      pending,
      now: service.clock.now(),
    });
    const now = await logAttempt(this.#tools, webhook, event, { sent, at, status, progress });
    if (now && now.cursor === event.cursor) this.#advance(now);
    this.#log(webhook, event, verdict, now);
    return now;
  }

  /** Sends a test, or a delivery that a user wants repeated: one attempt, whatever the webhook's status. */
  async #sendRequested(webhook: Webhook, delivery: number): Promise<Webhook | undefined> {
    const { service, requestOptions } = this.#tools;
    const [stored] = await committed(service, requestOptions).list('WebhookDelivery', { id: delivery });
    if (!stored) return logRequestedAttempt(this.#tools, webhook.id, delivery, undefined);
    const at = service.clock.now();
    const entry = stored.entry as Partial<Subject>;
    const event: Event = {
      messageId: stored.message_id as string,
      type: stored.type as string,
      path: stored.path as string,
      cursor: stored.cursor as string | null,
      entry: entry.resource === undefined ? await this.#ownSubject(webhook, at) : (entry as Subject),
    };
    const sent = await this.#send(webhook, event, at);
    if (sent === 'changed') return this.#read();
    if (!sent) return undefined;
    const status = isAccepted(sent.status) ? 'delivered' : 'set_aside';
    return logRequestedAttempt(this.#tools, webhook.id, delivery, { event, sent, at, status });
  }

  /** The subject of a test is the webhook itself. */
  async #ownSubject(webhook: Webhook, at: number): Promise<Subject> {
    const { service, requestOptions } = this.#tools;
    const [route] = service.model.resources.get('Webhook')!.routes;
    const shown = await committed(service, requestOptions).shown({ route: route!, parents: [], id: webhook.id });
    return { resource: 'Webhook', id: webhook.id, version: shown?.version ?? 1, at };
  }

  /** @returns `changed` if nothing was sent; undefined if the attempt was canceled, so that its result is unknown */
  async #send(webhook: Webhook, event: Event, at: number): Promise<Attempted | 'changed' | undefined> {
    const { service, requestOptions, sender, stopped } = this.#tools;
    const erasure = await lastErasure(settingsOf(service));
    const body = await bodyOf(service, requestOptions, event, webhook.payload === 'record');
    if (await this.#isChanged(webhook)) return 'changed';
    if (!this.#maySend) return undefined;
    const headers = signedHeaders(secretsOf(webhook, at), { id: event.messageId, timestamp: at, body });
    const sent = await sender.send(webhook.url, { headers, body }, stopped);
    return stopped.aborted ? undefined : { ...sent, erasure };
  }

  /** Returns the next entry to send; undefined if there is none yet; `changed` if the webhook has changed meanwhile. */
  async #next(webhook: Webhook): Promise<FeedEntry | 'gone' | 'changed' | undefined> {
    const { service } = this.#tools;
    const filter = new EventFilter(webhook.events);
    const of = aheadOf(webhook);
    const ahead = this.#ahead?.of === of ? this.#ahead : undefined;
    const [first] = ahead?.entries ?? [];
    if (first && performance.now() - ahead!.readAt < READ_AHEAD_MS) return first;
    let feedCursor = ahead && !first ? ahead.feedCursor : await cursorOf(service, webhook);
    for (;;) {
      if (!feedCursor || isProblem(feedCursor)) return 'gone';
      const page = await readFeed(service, feedCursor, {
        resources: filter.resources(service),
        limit: ENTRIES_AT_ONCE,
      });
      if (isProblem(page)) return 'gone';
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
      this.#ahead = { of, feedCursor, entries, readAt: performance.now(), pending };
      if (entries.length > 0 || isEnd || !this.#maySend) return entries[0];
    }
  }

  /**
   * Counts waiting events if there are more than were read. Between counts, each sent event reduces the number by one.
   */
  async #countPending(feedCursor: Cursor, filter: EventFilter): Promise<number> {
    if (performance.now() - this.#countedAt < COUNTED_MS) return Math.max(ENTRIES_AT_ONCE, this.#ahead?.pending ?? 0);
    this.#countedAt = performance.now();
    return countPending(this.#tools.service, feedCursor, filter);
  }

  /** Drops the first entry after it was sent and the webhook's cursor is behind it. */
  #advance(webhook: Webhook): void {
    if (!this.#ahead) return;
    const { entries, pending } = this.#ahead;
    this.#ahead = {
      ...this.#ahead,
      of: aheadOf(webhook),
      entries: entries.slice(1),
      pending: Math.max(0, pending - 1),
    };
  }

  /**
   * Ends a run with nothing left to send. Moves the cursor to the end of the feed, so that older changes may be
   * deleted.
   */
  async #finish(webhook: Webhook): Promise<Webhook | undefined> {
    if (!this.#ahead || !this.#maySend) return undefined;
    const cursor = cursorText(this.#ahead.feedCursor);
    const isOld = performance.now() - this.#cursorSavedAt >= CURSOR_SAVE_INTERVAL_MS;
    const isAhead = cursor !== webhook.cursor && (isOld || webhook.cursor === '');
    // The event that failed was set aside, or the webhook no longer subscribes to it.
    const isOver = webhook.status === 'failing' || webhook.failures.message !== '';
    if (!isAhead && !isOver && webhook.pending === 0) return webhook;
    this.#cursorSavedAt = performance.now();
    const failures = { ...webhook.failures, message: '', count: 0, own: 0 };
    const over = { status: 'ok', reason: null, failing_since: null, next_attempt: null, failures } as const;
    const now = await logProgress(this.#tools, webhook, { cursor, pending: 0, ...(isOver && over) });
    if (now?.cursor === cursor) this.#ahead = { ...this.#ahead, of: aheadOf(now) };
    return now;
  }

  /** Pauses a webhook whose next changes the feed no longer contains. */
  async #pause(webhook: Webhook): Promise<Webhook | undefined> {
    const since = webhook.failing_since ?? this.#tools.service.clock.now();
    const paused = { status: 'paused', reason: GONE, failing_since: since, next_attempt: null, is_gone: true } as const;
    const now = await logProgress(this.#tools, webhook, paused);
    if (now?.is_gone) this.#tools.log.warn({ webhook: webhook.id, reason: GONE }, PAUSED);
    return now;
  }

  /** Logs what an operator may need to act on. The webhook's URL may contain a secret, so it is not logged. */
  #log(before: Webhook, { messageId }: Event, verdict: Verdict, now: Webhook | undefined): void {
    const { log } = this.#tools;
    const details = { webhook: before.id, event: messageId, ...('reason' in verdict && { reason: verdict.reason }) };
    if (now?.status === 'paused') log.warn({ ...details, reason: now.reason }, PAUSED);
    else if (verdict.is === 'set aside') log.warn(details, 'webhook rejected an event; the event is set aside');
    else if (verdict.is === 'retried' && before.status === 'ok') log.info(details, 'webhook failed; retrying');
    else if (verdict.is === 'delivered' && before.status === 'failing')
      log.info(details, 'webhook accepts events again');
  }
}

function aheadOf({ cursor, since, events }: Webhook): string {
  return `${cursor} ${since} ${events.join()}`;
}

const PAUSED = 'webhook paused; no events are sent until it is resumed';

const GONE =
  'The change feed no longer contains its next event: the receiver failed for longer than CHANGES_KEEP_DAYS, or the store was restored. Resume it from now.';
