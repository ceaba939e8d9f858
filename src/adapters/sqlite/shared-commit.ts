/**
 * Transactions that share one commit. Each runs in a savepoint, one after the other: it sees those before it, and one that
 * fails undoes itself alone. Nobody hears how a transaction ended before the commit is on disk. That goes for a failure
 * too: it may come of a transaction before it, which the commit can still undo.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable, type Transaction } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import type { Soundness } from './integrity-check.ts';
import { SqliteTransaction } from './transaction.ts';

/** A transaction that somebody waits for. */
export interface Asked {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  /** Shares its commit with no other. */
  readonly isAlone: boolean;
  /** When it has waited too long for the lock, of `performance.now()`. */
  readonly giveUpAt: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** One that has ended. */
interface Ended {
  readonly asked: Asked;
  readonly hasSucceeded: boolean;
  readonly notify: () => void;
}

/** With more there would be little left to save. */
const TRANSACTIONS_MAX = 64;

/** From then on it takes no more: nobody hears how a transaction ended before the flush. */
const MILLISECONDS_MAX = 32;

/** After so long the event loop turns, and work that is not done by then waits for something else than the database. */
const UNBROKEN_MILLISECONDS_MAX = 8;

export class SharedCommit {
  readonly #writer: Connection;
  readonly #soundness: Soundness;
  readonly #ended: Ended[] = [];
  readonly #fullAt = performance.now() + MILLISECONDS_MAX;
  #turnAt = performance.now() + UNBROKEN_MILLISECONDS_MAX;
  #rowsChanged: number | undefined;
  /** Transactions that have succeeded and changed something. */
  #changes = 0;
  /** The transaction that was undone because it took too long, and its work, which cannot change anything any more. */
  slow: { readonly asked: Asked; readonly working: Promise<unknown> } | undefined;

  /** The writer has begun. */
  constructor(writer: Connection, soundness: Soundness) {
    this.#writer = writer;
    this.#soundness = soundness;
  }

  takes({ isAlone }: Asked): boolean {
    const [first] = this.#ended;
    if (!first) return !this.slow;
    const isFull = this.#ended.length === TRANSACTIONS_MAX || performance.now() >= this.#fullAt;
    return !this.slow && !isFull && !isAlone && !first.asked.isAlone;
  }

  /**
   * Resolves once it has ended, in whatever way, or is undone because others would wait for it. Reads may have had a turn before.
   * @throws where all is lost that has ended before
   */
  async run(asked: Asked): Promise<void> {
    if (performance.now() >= this.#turnAt) {
      await nextTurn();
      this.#turnAt = performance.now() + UNBROKEN_MILLISECONDS_MAX;
    }
    const transaction = new SqliteTransaction(this.#writer);
    try {
      this.#rowsChanged ??= this.#writer.rowsChanged();
      this.#writer.beginOne();
      const working = asked.work(transaction).finally(() => transaction.end());
      if (await this.#isLate(working)) {
        transaction.end();
        this.#writer.undoOne();
        this.slow = { asked, working };
        return;
      }
      const result = await working;
      transaction.refuseSpoilt();
      this.#writer.endOne();
      this.#note({ asked, hasSucceeded: true, notify: () => asked.resolve(result) });
    } catch (error) {
      // SQLite's own word first: a rollback that fails tells less.
      this.#fail(asked, transaction.failure ?? error);
    }
  }

  /**
   * Commits, and tells everyone.
   * @returns how many transactions have changed something
   * @throws where the commit fails, or the disk is in doubt after it
   */
  end(): number {
    if (this.#ended.some(({ hasSucceeded }) => hasSucceeded)) {
      this.#writer.commit();
      this.#soundness.noticeExchange();
      this.#soundness.refuseBroken();
    } else this.#writer.rollback();
    for (const { notify } of this.#ended) notify();
    return this.#changes;
  }

  /** Undoes all, and tells everyone why. */
  lose(error: unknown): void {
    const failure = this.#soundness.failed(error);
    for (const { asked } of this.#ended) asked.reject(failure);
    if (this.#soundness.isBroken) return;
    try {
      this.#writer.rollback();
    } catch (worse) {
      this.#soundness.failed(worse);
    }
  }

  /** SQLite undoes everything by itself after some errors, such as a full disk. */
  #fail(asked: Asked, error: unknown): void {
    const failure = this.#soundness.failed(error);
    const isAllLost = this.#soundness.isBroken || !this.#writer.isInTransaction;
    if (isAllLost) asked.reject(failure);
    else this.#note({ asked, hasSucceeded: false, notify: () => asked.reject(failure) });
    this.#soundness.refuseBroken();
    if (isAllLost)
      throw new DatabaseUnavailable('The database has undone this together with another transaction, which failed.');
    this.#writer.undoOne();
  }

  /** Whether it takes so long that those who have ended are kept waiting; nobody is by the first. */
  #isLate(working: Promise<unknown>): Promise<boolean> | false {
    if (this.#ended.length === 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // Fires only for work that waits for something else than the database, which answers within the turn.
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
    // SQLite counts the changes of one that failed too.
    if (ended.hasSucceeded && rowsChanged !== this.#rowsChanged) this.#changes += 1;
    this.#rowsChanged = rowsChanged;
    this.#ended.push(ended);
  }
}
