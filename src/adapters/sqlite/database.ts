/**
 * The port `Database` on a SQLite file: one connection that writes, one that reads what is committed.
 * Takes one transaction at a time in this process and waits its turn among processes. Writes nothing more once the disk
 * has failed or the file was exchanged. Copies no file and makes no backup.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  DatabaseUnavailable,
  type Migration,
  type Moment,
  type NewStore,
  type Row,
  type Statement,
  type Transaction,
  type Value,
} from '../../engine/ports.ts';
import { Connection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { isBreakage, isBusy, unavailableOr } from './errors.ts';
import { makeFolderOf, StoreFiles, syncFolderOf } from './files.ts';
import { refuseLostLog } from './lost-log.ts';
import { appliedIn, faultsIn, found, migrate } from './migrate.ts';
import { Searches } from './searches.ts';

interface SqliteOptions {
  /** After so many seconds a search beside the event loop is given up. */
  readonly searchSecondsMax?: number;
}

export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const path = resolve(file);
  makeFolderOf(path);
  refuseLostLog(path);
  const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
  const writer = await whenFree(() => new Connection(path, 'writer'), giveUpAt);
  try {
    writer.foldLog('TRUNCATE');
    const reader = await whenFree(() => new Connection(path, 'reader'), giveUpAt);
    syncFolderOf(path);
    return new SqliteDatabase(path, writer, reader, options);
  } catch (error) {
    writer.close();
    throw unavailableOr(error);
  }
}

/** How long a transaction waits for the write lock of another process before the client is told to come again. */
const LOCK_WAIT_MILLISECONDS_MAX = 5_000;

/** A pause is drawn between nothing and this, so that waiting processes do not march in step. */
const LOCK_PAUSE_MILLISECONDS_MAX = 10;

/** How long reads may go on from a file that was exchanged; a write notices before it is acknowledged. */
const WATCH_MILLISECONDS = 5_000;

const FAULTS_MAX = 100;

/** 64 MiB of SQLite's usual pages. */
const UNFOLDED_PAGES_MAX = 16_384;

const LONG_READER =
  'The write-ahead log of the database has grown over 64 MiB, because another program, or a backup, keeps reading ' +
  'an old state of it. It grows until that ends.';

