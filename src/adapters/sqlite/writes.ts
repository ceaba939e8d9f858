/**
 * The writing of a SQLite file. One transaction writes at a time, and those that wait together share one commit
 * (`shared-commit.ts`), as a flush to disk takes longer than most of them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import type { LogFolding } from './log-folding.ts';
import { type Asked, SharedCommit } from './shared-commit.ts';
import type { Soundness } from './soundness.ts';
import { whenFree } from './when-free.ts';

/** How long a transaction waits for the write lock of another process before the client is told to come again. */
export const LOCK_WAIT_MILLISECONDS_MAX = 5_000;

export class Writes {
  readonly #writer: Connection;
  readonly #soundness: Soundness;
  readonly #folding: LogFolding;
  /** In the order in which they take their turns. */
  readonly #asked: Asked[] = [];
  #writing: Promise<void> | undefined;

  constructor(writer: Connection, soundness: Soundness, folding: LogFolding) {
    this.#writer = writer;
    this.#soundness = soundness;
    this.#folding = folding;
  }

  /** @throws {DatabaseUnavailable} and what the work throws */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, { isAlone = false } = {}): Promise<T> {
    // Counted from now, not from its turn: behind a lock held for long, everyone waits 5 s and not 5 s each in a row.
    const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
    return new Promise((resolve, reject) => {
      this.#asked.push({ work, isAlone, giveUpAt, resolve: resolve as Asked['resolve'], reject });
      this.#writing ??= this.#write();
    });
  }

  /** Resolves when all that was asked for has ended. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#asked.length > 0) {
      // All who ask within one turn of the event loop share a commit. Between two commits reads have their turn, and other
      // processes the lock.
      await nextTurn();
      await this.#shareCommit();
      if (!this.#folding.isDue || this.#soundness.isBroken) continue;
      await this.#folding.fold();
    }
    this.#writing = undefined;
  }

  async #shareCommit(): Promise<void> {
    try {
      this.#soundness.refuseBroken();
      const [first] = this.#asked;
      this.#writer.workIn(first!.isAlone ? 'files' : 'memory');
      await whenFree(() => this.#writer.begin(), first!.giveUpAt);
    } catch (error) {
      this.#asked.shift()!.reject(this.#soundness.failed(error));
      return;
    }
    const commit = new SharedCommit(this.#writer, this.#soundness);
    try {
      for (let [next] = this.#asked; next && commit.takes(next); [next] = this.#asked) {
        this.#asked.shift();
        await commit.run(next);
      }
      this.#folding.count(commit.end());
    } catch (error) {
      commit.lose(error);
    }
    if (!commit.slow) return;
    const { asked, working } = commit.slow;
    await working.catch(() => {});
    // As the first of the next commit, so nobody waits for it but those who came after it.
    this.#asked.unshift(asked);
  }
}
