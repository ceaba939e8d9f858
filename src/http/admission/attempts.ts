/** Attempts at secrets, counted by who makes them and by what they are for (profiles.md §3). */
import type { Counts } from './rate-limits.ts';

/** Attempts whose outcome is not known yet. */
interface Underway {
  count: number;
  /** Those that wait for the next outcome. */
  readonly waiting: (() => void)[];
}

/**
 * Every attempt counts until it has turned out to be right, so that none of many at once passes unseen. One that comes to a limit
 * while others are under way waits for their outcomes: only wrong ones use a limit up. One that is refused counts for nothing.
 */
export class Attempts {
  readonly #counts: Counts;
  readonly #underway = new Map<string, Underway>();

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /**
   * @param all who is counted: the address first, since a single one could else lock out everybody
   * @returns the headers of a refusal; undefined: `end` has to follow
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
      const underway = this.#underway.get(who)!;
      underway.count -= 1;
      if (underway.count === 0) this.#underway.delete(who);
      for (const look of underway.waiting.splice(0)) look();
    }
  }

  async #count(who: string): Promise<Record<string, string> | undefined> {
    for (;;) {
      const { isExceeded, headers } = await this.#counts.count(who);
      const underway = this.#underway.get(who) ?? { count: 0, waiting: [] };
      if (!isExceeded) {
        underway.count += 1;
        this.#underway.set(who, underway);
        return undefined;
      }
      this.#counts.uncount(who);
      if (underway.count === 0) return headers;
      await new Promise<void>((look) => underway.waiting.push(look));
    }
  }
}
