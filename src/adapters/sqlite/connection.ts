/**
 * A connection to an SQLite file with its settings, each verified, and its prepared statements. It neither waits for
 * locks nor translates errors; the database does.
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

  /** @param waitMs how long a writer waits for another connection's lock; this blocks the event loop */
  constructor(file: string, role: 'writer' | 'reader', waitMs = 0) {
    this.#database = new DatabaseSync(file, { readOnly: role === 'reader' });
    try {
      for (const [setting, value, proof] of SETTINGS) this.#set(file, setting, value, proof);
      // The writer waits for locks asynchronously. SQLite's own wait would block the event loop.
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

  /** Changes when another connection has committed. */
  dataVersion(): number {
    return (this.#dataVersion.get() as unknown as [number])[0];
  }

  /** Number of rows that this connection has inserted, changed or deleted. */
  rowsChanged(): number {
    return (this.#rowsChanged.get() as unknown as [number])[0];
  }

  /** Until the next `rollback`, reads see one snapshot, whatever other connections commit. */
  openSnapshot(): void {
    this.#database.exec('BEGIN; SELECT 1 FROM sqlite_schema');
  }

  begin(): void {
    this.#database.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#database.exec('COMMIT');
  }

  /** Also false if SQLite has rolled back on its own, as it does after some errors such as a full disk. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  rollback(): void {
    if (this.isInTransaction) this.#database.exec('ROLLBACK');
  }

  /** Sets where the next transactions store temporary data. Creating an index sorts a whole table. */
  workIn(storage: keyof typeof WORKS_IN): void {
    if (this.#worksIn === storage) return;
    this.#database.exec(`PRAGMA temp_store = ${WORKS_IN[storage]}`);
    this.#worksIn = storage;
  }

  /** Starts a part of the transaction that can be rolled back separately. */
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
   * Copies the write-ahead log into the database file, as far as no reader needs older pages. The log may contain pages
   * that an earlier process could not sync and that are not on disk; this writes them again.
   * @param how `FULL`: no concurrent writes, except by other processes
   * @returns number of log pages that are not in the file
   */
  checkpoint(how: 'PASSIVE' | 'FULL' | 'TRUNCATE'): number {
    const statement = this.#prepare(`PRAGMA wal_checkpoint(${how})`);
    const [, logged, copied] = statement.get() as unknown as [isBusy: number, logged: number, copied: number];
    return logged - copied;
  }

  /**
   * Rewrites the whole database (VACUUM). `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves
   * in the unused part of a page when it moves rows to another page. Skips a large database, because other writes wait.
   * @returns false if another process writes
   */
  rewrite(): boolean {
    const [bytes] = this.#prepare(
      'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size',
    ).get() as unknown as [number];
    if (bytes > REWRITTEN_BYTES_MAX) return true;
    this.workIn('files');
    try {
      this.#database.exec('VACUUM');
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Marks the file through the log (see `lost-wal.ts`). */
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

  /** Updates statistics for the query planner. Failures are ignored; a later call tries again. */
  optimize(): void {
    try {
      this.#database.exec('PRAGMA optimize');
    } catch {
      // The database must close even if its disk is full.
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
      `SQLite does not accept the setting ${setting} = ${value} for ${file} (it stays ${actual}), so data would not be ` +
        'safe. Use a file on a local disk of this machine.',
    );
  }
}

const STATEMENTS_MAX = 500;

/** Rewriting this much takes two or three seconds. docs/guides/privacy.md names the limit. */
const REWRITTEN_BYTES_MAX = 256 * 2 ** 20;

/**
 * Pages changed by a savepoint are stored so that it can be rolled back. Beyond 64 KiB, SQLite writes them to a
 * temporary file. A product takes more than that, which was half of all data written to disk.
 */
const WORKS_IN = { memory: 2, files: 1 } as const;

/** Maximum wait of a reader in the rare cases when SQLite locks readers out. This blocks the event loop. */
const BUSY_MILLISECONDS_MAX = 200;

/** Setting, value, and the value that SQLite reports when it is in force. */
const SETTINGS: readonly (readonly [setting: string, value: string | number, proof: string | number])[] = [
  ['busy_timeout', BUSY_MILLISECONDS_MAX, BUSY_MILLISECONDS_MAX],
  ['journal_mode', 'WAL', 'wal'],
  // NORMAL would lose acknowledged writes in a power failure.
  ['synchronous', 'FULL', 2],
  // Checkpoints are explicit, because they also mark the file.
  ['wal_autocheckpoint', 0, 0],
  ['foreign_keys', 'ON', 1],
  // Overwrites deleted content, so that erased personal data does not remain in free pages.
  ['secure_delete', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['cell_size_check', 'ON', 1],
  // 64 MiB of page cache, in SQLite's negative KiB: enough for 10,000 products, unlike the default of 2 MiB.
  ['cache_size', -65_536, -65_536],
];
