/**
 * The workers of a server, as its first process sees them: each has a number and a place of its own. One that dies is started
 * again, after a pause that grows when it dies at once; a renewal puts a new one in the place of each, one after the other.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestCounts } from '../../http/admission/rate-limits.ts';
import type { ProcessFigures } from '../../metrics/metrics.ts';
import { type FromFirst, type FromWorker, WORKER_VARIABLE } from './messages.ts';

/**
 * Workers accept connections themselves. The other way, by way of the first process, leaves a connection open and unanswered for
 * ever when its worker is killed in the moment of being handed it (Node 26).
 */
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** A worker that lived for so long did not die at once. */
const SOON_MS = 30_000;
const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 30_000;

/** Where no worker is left, and so many starts in a row came to nothing, the server ends: a supervisor may know better. */
const FAILURES_MAX = 8;

/** The next worker is renewed when the one before has ended, or after so long. */
const RENEWAL_PAUSE_MS_MAX = 15_000;

/** A worker that is not ready by then never will be: it opens what the first process has made ready. */
const START_MS_MAX = 120_000;

/** A worker whose loop stands still tells no figures. */
const FIGURES_MS_MAX = 2000;

interface WorkerSlot {
  readonly number: number;
  /** The one that answers; undefined while there is none. */
  worker: Worker | undefined;
  /** Settles when the start that runs has succeeded or failed. */
  start: Promise<Worker> | undefined;
  /** Starts in a row after which the worker died soon, or never was ready. */
  failures: number;
}

interface Options {
  readonly count: number;
  /** Variables of their environment beside those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly counts: RequestCounts;
  readonly log: Logger;
  /** The last figures of a worker that has ended, where it told them. */
  readonly onEnd: (worker: Worker, figures: ProcessFigures | undefined) => void;
}

export class Cluster {
  readonly #options: Options;
  readonly #slots: readonly WorkerSlot[];
  /** All that live, those that are about to end too. */
  readonly #living = new Set<Worker>();
  readonly #lastFigures = new WeakMap<Worker, ProcessFigures>();
  readonly #asked = new Map<number, (figures: ProcessFigures) => void>();
  readonly #breakage = Promise.withResolvers<Error>();
  /** Resolves with a sentence when the server has to end. */
  readonly broken = this.#breakage.promise;
  #questions = 0;
  #port: number | undefined;
  #isStopping = false;
  /** Settles when the last renewal that was asked for has ended. */
  #renewal: Promise<void> = Promise.resolve();
  #isRenewalAsked = false;

