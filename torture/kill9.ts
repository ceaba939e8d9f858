/**
 * Repeated kill -9 of one store under load. After each kill, the run restarts the store (sometimes killing it during startup),
 * retries requests without a response with their keys, and compares everything with the ledger.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Checker } from './check.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server, type StoreLocation, stop } from './server.ts';

export interface Kill9Options {
  readonly cycles: number;
  /** Each client waits for its response before it sends the next request. */
  readonly clients?: number;
  /** Stores rows in PostgreSQL. Only the server process is killed. */
  readonly postgresUrl?: string;
  /** With several workers, half of the kills hit one worker, and the server continues. */
  readonly workers?: number;
}

export interface Kill9Result {
  readonly acknowledged: number;
  readonly withoutResponse: number;
  readonly doneWithoutResponse: number;
  readonly retried: number;
  readonly workersKilled: number;
  readonly killedAtStart: number;
  readonly swept: number;
}

/** Enough to include images: a decoder takes half a second to start. */
const ACKNOWLEDGED_MAX = 60;
const FULL_CHECK_EVERY = 25;
const WORKERS_END_MS = 300;

/** Node exits with SIGABRT at the heap limit; the kernel sends SIGKILL if it is out of memory. */
const SIGNALS = { SIGKILL: 9, SIGABRT: 1 } as const;

export async function kill9(run: Run, { cycles, clients, postgresUrl, workers }: Kill9Options): Promise<Kill9Result> {
  const location = placeIn(run.folder, postgresUrl, workers);
  const trial = new Kill9Trial(run, location, clients);
  await trial.open();
  try {
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      await trial.kill();
      await trial.verify(cycle % FULL_CHECK_EVERY === 0 || cycle === cycles);
      if (cycle % FULL_CHECK_EVERY === 0) run.say(`${cycle} kills: ${trial.summary()}`);
    }
    await trial.stop();
  } finally {
    await trial.end();
  }
  return trial.result(cycles);
}

/** One store under load, and its server, which the trial kills and restarts. */
class Kill9Trial {
  readonly #say: Run['say'];
  readonly #random: Random;
  readonly #location: StoreLocation;
  readonly #ledger: Ledger;
  readonly #load: Load;
  readonly #checker: Checker;
  #server: Server;
  #address = '';
  #retried = 0;
  #killedAtStart = 0;
  #withoutLog = 0;
  #workersKilled = 0;

  constructor({ seed, folder, say }: Run, location: StoreLocation, clients: number | undefined) {
    this.#say = say;
    this.#random = new Random(seed, 'kill9');
    this.#location = location;
    this.#ledger = new Ledger(join(folder, 'ledger.jsonl'));
    this.#load = new Load(this.#ledger, seed, clients);
    this.#checker = new Checker(this.#ledger, location);
    this.#server = new Server(location);
  }

  async open(): Promise<void> {
    await this.#server.ready();
    await stop(this.#server);
    await this.#start();
    await createStock(this.#address);
    await this.#checker.check(this.#address, true);
  }

  /** Kills the server, or one of its workers, under load, and restarts it. */
  async kill(): Promise<void> {
    const random = this.#random;
    const running = this.#load.run(this.#address);
    await Promise.race([this.#load.acknowledged(random.whole(1, ACKNOWLEDGED_MAX)), running]);
    if (this.#location.workers > 1 && random.chance(0.5)) {
      this.#workersKilled += 1;
      await killWorker(this.#server, random);
      this.#load.stop();
      await running;
      return;
    }
    await this.#server.end(random.weighted(SIGNALS));
    await running;
    if (this.#location.file !== undefined && random.chance(0.2)) {
      this.#withoutLog += 1;
      await expectLogRequired(this.#location);
    }
    while (random.chance(0.2)) await this.#killAtStart();
    await this.#start();
  }

  async verify(isFullCheck: boolean): Promise<void> {
    const isChecked = this.#random.chance(0.5);
    if (isChecked) await this.#checker.check(this.#address);
    this.#retried += await this.#load.retryOpen(this.#address, isChecked);
    await this.#checker.check(this.#address, isFullCheck);
  }

  stop(): Promise<void> {
    return stop(this.#server);
  }

  async end(): Promise<void> {
    this.#server.signal('SIGKILL');
    await this.#server.ended.catch(() => {});
  }

  summary(): string {
    const { ok, unknown } = this.#ledger.counts;
    return (
      `${ok} writes acknowledged, ${unknown} without a response (${this.#ledger.unknownDone} of them done), ` +
      `${this.#retried} retried, ${this.#checker.files} images verified`
    );
  }

  async result(cycles: number): Promise<Kill9Result> {
    const swept = await this.#checker.checkSweep();
    this.#say(
      `${cycles} kills${this.#workersKilled > 0 ? ` (${this.#workersKilled} of a worker)` : ''} and ` +
        `${this.#killedAtStart} during starts: ${this.summary()}, ${swept} orphaned files swept, ` +
        `${this.#withoutLog} starts without the log rejected, no acknowledged write lost.`,
    );
    return {
      acknowledged: this.#ledger.counts.ok,
      withoutResponse: this.#ledger.counts.unknown,
      doneWithoutResponse: this.#ledger.unknownDone,
      retried: this.#retried,
      workersKilled: this.#workersKilled,
      killedAtStart: this.#killedAtStart,
      swept,
    };
  }

  async #start(): Promise<void> {
    this.#server = new Server(this.#location);
    this.#address = await this.#server.ready();
  }

  /** Kills a starting server at a random point between its first instruction and its first request. */
  async #killAtStart(): Promise<void> {
    this.#killedAtStart += 1;
    const doomed = new Server(this.#location);
    const started = doomed.ready().catch(() => {});
    await Promise.race([started, sleep(this.#random.whole(20, 700 * this.#location.workers))]);
    await doomed.end('SIGKILL');
  }
}

/** The other workers continue under load, and the server starts a new one. */
async function killWorker(server: Server, random: Random): Promise<void> {
  process.kill(random.pick(server.workers()), random.weighted(SIGNALS));
  await sleep(random.whole(0, 1500));
  if (server.hasEnded) throw new Broken(`The server exited together with its worker:\n${server.output}`);
}

/** Checks that a store does not start without its write-ahead log, which would revert it to an older state. */
async function expectLogRequired(location: StoreLocation): Promise<void> {
  const log = `${location.file}-wal`;
  // Workers exit shortly after their primary process was killed.
  await sleep(WORKERS_END_MS * (location.workers - 1));
  renameSync(log, `${log}.away`);
  const server = new Server(location);
  const isRejected = await server.ready().then(
    () => false,
    ({ message }) => /log \S+ is missing/.test(message),
  );
  await server.end('SIGKILL');
  if (!isRejected) throw new Broken(`The server started without its log:\n${server.output}`);
  renameSync(`${log}.away`, log);
}