/** About as many pages as SQLite lets a log have by itself: a product is twenty. */
const COMMITS_PER_FOLD = 100;

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly #path: string;
  readonly broken: Promise<Error>;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #searches: Searches;
  readonly #files: StoreFiles;
  readonly #watch: NodeJS.Timeout;
  readonly #breakage = Promise.withResolvers<Error>();
  readonly #warning = Promise.withResolvers<string>();
  readonly warning = this.#warning.promise;
  #isBroken = false;
  #commits = 0;
  #rowsChanged = 0;
  /** Settles when the last transaction asked for so far has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, writer: Connection, reader: Connection, options: SqliteOptions) {
    this.#path = path;
    this.#writer = writer;
    this.#reader = reader;
    this.#searches = new Searches(path, reader, options.searchSecondsMax);
    this.#files = new StoreFiles(path);
    this.broken = this.#breakage.promise;
    this.#watch = setInterval(() => this.#noticeExchange(), WATCH_MILLISECONDS).unref();
  }

  async query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return this.#reader.all(statement, values);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.#searches.run(statement, values);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.#searches.scan(statement, values);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    // Counted from now, not from its turn: behind a lock held for long, everyone waits 5 s and not 5 s each in a row.
    const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
    return this.#inTurn(() => this.#attempt(work, giveUpAt));
  }

  generation(): number {
    try {
      return this.#reader.dataVersion();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  migrate(migrations: readonly Migration[]): Promise<string[]> {
    return this.transaction((transaction) => migrate(transaction, migrations));
  }

  applied(): Promise<string[]> {
    return appliedIn({ run: (statement, values) => this.query(statement, values) });
  }

  faults(): Promise<string[]> {
    return this.#atOneMoment((run) => faultsIn({ run }, FAULTS_MAX)).catch((error) => {
      if (isBreakage(error)) return [`The database file is damaged: ${(error as Error).message}.`];
      throw unavailableOr(error);
    });
  }

  /** A damaged file is refused. */
  moment<T>(work: (moment: Moment) => Promise<T>): Promise<T> {
    return this.#atOneMoment(async (run) => {
      const [fault] = await faultsIn({ run }, 1);
      if (fault !== undefined) throw new DatabaseUnavailable(fault);
      return work({ migrations: await appliedIn({ run }), run });
    }).catch((error) => {
      throw unavailableOr(error);
    });
  }

  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void> {
    return this.transaction((transaction) => found(transaction, migrations, fill));
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.#searches.close();
    return this.#inTurn(async () => {
      // Closing would write. The content of the log stays there for the next process to recover.
      if (this.#isBroken) return;
      // The reader first: the last connection to go folds the write-ahead log into the file, and a reader may not.
      this.#reader.close();
      this.#writer.optimize();
      this.#writer.expectNoLog();
      this.#writer.close();
    });
  }

  /** A connection of its own, as the moment is held longer than any request takes. */
  async #atOneMoment<T>(work: (run: Moment['run']) => Promise<T>): Promise<T> {
    const reader = new Connection(this.#path, 'reader');
    try {
      reader.holdMoment();
      return await work(async (statement, values) => reader.all(statement, values));
    } finally {
      reader.close();
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #attempt<T>(work: (transaction: Transaction) => Promise<T>, giveUpAt: number): Promise<T> {
    this.#refuseBroken();
    await whenFree(() => this.#writer.begin(), giveUpAt).catch((error) => {
      throw this.#failed(error);
    });
    const transaction = new SqliteTransaction(this.#writer);
    try {
      const result = await work(transaction).finally(() => transaction.end());
      transaction.refuseSpoilt();
      this.#writer.commit();
      this.#noticeExchange();
      this.#refuseBroken();
      this.#foldNowAndThen();
      return result;
    } catch (error) {
      // SQLite's own word first: a rollback that fails tells less.
      const failure = this.#failed(transaction.failure ?? error);
      if (!this.#isBroken) this.#writer.rollback();
      throw failure;
    }
  }

  /**
   * Nothing acknowledged hangs on it. After a failure the log stays as it is: the next fold writes the same pages again,
   * and the next commit writes over a mark that could not be written. A transaction that changed nothing does not count:
   * the mark is a commit of which no journal tells, so all that is kept is forgotten.
   */
  #foldNowAndThen(): void {
    const rowsChanged = this.#writer.rowsChanged();
    if (rowsChanged === this.#rowsChanged) return;
    this.#rowsChanged = rowsChanged;
    this.#commits += 1;
    if (this.#commits % COMMITS_PER_FOLD !== 0) return;
    try {
      if (this.#writer.foldLog('PASSIVE') > UNFOLDED_PAGES_MAX) this.#warning.resolve(LONG_READER);
    } catch {
      // As SQLite does when it folds by itself.
    }
  }

  #refuseBroken(): void {
    if (this.#isBroken)
      throw new DatabaseUnavailable('The database is not written any more, because its disk or its file has failed.');
  }

  #noticeExchange(): void {
    const exchange = this.#files.exchange();
    if (exchange !== undefined) this.#break(new Error(exchange));
  }

  /** The error to raise for one of SQLite's; one that leaves the disk in doubt ends the writing. */
  #failed(error: unknown): unknown {
    if (isBreakage(error)) this.#break(error as Error);
    return unavailableOr(error);
  }

  #break(reason: Error): void {
    this.#isBroken = true;
    clearInterval(this.#watch);
    this.#breakage.resolve(reason);
  }
}

class SqliteTransaction implements Transaction {
  readonly #writer: Connection;
  /** Of the first statement that failed, as SQLite raised it. */
  failure: unknown;
  #ended = false;

  constructor(writer: Connection) {
    this.#writer = writer;
  }

  async run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    if (this.#ended) throw new Error('A statement was run in a transaction that has ended.');
    // SQLite may have rolled back already, and whatever came now would be kept for itself.
    if (this.failure !== undefined) throw unavailableOr(this.failure);
    try {
      return this.#writer.all(statement, values);
    } catch (error) {
      this.failure ??= error;
      throw unavailableOr(error);
    }
  }

  async lock(): Promise<void> {}

  end(): void {
    this.#ended = true;
  }

  /** A statement that failed spoils its transaction, even when `work` went on: so it is on every database. */
  refuseSpoilt(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

/** Tries until no other process holds the lock, and lets the event loop go on meanwhile. */
async function whenFree<T>(attempt: () => T, giveUpAt: number): Promise<T> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw unavailableOr(error);
      await sleep(Math.random() * LOCK_PAUSE_MILLISECONDS_MAX);
    }
  }
}