  constructor(options: Options) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, index) => ({
      ...{ number: index + 1, worker: undefined, start: undefined, failures: 0 },
    }));
  }

  /**
   * Resolves when all are ready.
   * @returns the port on which they answer
   * @throws {Error} one sentence, where one of them cannot be ready; the others are ended then
   */
  async start(): Promise<number> {
    try {
      // The first alone: where it fails, the others would only say the same.
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
    for (const slot of this.#slots) this.#keep(slot, performance.now());
    return this.#port!;
  }

  /** Starts a new worker in each place, one after the other, before the old one ends. Calls during a renewal are one more. */
  renew(): void {
    if (this.#isRenewalAsked) return;
    this.#isRenewalAsked = true;
    this.#renewal = this.#renewal.then(() => {
      this.#isRenewalAsked = false;
      return this.#renewAll();
    });
  }

  /** Resolves when all have finished what ran, and have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ends = [...this.#living].map((worker) => {
      const ended = once(worker, 'exit');
      send(worker, { say: 'stop', isForGood: true });
      return ended;
    });
    await Promise.all(ends);
  }

  /** The figures of each that tells them in time. */
  async figures(): Promise<ReadonlyMap<Worker, ProcessFigures>> {
    const told = [...this.#living].map(async (worker): Promise<[Worker, ProcessFigures] | undefined> => {
      this.#questions += 1;
      const id = this.#questions;
      const { promise, resolve } = Promise.withResolvers<ProcessFigures>();
      this.#asked.set(id, resolve);
      send(worker, { say: 'figures', id });
      const figures = await Promise.race([promise, sleep(FIGURES_MS_MAX, undefined, { ref: false })]);
      this.#asked.delete(id);
      return figures && [worker, figures];
    });
    return new Map((await Promise.all(told)).filter((one) => one !== undefined));
  }

  /** @returns a worker that is ready @throws {Error} one sentence */
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
      if (message.say === 'ready') {
        this.#port = message.port;
        resolve(worker);
      } else if (message.say === 'failed') reject(new Error(message.message));
      else this.#hear(worker, message);
    });
    worker.on('error', (error) => this.#options.log.warn({ err: error, worker: number }, 'a worker cannot be reached'));
    worker.on('exit', (code, signal) => {
      this.#living.delete(worker);
      this.#options.onEnd(worker, this.#lastFigures.get(worker));
      reject(new Error(`Worker ${number} ended at its start (${signal ?? `exit code ${code}`}).`));
    });
    const late = setTimeout(() => worker.process.kill('SIGKILL'), START_MS_MAX).unref();
    return promise.finally(() => clearTimeout(late));
  }

  #hear(worker: Worker, message: Exclude<FromWorker, { say: 'ready' | 'failed' }>): void {
    switch (message.say) {
      case 'count': {
        const counted = this.#options.counts[message.rate].count(message.who);
        void Promise.resolve(counted).then((outcome) =>
          send(worker, { say: 'rated', id: message.id, counted: outcome }),
        );
        break;
      }
      case 'uncount':
        this.#options.counts[message.rate].uncount(message.who);
        break;
      case 'figures':
        if (message.id === undefined) this.#lastFigures.set(worker, message.figures);
        else this.#asked.get(message.id)?.(message.figures);
        break;
      case 'broken':
        this.#breakage.resolve(new Error(message.message));
        break;
    }
  }

  /** Starts the worker of a place again when it ends, unless another one has its place by then. */
  #keep(slot: WorkerSlot, startedAt: number): void {
    const { worker } = slot;
    worker!.once('exit', (code, signal) => {
      if (slot.worker !== worker) return;
      slot.worker = undefined;
      if (this.#isStopping) return;
      slot.failures = performance.now() - startedAt < SOON_MS ? slot.failures + 1 : 0;
      const pause = pauseAfter(slot.failures);
      const names = { worker: slot.number, code, signal, seconds: pause / 1000 };
      this.#options.log.error(names, 'a worker ended without being asked to, and is started again');
      void this.#startAgain(slot);
    });
  }

  async #startAgain(slot: WorkerSlot): Promise<void> {
    for (;;) {
      await sleep(pauseAfter(slot.failures), undefined, { ref: false });
      // A renewal may be starting one.
      await slot.start?.catch(() => {});
      if (this.#isStopping || slot.worker) return;
      const startedAt = performance.now();
      try {
        const worker = await this.#launch(slot);
        slot.worker = worker;
        this.#keep(slot, startedAt);
        if (this.#isStopping) send(worker, { say: 'stop', isForGood: true });
        return;
      } catch (error) {
        slot.failures += 1;
        this.#options.log.error({ worker: slot.number }, `a worker does not start: ${(error as Error).message}`);
        const isLast = this.#slots.every(({ worker }) => worker === undefined);
        if (isLast && slot.failures >= FAILURES_MAX)
          this.#breakage.resolve(new Error(`No worker is left, and none can be started: ${(error as Error).message}`));
      }
    }
  }

  async #renewAll(): Promise<void> {
    const { log } = this.#options;
    for (const slot of this.#slots) {
      // One that was started before this renewal may have read what was there before.
      await slot.start?.catch(() => {});
      if (this.#isStopping) return;
      const old = slot.worker;
      // The next try to start one is new anyway.
      if (!old) continue;
      const startedAt = performance.now();
      try {
        const worker = await this.#launch(slot);
        slot.worker = worker;
        this.#keep(slot, startedAt);
      } catch (error) {
        if (!this.#isStopping)
          log.error({ worker: slot.number }, `nothing more is renewed: ${(error as Error).message}`);
        return;
      }
      if (old.isDead()) continue;
      const ended = once(old, 'exit');
      send(old, { say: 'stop', isForGood: false });
      await Promise.race([ended, sleep(RENEWAL_PAUSE_MS_MAX, undefined, { ref: false })]);
    }
    log.info({ workers: this.#slots.length }, 'all workers were renewed');
  }
}

/** Nobody hears a message to a worker that is ending; its exit is heard. */
function send(worker: Worker, message: FromFirst): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** Milliseconds: none after a life, then longer each time. */
function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (failures - 1), PAUSE_MS_MAX);
}
