/** The delivery of webhooks: of all processes of a store one does it, and each webhook on its own. */
import { lastPosition, type Sender, type Service } from '../../engine/index.ts';
import type { FeedWatch } from '../feed-watch.ts';
import { ownRequestOptions } from '../own-requests.ts';
import { readStoreState } from '../state.ts';
import { type Delivering, WebhookDispatcher } from './dispatcher.ts';
import { Lease } from './lease.ts';
import { isDue, isRunning, readWebhooks, type Webhook } from './webhook-record.ts';

/** A change by another process, and an attempt that is due, is seen this late. */
const LOOK_MS = 1000;

/** Where there is no webhook, or another process delivers. */
const IDLE_MS = 5000;
const WAITING_MS = 1000;

/** After a failure of the database. */
const FAILED_MS = 2000;

/** The number of waiting events of those that are sent nothing now. */
const COUNT_MS = 10_000;

/** Sends that are under way have so long to end. */
const STOPPING_MS = 5000;

interface Options {
  /** Seconds before the second attempt, the third, and so on. */
  readonly waits: readonly number[];
  /** No other process can serve the store. */
  readonly isAlone: boolean;
}

interface Route {
  readonly dispatcher: WebhookDispatcher;
  running: Promise<void> | undefined;
  /** The feed and the webhook when there was nothing to send any more. */
  seen: string;
  countedAt: number;
}

/** @returns what ends it: nothing more is sent then, and what is under way has a moment to end */
export function startDelivering(
  service: Service,
  sender: Sender,
  watch: FeedWatch,
  log: Delivering['log'],
  { waits, isAlone }: Options,
): () => Promise<void> {
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  const lease = new Lease(service, isAlone);
  const routes = new Map<number, Route>();
  let wake = (): void => {};
  const stopListening = service.commits.listen(({ changes }) => {
    if (changes.some(({ resource }) => resource === 'Webhook')) wake();
  });

  /** Resolves after so long, when a webhook is changed here, or when it ends. */
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopping.signal.aborted) wake();
    });

  const begin = (route: Route, position: number): void => {
    route.running = route.dispatcher
      .run()
      .then((webhook) => {
        route.seen = webhook ? sightOf(position, webhook) : '';
      })
      .catch((error: unknown) => {
        route.seen = '';
        log.warn({ err: error }, 'a webhook could not be served; it is tried again');
        return watch.rest(FAILED_MS, stopping.signal);
      })
      .finally(() => {
        route.running = undefined;
      });
  };

  const tools = {
    ...{ service, sender, lease, waits, log, stopping: stopping.signal, stopped: stopped.signal },
    requestOptions: ownRequestOptions(''),
  };

  const look = async (): Promise<void> => {
    // Records are shown in the default language of the moment.
    tools.requestOptions = ownRequestOptions((await readStoreState(service)).defaultLanguage);
    const webhooks = await readWebhooks(service, tools.requestOptions);
    for (const id of routes.keys()) if (!webhooks.some((webhook) => webhook.id === id)) routes.delete(id);
    if (webhooks.length === 0) return pause(IDLE_MS);
    if (!(await lease.keep())) {
      for (const route of routes.values()) route.seen = '';
      return pause(WAITING_MS);
    }
    const position = await lastPosition(service);
    for (const webhook of webhooks) {
      let route = routes.get(webhook.id);
      if (!route) {
        route = { dispatcher: new WebhookDispatcher(tools, webhook.id), running: undefined, seen: '', countedAt: 0 };
        routes.set(webhook.id, route);
      }
      if (route.running) continue;
      const seen = sightOf(position, webhook);
      if (hasWork(webhook, service.clock.now(), seen !== route.seen)) {
        begin(route, position);
      } else if (!isRunning(webhook) || webhook.status === 'failing') await count(route, webhook);
    }
    if (watch.isEnded) return pause(LOOK_MS);
    const over = new AbortController();
    await Promise.race([watch.grown(position, LOOK_MS, over.signal), pause(LOOK_MS)]);
    over.abort();
    wake();
  };

  const count = async (route: Route, webhook: Webhook): Promise<void> => {
    if (performance.now() - route.countedAt < COUNT_MS) return;
    route.countedAt = performance.now();
    await route.dispatcher.count(webhook);
  };

  const delivering = (async () => {
    while (!stopping.signal.aborted)
      try {
        await look();
      } catch (error) {
        log.warn({ err: error }, 'webhooks could not be looked at; they are tried again');
        await pause(FAILED_MS);
      }
  })();

  return async () => {
    stopListening();
    stopping.abort();
    wake();
    const giveUp = setTimeout(() => stopped.abort(), STOPPING_MS);
    await delivering;
    await Promise.all([...routes.values()].map(({ running }) => running));
    clearTimeout(giveUp);
    await lease
      .end()
      .catch((error: unknown) => log.warn({ err: error }, 'the delivery of webhooks was not handed over'));
    await sender.close();
  };
}

function sightOf(position: number, webhook: Webhook): string {
  return `${position} ${JSON.stringify(webhook)}`;
}

/** @param hasChanged the feed, or the webhook, since it was served last */
function hasWork(webhook: Webhook, now: number, hasChanged: boolean): boolean {
  if (webhook.asked.length > 0) return true;
  if (!isRunning(webhook) || !isDue(webhook, now)) return false;
  return hasChanged || webhook.next_attempt !== null;
}
