/**
 * Checkpoints the write-ahead log in a background thread, and warns if something keeps the log from shrinking. Marks
 * the file before and after (`lost-wal.ts`); a mark that cannot be written at the moment is skipped.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CheckpointOptions, Order } from './checkpoint-thread.ts';
import type { Connection } from './connection.ts';
import { openWorkLock, type WorkLock } from './lock.ts';
import { LOG_EXPECTED, NO_LOG_EXPECTED } from './lost-wal.ts';

/** 64 MiB of pages of SQLite's default size. */
const LOG_PAGES_MAX = 16_384;

const LONG_READER =
  'The write-ahead log of the database is larger than 64 MiB because another program or a backup is reading ' +
  'an old snapshot. It grows until that program ends. Check for long-running readers.';

/** Roughly SQLite's default checkpoint interval in pages: a product takes twenty. */
const TRANSACTIONS_PER_CHECKPOINT = 100;

/** Maximum waits for the lock, to mark the file and to checkpoint, if several processes write. */
const MARK_MS_MAX = 1000;
const CHECKPOINT_WAIT_MS_MAX = 50;
const MARK_PAUSE_MS_MAX = 5;
const REWRITE_WAIT_MS_MAX = 5000;

export class CheckpointRunner {
  readonly #path: string;
  readonly #writer: Connection;
  /** If several processes write, only one of them runs checkpoints at a time. */
  readonly #lock: WorkLock | undefined;
  readonly #warning = Promise.withResolvers<string>();
  /** Resolves with a message for the log. */
  readonly warning = this.#warning.promise;
  #transactions = 0;
  /** Started for the first checkpoint. */
  #thread: Worker | undefined;

  /** @param isShared whether other processes also write all the time */
  constructor(path: string, writer: Connection, isShared = false) {
    this.#path = path;
    this.#writer = writer;
    this.#lock = isShared ? openWorkLock(`${path}.fold`) : undefined;
  }

  get isDue(): boolean {
    return this.#transactions >= TRANSACTIONS_PER_CHECKPOINT;
  }

  /** Counts transactions that changed something. Others leave nothing to checkpoint. */
  count(transactions: number): void {
    this.#transactions += transactions;
  }

  /**
   * Empties the log, for example because it contains erased data.
   * @returns whether it did; false if another process is running a checkpoint
   * @throws SQLite's error
   */
  truncateLogIfFree(): boolean {
    if (this.#lock && !this.#lock.tryAcquire()) return false;
    try {
      this.truncateLog();
    } finally {
      this.#lock?.release();
    }
    return true;
  }

  /** Empties the log. Must be called before other connections read. @throws SQLite's error */
  truncateLog(): void {
    const isMarked = this.#writer.mark(LOG_EXPECTED) === 'marked';
    try {
      this.#writer.checkpoint('TRUNCATE');
    } finally {
      if (isMarked) this.#writer.mark(NO_LOG_EXPECTED);
    }
  }

  /**
   * Checkpoints between two commits. Writes must wait for it: the log restarts only when all of it is in the file. A
   * checkpoint by another process is sufficient. Acknowledged data does not depend on it: after a failure the log stays
   * as it is, the next checkpoint writes the same pages again, and the next commit replaces a mark that could not be
   * written.
   */
  async run(): Promise<void> {
    this.#transactions = 0;
    try {
      if (this.#lock && !this.#lock.tryAcquire()) return;
      try {
        await this.#runMarked();
      } finally {
        this.#lock?.release();
      }
    } catch {
      // Ignored, as in SQLite's automatic checkpoints.
    }
  }

  /**
   * Rewrites the database, so that no deleted data remains in it, and copies the result into the file. Writes must wait
   * for it. A failure is ignored: deleted data is then overwritten later.
   */
  async rewrite(): Promise<void> {
    const giveUpAt = performance.now() + REWRITE_WAIT_MS_MAX;
    // The thread ends after a failure such as a full disk.
    while (!(await this.#orderFromThread<boolean>('rewrite').catch(() => true)) && performance.now() < giveUpAt)
      await sleep(Math.random() * MARK_PAUSE_MS_MAX);
    await this.run();
  }

  async #runMarked(): Promise<void> {
    const marked = await this.#mark(LOG_EXPECTED);
    // Without the mark, a checkpointed file would not show that a log exists.
    if (this.#lock && marked === 'another writes') return;
    try {
      // If no thread can be started, checkpoint on the event loop.
      const remaining = await this.#orderFromThread<number>('checkpoint').catch(() =>
        this.#writer.checkpoint('PASSIVE'),
      );
      if (remaining > LOG_PAGES_MAX) this.#warning.resolve(LONG_READER);
    } finally {
      if (marked === 'marked') await this.#mark(NO_LOG_EXPECTED);
    }
  }

  /** Waits for a gap between other processes' writes. */
  async #mark(mark: Parameters<Connection['mark']>[0]): Promise<ReturnType<Connection['mark']>> {
    const giveUpAt = performance.now() + (this.#lock ? MARK_MS_MAX : 0);
    for (;;) {
      const marked = this.#writer.mark(mark);
      if (marked !== 'another writes' || performance.now() >= giveUpAt) return marked;
      await sleep(Math.random() * MARK_PAUSE_MS_MAX);
    }
  }

  /** Must be called after the last checkpoint. */
  async close(): Promise<void> {
    this.#lock?.close();
    if (!this.#thread) return;
    const exit = once(this.#thread, 'exit');
    this.#thread.ref();
    this.#thread.postMessage('close');
    await exit;
  }

  /**
   * @returns for a checkpoint, the number of log pages that are not in the file; for a rewrite, false if another process
   * writes
   * @throws the error that ended the thread
   */
  async #orderFromThread<T>(order: Order): Promise<T> {
    this.#thread ??= this.#start();
    // Keeps the program running until the checkpoint is done.
    this.#thread.ref();
    this.#thread.postMessage(order);
    const [result] = await once(this.#thread, 'message');
    this.#thread?.unref();
    return result;
  }

  #start(): Worker {
    const workerData: CheckpointOptions = this.#lock
      ? { path: this.#path, how: 'FULL', waitMs: CHECKPOINT_WAIT_MS_MAX }
      : { path: this.#path, how: 'PASSIVE', waitMs: 0 };
    const program = new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url);
    const thread = new Worker(program, { workerData, execArgv: [] });
    // The next checkpoint starts a new thread.
    return thread.on('error', () => {
      this.#thread = undefined;
    });
  }
}
