/** Limits attempts at secrets by client address and by record (profiles.md §3). */
import type { Counts } from './rate-limits.ts';

/** Attempts without a result. */
interface Pending {
  count: number;
  /** Attempts that wait for the next result. */
  readonly waiting: (() => void)[];
}

/** The limit is reached, but pending attempts may be right. */
class Later {
  /** The next result of a pending attempt. */
  readonly result: Promise<void>;

  constructor({ waiting }: Pending) {
    this.result = new Promise((retry) => waiting.push(retry));
  }
}

/** Undefined if the attempt is counted; the headers of a 429 if the limit is used up. */
type Counting = Later | Record<string, string> | undefined;

/** Runs work without an admission slot. */
type Slowly = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Every attempt counts as wrong until it turns out to be right, so that concurrent attempts cannot exceed the limit. An
 * attempt that reaches a limit while others are pending waits for their results, because only wrong ones use up the limit.
 * Rejected attempts do not count.
 *
 * An attempt waits without an admission slot: the pending ones need slots to finish.
 */
export class Attempts {
  readonly #counts: Counts;
  readonly #pending = new Map<string, Pending>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /**
   * @param all counted subjects, the address first: otherwise one address could use up the limit of a record for all
   * @param slowly runs work after it has released the admission slot
   * @returns the headers of a 429; undefined if the attempt may run, then call `end`
   */
  async begin(all: readonly string[], slowly: Slowly): Promise<Record<string, string> | undefined> {
    if (this.#counts.isOff) return undefined;
    for (const [index, who] of all.entries()) {
      const counted = await this.#count(who);
      const rejected = counted instanceof Later ? await slowly(() => this.#countAfter(counted, who)) : counted;
      if (!rejected) continue;
      this.end(all.slice(0, index), false);
      return rejected;
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

  async #countAfter(first: Later, who: string): Promise<Record<string, string> | undefined> {
    let counted: Counting = first;
    while (counted instanceof Later) {
      await counted.result;
      counted = await this.#count(who);
    }
    return counted;
  }

  async #count(who: string): Promise<Counting> {
    const { isExceeded, headers } = await this.#counts.count(who);
    const pending = this.#pending.get(who) ?? { count: 0, waiting: [] };
    if (!isExceeded) {
      pending.count += 1;
      this.#pending.set(who, pending);
      return undefined;
    }
    this.#counts.uncount(who);
    return pending.count === 0 ? headers : new Later(pending);
  }
}
