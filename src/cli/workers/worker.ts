/**
 * One worker of a server: answers requests as a server of one process does, on the port of the first process. That has made the
 * store ready, counts for all, and ends the worker; a worker whose first process is gone ends at once.
 */
import { hostname } from 'node:os';
import type { Counted, CountedLimits, Counts, RequestCounts } from '../../http/admission/rate-limits.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Config } from '../../wiring/config.ts';
import { environmentOf, openStore } from '../../wiring/open.ts';
import { collectMetrics } from '../figures.ts';
import { addressOf, followsHost } from '../own-address.ts';
import { type Answering, answer } from '../server-process.ts';
import { watchLoop } from '../watchdog.ts';
import { type FromFirst, type FromWorker, SOCKET_VARIABLE } from './messages.ts';
import { shareOf } from './share.ts';

/** The worker in whose place another one stands already may take this long to finish what runs. */
const REPLACED_MS_MAX = 600_000;
const STOP_MS_MAX = 15_000;

/** Node lets a connection live so much longer than it says. */
const KEEP_ALIVE_SLACK_MS = 1000;

/** @param number from 1 */
export async function runWorker(whole: Config, number: number): Promise<void> {
  const config = shareOf(whole);
  let stopping: (isForGood: boolean) => void = () => process.exit(0);
  // The first process says when to end. A terminal tells all processes at once, and so do some supervisors.
  process.on('SIGHUP', () => {});
  // A first process that is gone hears nothing; Node ends this one next.
  process.on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping(true));
  const metrics = await collectMetrics(config);
  const socket = process.env[SOCKET_VARIABLE];
  const first = new FirstProcess(metrics, (isForGood) => stopping(isForGood));
  let answering: Answering;
  try {
    const environment = { ...environmentOf(config), hasOtherAddresses: followsHost(config) };
    environment.baseUrl ||= addressOf(config.host, config.port);
    const store = await openStore(config, { environment, metrics, isWorker: true });
    answering = await answer(store, config, {
      ...{ metrics, isAlone: false, tidiesUp: number === 1, counts: first.countsOf(config) },
      ...{ logNames: { pid: process.pid, hostname: hostname(), worker: number } },
      socket: socket === undefined ? undefined : Number(socket),
    });
    if (config.baseUrl === '') environment.baseUrl = addressOf(config.host, answering.port);
  } catch (error) {
    await tell({ say: 'failed', message: (error as Error).message });
    process.exit(1);
  }
  watchLoop(config);
  answering.broken.then(({ message }) => tell({ say: 'broken', message }));
  stopping = (isForGood) => {
    stopping = () => {};
    setTimeout(() => process.exit(1), isForGood ? STOP_MS_MAX : REPLACED_MS_MAX).unref();
    // Another worker takes new connections. Clients were told how long the open ones live, so none is closed before.
    const idleMs = config.keepAliveSecondsMax * 1000 + KEEP_ALIVE_SLACK_MS;
    answering
      .stop(isForGood ? { hasSuccessor: socket !== undefined } : { hasSuccessor: true, idleMs })
      .then(async () => {
        if (metrics) await tell({ say: 'figures', id: undefined, figures: await metrics.json() });
        process.exit(0);
      })
      .catch((error) => {
        answering.log.error({ err: error }, 'the worker could not end well');
        process.exit(1);
      });
  };
  await tell({ say: 'ready', port: answering.port });
}

/** Resolves when the message is on its way; a first process that is gone hears nothing any more. */
function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

class FirstProcess {
  readonly #waiting = new Map<number, (counted: Counted) => void>();
  #asked = 0;

  constructor(metrics: Metrics | undefined, stop: (isForGood: boolean) => void) {
    process.on('message', (message: FromFirst) => {
      switch (message.say) {
        case 'rated':
          this.#waiting.get(message.id)?.(message.counted);
          this.#waiting.delete(message.id);
          break;
        case 'figures':
          void metrics?.json().then((figures) => tell({ say: 'figures', id: message.id, figures }));
          break;
        case 'stop':
          stop(message.isForGood);
          break;
      }
    });
  }

  countsOf({ rateLimitPerMinute, failedKeysPerMinute, failedLoginsPerMinute }: CountedLimits): RequestCounts {
    return {
      requests: this.#counts('requests', rateLimitPerMinute),
      failedKeys: this.#counts('failedKeys', failedKeysPerMinute),
      failedLogins: this.#counts('failedLogins', failedLoginsPerMinute),
    };
  }

  #counts(rate: keyof RequestCounts, max: number): Counts {
    return {
      isOff: max === 0,
      count: (who) =>
        new Promise((resolve) => {
          this.#asked += 1;
          this.#waiting.set(this.#asked, resolve);
          void tell({ say: 'count', id: this.#asked, rate, who });
        }),
      uncount: (who) => void tell({ say: 'uncount', rate, who }),
    };
  }
}
