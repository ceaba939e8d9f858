/**
 * A worker: serves requests like a single-process server, on the primary's port. The primary has prepared the store,
 * counts requests for the rate limits of all workers, and stops the worker. A worker whose primary has died exits.
 */
import { hostname } from 'node:os';
import type { Counted, CountedLimits, Counts, RequestCount, RequestCounts } from '../../http/admission/rate-limits.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { environmentOf, openStore } from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { collectMetrics } from '../collect-metrics.ts';
import { addressOf, followsHost } from '../own-address.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { watchLoop } from '../watchdog.ts';
import { type FromPrimary, type FromWorker, SOCKET_VARIABLE } from './messages.ts';
import { shareOf } from './share.ts';

/** Time that a replaced worker may take to finish its requests. */
const REPLACED_MS_MAX = 600_000;
const STOP_MS_MAX = 15_000;

/** Node closes an idle connection this much later than it announces. */
const KEEP_ALIVE_SLACK_MS = 1000;

/** @param number from 1 */
export async function runWorker(whole: Config, number: number): Promise<void> {
  const config = shareOf(whole);
  let stopping: (isForGood: boolean) => void = () => process.exit(0);
  // The primary decides when a worker stops. Terminals and some supervisors signal all processes at once.
  process.on('SIGHUP', () => {});
  // Sending to a dead primary fails; Node ends this process next.
  process.on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping(true));
  const metrics = await collectMetrics(config);
  const socket = process.env[SOCKET_VARIABLE];
  const primary = new Primary(metrics, (isForGood) => stopping(isForGood));
  let server: ServerProcess;
  try {
    const environment = { ...environmentOf(config), hasOtherAddresses: followsHost(config) };
    environment.baseUrl ||= addressOf(config.host, config.port);
    const store = await openStore(config, { environment, metrics, isWorker: true });
    server = await startServerProcess(store, config, {
      ...{
        metrics,
        isOnlyProcess: false,
        tidiesUp: number === 1,
        isTTY: process.stdout.isTTY,
        counts: primary.countsOf(config),
      },
      ...{ logNames: { pid: process.pid, hostname: hostname(), worker: number } },
      socket: socket === undefined ? undefined : Number(socket),
    });
    if (config.baseUrl === '') environment.baseUrl = addressOf(config.host, server.port);
  } catch (error) {
    await send({ type: 'failed', message: (error as Error).message });
    process.exit(1);
  }
  watchLoop(config);
  server.broken.then(({ message }) => send({ type: 'broken', message }));
  stopping = (isForGood) => {
    stopping = () => {};
    setTimeout(() => process.exit(1), isForGood ? STOP_MS_MAX : REPLACED_MS_MAX).unref();
    // New connections go to another worker. Open ones stay open for as long as the server has announced to their
    // clients.
    const idleMs = config.keepAliveSecondsMax * 1000 + KEEP_ALIVE_SLACK_MS;
    server
      .stop(isForGood ? { hasSuccessor: socket !== undefined } : { hasSuccessor: true, idleMs })
      .then(async () => {
        if (metrics) await send({ type: 'metrics', id: undefined, metrics: await metrics.json() });
        process.exit(0);
      })
      .catch((error) => {
        server.log.error({ err: error }, 'worker failed to stop cleanly');
        process.exit(1);
      });
  };
  await send({ type: 'ready', port: server.port });
}

/** Resolves when the message is sent, or immediately if the primary has died. */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

class Primary {
  readonly #waiting = new Map<number, (counted: readonly Counted[]) => void>();
  #lastId = 0;

  constructor(metrics: Metrics | undefined, stop: (isForGood: boolean) => void) {
    process.on('message', (message: FromPrimary) => {
      switch (message.type) {
        case 'counted':
          this.#waiting.get(message.id)?.(message.counted);
          this.#waiting.delete(message.id);
          break;
        case 'metrics':
          void metrics?.json().then((own) => send({ type: 'metrics', id: message.id, metrics: own }));
          break;
        case 'stop':
          stop(message.isForGood);
          break;
      }
    });
  }

  countsOf(limits: CountedLimits): RequestCounts {
    return {
      requests: this.#counts('requests', limits.rateLimitPerMinute),
      failedKeys: this.#counts('failedKeys', limits.failedKeysPerMinute),
      failedLogins: this.#counts('failedLogins', limits.failedLoginsPerMinute),
      shopReads: this.#counts('shopReads', limits.shopReadsPerMinute),
      shopWrites: this.#counts('shopWrites', limits.shopWritesPerMinute),
      shopKeys: this.#counts('shopKeys', limits.shopKeyPerMinute),
      countEach: (counts) => this.#count(counts),
    };
  }

  #counts(rate: RequestCount['rate'], max: number): Counts {
    return {
      isOff: max === 0,
      count: async (who) => (await this.#count([{ rate, who }]))[0]!,
      uncount: (who) => void send({ type: 'uncount', rate, who }),
    };
  }

  #count(counts: readonly RequestCount[]): Promise<readonly Counted[]> {
    return new Promise((resolve) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, resolve);
      void send({ type: 'count', id: this.#lastId, counts });
    });
  }
}
