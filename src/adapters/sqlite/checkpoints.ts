/**
 * Folds the write-ahead log into the database file now and then, in a thread beside, and tells when something keeps it from getting
 * shorter. Marks the file before and after (`lost-wal.ts`); a mark that cannot be made now is left out.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Fold } from './checkpoint-thread.ts';
import type { Connection } from './connection.ts';
import { openTurn, type Turn } from './lock.ts';
import { LOG_EXPECTED, NO_LOG_EXPECTED } from './lost-wal.ts';

/** 64 MiB of SQLite's usual pages. */
const UNFOLDED_PAGES_MAX = 16_384;

const LONG_READER =
  'The write-ahead log of the database has grown over 64 MiB, because another program, or a backup, keeps reading ' +
  'an old state of it. It grows until that ends.';

/** About as many pages as SQLite lets a log have by itself: a product is twenty. */
const TRANSACTIONS_PER_FOLD = 100;

/** Where several processes write: the longest wait for the lock, to mark the file and to fold. */
const MARK_MS_MAX = 1000;
const FOLD_WAIT_MS_MAX = 50;
const MARK_PAUSE_MS_MAX = 5;

export class LogFolding {
  readonly #path: string;
  readonly #writer: Connection;
  /** Where several processes write, one of them folds at a time. */
  readonly #turn: Turn | undefined;
  readonly #warning = Promise.withResolvers<string>();
  /** Resolves with a sentence for the log. */
  readonly warning = this.#warning.promise;
  #transactions = 0;
  /** Started for the first fold. */
  #thread: Worker | undefined;

  /** @param isShared other processes write all the time, too */
  constructor(path: string, writer: Connection, isShared = false) {
    this.#path = path;
    this.#writer = writer;
    this.#turn = isShared ? openTurn(`${path}.fold`) : undefined;
  }

  get isDue(): boolean {
    return this.#transactions >= TRANSACTIONS_PER_FOLD;
  }

  /** A transaction that changed nothing leaves nothing to fold, and does not count. */
  count(transactions: number): void {
    this.#transactions += transactions;
  }

  /**
   * Where the log is to keep nothing of what is gone.
   * @returns whether it has folded: not where another process folds just now
   * @throws what SQLite raises
   */
  foldAllInTurn(): boolean {
    if (this.#turn && !this.#turn.take()) return false;
    try {
      this.foldAll();
    } finally {
      this.#turn?.leave();
    }
    return true;
  }

  /** Before anybody else reads. @throws what SQLite raises */
  foldAll(): void {
    const isMarked = this.#writer.mark(LOG_EXPECTED) === 'marked';
    try {
      this.#writer.foldLog('TRUNCATE');
    } finally {
      if (isMarked) this.#writer.mark(NO_LOG_EXPECTED);
    }
  }

  /**
   * Between two commits, and nobody may write before it has ended: the log begins anew only once all of it is in the file.
   * Where another process folds just now, that is enough. Nothing acknowledged hangs on it. After a failure the log stays as
   * it is: the next fold writes the same pages again, and the next commit writes over a mark that could not be written.
   */
  async fold(): Promise<void> {
    this.#transactions = 0;
    try {
      if (this.#turn && !this.#turn.take()) return;
      try {
        await this.#foldMarked();
      } finally {
        this.#turn?.leave();
      }
    } catch {
      // As SQLite does when it folds by itself.
    }
  }

  async #foldMarked(): Promise<void> {
    const marked = await this.#mark(LOG_EXPECTED);
    // Folded without it, the file would not tell that there is a log.
    if (this.#turn && marked === 'another writes') return;
    try {
      // Without room for a thread it is done here.
      const unfolded = await this.#foldBeside().catch(() => this.#writer.foldLog('PASSIVE'));
      if (unfolded > UNFOLDED_PAGES_MAX) this.#warning.resolve(LONG_READER);
    } finally {
      if (marked === 'marked') await this.#mark(NO_LOG_EXPECTED);
    }
  }

  /** Where others write all the time, waits for a moment between them. */
  async #mark(mark: Parameters<Connection['mark']>[0]): Promise<ReturnType<Connection['mark']>> {
    const giveUpAt = performance.now() + (this.#turn ? MARK_MS_MAX : 0);
    for (;;) {
      const marked = this.#writer.mark(mark);
      if (marked !== 'another writes' || performance.now() >= giveUpAt) return marked;
      await sleep(Math.random() * MARK_PAUSE_MS_MAX);
    }
  }

  /** After the last fold. */
  async close(): Promise<void> {
    this.#turn?.close();
    if (!this.#thread) return;
    const exit = once(this.#thread, 'exit');
    this.#thread.ref();
    this.#thread.postMessage('close');
    await exit;
  }

  /** @returns how many pages of the log are not in the file @throws what ended the thread */
  async #foldBeside(): Promise<number> {
    this.#thread ??= this.#start();
    // A program that waits for this has nothing else to do, perhaps, and would end.
    this.#thread.ref();
    this.#thread.postMessage('fold');
    const [unfolded] = await once(this.#thread, 'message');
    this.#thread?.unref();
    return unfolded;
  }

  #start(): Worker {
    const workerData: Fold = this.#turn
      ? { path: this.#path, how: 'FULL', waitMs: FOLD_WAIT_MS_MAX }
      : { path: this.#path, how: 'PASSIVE', waitMs: 0 };
    const program = new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url);
    const thread = new Worker(program, { workerData, execArgv: [] });
    // The next fold starts another one.
    return thread.on('error', () => {
      this.#thread = undefined;
    });
  }
}
