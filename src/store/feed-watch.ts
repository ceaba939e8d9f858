/**
 * Wakes readers of the change feed when there are new changes. One query serves all waiting readers: every 250 ms,
 * because other processes may write, and soon after a commit of this process. Without waiting readers there are no
 * queries.
 */
import { lastPosition, orderChanges, type Service } from '../engine/index.ts';

/** Maximum delay until a commit of another process is noticed. */
const POLL_MS = 250;

/** Commits within this time wake readers once. Readers that returned after each commit would keep the database busy. */
const PAUSE_MS = 50;

export class FeedWatch {
  readonly #service: Service;
  readonly #stopListening: () => void;
  /** Functions that wake the waiting readers, with the last position that each reader knows. */
  readonly #waiting = new Map<() => void, number | undefined>();
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #polledAt = Number.NEGATIVE_INFINITY;
  #isPolling = false;

  constructor(service: Service) {
    this.#service = service;
    this.#stopListening = service.commits.listen(({ changes }) => {
      if (changes.length > 0) this.#pollSoon();
    });
  }

  /** Whether the watch has ended because the process stops. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Resolves when the journal grows beyond a position, after a timeout, or when the signal or the watch ends.
   * @param position undefined: only the timeout, the signal and the end of the watch count
   */
  async waitForChanges(position: number | undefined, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#isEnded || signal.aborted) return;
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    const timer = setTimeout(wake, milliseconds);
    const onAbort = (): void => wake();
    signal.addEventListener('abort', onAbort);
    this.#waiting.set(wake, position);
    // A change may have been committed since the reader's last read.
    this.#pollSoon();
    await promise;
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }

  /** Resolves after a timeout, or when the signal or the watch ends. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return this.waitForChanges(undefined, milliseconds, signal);
  }

  /** Wakes all readers. Later calls no longer wait. */
  end(): void {
    this.#isEnded = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const wake of this.#waiting.keys()) wake();
  }

  #pollSoon(): void {
    this.#pollIn(PAUSE_MS - (performance.now() - this.#polledAt));
  }

  #pollIn(milliseconds: number): void {
    const dueAt = performance.now() + Math.max(0, milliseconds);
    if (this.#waiting.size === 0 || this.#isEnded || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => void this.#poll(), Math.max(0, milliseconds));
  }

  async #poll(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    // The running poll may have started before the last commit.
    if (this.#isPolling) return this.#pollSoon();
    this.#isPolling = true;
    this.#polledAt = performance.now();
    try {
      await orderChanges(this.#service);
      const last = await lastPosition(this.#service);
      for (const [wake, position] of this.#waiting) if (position !== undefined && position !== last) wake();
    } catch {
      // The reader's own query at the end of its wait reports the error.
    } finally {
      this.#isPolling = false;
      this.#pollIn(POLL_MS);
    }
  }
}
