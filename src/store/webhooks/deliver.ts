/** Delivers webhooks. Only one process of a store delivers, each webhook independently of the others. */
import { lastPosition, type Sender, type Service } from '../../engine/index.ts';
import type { FeedWatch } from '../feed-watch.ts';
import { ownRequestOptions } from '../own-requests.ts';
import { readStoreState } from '../state.ts';
import { type DispatcherTools, WebhookDispatcher } from './dispatcher.ts';
import { Lease } from './lease.ts';
import { isDue, isRunning, readWebhooks, type Webhook } from './webhook-record.ts';

/** Maximum delay until a change by another process, or an attempt that is due, is noticed. */
const POLL_MS = 1000;

/** Delay if there is no webhook, or if another process delivers. */
const IDLE_MS = 5000;
const WAITING_MS = 1000;

/** Delay after a database failure. */
const FAILED_MS = 2000;

/** Interval for counting the waiting events of paused webhooks. */
const COUNT_MS = 10_000;

/** Time that running deliveries get to finish when the process stops. */
const STOPPING_MS = 5000;

interface Options {
  /** Seconds before the second attempt, the third, and so on. */
  readonly waits: readonly number[];
  /** Whether no other process can serve the store. */
  readonly isAlone: boolean;
}

interface ActiveWebhook {
  readonly dispatcher: WebhookDispatcher;
  running: Promise<void> | undefined;
  /** Position of the feed and state of the webhook when there was nothing left to send. */
  seen: string;
  countedAt: number;
}

/** @returns function that stops the delivery; running attempts get some time to finish */
export function startDelivering(
  service: Service,
  sender: Sender,
  watch: FeedWatch,
  log: DispatcherTools['log'],
  { waits, isAlone }: Options,
): () => Promise<void> {
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  const lease = new Lease(service, isAlone);
  const delivery = new WebhookDelivery(watch, {
    ...{ service, sender, lease, waits, log, stopping: stopping.signal, stopped: stopped.signal },
    requestOptions: ownRequestOptions(''),
  });
  const delivering = delivery.run();
  return async () => {
    stopping.abort();
    delivery.wake();
    const giveUp = setTimeout(() => stopped.abort(), STOPPING_MS);
    await delivering;
    await delivery.settled();
    clearTimeout(giveUp);
    await lease.end().catch((error: unknown) => log.warn({ err: error }, 'cannot release the webhook delivery lease'));
    await sender.close();
  };
}

class WebhookDelivery {
  readonly #watch: FeedWatch;
  readonly #tools: { -readonly [K in keyof DispatcherTools]: DispatcherTools[K] };
  readonly #active = new Map<number, ActiveWebhook>();
  #wake = (): void => {};

  constructor(watch: FeedWatch, tools: DispatcherTools) {
    this.#watch = watch;
    this.#tools = { ...tools };
  }

  /** Resolves once `stopping` is aborted; attempts may still be running. */
  async run(): Promise<void> {
    const { service, log, stopping } = this.#tools;
    const stopListening = service.commits.listen(({ changes }) => {
      if (changes.some(({ resource }) => resource === 'Webhook')) this.#wake();
    });
    while (!stopping.aborted)
      try {
        await this.#poll();
      } catch (error) {
        log.warn({ err: error }, 'cannot read webhooks; retrying');
        await this.#pause(FAILED_MS);
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
    const { service, lease } = this.#tools;
    // Records are shown in the current default language.
    this.#tools.requestOptions = ownRequestOptions((await readStoreState(service)).defaultLanguage);
    const webhooks = await readWebhooks(service, this.#tools.requestOptions);
    for (const id of this.#active.keys()) if (!webhooks.some((webhook) => webhook.id === id)) this.#active.delete(id);
    if (webhooks.length === 0) return this.#pause(IDLE_MS);
    if (!(await lease.renew())) {
      for (const entry of this.#active.values()) entry.seen = '';
      return this.#pause(WAITING_MS);
    }
    const position = await lastPosition(service);
    for (const webhook of webhooks) await this.#serve(webhook, position);
    if (this.#watch.isEnded) return this.#pause(POLL_MS);
    const over = new AbortController();
    await Promise.race([this.#watch.waitForChanges(position, POLL_MS, over.signal), this.#pause(POLL_MS)]);
    over.abort();
    this.#wake();
  }

  async #serve(webhook: Webhook, position: number): Promise<void> {
    const entry = this.#entryOf(webhook.id);
    if (entry.running) return;
    const hasChanged = stateKey(position, webhook) !== entry.seen;
    if (hasWork(webhook, this.#tools.service.clock.now(), hasChanged)) this.#start(entry, position);
    else if (!isRunning(webhook) || webhook.status === 'failing') await count(entry, webhook);
  }

  #entryOf(id: number): ActiveWebhook {
    let entry = this.#active.get(id);
    if (!entry) {
      entry = { dispatcher: new WebhookDispatcher(this.#tools, id), running: undefined, seen: '', countedAt: 0 };
      this.#active.set(id, entry);
    }
    return entry;
  }

  #start(entry: ActiveWebhook, position: number): void {
    entry.running = entry.dispatcher
      .run()
      .then((webhook) => {
        entry.seen = webhook ? stateKey(position, webhook) : '';
      })
      .catch((error: unknown) => {
        entry.seen = '';
        this.#tools.log.warn({ err: error }, 'webhook delivery failed; retrying');
        return this.#watch.pause(FAILED_MS, this.#tools.stopping);
      })
      .finally(() => {
        entry.running = undefined;
      });
  }

  /** Resolves after a timeout, when this process changes a webhook, or when the delivery stops. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#tools.stopping.aborted) this.#wake();
    });
  }
}

async function count(entry: ActiveWebhook, webhook: Webhook): Promise<void> {
  if (performance.now() - entry.countedAt < COUNT_MS) return;
  entry.countedAt = performance.now();
  await entry.dispatcher.count(webhook);
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
