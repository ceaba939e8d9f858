/** Limits attempts at secrets by client address and by record (profiles.md §3). */
import type { Counts } from './rate-limits.ts';

/** Attempts without a result. */
interface Pending {
  count: number;
  /** Attempts that wait for the next result. */
  readonly waiting: (() => void)[];
}

/**
 * Every attempt counts as wrong until it turns out to be right, so that concurrent attempts cannot exceed the limit. An
 * attempt that reaches a limit while others are pending waits for their results, because only wrong ones use up the limit.
 * Rejected attempts do not count.
 */
export class Attempts {
  readonly #counts: Counts;
  readonly #pending = new Map<string, Pending>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /**
   * @param all counted subjects, the address first: otherwise one address could use up the limit of a record for all
   * @returns the headers of a 429; undefined if the attempt may run, then call `end`
   */
  async begin(all: readonly string[]): Promise<Record<string, string> | undefined> {
    if (this.#counts.isOff) return undefined;
    for (const [index, who] of all.entries()) {
      const headers = await this.#count(who);
      if (!headers) continue;
      this.end(all.slice(0, index), false);
      return headers;
    }
    return undefined;
  }

  end(all: readonly string[], wasWrong: boolean): void {
    if (this.#counts.isOff) return;
    for (const who of all) {
      if (!wasWrong) this.#counts.uncount(who);
      const pending = this.#pending.get(who)!;
      pending.count -= 1;
      if (pending.count === 0) this.#pending.delete(who);
      for (const retry of pending.waiting.splice(0)) retry();
    }
  }

  async #count(who: string): Promise<Record<string, string> | undefined> {
    for (;;) {
      const { isExceeded, headers } = await this.#counts.count(who);
      const pending = this.#pending.get(who) ?? { count: 0, waiting: [] };
      if (!isExceeded) {
        pending.count += 1;
        this.#pending.set(who, pending);
        return undefined;
      }
      this.#counts.uncount(who);
      if (pending.count === 0) return headers;
      await new Promise<void>((retry) => pending.waiting.push(retry));
    }
  }
}
