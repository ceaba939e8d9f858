/** The database of a store: reads, transactions, snapshots and migrations. */
import type { Dialect, Row, Statement } from './dialect.ts';
import type { Migration } from './schema.ts';
import type { Value } from './values.ts';

/**
 * The database of the store.
 *
 * Guarantees: `query` reads one committed snapshot. `transaction` is atomic, and durable when it resolves. After a
 * conflict with another writer (a unique value, a deadlock) `work` runs again, a few times, so it must have no effects
 * outside the transaction. An unavailable database raises `DatabaseUnavailable`.
 */
export interface Database {
  readonly dialect: Dialect;
  query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /**
   * Like `query`, for a statement that may scan all records. It does not block other statements for long; if it takes
   * too long, it raises `SearchGivenUp`.
   */
  search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /** Like `search`, for background work: searches do not wait for it, and closing the database aborts it. */
  scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * A number that stays the same only if there was no commit in between, by any process. Undefined if determining it
   * costs as much as a query.
   */
  generation(): number | undefined;
  /** The same for commits of other processes. Own changes are in the journal. */
  generationOfOthers(): number | undefined;
  /** Applies pending migrations under a lock and returns their names. Rejects a newer schema. */
  migrate(migrations: readonly Migration[]): Promise<string[]>;
  /** Names of the applied migrations, in order. Empty if the database contains no store. */
  applied(): Promise<string[]>;
  /** Checks the integrity of the database and returns at most 100 faults, one sentence each. Reads everything once. */
  faults(): Promise<string[]>;
  /** Runs `work` on a consistent snapshot. Writers are not blocked; schema changes wait or are not visible. */
  storeSnapshot<T>(work: (storeSnapshot: StoreSnapshot) => Promise<T>): Promise<T>;
  /**
   * Like `storeSnapshot`, without checks of schema and integrity, for requests that read much data. The caller limits
   * its duration.
   */
  snapshot<T>(work: (run: StoreSnapshot['run']) => Promise<T>): Promise<T>;
  /** Removes deleted and replaced data from the database files, as far as the program can do that itself. */
  scrub(): Promise<void>;
  /** Creates a store of this schema and fills it, atomically. Raises `StoreExists` if there is one. */
  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void>;
  /**
   * Resolves, with the reason, if the state of the disk is unknown (a failed fsync). From then on every transaction
   * raises `DatabaseUnavailable`. The server exits, because only a new process can determine what was written.
   */
  readonly broken: Promise<Error>;
  /** Resolves, with a sentence for the log, if an external cause makes the database grow unnecessarily. */
  readonly warning: Promise<string>;
  close(): Promise<void>;
}

export interface Transaction {
  /** Runs one statement and returns its rows. Not concurrent; a failed statement aborts the transaction. */
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /**
   * Acquires a lock by name, across all processes of the store, until the transaction ends. No effect in databases that
   * serialize write transactions.
   */
  lock(name: string): Promise<void>;
  /**
   * Identifies transactions that share a commit. Each sees the state that the previous one of its group has left, because no
   * other transaction writes between them, and none is rolled back. Undefined: the transaction has its own commit.
   */
  readonly group?: object | undefined;
}

/** A consistent snapshot of the whole store. */
export interface StoreSnapshot {
  /** Names of the applied migrations, in order. Empty if the database contains no store. */
  readonly migrations: readonly string[];
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
}

/** A store being created, invisible to others until it is complete. */
export interface NewStore {
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /** Checks references, which may be violated until now; rejects if one is. The last call. */
  checkReferences(): Promise<void>;
}

/** The database is unavailable. Retrying later may succeed. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** A lock was not released within the time limit. The class name is a value of the metric label `error_type`. */
export class LockedTooLong extends DatabaseUnavailable {
  override readonly name = 'LockedTooLong';
}

/**
 * The search exceeded its time limit. A narrower search, or a later one, may succeed. The class name is a value of the
 * metric label `error_type`.
 */
export class SearchGivenUp extends Error {
  override readonly name = 'SearchGivenUp';
}

/** The database already contains a store. */
export class StoreExists extends Error {
  override readonly name = 'StoreExists';
}
