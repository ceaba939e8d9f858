/** The loop that delivers webhooks. Only one process of a store delivers, each webhook independently of the others. */
import { lastPosition, type Sender, type Service } from '../../engine/index.ts';
import type { FeedWatch } from '../feed-watch.ts';
import type { KnownKey } from '../keys.ts';
import { jobRequestOptions } from '../own-requests.ts';
import { readStoreState } from '../state.ts';
import { type DeliveryContext, EventSender } from './event-sender.ts';
import { Lease } from './lease.ts';
import { isDue, isRunning, readWebhooks, type Webhook } from './webhook-record.ts';

/** Maximum delay until a change by another process, or an attempt that is due, is noticed. */
const POLL_MS = 1000;

/** Delay if there is no webhook, or if another process delivers. */
const IDLE_MS = 5000;
const STANDBY_MS = 1000;

/** Delay after a database failure. */
const FAILED_MS = 2000;

/** Interval for counting the waiting events of paused webhooks. */
const COUNT_INTERVAL_MS = 10_000;

/** Interval for checking the owners of webhooks without waiting events. */
const OWNER_INTERVAL_MS = 5000;

/** Time that running deliveries get to finish when the process stops. */
const STOPPING_MS = 5000;

interface Options {
  /** Seconds before the second attempt, the third, and so on. */
  readonly waits: readonly number[];
  /** Whether no other process can serve the store. */
  readonly isOnlyProcess: boolean;
  /** API keys from the environment. */
  readonly keys: readonly KnownKey[];
}

interface ActiveWebhook {
  readonly eventSender: EventSender;
  running: Promise<void> | undefined;
  /** Position of the feed and state of the webhook when there was nothing left to send. */
  stateWhenIdle: string;
  countedAt: number;
  ownerCheckedAt: number;
}

/** @returns function that stops the delivery; running attempts get some time to finish */
export function startDeliveryLoop(
  service: Service,
  sender: Sender,
  watch: FeedWatch,
  log: DeliveryContext['log'],
  { waits, isOnlyProcess, keys }: Options,
): () => Promise<void> {
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  const lease = new Lease(service, isOnlyProcess);
  const loop = new DeliveryLoop(watch, {
    ...{ service, sender, lease, waits, keys, log, stopping: stopping.signal, stopped: stopped.signal },
    requestOptions: jobRequestOptions('webhooks'),
  });
  const running = loop.run();
  return async () => {
    stopping.abort();
    loop.wake();
    const giveUp = setTimeout(() => stopped.abort(), STOPPING_MS);
    await running;
    await loop.settled();
    clearTimeout(giveUp);
    await lease.end().catch((error: unknown) => log.warn({ err: error }, 'cannot release the webhook delivery lease'));
    await sender.close();
  };
}

class DeliveryLoop {
  readonly #watch: FeedWatch;
  readonly #context: { -readonly [K in keyof DeliveryContext]: DeliveryContext[K] };
  readonly #active = new Map<number, ActiveWebhook>();
  #wake = (): void => {};

  constructor(watch: FeedWatch, context: DeliveryContext) {
    this.#watch = watch;
    this.#context = { ...context };
  }

  /** Resolves once `stopping` is aborted; attempts may still be running. */
  async run(): Promise<void> {
    const { service, log, stopping } = this.#context;
    const stopListening = service.commits.listen(({ changes }) => {
      if (changes.some(({ resource }) => resource === 'Webhook')) this.#wake();
    });
    while (!stopping.aborted)
      try {
        await this.#poll();
      } catch (error) {
        log.warn({ err: error }, 'cannot read webhooks; retrying');
        await this.#sleep(FAILED_MS);
      }
    stopListening();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves when no attempt is running. */
  async settled(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ running }) => running));
  }

  async #poll(): Promise<void> {
    const { service, lease } = this.#context;
    // Records are shown in the current default language.
    this.#context.requestOptions = jobRequestOptions('webhooks', (await readStoreState(service)).defaultLanguage);
    const webhooks = await readWebhooks(service, this.#context.requestOptions);
    for (const id of this.#active.keys()) if (!webhooks.some((webhook) => webhook.id === id)) this.#active.delete(id);
    if (webhooks.length === 0) return this.#sleep(IDLE_MS);
    if (!(await lease.renew())) {
      for (const entry of this.#active.values()) entry.stateWhenIdle = '';
      return this.#sleep(STANDBY_MS);
    }
    const position = await lastPosition(service);
    for (const webhook of webhooks) await this.#startIfDue(webhook, position);
    if (this.#watch.isEnded) return this.#sleep(POLL_MS);
    const waitEnd = new AbortController();
    await Promise.race([this.#watch.waitForChanges(position, POLL_MS, waitEnd.signal), this.#sleep(POLL_MS)]);
    waitEnd.abort();
    this.#wake();
  }

  async #startIfDue(webhook: Webhook, position: number): Promise<void> {
    const entry = this.#activeWebhook(webhook.id);
    if (entry.running) return;
    const hasChanged = stateKey(position, webhook) !== entry.stateWhenIdle;
    if (hasWork(webhook, this.#context.service.clock.now(), hasChanged)) return this.#start(entry, position);
    if (isRunning(webhook)) await checkOwnerAtIntervals(entry, webhook);
    if (!isRunning(webhook) || webhook.status === 'failing') await countAtIntervals(entry, webhook);
  }

  #activeWebhook(id: number): ActiveWebhook {
    let entry = this.#active.get(id);
    if (!entry) {
      const eventSender = new EventSender(this.#context, id);
      entry = { eventSender, running: undefined, stateWhenIdle: '', countedAt: 0, ownerCheckedAt: 0 };
      this.#active.set(id, entry);
    }
    return entry;
  }

  #start(entry: ActiveWebhook, position: number): void {
    entry.running = entry.eventSender
      .run()
      .then((webhook) => {
        entry.stateWhenIdle = webhook ? stateKey(position, webhook) : '';
      })
      .catch((error: unknown) => {
        entry.stateWhenIdle = '';
        this.#context.log.warn({ err: error }, 'webhook delivery failed; retrying');
        return this.#watch.sleep(FAILED_MS, this.#context.stopping);
      })
      .finally(() => {
        entry.running = undefined;
      });
  }

  /** Resolves after a timeout, when this process changes a webhook, or when the delivery stops. */
  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#context.stopping.aborted) this.#wake();
    });
  }
}

async function checkOwnerAtIntervals(entry: ActiveWebhook, webhook: Webhook): Promise<void> {
  if (webhook.owner === null || performance.now() - entry.ownerCheckedAt < OWNER_INTERVAL_MS) return;
  entry.ownerCheckedAt = performance.now();
  await entry.eventSender.checkOwner(webhook);
}

async function countAtIntervals(entry: ActiveWebhook, webhook: Webhook): Promise<void> {
  if (performance.now() - entry.countedAt < COUNT_INTERVAL_MS) return;
  entry.countedAt = performance.now();
  await entry.eventSender.updatePending(webhook);
}

function stateKey(position: number, webhook: Webhook): string {
  return `${position} ${JSON.stringify(webhook)}`;
}

/** @param hasChanged whether the feed or the webhook has changed since there was nothing left to send */
function hasWork(webhook: Webhook, now: number, hasChanged: boolean): boolean {
  if (webhook.asked.length > 0) return true;
  if (!isRunning(webhook) || !isDue(webhook, now)) return false;
  return hasChanged || webhook.next_attempt !== null;
}
