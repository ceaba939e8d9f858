/**
 * The workers of a server, as managed by the primary process. Each worker has a numbered slot. A worker that dies is
 * restarted, after a growing delay if it dies repeatedly. A renewal replaces the workers one by one.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestCounts } from '../../http/admission/rate-limits.ts';
import type { ProcessMetrics } from '../../metrics/metrics.ts';
import { type FromPrimary, type FromWorker, WORKER_VARIABLE } from './messages.ts';

/**
 * Workers accept connections themselves. With round-robin scheduling in the primary, a connection stays open without a
 * response forever if its worker is killed while the primary hands it over (Node 26).
 */
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** A worker that dies within this time counts as a failed start. */
const SOON_MS = 30_000;
const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 30_000;

/** If no worker is left, the server ends after this many failed starts in a row. A supervisor can then take over. */
const FAILURES_MAX = 8;

/** A renewal continues with the next worker when the old one has exited, or after this time. */
const RENEWAL_PAUSE_MS_MAX = 15_000;

/** A worker that is not ready by then is killed. The primary has already migrated the store, so a start is short. */
const START_MS_MAX = 120_000;

/** A blocked worker is left out of the metrics after this time. */
const METRICS_MS_MAX = 2000;

interface WorkerSlot {
  readonly number: number;
  /** The running worker; undefined while there is none. */
  worker: Worker | undefined;
  /** Settles when the current start has succeeded or failed. */
  start: Promise<Worker> | undefined;
  /** Consecutive starts that failed or whose worker died soon. */
  failures: number;
}

interface Options {
  readonly count: number;
  /** Additional environment variables of the workers. */
  readonly environment: Readonly<Record<string, string>>;
  readonly counts: RequestCounts;
  readonly log: Logger;
  /** Called with the last metrics of an exited worker, if it sent them. */
  readonly onEnd: (worker: Worker, metrics: ProcessMetrics | undefined) => void;
}

export class Cluster {
  readonly #options: Options;
  readonly #slots: readonly WorkerSlot[];
  /** All living workers, including those that are about to exit. */
  readonly #living = new Set<Worker>();
  readonly #lastMetrics = new WeakMap<Worker, ProcessMetrics>();
  readonly #metricsRequests = new Map<number, (metrics: ProcessMetrics) => void>();
  readonly #failure = Promise.withResolvers<Error>();
  /** Resolves with a message when the server must end. */
  readonly broken = this.#failure.promise;
  #lastRequestId = 0;
  #port: number | undefined;
  #isStopping = false;
  /** Settles when the last requested renewal has ended. */
  #renewal: Promise<void> = Promise.resolve();
  #isRenewalPending = false;

