/**
 * Fault injection as in SQLite's own tests: one write with its first disk call failing, then with the second, and so on, each
 * once and permanently. Each write must be complete or absent, and earlier acknowledged writes must remain. The server must
 * continue (no space) or exit with an error (failed disk).
 */
import { join } from 'node:path';
import { Checker } from './check.ts';
import { needTools } from './disk.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load, OPERATIONS, type Operation, type Worker } from './load.ts';
import type { Run } from './report.ts';
import { placeIn, Server, type StoreLocation, stop } from './server.ts';
import { attach, type Fault } from './syscalls.ts';

export interface FailingCallsOptions {
  readonly operations?: readonly Operation[];
  readonly faults?: readonly FaultKind[];
  /** Tests only every n-th call of an operation; 1 tests all. */
  readonly stride?: number;
}

export interface FaultKind extends Pick<Fault, 'call' | 'threads'> {
  readonly error: string;
  /** Whether the server must exit, because the state of the disk is unknown. */
  readonly breaks: boolean;
  readonly operations?: readonly Operation[];
}

const IMAGE_OPERATIONS: readonly Operation[] = ['upload', 'replace'];

export const FAULTS: readonly FaultKind[] = [
  { call: 'fsync', error: 'EIO', threads: 'main', breaks: true },
  { call: 'fsync', error: 'ENOSPC', threads: 'main', breaks: true },
  { call: 'fsync', error: 'EIO', threads: 'all', breaks: true, operations: IMAGE_OPERATIONS },
  { call: 'pwrite64', error: 'EIO', threads: 'main', breaks: true },
  { call: 'pwrite64', error: 'ENOSPC', threads: 'main', breaks: false },
  { call: 'rename', error: 'ENOSPC', threads: 'all', breaks: false, operations: IMAGE_OPERATIONS },
  { call: 'mkdir', error: 'ENOSPC', threads: 'all', breaks: false, operations: IMAGE_OPERATIONS },
  { call: 'openat', error: 'EROFS', threads: 'all', breaks: false, operations: IMAGE_OPERATIONS },
  { call: 'unlink', error: 'EROFS', threads: 'all', breaks: false, operations: ['replace', 'delete image'] },
];

export interface FailingCallsResult {
  readonly failed: number;
  readonly ended: number;
  readonly acknowledged: number;
}

/** No single write makes this many calls of one kind. */
const CALLS_MAX = 400;

export async function failingCalls(
  run: Run,
  { operations = OPERATIONS, faults = FAULTS, stride = 1 }: FailingCallsOptions,
): Promise<FailingCallsResult> {
  needTools({ strace: 'strace' });
  const trial = new FailingCallsTrial(run, stride);
  await trial.open();
  try {
    for (const kind of faults)
      for (const operation of operations.filter((each) => (kind.operations ?? OPERATIONS).includes(each)))
        for (const forEver of [false, true]) await trial.untilNoneFails(kind, operation, forEver);
    await trial.stop();
  } finally {
    await trial.kill();
  }
  return trial.result();
}

/** One store, its only client, and the server that the trial restarts after each fault that ends it. */
class FailingCallsTrial {
  readonly #run: Run;
  readonly #stride: number;
  readonly #location: StoreLocation;
  readonly #ledger: Ledger;
  readonly #load: Load;
  readonly #worker: Worker;
  readonly #checker: Checker;
  #server: Server;
  #address = '';
  #failed = 0;
  #ended = 0;

  constructor(run: Run, stride: number) {
    this.#run = run;
    this.#stride = stride;
    this.#location = placeIn(run.folder);
    this.#ledger = new Ledger(join(run.folder, 'ledger.jsonl'));
    this.#load = new Load(this.#ledger, run.seed, 1);
    this.#worker = this.#load.workers[0]!;
    this.#checker = new Checker(this.#ledger, this.#location);
    this.#server = this.#start();
  }

  async open(): Promise<void> {
    try {
      this.#address = await this.#server.ready();
      await createStock(this.#address);
      this.#worker.connect(this.#address);
      for (const operation of OPERATIONS) await this.#worker.perform(operation);
      await this.#checker.check(this.#address, true);
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  /** Fails the first call of an operation, then the second, and so on, until the operation makes fewer calls. */
  async untilNoneFails(kind: FaultKind, operation: Operation, forEver: boolean): Promise<void> {
    let nth = 1;
    for (; nth < CALLS_MAX; nth += this.#stride) {
      const count = await this.#failNth(kind, operation, nth, forEver);
      await this.#checker.check(this.#address);
      await this.#load.retryOpen(this.#address, true);
      await this.#checker.check(this.#address);
      if (count === 0) break;
    }
    const { call, error, threads } = kind;
    const duration = forEver ? 'permanently' : 'once';
    this.#run.say(`${operation}: ${call} ${error} ${duration} (${threads} threads), up to call ${nth}`);
  }

  stop(): Promise<void> {
    return stop(this.#server);
  }

  async kill(): Promise<void> {
    this.#server.signal('SIGKILL');
    await this.#server.ended.catch(() => {});
  }

  async result(): Promise<FailingCallsResult> {
    const swept = await this.#checker.checkSweep();
    const { ok: acknowledged, unknown } = this.#ledger.counts;
    this.#run.say(
      `${this.#failed} faults injected; the server exited ${this.#ended} times. ${acknowledged} writes acknowledged, ` +
        `${unknown} not (${this.#ledger.unknownDone} of those were done); ${swept} orphaned files swept. ` +
        'All writes are complete or absent.',
    );
    return { failed: this.#failed, ended: this.#ended, acknowledged };
  }

  /** @returns the number of calls that failed */
  async #failNth(kind: FaultKind, operation: Operation, nth: number, forEver: boolean): Promise<number> {
    const { call, error, threads, breaks } = kind;
    await this.#warmUp(operation);
    const fault = { call, inject: `error=${error}`, nth, forEver, threads };
    const attached = await attach(this.#server.pid, fault, this.#run.folder);
    const entry = (await this.#worker.perform(operation))!;
    const isOpen = entry.outcome !== 'ok';
    // The write itself detects a failed disk, so the server is already exiting.
    if (isOpen && breaks) {
      const { code, signal } = await this.#server.ended;
      if (code !== 1) throw new Broken(`The server exited with ${code ?? signal} instead of 1.`, [entry]);
      this.#ended += 1;
    }
    const count = await attached.detach();
    if (count > 0) this.#failed += 1;
    if (this.#server.hasEnded) {
      if (!isOpen || !breaks) throw new Broken(`The server exited unexpectedly:\n${this.#server.output}`, [entry]);
      this.#server = this.#start();
      this.#address = await this.#server.ready();
      this.#worker.connect(this.#address);
    } else if (isOpen && entry.status !== 503) throw new Broken(`A failing ${call} did not result in a 503.`, [entry]);
    return count;
  }

  /** With one thread for files, the n-th call of each thread is the n-th for image files and the n-th for SQLite. */
  #start(): Server {
    return new Server(this.#location, { environment: { UV_THREADPOOL_SIZE: '1' } });
  }

  /** Creates the records that the operation needs and starts the decoder, whose calls would be counted otherwise. */
  async #warmUp(operation: Operation): Promise<void> {
    this.#worker.connect(this.#address);
    if (IMAGE_OPERATIONS.includes(operation)) await this.#worker.perform('upload');
    if (operation === 'cancel') await this.#worker.perform('place');
    else await this.#worker.perform('patch');
    await this.#worker.perform('create');
  }
}
