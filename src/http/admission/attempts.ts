/** Limits attempts at secrets by client address and by record (profiles.md §3). */
import type { FastifyRequest } from 'fastify';
import { looseMatch, type Problem, problem } from '../../engine/index.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import type { AdmissionControl } from './admission-control.ts';
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
  readonly #control: AdmissionControl;
  readonly #prefix: string;
  readonly #pending = new Map<string, Pending>();

  /** @param prefix of the names in `counts`, for attempts that are counted apart from others */
  constructor(counts: Counts, control: AdmissionControl, prefix = '') {
    this.#counts = counts;
    this.#control = control;
    this.#prefix = prefix;
  }

  /**
   * Runs an attempt, unless there are too many wrong ones from the client's address or for this name.
   * @param named name that the attempt is for, such as a login; it need not exist
   * @param tooMany detail of the problem
   * @param attempt returns undefined if the secret is wrong. One that throws or has a problem reveals nothing, so it does not count.
   * @returns the result of the attempt, or the problem
   */
  async run<T>(
    request: FastifyRequest,
    { named, tooMany }: { readonly named: string; readonly tooMany: string },
    attempt: () => Promise<T | undefined>,
  ): Promise<T | Problem | undefined> {
    // The address first: otherwise one address could use up the limit of a record for all.
    const counted = [`from ${rateLimitGroup(request.ip)}`, `for ${looseMatch(named)}`].map(
      (each) => this.#prefix + each,
    );
    const over = await this.#begin(counted, this.#control.releaseSlotDuring(request));
    if (over) return problem('too-many-requests', tooMany, over);
    let wasWrong = false;
    try {
      const result = await attempt();
      wasWrong = result === undefined;
      return result;
    } finally {
      this.#end(counted, wasWrong);
    }
  }

  /**
   * @param slowly runs work after it has released the admission slot
   * @returns the headers of a 429; undefined if the attempt may run, then call `#end`
   */
  async #begin(all: readonly string[], slowly: Slowly): Promise<Record<string, string> | undefined> {
    if (this.#counts.isOff) return undefined;
    for (const [index, who] of all.entries()) {
      const counted = await this.#count(who);
      const rejected = counted instanceof Later ? await slowly(() => this.#countAfter(counted, who)) : counted;
      if (!rejected) continue;
      this.#end(all.slice(0, index), false);
      return rejected;
    }
    return undefined;
  }

  #end(all: readonly string[], wasWrong: boolean): void {
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