  constructor(options: Options) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => ({
      ...{ number: index + 1, worker: undefined, start: undefined, failures: 0 },
    }));
  }

  /**
   * Resolves when all workers are ready.
   * @returns the port they listen on
   * @throws {Error} with a message if a worker fails to start; the others are killed
   */
  async start(): Promise<number> {
    try {
      // Start one worker alone first: if it fails, the others would fail for the same reason.
      for (const slots of [this.#slots.slice(0, 1), this.#slots.slice(1)])
        await Promise.all(
          slots.map(async (slot) => {
            slot.worker = await this.#launch(slot);
          }),
        );
    } catch (error) {
      this.#isStopping = true;
      for (const worker of this.#living) worker.process.kill('SIGKILL');
      throw error;
    }
    for (const slot of this.#slots) this.#supervise(slot, performance.now());
    return this.#port!;
  }

  /** Replaces the workers one by one. Calls during a renewal are combined into one further renewal. */
  renew(): void {
    if (this.#isRenewalPending) return;
    this.#isRenewalPending = true;
    this.#renewal = this.#renewal.then(() => {
      this.#isRenewalPending = false;
      return this.#renewAll();
    });
  }

  /** Resolves when all workers have finished their requests and exited. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ends = [...this.#living].map((worker) => {
      const ended = once(worker, 'exit');
      send(worker, { type: 'stop', isForGood: true });
      return ended;
    });
    await Promise.all(ends);
  }

  /** Returns the metrics of each worker that responds in time. */
  async metrics(): Promise<ReadonlyMap<Worker, ProcessMetrics>> {
    const all = [...this.#living].map(async (worker): Promise<[Worker, ProcessMetrics] | undefined> => {
      this.#lastRequestId += 1;
      const id = this.#lastRequestId;
      const { promise, resolve } = Promise.withResolvers<ProcessMetrics>();
      this.#metricsRequests.set(id, resolve);
      send(worker, { type: 'metrics', id });
      const metrics = await Promise.race([promise, sleep(METRICS_MS_MAX, undefined, { ref: false })]);
      this.#metricsRequests.delete(id);
      return metrics && [worker, metrics];
    });
    return new Map((await Promise.all(all)).filter((one) => one !== undefined));
  }

  /** @returns a worker that is ready @throws {Error} with a message */
  #launch(slot: WorkerSlot): Promise<Worker> {
    slot.start = this.#fork(slot.number).finally(() => {
      slot.start = undefined;
    });
    return slot.start;
  }

  async #fork(number: number): Promise<Worker> {
    const worker = cluster.fork({ ...this.#options.environment, [WORKER_VARIABLE]: String(number) });
    this.#living.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') {
        this.#port = message.port;
        resolve(worker);
      } else if (message.type === 'failed') reject(new Error(message.message));
      else this.#handle(worker, message);
    });
    worker.on('error', (error) => this.#options.log.warn({ err: error, worker: number }, 'cannot reach worker'));
    worker.on('exit', (code, signal) => {
      this.#living.delete(worker);
      this.#options.onEnd(worker, this.#lastMetrics.get(worker));
      reject(new Error(`Worker ${number} exited during its start (${signal ?? `exit code ${code}`}).`));
    });
    const late = setTimeout(() => worker.process.kill('SIGKILL'), START_MS_MAX).unref();
    return promise.finally(() => clearTimeout(late));
  }

  #handle(worker: Worker, message: Exclude<FromWorker, { type: 'ready' | 'failed' }>): void {
    switch (message.type) {
      case 'count': {
        const counted = this.#options.counts.countEach(message.counts);
        void Promise.resolve(counted).then((result) =>
          send(worker, { type: 'counted', id: message.id, counted: result }),
        );
        break;
      }
      case 'uncount':
        this.#options.counts[message.rate].uncount(message.who);
        break;
      case 'metrics':
        if (message.id === undefined) this.#lastMetrics.set(worker, message.metrics);
        else this.#metricsRequests.get(message.id)?.(message.metrics);
        break;
      case 'broken':
        this.#failure.resolve(new Error(message.message));
        break;
    }
  }

  /** Restarts the slot's worker when it exits, unless the slot has a newer one by then. */
  #supervise(slot: WorkerSlot, startedAt: number): void {
    const { worker } = slot;
    worker!.once('exit', (code, signal) => {
      if (slot.worker !== worker) return;
      slot.worker = undefined;
      if (this.#isStopping) return;
      slot.failures = performance.now() - startedAt < SOON_MS ? slot.failures + 1 : 0;
      const pause = pauseAfter(slot.failures);
      const names = { worker: slot.number, code, signal, seconds: pause / 1000 };
      this.#options.log.error(names, 'worker exited unexpectedly; restarting');
      void this.#restart(slot);
    });
  }

  async #restart(slot: WorkerSlot): Promise<void> {
    for (;;) {
      await sleep(pauseAfter(slot.failures), undefined, { ref: false });
      // A renewal may be starting one for this slot.
      await slot.start?.catch(() => {});
      if (this.#isStopping || slot.worker) return;
      const startedAt = performance.now();
      try {
        const worker = await this.#launch(slot);
        slot.worker = worker;
        this.#supervise(slot, startedAt);
        if (this.#isStopping) send(worker, { type: 'stop', isForGood: true });
        return;
      } catch (error) {
        slot.failures += 1;
        this.#options.log.error({ worker: slot.number }, `worker failed to start: ${(error as Error).message}`);
        const isLast = this.#slots.every(({ worker }) => worker === undefined);
        if (isLast && slot.failures >= FAILURES_MAX)
          this.#failure.resolve(new Error(`No worker is left, and none can be started: ${(error as Error).message}`));
      }
    }
  }

  async #renewAll(): Promise<void> {
    const { log } = this.#options;
    for (const slot of this.#slots) {
      // A start that began before this renewal may have loaded the old program or settings.
      await slot.start?.catch(() => {});
      if (this.#isStopping) return;
      const old = slot.worker;
      // A restart in progress loads the new program anyway.
      if (!old) continue;
      const startedAt = performance.now();
      try {
        const worker = await this.#launch(slot);
        slot.worker = worker;
        this.#supervise(slot, startedAt);
      } catch (error) {
        if (!this.#isStopping) log.error({ worker: slot.number }, `renewal aborted: ${(error as Error).message}`);
        return;
      }
      if (old.isDead()) continue;
      const ended = once(old, 'exit');
      send(old, { type: 'stop', isForGood: false });
      await Promise.race([ended, sleep(RENEWAL_PAUSE_MS_MAX, undefined, { ref: false })]);
    }
    log.info({ workers: this.#slots.length }, 'all workers renewed');
  }
}

/** Ignores errors: the worker may be exiting, which its exit handler notices. */
function send(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** Returns milliseconds: 0 after a long-lived worker, then exponentially longer. */
function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (failures - 1), PAUSE_MS_MAX);
}
