/**
 * One connection to a SQLite file: its settings, proven to be in force, and its prepared statements.
 * Waits for nothing and translates no error; that is the business of the database.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Row, Statement, Value } from '../../engine/ports.ts';
import { fill } from './encode.ts';
import { isBusy, isFull } from './errors.ts';
import type { LOG_EXPECTED, NO_LOG_EXPECTED } from './lost-wal.ts';

export class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new LRUCache<string, StatementSync>({ max: STATEMENTS_MAX });
  readonly #dataVersion: StatementSync;
  readonly #rowsChanged: StatementSync;
  #worksIn: keyof typeof WORKS_IN | undefined;

  /** @param waitMs how long a writer stops for the lock of another connection; the event loop stands still meanwhile */
  constructor(file: string, role: 'writer' | 'reader', waitMs = 0) {
    this.#database = new DatabaseSync(file, { readOnly: role === 'reader' });
    try {
      for (const [setting, value, proof] of SETTINGS) this.#set(file, setting, value, proof);
      // The writer waits for locks asynchronously instead: SQLite's own waiting would stop the event loop.
      if (role === 'writer') this.#set(file, 'busy_timeout', waitMs, waitMs);
      this.#dataVersion = this.#prepare('PRAGMA data_version');
      this.#rowsChanged = this.#prepare('SELECT total_changes()');
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  all(statement: Statement, values: Readonly<Record<string, Value>>): Row[] {
    return this.run(statement.sql, fill(statement.placeholders, values));
  }

  run(sql: string, bound: readonly SQLInputValue[]): Row[] {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = this.#prepare(sql);
      this.#prepared.set(sql, prepared);
    }
    return prepared.all(...bound) as unknown as Row[];
  }

  /** Differs from before when another connection has committed in between. */
  dataVersion(): number {
    return (this.#dataVersion.get() as unknown as [number])[0];
  }

  /** Rows that this connection has inserted, changed or deleted since it was opened. */
  rowsChanged(): number {
    return (this.#rowsChanged.get() as unknown as [number])[0];
  }

  /** From here to the next `rollback`, what is read is of one moment, whatever others commit. */
  openSnapshot(): void {
    this.#database.exec('BEGIN; SELECT 1 FROM sqlite_schema');
  }

  begin(): void {
    this.#database.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#database.exec('COMMIT');
  }

  /** False also where SQLite has rolled back by itself, as it does after some errors (a full disk, for one). */
  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  rollback(): void {
    if (this.isInTransaction) this.#database.exec('ROLLBACK');
  }

  /** Where the transactions to come keep what they need until they end. One that makes an index sorts a whole table. */
  workIn(storage: keyof typeof WORKS_IN): void {
    if (this.#worksIn === storage) return;
    this.#database.exec(`PRAGMA temp_store = ${WORKS_IN[storage]}`);
    this.#worksIn = storage;
  }

  /** From here on it is one of several parts of the transaction, which can be undone alone. */
  beginOne(): void {
    this.run('SAVEPOINT one', []);
  }

  endOne(): void {
    this.run('RELEASE one', []);
  }

  undoOne(): void {
    this.run('ROLLBACK TO one', []);
    this.endOne();
  }

  /**
   * Copies the write-ahead log into the database file, as far as no reader needs the file as it is. The log may contain pages
   * that an earlier process could not sync, and that are not on disk; the fold writes them again.
   * @param how `FULL`: nobody writes meanwhile, unless another process does just now
   * @returns how many pages of the log are not in the file
   */
  foldLog(how: 'PASSIVE' | 'FULL' | 'TRUNCATE'): number {
    const fold = this.#prepare(`PRAGMA wal_checkpoint(${how})`);
    const [, logged, folded] = fold.get() as unknown as [isBusy: number, logged: number, folded: number];
    return logged - folded;
  }

  /** Marks the file, by way of the log (see `lost-wal.ts`). */
  mark(mark: typeof LOG_EXPECTED | typeof NO_LOG_EXPECTED): 'marked' | 'another writes' | 'no room' {
    try {
      const [current] = this.#prepare('PRAGMA user_version').get() as unknown as [number];
      if (current !== mark) this.#database.exec(`PRAGMA user_version = ${mark}`);
      return 'marked';
    } catch (error) {
      if (isBusy(error)) return 'another writes';
      if (isFull(error)) return 'no room';
      throw error;
    }
  }

  /** Notes for the query planner; those that cannot be written now are written another time. */
  optimize(): void {
    try {
      this.#database.exec('PRAGMA optimize');
    } catch {
      // A store that is going away must go even when its disk is full.
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const prepared = this.#database.prepare(sql);
    prepared.setReturnArrays(true);
    return prepared;
  }

  #set(file: string, setting: string, value: string | number, proof: string | number): void {
    this.#database.exec(`PRAGMA ${setting} = ${value}`);
    const actual = (this.#prepare(`PRAGMA ${setting}`).get() as unknown as [string | number])[0];
    if (actual === proof) return;
    throw new Error(
      `SQLite does not accept the setting ${setting} = ${value} for ${file} (it stays ${actual}), so nothing would be ` +
        'safe there. Keep the database in a file on a local disk of this machine.',
    );
  }
}

const STATEMENTS_MAX = 500;

/**
 * The pages that a part of a transaction changes are kept so that it can be undone alone. From 64 KiB on SQLite writes them to a
 * file of their own, and a product takes more: half of all that was written to the disk.
 */
const WORKS_IN = { memory: 2, files: 1 } as const;

/** How long a reader stops for the rare moments when SQLite locks readers out; the event loop stands still meanwhile. */
const BUSY_MILLISECONDS_MAX = 200;

/** Setting, value, and what SQLite answers when it is in force. */
const SETTINGS: readonly (readonly [setting: string, value: string | number, proof: string | number])[] = [
  ['busy_timeout', BUSY_MILLISECONDS_MAX, BUSY_MILLISECONDS_MAX],
  ['journal_mode', 'WAL', 'wal'],
  // NORMAL would lose acknowledged writes in a power cut.
  ['synchronous', 'FULL', 2],
  // The database folds the log by itself, as the file gets its mark with that.
  ['wal_autocheckpoint', 0, 0],
  ['foreign_keys', 'ON', 1],
  // Deleted content is overwritten: whoever is to be forgotten stays in no free page.
  ['secure_delete', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['cell_size_check', 'ON', 1],
  // 64 MiB of pages in memory, in SQLite's negative KiB: a store of 10,000 products fits, which the default 2 MiB does not.
  ['cache_size', -65_536, -65_536],
];
