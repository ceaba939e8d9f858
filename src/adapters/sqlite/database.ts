/**
 * The port `Database` on a SQLite file: one connection that writes, one that reads what is committed.
 * Takes one transaction at a time in this process and waits its turn among processes. Copies no file and makes no
 * backup.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Migration, Moment, NewStore, Row, Statement, Transaction, Value } from '../../engine/ports.ts';
import { Connection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { isBusy, unavailableOr } from './errors.ts';
import { appliedIn, found, migrate, refuseDamaged } from './migrate.ts';

export async function openSqlite(file: string): Promise<Database> {
  const path = resolve(file);
  await mkdir(dirname(path), { recursive: true });
  const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
  const writer = await whenFree(() => new Connection(path, 'writer'), giveUpAt);
  try {
    return new SqliteDatabase(path, writer, await whenFree(() => new Connection(path, 'reader'), giveUpAt));
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** How long a transaction waits for the write lock of another process before the client is told to come again. */
const LOCK_WAIT_MILLISECONDS_MAX = 5_000;

/** A pause is drawn between nothing and this, so that waiting processes do not march in step. */
const LOCK_PAUSE_MILLISECONDS_MAX = 10;

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly #path: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  /** Settles when the last transaction asked for so far has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, writer: Connection, reader: Connection) {
    this.#path = path;
    this.#writer = writer;
    this.#reader = reader;
  }

  async query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return this.#reader.all(statement, values);
    } catch (error) {
      throw unavailableOr(error);
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
      throw unavailableOr(error);
    }
  }

  migrate(migrations: readonly Migration[]): Promise<string[]> {
    return this.transaction((transaction) => migrate(transaction, migrations));
  }

  /** A damaged file is refused. A connection of its own, as the moment is held longer than any request takes. */
  async moment<T>(work: (moment: Moment) => Promise<T>): Promise<T> {
    const reader = new Connection(this.#path, 'reader');
    const run: Moment['run'] = async (statement, values) => reader.all(statement, values);
    try {
      reader.holdMoment();
      await refuseDamaged({ run });
      return await work({ migrations: await appliedIn({ run }), run });
    } catch (error) {
      throw unavailableOr(error);
    } finally {
      reader.close();
    }
  }

  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void> {
    return this.transaction((transaction) => found(transaction, migrations, fill));
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      // The reader first: the last connection to go folds the write-ahead log into the file, and a reader may not.
      this.#reader.close();
      this.#writer.optimize();
      this.#writer.close();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #attempt<T>(work: (transaction: Transaction) => Promise<T>, giveUpAt: number): Promise<T> {
    await whenFree(() => this.#writer.begin(), giveUpAt);
    const transaction = new SqliteTransaction(this.#writer);
    try {
      const result = await work(transaction).finally(() => transaction.end());
      transaction.refuseSpoilt();
      this.#writer.commit();
      return result;
    } catch (error) {
      this.#writer.rollback();
      throw unavailableOr(error);
    }
  }
}

class SqliteTransaction implements Transaction {
  readonly #writer: Connection;
  #failure: unknown;
  #ended = false;

  constructor(writer: Connection) {
    this.#writer = writer;
  }

  async run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    if (this.#ended) throw new Error('A statement was run in a transaction that has ended.');
    // SQLite may have rolled back already, and whatever came now would be kept for itself.
    if (this.#failure !== undefined) throw unavailableOr(this.#failure);
    try {
      return this.#writer.all(statement, values);
    } catch (error) {
      this.#failure ??= error;
      throw unavailableOr(error);
    }
  }

  async lock(): Promise<void> {}

  end(): void {
    this.#ended = true;
  }

  /** A statement that failed spoils its transaction, even when `work` went on: so it is on every database. */
  refuseSpoilt(): void {
    if (this.#failure !== undefined) throw this.#failure;
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
