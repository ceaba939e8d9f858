/**
 * Tells readers of the feed that there is more. However many wait, the store is asked once for all of them: every quarter of a
 * second, as another process may have written, and soon after a commit of this one. Nobody waits: nothing is asked.
 */
import { lastPosition, orderChanges, type Service } from '../engine/index.ts';

/** A commit of another process is seen this late. */
const LOOK_MS = 250;

/** Commits within so long are told together: readers that come back at each would keep the database busy. */
const PAUSE_MS = 50;

export class FeedWatch {
  readonly #service: Service;
  readonly #stopListening: () => void;
  /** How each is woken, and the last position that it knows. */
  readonly #waiting = new Map<() => void, number | undefined>();
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLooking = false;

  constructor(service: Service) {
    this.#service = service;
    this.#stopListening = service.commits.listen(({ changes }) => {
      if (changes.length > 0) this.#lookSoon();
    });
  }

  /** Whether nobody waits any more, as the process ends. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Resolves when the journal goes beyond the position, if there is one, after so many milliseconds, or when the signal or the watch ends. */
  async grown(position: number | undefined, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#isEnded || signal.aborted) return;
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    const timer = setTimeout(wake, milliseconds);
    const onAbort = (): void => wake();
    signal.addEventListener('abort', onAbort);
    this.#waiting.set(wake, position);
    // Something may have come between the reading and this.
    this.#lookSoon();
    await promise;
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }

  /** Resolves after so many milliseconds, or when the signal or the watch ends. */
  rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    return this.grown(undefined, milliseconds, signal);
  }

  /** Ends all waiting, and that to come. */
  end(): void {
    this.#isEnded = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const wake of this.#waiting.keys()) wake();
  }

  #lookSoon(): void {
    this.#lookIn(PAUSE_MS - (performance.now() - this.#lookedAt));
  }

  #lookIn(milliseconds: number): void {
    const dueAt = performance.now() + Math.max(0, milliseconds);
    if (this.#waiting.size === 0 || this.#isEnded || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => void this.#look(), Math.max(0, milliseconds));
  }

  async #look(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    // That look may have begun before the last commit.
    if (this.#isLooking) return this.#lookSoon();
    this.#isLooking = true;
    this.#lookedAt = performance.now();
    try {
      await orderChanges(this.#service);
      const last = await lastPosition(this.#service);
      for (const [wake, position] of this.#waiting) if (position !== undefined && position !== last) wake();
    } catch {
      // The reading at the end of the wait tells what is wrong.
    } finally {
      this.#isLooking = false;
      this.#lookIn(LOOK_MS);
    }
  }
}
