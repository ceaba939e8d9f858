/** Brings one webhook its events: one at a time, in the order of the feed. */
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
import { outcomeOf } from './attempt-result.ts';
import { countPending, cursorOf } from './cursor.ts';
import { type Attempted, noteAsked, noteAttempt, noteProgress } from './delivery-log.ts';
import { unreplaced, Wanted } from './events.ts';
import { lastErasure } from './forget.ts';
import type { Lease } from './lease.ts';
import { bodyOf, type Event, eventOf, type Subject } from './message.ts';
import { isRefusal, isTaken, type Verdict, verdictOn } from './schedule.ts';
import { signedHeaders } from './sign.ts';
import { isDue, isRunning, isSentTheSame, readWebhook, secretsOf, type Webhook } from './webhook-record.ts';

export interface Delivering {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly sender: Sender;
  readonly lease: Lease;
  /** The waits between attempts. */
  readonly waits: readonly number[];
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Aborted when nothing more is to be sent. */
  readonly stopping: AbortSignal;
  /** Aborted when what is being sent is to be given up. */
  readonly stopped: AbortSignal;
}

/** Entries that are read together. They are not read far ahead, as newer ones may replace them. */
const ENTRIES_AT_ONCE = 50;
const READ_AHEAD_MS = 1000;

/** The place of a webhook that nothing concerns is written down this often. */
const CURSOR_SAVE_INTERVAL_MS = 60_000;

/** To count what waits is to look at 10,000 changes. */
const COUNTED_MS = 10_000;

interface Ahead {
  /** The webhook's place and wishes when it was read. */
  readonly of: string;
  /** Behind the last entry. */
  readonly feedCursor: Cursor;
  readonly entries: readonly FeedEntry[];
  readonly readAt: number;
  readonly pending: number;
}

