/**
 * `Database` on an SQLite file, with one connection for writes and one for committed reads. After a disk failure, or if
 * the file was replaced, it rejects all writes.
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
import { CheckpointRunner } from './checkpoints.ts';
import { Connection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { isFatal, unavailableOr } from './errors.ts';
import { makeFolderOf, makePrivate, syncFolderOf } from './files.ts';
import { StoreIntegrity } from './integrity-check.ts';
import { NO_LOG_EXPECTED, rejectLostLog } from './lost-wal.ts';
import { appliedIn, faultsIn, found, migrate } from './migrate.ts';
import { Searches } from './searches.ts';
import { whenFree } from './wait-for-lock.ts';
import { LOCK_WAIT_MILLISECONDS_MAX, Writes } from './writes.ts';

interface SqliteOptions {
  /** For a worker of a server: other processes also write all the time, and the primary has prepared the file. */
  readonly isWorker?: boolean;
  /** Seconds after which a search in the search process is canceled. */
  readonly searchSecondsMax?: number;
}

export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const path = resolve(file);
  makeFolderOf(path);
  rejectLostLog(path);
  makePrivate(path);
  const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
  const writer = await whenFree(() => new Connection(path, 'writer'), giveUpAt).catch((error) => {
    throw unavailableOr(error);
  });
  try {
    const checkpoints = new CheckpointRunner(path, writer, options.isWorker);
    if (!options.isWorker) checkpoints.truncateLog();
    const reader = await whenFree(() => new Connection(path, 'reader'), giveUpAt);
    syncFolderOf(path);
    return new SqliteDatabase(path, writer, reader, checkpoints, options);
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
  readonly #integrity: StoreIntegrity;
  readonly #checkpoints: CheckpointRunner;
  readonly #writes: Writes;

  constructor(
    path: string,
    writer: Connection,
    reader: Connection,
    checkpoints: CheckpointRunner,
    options: SqliteOptions,
  ) {
    this.#path = path;
    this.#writer = writer;
    this.#reader = reader;
    this.#searches = new Searches(path, reader, options.searchSecondsMax);
    this.#integrity = new StoreIntegrity(path);
    this.#checkpoints = checkpoints;
    this.#writes = new Writes(writer, this.#integrity, checkpoints, options.isWorker);
    this.broken = this.#integrity.broken;
    this.warning = checkpoints.warning;
  }

  async query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return this.#reader.all(statement, values);
    } catch (error) {
      throw this.#integrity.failed(error);
    }
  }

  async search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.#searches.run(statement, values);
    } catch (error) {
      throw this.#integrity.failed(error);
    }
  }

  async scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.#searches.scan(statement, values);
    } catch (error) {
      throw this.#integrity.failed(error);
    }
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#writes.transaction(work);
  }

  generation(): number {
    try {
      return this.#reader.dataVersion();
    } catch (error) {
      throw this.#integrity.failed(error);
    }
  }

  /** Does not count this connection's own commits. */
  generationOfOthers(): number {
    try {
      return this.#writer.dataVersion();
    } catch (error) {
      throw this.#integrity.failed(error);
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
      if (isFatal(error)) return [`The database file is damaged: ${(error as Error).message}.`];
      throw unavailableOr(error);
    });
  }

  /** @throws if the file is damaged */
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

  scrub(): Promise<void> {
    return this.#writes.scrub();
  }

  async close(): Promise<void> {
    this.#integrity.stopWatching();
    await this.#searches.close();
    await this.#writes.settled();
    // Closing would write. The log stays for the next process to recover.
    if (this.#integrity.isBroken) return;
    // The reader first: the last connection checkpoints the log when it closes, and a reader cannot.
    this.#reader.close();
    await this.#checkpoints.close();
    this.#writer.optimize();
    // Also removes the log.
    this.#writer.mark(NO_LOG_EXPECTED);
    this.#writer.close();
  }

  /** Uses a separate connection, because a snapshot lasts longer than any request. */
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
