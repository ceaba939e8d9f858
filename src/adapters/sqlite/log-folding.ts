/** Folds the write-ahead log into the database file now and then, and tells when something keeps it from getting shorter. */
import type { Connection } from './connection.ts';

/** 64 MiB of SQLite's usual pages. */
const UNFOLDED_PAGES_MAX = 16_384;

const LONG_READER =
  'The write-ahead log of the database has grown over 64 MiB, because another program, or a backup, keeps reading ' +
  'an old state of it. It grows until that ends.';

/** About as many pages as SQLite lets a log have by itself: a product is twenty. */
const TRANSACTIONS_PER_FOLD = 100;

export class LogFolding {
  readonly #writer: Connection;
  readonly #warning = Promise.withResolvers<string>();
  /** Resolves with a sentence for the log. */
  readonly warning = this.#warning.promise;
  #transactions = 0;

  constructor(writer: Connection) {
    this.#writer = writer;
  }

  get isDue(): boolean {
    return this.#transactions >= TRANSACTIONS_PER_FOLD;
  }

  /**
   * A transaction that changed nothing does not count: the mark is a commit of which no journal tells, so all that is kept
   * is forgotten.
   */
  count(transactions: number): void {
    this.#transactions += transactions;
  }

  /**
   * Nothing acknowledged hangs on it. After a failure the log stays as it is: the next fold writes the same pages again,
   * and the next commit writes over a mark that could not be written.
   */
  fold(): void {
    this.#transactions = 0;
    try {
      if (this.#writer.foldLog('PASSIVE') > UNFOLDED_PAGES_MAX) this.#warning.resolve(LONG_READER);
    } catch {
      // As SQLite does when it folds by itself.
    }
  }
}
