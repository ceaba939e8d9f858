/**
 * Queue of write transactions of an SQLite file. One transaction runs at a time. Queued transactions share a commit
 * (`shared-commit.ts`), because an fsync takes longer than most of them.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../engine/ports.ts';
import type { CheckpointRunner } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import type { StoreIntegrity } from './integrity-check.ts';
import { type QueuedTransaction, SharedCommit } from './shared-commit.ts';
import { whenFree } from './wait-for-lock.ts';

/** Maximum wait of a transaction for another process's write lock; then the request is rejected with Retry-After. */
export const LOCK_WAIT_MILLISECONDS_MAX = 5_000;

/**
 * If other processes write all the time, the lock stays free for this long between two commits, and waiting processes
 * retry as often. Otherwise a process with many writes would reacquire the lock before another one tries.
 */
const SHARED_PAUSE_MILLISECONDS = 1;

export class Writes {
  readonly #writer: Connection;
  readonly #integrity: StoreIntegrity;
  readonly #checkpoints: CheckpointRunner;
  readonly #isShared: boolean;
  /** In order of execution. */
  readonly #queue: QueuedTransaction[] = [];
  #writing: Promise<void> | undefined;

  /** @param isShared whether other processes also write all the time */
  constructor(writer: Connection, integrity: StoreIntegrity, checkpoints: CheckpointRunner, isShared = false) {
    this.#isShared = isShared;
    this.#writer = writer;
    this.#integrity = integrity;
    this.#checkpoints = checkpoints;
  }

  /** @throws {DatabaseUnavailable} and what the work throws */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, { isAlone = false } = {}): Promise<T> {
    // Measured from the request: behind a long-held lock, all queued transactions fail after 5 s, not each after a
    // further 5 s.
    const giveUpAt = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, isAlone, giveUpAt, resolve: resolve as QueuedTransaction['resolve'], reject });
      this.#writing ??= this.#write();
    });
  }

  /** Resolves when all queued transactions have ended. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /**
   * Removes deleted data from the file and its log once no transaction is running. If a reader needs older pages, a
   * later checkpoint empties the log.
   */
  async scrub(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#integrity.isBroken) return;
    this.#writing = this.#checkpoints.rewrite().then(() => this.#write());
    for (;;) {
      while (this.#writing) await this.#writing;
      if (this.#integrity.isBroken) return;
      try {
        if (this.#checkpoints.truncateLogIfFree()) return;
      } catch {
        // Acknowledged data does not depend on it, and the next checkpoint tries again.
        return;
      }
      await sleep(SHARED_PAUSE_MILLISECONDS);
    }
  }

  async #write(): Promise<void> {
    let hasWritten = false;
    while (this.#queue.length > 0) {
      // Transactions requested in the same iteration of the event loop share a commit. Between commits, reads get a
      // turn and other processes the lock.
      await nextTurn();
      if (hasWritten && this.#isShared) await sleep(SHARED_PAUSE_MILLISECONDS);
      hasWritten = true;
      await this.#shareCommit();
      if (!this.#checkpoints.isDue || this.#integrity.isBroken) continue;
      await this.#checkpoints.run();
    }
    this.#writing = undefined;
  }

  async #shareCommit(): Promise<void> {
    try {
      this.#integrity.assertWritable();
      const [first] = this.#queue;
      this.#writer.workIn(first!.isAlone ? 'files' : 'memory');
      const pauseMs = this.#isShared ? 2 * SHARED_PAUSE_MILLISECONDS : undefined;
      await whenFree(() => this.#writer.begin(), first!.giveUpAt, pauseMs);
    } catch (error) {
      this.#queue.shift()!.reject(this.#integrity.failed(error));
      return;
    }
    const commit = new SharedCommit(this.#writer, this.#integrity);
    try {
      for (let [next] = this.#queue; next && commit.takes(next); [next] = this.#queue) {
        this.#queue.shift();
        await commit.run(next);
      }
      this.#checkpoints.count(commit.end());
    } catch (error) {
      commit.lose(error);
    }
    if (!commit.slow) return;
    const { queued, working } = commit.slow;
    await working.catch(() => {});
    // Becomes the first of the next commit, so only later transactions wait for it.
    this.#queue.unshift(queued);
  }
}
