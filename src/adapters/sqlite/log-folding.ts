/**
 * Folds the write-ahead log into the database file now and then, in a thread beside, and tells when something keeps it from getting
 * shorter. Marks the file before and after (`lost-log.ts`); a mark that cannot be made now is left out.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Connection } from './connection.ts';
import { LOG_EXPECTED, NO_LOG_EXPECTED } from './lost-log.ts';

/** 64 MiB of SQLite's usual pages. */
const UNFOLDED_PAGES_MAX = 16_384;

const LONG_READER =
  'The write-ahead log of the database has grown over 64 MiB, because another program, or a backup, keeps reading ' +
  'an old state of it. It grows until that ends.';

/** About as many pages as SQLite lets a log have by itself: a product is twenty. */
const TRANSACTIONS_PER_FOLD = 100;

export class LogFolding {
  readonly #path: string;
  readonly #writer: Connection;
  readonly #warning = Promise.withResolvers<string>();
  /** Resolves with a sentence for the log. */
  readonly warning = this.#warning.promise;
  #transactions = 0;
  /** Started for the first fold. */
  #thread: Worker | undefined;

  constructor(path: string, writer: Connection) {
    this.#path = path;
    this.#writer = writer;
  }

  get isDue(): boolean {
    return this.#transactions >= TRANSACTIONS_PER_FOLD;
  }

  /** A transaction that changed nothing leaves nothing to fold, and does not count. */
  count(transactions: number): void {
    this.#transactions += transactions;
  }

  /** Before anybody reads. @throws what SQLite raises */
  foldAll(): void {
    const isMarked = this.#writer.mark(LOG_EXPECTED);
    try {
      this.#writer.foldLog('TRUNCATE');
    } finally {
      if (isMarked) this.#writer.mark(NO_LOG_EXPECTED);
    }
  }

  /**
   * Between two commits, and nobody may write before it has ended: the log begins anew only once all of it is in the file.
   * Nothing acknowledged hangs on it. After a failure the log stays as it is: the next fold writes the same pages again,
   * and the next commit writes over a mark that could not be written.
   */
  async fold(): Promise<void> {
    this.#transactions = 0;
    try {
      const isMarked = this.#writer.mark(LOG_EXPECTED);
      try {
        // Without room for a thread it is done here.
        const unfolded = await this.#foldBeside().catch(() => this.#writer.foldLog('PASSIVE'));
        if (unfolded > UNFOLDED_PAGES_MAX) this.#warning.resolve(LONG_READER);
      } finally {
        if (isMarked) this.#writer.mark(NO_LOG_EXPECTED);
      }
    } catch {
      // As SQLite does when it folds by itself.
    }
  }

  /** After the last fold. */
  async close(): Promise<void> {
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
    const thread = new Worker(new URL('./fold-thread.ts', import.meta.url), { workerData: this.#path, execArgv: [] });
    // The next fold starts another one.
    return thread.on('error', () => {
      this.#thread = undefined;
    });
  }
}
