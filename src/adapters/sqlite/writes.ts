/**
 * The writing of a SQLite file. One transaction writes at a time, and those that wait together share one commit
 * (`shared-commit.ts`), as a flush to disk takes longer than most of them.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../engine/ports.ts';
import type { LogFolding } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import type { Soundness } from './integrity-check.ts';
import { type Asked, SharedCommit } from './shared-commit.ts';
import { whenFree } from './wait-for-lock.ts';

/** How long a transaction waits for the write lock of another process before the client is told to come again. */
export const LOCK_WAIT_MILLISECONDS_MAX = 5_000;

/**
 * Where other processes write all the time: between two commits the lock is free for so long, and whoever waits for it tries as
 * often. Else a process that has much to write would have the lock again before another one looks.
 */
const SHARED_PAUSE_MILLISECONDS = 1;

export class Writes {
  readonly #writer: Connection;
  readonly #soundness: Soundness;
  readonly #folding: LogFolding;
  readonly #isShared: boolean;
  /** In the order in which they take their turns. */
  readonly #asked: Asked[] = [];
  #writing: Promise<void> | undefined;

  /** @param isShared other processes write all the time, too */
  constructor(writer: Connection, soundness: Soundness, folding: LogFolding, isShared = false) {
    this.#isShared = isShared;
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

  /** Empties the log once nobody writes. Whoever reads an older state keeps it; a later fold empties it then. */
  async foldAll(): Promise<void> {
    for (;;) {
      while (this.#writing) await this.#writing;
      if (this.#soundness.isBroken) return;
      try {
        if (this.#folding.foldAllInTurn()) return;
      } catch {
        // Nothing acknowledged hangs on it, and the next fold tries again.
        return;
      }
      await sleep(SHARED_PAUSE_MILLISECONDS);
    }
  }

  async #write(): Promise<void> {
    let hasWritten = false;
    while (this.#asked.length > 0) {
      // All who ask within one turn of the event loop share a commit. Between two commits reads have their turn, and other
      // processes the lock.
      await nextTurn();
      if (hasWritten && this.#isShared) await sleep(SHARED_PAUSE_MILLISECONDS);
      hasWritten = true;
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
      const pauseMs = this.#isShared ? 2 * SHARED_PAUSE_MILLISECONDS : undefined;
      await whenFree(() => this.#writer.begin(), first!.giveUpAt, pauseMs);
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
