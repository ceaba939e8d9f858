/**
 * Group commit: several transactions share one commit. Each runs in a savepoint, in sequence, and sees the changes of
 * those before it. A failed one is rolled back alone. No transaction's result is reported before the commit is on disk.
 * This includes failures, because a failure may depend on an earlier transaction that the commit can still roll back.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable, type Transaction } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import type { StoreIntegrity } from './integrity-check.ts';
import { SqliteTransaction } from './transaction.ts';

/** A queued transaction. */
export interface QueuedTransaction {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  /** Must not share its commit. */
  readonly isAlone: boolean;
  /** When it has waited too long for the lock, as of `performance.now()`. */
  readonly giveUpAt: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** A transaction that has ended. */
interface Ended {
  readonly queued: QueuedTransaction;
  readonly hasSucceeded: boolean;
  readonly notify: () => void;
}

/** Larger groups would save little more. */
const TRANSACTIONS_MAX = 64;

/** A group accepts transactions only this long, because their results are reported after the commit. */
const MILLISECONDS_MAX = 32;

/**
 * After this time other requests get a turn. Work that is not done by then waits for something other than the database.
 */
const UNBROKEN_MILLISECONDS_MAX = 8;

export class SharedCommit {
  readonly #writer: Connection;
  readonly #integrity: StoreIntegrity;
  readonly #ended: Ended[] = [];
  readonly #fullAt = performance.now() + MILLISECONDS_MAX;
  #turnAt = performance.now() + UNBROKEN_MILLISECONDS_MAX;
  #rowsChanged: number | undefined;
  /** Number of successful transactions that changed something. */
  #changes = 0;
  /** Replaced when a transaction is rolled back (`Transaction.group`). */
  #group = {};
  /**
   * The transaction that was rolled back because it took too long, and its work, which can no longer change anything.
   */
  slow: { readonly queued: QueuedTransaction; readonly working: Promise<unknown> } | undefined;

  /** The writer must have begun a transaction. */
  constructor(writer: Connection, integrity: StoreIntegrity) {
    this.#writer = writer;
    this.#integrity = integrity;
  }

  takes({ isAlone }: QueuedTransaction): boolean {
    const [first] = this.#ended;
    if (!first) return !this.slow;
    const isFull = this.#ended.length === TRANSACTIONS_MAX || performance.now() >= this.#fullAt;
    return !this.slow && !isFull && !isAlone && !first.queued.isAlone;
  }

  /**
   * Resolves when the transaction has ended, successfully or not, or was rolled back because others would wait for it.
   * Reads may run before it starts.
   * @throws if all transactions of the group are lost
   */
  async run(queued: QueuedTransaction): Promise<void> {
    if (performance.now() >= this.#turnAt) {
      await nextTurn();
      this.#turnAt = performance.now() + UNBROKEN_MILLISECONDS_MAX;
    }
    const transaction = new SqliteTransaction(this.#writer, this.#group);
    try {
      this.#rowsChanged ??= this.#writer.rowsChanged();
      this.#writer.beginOne();
      const working = queued.work(transaction).finally(() => transaction.end());
      if (await this.#isLate(working)) {
        transaction.end();
        this.#undo();
        this.slow = { queued, working };
        return;
      }
      const result = await working;
      transaction.throwIfFailed();
      this.#writer.endOne();
      this.#note({ queued, hasSucceeded: true, notify: () => queued.resolve(result) });
    } catch (error) {
      // SQLite's first error: a failed rollback says less.
      this.#fail(queued, transaction.failure ?? error);
    }
  }

  /**
   * Commits and reports all results.
   * @returns number of transactions that changed something
   * @throws if the commit fails, or the disk can no longer be trusted after it
   */
  end(): number {
    if (this.#ended.some(({ hasSucceeded }) => hasSucceeded)) {
      this.#writer.commit();
      this.#integrity.checkReplaced();
      this.#integrity.assertWritable();
    } else this.#writer.rollback();
    for (const { notify } of this.#ended) notify();
    return this.#changes;
  }

  /** Rolls back and rejects all transactions of the group. */
  lose(error: unknown): void {
    const failure = this.#integrity.failed(error);
    for (const { queued } of this.#ended) queued.reject(failure);
    if (this.#integrity.isBroken) return;
    try {
      this.#writer.rollback();
    } catch (worse) {
      this.#integrity.failed(worse);
    }
  }

  /** Handles a failed transaction. SQLite rolls back everything by itself after some errors, such as a full disk. */
  #fail(queued: QueuedTransaction, error: unknown): void {
    const failure = this.#integrity.failed(error);
    const isAllLost = this.#integrity.isBroken || !this.#writer.isInTransaction;
    if (isAllLost) queued.reject(failure);
    else this.#note({ queued, hasSucceeded: false, notify: () => queued.reject(failure) });
    this.#integrity.assertWritable();
    if (isAllLost)
      throw new DatabaseUnavailable('The database rolled this back together with another transaction that failed.');
    this.#undo();
  }

  /** Rolls back the last transaction. */
  #undo(): void {
    this.#group = {};
    this.#writer.undoOne();
  }

  /** Whether the work delays results of transactions that have ended. The first transaction of a group delays none. */
  #isLate(working: Promise<unknown>): Promise<boolean> | false {
    if (this.#ended.length === 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // Fires only for work that waits for something other than the database, which responds synchronously.
    const timer = setTimeout(resolve, UNBROKEN_MILLISECONDS_MAX, true);
    const inTime = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    working.then(inTime, inTime);
    return promise;
  }

  #note(ended: Ended): void {
    const rowsChanged = this.#writer.rowsChanged();
    // SQLite also counts the changes of a failed transaction.
    if (ended.hasSucceeded && rowsChanged !== this.#rowsChanged) this.#changes += 1;
    this.#rowsChanged = rowsChanged;
    this.#ended.push(ended);
  }
}