export class WebhookDispatcher {
  readonly #tools: Delivering;
  readonly #id: number;
  /** Entries of the feed behind the webhook's own place. */
  #ahead: Ahead | undefined;
  #cursorSavedAt = Number.NEGATIVE_INFINITY;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(tools: Delivering, id: number) {
    this.#tools = tools;
    this.#id = id;
  }

  /** Sends until there is nothing to send now. @returns the webhook as it is then; undefined where it ended before that */
  async run(): Promise<Webhook | undefined> {
    const { service } = this.#tools;
    let webhook = await this.#read();
    while (webhook && this.#mayGoOn) {
      const [asked] = webhook.asked;
      if (asked !== undefined) webhook = await this.#sendAsked(webhook, asked);
      else if (!isRunning(webhook) || !isDue(webhook, service.clock.now())) return webhook;
      else {
        const entry = await this.#next(webhook);
        if (!entry) return this.#rest(webhook);
        if (entry === 'changed') webhook = await this.#read();
        else webhook = entry === 'gone' ? await this.#pause(webhook) : await this.#deliver(webhook, entry);
      }
    }
    return undefined;
  }

  /** Of a webhook that is sent nothing now: how many events wait. */
  async count(webhook: Webhook): Promise<void> {
    const { service } = this.#tools;
    const feedCursor = await cursorOf(service, webhook);
    if (!feedCursor || isProblem(feedCursor)) return;
    const pending = await countPending(service, feedCursor, new Wanted(webhook.events));
    if (pending !== webhook.pending) await noteProgress(this.#tools, webhook, { pending });
  }

  #read(): Promise<Webhook | undefined> {
    return readWebhook(this.#tools.service, this.#tools.requestOptions, this.#id);
  }

  /** Whether somebody changed it since it was read, so that something else is to be sent. */
  async #isChanged(webhook: Webhook): Promise<boolean> {
    const now = await this.#read();
    return !now || !isSentTheSame(webhook, now);
  }

  get #mayGoOn(): boolean {
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
    const refusals = failures.message === event.messageId ? failures.own : 0;
    const [count, own] = isRefusal(sent.status) ? [failures.count, refusals + 1] : [failures.count + 1, refusals];
    const failed = { message: event.messageId, count, own, set_aside: failures.set_aside };
    const verdict = verdictOn(sent, failed, this.#tools.waits);
    const pending = this.#ahead?.pending ?? webhook.pending;
    const { status, progress } = outcomeOf(verdict, webhook, failed, {
      cursor: event.cursor!,
      pending,
      now: service.clock.now(),
    });
    const now = await noteAttempt(this.#tools, webhook, event, { sent, at, status, progress });
    if (now && now.cursor === event.cursor) this.#goAhead(now);
    this.#tell(webhook, event, verdict, now);
    return now;
  }

  /** A test, or a delivery that somebody wants to be tried once more: one attempt, whatever the webhook's status is. */
  async #sendAsked(webhook: Webhook, delivery: number): Promise<Webhook | undefined> {
    const { service, requestOptions } = this.#tools;
    const [stored] = await committed(service, requestOptions).list('WebhookDelivery', { id: delivery });
    if (!stored) return noteAsked(this.#tools, webhook.id, delivery, undefined);
    const at = service.clock.now();
    const entry = stored.entry as Partial<Subject>;
    const event: Event = {
      messageId: stored.message_id as string,
      type: stored.type as string,
      path: stored.path as string,
      cursor: stored.cursor as string | null,
      entry: entry.resource === undefined ? await this.#itself(webhook, at) : (entry as Subject),
    };
    const sent = await this.#send(webhook, event, at);
    if (sent === 'changed') return this.#read();
    if (!sent) return undefined;
    const status = isTaken(sent.status) ? 'delivered' : 'set_aside';
    return noteAsked(this.#tools, webhook.id, delivery, { event, sent, at, status });
  }

  /** A test tells of the webhook itself. */
  async #itself(webhook: Webhook, at: number): Promise<Subject> {
    const { service, requestOptions } = this.#tools;
    const [route] = service.model.resources.get('Webhook')!.routes;
    const shown = await committed(service, requestOptions).shown({ route: route!, parents: [], id: webhook.id });
    return { resource: 'Webhook', id: webhook.id, version: shown?.version ?? 1, at };
  }

  /** @returns `changed`: nothing was sent; undefined where it was given up, so that nobody knows the outcome */
  async #send(webhook: Webhook, event: Event, at: number): Promise<Attempted | 'changed' | undefined> {
    const { service, requestOptions, sender, stopped } = this.#tools;
    const erasure = await lastErasure(settingsOf(service));
    const body = await bodyOf(service, requestOptions, event, webhook.payload === 'record');
    if (await this.#isChanged(webhook)) return 'changed';
    if (!this.#mayGoOn) return undefined;
    const headers = signedHeaders(secretsOf(webhook, at), { id: event.messageId, timestamp: at, body });
    const sent = await sender.send(webhook.url, { headers, body }, stopped);
    return stopped.aborted ? undefined : { ...sent, erasure };
  }

  /** The next entry that is to be sent; undefined where there is none yet; `changed` where it is to be looked for anew. */
  async #next(webhook: Webhook): Promise<FeedEntry | 'gone' | 'changed' | undefined> {
    const { service } = this.#tools;
    const wanted = new Wanted(webhook.events);
    const of = aheadOf(webhook);
    const ahead = this.#ahead?.of === of ? this.#ahead : undefined;
    const [first] = ahead?.entries ?? [];
    if (first && performance.now() - ahead!.readAt < READ_AHEAD_MS) return first;
    let feedCursor = ahead && !first ? ahead.feedCursor : await cursorOf(service, webhook);
    for (;;) {
      if (!feedCursor || isProblem(feedCursor)) return 'gone';
      const page = await readFeed(service, feedCursor, {
        resources: wanted.resources(service),
        limit: ENTRIES_AT_ONCE,
      });
      if (isProblem(page)) return 'gone';
      const entries = await unreplaced(
        service,
        page.entries.filter((entry) => wanted.has(entry)),
        wanted,
      );
      // The webhook may want by now what the page left out.
      if (await this.#isChanged(webhook)) return 'changed';
      const isEnd = page.entries.length < ENTRIES_AT_ONCE && page.next.read === undefined;
      const pending = isEnd
        ? page.entries.filter((entry) => wanted.has(entry)).length
        : await this.#pending(feedCursor, wanted);
      feedCursor = page.next;
      this.#ahead = { of, feedCursor, entries, readAt: performance.now(), pending };
      if (entries.length > 0 || isEnd || !this.#mayGoOn) return entries[0];
    }
  }

  /** Where there are more than were read. Until it is counted again they are fewer by those that were sent. */
  async #pending(feedCursor: Cursor, wanted: Wanted): Promise<number> {
    if (performance.now() - this.#countedAt < COUNTED_MS) return Math.max(ENTRIES_AT_ONCE, this.#ahead?.pending ?? 0);
    this.#countedAt = performance.now();
    return countPending(this.#tools.service, feedCursor, wanted);
  }

  /** The first event was sent, and the webhook's place is behind it. */
  #goAhead(webhook: Webhook): void {
    if (!this.#ahead) return;
    const { entries, pending } = this.#ahead;
    this.#ahead = {
      ...this.#ahead,
      of: aheadOf(webhook),
      entries: entries.slice(1),
      pending: Math.max(0, pending - 1),
    };
  }

  /** Nothing is to be sent. The place goes on with the feed, so that what it is behind may be forgotten. */
  async #rest(webhook: Webhook): Promise<Webhook | undefined> {
    if (!this.#ahead || !this.#mayGoOn) return undefined;
    const cursor = cursorText(this.#ahead.feedCursor);
    const isOld = performance.now() - this.#cursorSavedAt >= CURSOR_SAVE_INTERVAL_MS;
    const isAhead = cursor !== webhook.cursor && (isOld || webhook.cursor === '');
    // The event that failed was set aside, or is none that it wants any more.
    const isOver = webhook.status === 'failing' || webhook.failures.message !== '';
    if (!isAhead && !isOver && webhook.pending === 0) return webhook;
    this.#cursorSavedAt = performance.now();
    const failures = { ...webhook.failures, message: '', count: 0, own: 0 };
    const over = { status: 'ok', reason: null, failing_since: null, next_attempt: null, failures } as const;
    const now = await noteProgress(this.#tools, webhook, { cursor, pending: 0, ...(isOver && over) });
    if (now?.cursor === cursor) this.#ahead = { ...this.#ahead, of: aheadOf(now) };
    return now;
  }

  /** The feed does not tell any more what comes next. */
  async #pause(webhook: Webhook): Promise<Webhook | undefined> {
    const since = webhook.failing_since ?? this.#tools.service.clock.now();
    const paused = { status: 'paused', reason: GONE, failing_since: since, next_attempt: null, is_gone: true } as const;
    const now = await noteProgress(this.#tools, webhook, paused);
    if (now?.is_gone) this.#tools.log.warn({ webhook: webhook.id, reason: GONE }, PAUSED);
    return now;
  }

  /** Tells the log of what its reader should do something about. The address may hold a secret, so it is not told. */
  #tell(before: Webhook, { messageId }: Event, verdict: Verdict, now: Webhook | undefined): void {
    const { log } = this.#tools;
    const details = { webhook: before.id, event: messageId, ...('reason' in verdict && { reason: verdict.reason }) };
    if (now?.status === 'paused') log.warn({ ...details, reason: now.reason }, PAUSED);
    else if (verdict.is === 'set aside') log.warn(details, 'a webhook refused an event, which is set aside');
    else if (verdict.is === 'retried' && before.status === 'ok')
      log.info(details, 'a webhook fails and is tried again');
    else if (verdict.is === 'delivered' && before.status === 'failing')
      log.info(details, 'a webhook takes events again');
  }
}

function aheadOf({ cursor, since, events }: Webhook): string {
  return `${cursor} ${since} ${events.join()}`;
}

const PAUSED = 'a webhook is paused: nothing is sent before somebody resumes it';

const GONE =
  'What changed behind its place is not told any more: it did not read for longer than CHANGES_KEEP_DAYS, or the store was restored. Resume it from now.';
