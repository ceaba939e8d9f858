/**
 * Reads of lists that need the values of all records, which take long in a large store. They run one at a time and let other
 * requests run in between. A request gives up after some seconds; a read that has started goes on, so that its list
 * is cached for the next request.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Pause, SearchGivenUp } from '../../engine/index.ts';

/** Seconds that a request waits, as for a search. */
const WAIT_SECONDS_MAX = 10;

/** Seconds that a read takes. */
const READ_SECONDS_MAX = 300;

export class WholeListReads {
  #last: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  /** @throws SearchGivenUp */
  async run<T>(read: (pause: Pause) => Promise<T>): Promise<T> {
    const gaveUp = new AbortController();
    const result = this.#last.then(() => {
      gaveUp.signal.throwIfAborted();
      return read(this.#pauseUntil(performance.now() + READ_SECONDS_MAX * 1000));
    });
    this.#last = result.catch(() => {});
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new SearchGivenUp(`A list was not read within ${WAIT_SECONDS_MAX} seconds.`);
      gaveUp.abort(error);
      timeout.reject(error);
    }, WAIT_SECONDS_MAX * 1000);
    return Promise.race([result, timeout.promise]).finally(() => clearTimeout(timer));
  }

  /** Ends reads at their next pause. */
  stop(): void {
    this.#stopped.abort(new SearchGivenUp('The store is stopping.'));
  }

  #pauseUntil(deadline: number): Pause {
    return async () => {
      await nextTurn();
      this.#stopped.signal.throwIfAborted();
      if (performance.now() > deadline) throw new SearchGivenUp(`A list took longer than ${READ_SECONDS_MAX} seconds.`);
    };
  }
}
