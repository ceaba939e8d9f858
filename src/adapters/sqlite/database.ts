/**
 * The port `Database` on a SQLite file: one connection that writes, one that reads what is committed.
 * Writes nothing more once the disk has failed or the file was exchanged. Copies no file and makes no backup.
 */
import { resolve } from 'node:path';
import {
  type Database,
  DatabaseUnavailable,
  type Migration,
  type NewStore,
  type Row,
  type Statement,
  type StoreSnapshot,
  type Transaction,
  type Value,
} from '../../engine/ports.ts';
import { LogFolding } from './checkpoints.ts';
import { Connection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { isBreakage, unavailableOr } from './errors.ts';
import { makeFolderOf, makePrivate, syncFolderOf } from './files.ts';
import { Soundness } from './integrity-check.ts';
import { NO_LOG_EXPECTED, refuseLostLog } from './lost-wal.ts';
import { appliedIn, faultsIn, found, migrate } from './migrate.ts';
import { Searches } from './searches.ts';
import { whenFree } from './wait-for-lock.ts';
import { LOCK_WAIT_MILLISECONDS_MAX, Writes } from './writes.ts';

interface SqliteOptions {
  /** A server's worker: other processes write all the time, and the first of them has made the file ready. */
  readonly isWorker?: boolean;
  /** After so many seconds a search beside the event loop is given up. */
  readonly searchSecondsMax?: number;
}

export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const path = resolve(file);
  makeFolderOf(path);
  refuseLostLog(path);
  makePrivate(path);
  const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
  const writer = await whenFree(() => new Connection(path, 'writer'), giveUpAt).catch((error) => {
    throw unavailableOr(error);
  });
  try {
    const folding = new LogFolding(path, writer, options.isWorker);
    if (!options.isWorker) folding.foldAll();
    const reader = await whenFree(() => new Connection(path, 'reader'), giveUpAt);
    syncFolderOf(path);
    return new SqliteDatabase(path, writer, reader, folding, options);
  } catch (error) {
    writer.close();
    throw unavailableOr(error);
  }
}

const FAULTS_MAX = 100;

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly broken: Promise<Error>;
  readonly warning: Promise<string>;
  readonly #path: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #searches: Searches;
  readonly #soundness: Soundness;
  readonly #folding: LogFolding;
  readonly #writes: Writes;

  constructor(path: string, writer: Connection, reader: Connection, folding: LogFolding, options: SqliteOptions) {
    this.#path = path;
    this.#writer = writer;
    this.#reader = reader;
    this.#searches = new Searches(path, reader, options.searchSecondsMax);
    this.#soundness = new Soundness(path);
    this.#folding = folding;
    this.#writes = new Writes(writer, this.#soundness, folding, options.isWorker);
    this.broken = this.#soundness.broken;
    this.warning = folding.warning;
  }

  async query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return this.#reader.all(statement, values);
    } catch (error) {
      throw this.#soundness.failed(error);
    }
  }

  async search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.#searches.run(statement, values);
    } catch (error) {
      throw this.#soundness.failed(error);
    }
  }

  async scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.#searches.scan(statement, values);
    } catch (error) {
      throw this.#soundness.failed(error);
    }
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writes.transaction(work);
  }

  generation(): number {
    try {
      return this.#reader.dataVersion();
    } catch (error) {
      throw this.#soundness.failed(error);
    }
  }

  /** For the writing connection, its own commits do not count. */
  generationOfOthers(): number {
    try {
      return this.#writer.dataVersion();
    } catch (error) {
      throw this.#soundness.failed(error);
    }
  }

  migrate(migrations: readonly Migration[]): Promise<string[]> {
    return this.#writes.transaction((transaction) => migrate(transaction, migrations), { isAlone: true });
  }

  applied(): Promise<string[]> {
    return appliedIn({ run: (statement, values) => this.query(statement, values) });
  }

  faults(): Promise<string[]> {
    return this.#inSnapshot((run) => faultsIn({ run }, FAULTS_MAX)).catch((error) => {
      if (isBreakage(error)) return [`The database file is damaged: ${(error as Error).message}.`];
      throw unavailableOr(error);
    });
  }

  /** A damaged file is refused. */
  storeSnapshot<T>(work: (storeSnapshot: StoreSnapshot) => Promise<T>): Promise<T> {
    return this.#inSnapshot(async (run) => {
      const [fault] = await faultsIn({ run }, 1);
      if (fault !== undefined) throw new DatabaseUnavailable(fault);
      return work({ migrations: await appliedIn({ run }), run });
    }).catch((error) => {
      throw unavailableOr(error);
    });
  }

  snapshot<T>(work: (run: StoreSnapshot['run']) => Promise<T>): Promise<T> {
    return this.#inSnapshot(work).catch((error) => {
      throw unavailableOr(error);
    });
  }

  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void> {
    return this.#writes.transaction((transaction) => found(transaction, migrations, fill), { isAlone: true });
  }

  /** Deleted rows are overwritten as it is. Older forms of pages are in the log until it begins anew. */
  scrub(): Promise<void> {
    return this.#writes.foldAll();
  }

  async close(): Promise<void> {
    this.#soundness.stopWatching();
    await this.#searches.close();
    await this.#writes.settled();
    // Closing would write. The content of the log stays there for the next process to recover.
    if (this.#soundness.isBroken) return;
    // The reader first: the last connection to go folds the write-ahead log into the file, and a reader may not.
    this.#reader.close();
    await this.#folding.close();
    this.#writer.optimize();
    // It removes the log, too.
    this.#writer.mark(NO_LOG_EXPECTED);
    this.#writer.close();
  }

  /** A connection of its own, as the moment is held longer than any request takes. */
  async #inSnapshot<T>(work: (run: StoreSnapshot['run']) => Promise<T>): Promise<T> {
    const reader = new Connection(this.#path, 'reader');
    try {
      reader.openSnapshot();
      return await work(async (statement, values) => reader.all(statement, values));
    } finally {
      reader.close();
    }
  }
}
