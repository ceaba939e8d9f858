/**
 * Reads of lists that need the values of all records, which take long in a large store. They run one at a time and let other
 * requests run in between. A request gives up after some seconds; its read goes on or still takes its turn, so that its list is
 * cached for the next request.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Pause, SearchGivenUp } from '../../engine/index.ts';

/** Seconds that a request waits, as for a search. */
const WAIT_SECONDS_MAX = 10;

/** Seconds that a read takes. */
const READ_SECONDS_MAX = 300;

/** Reads that wait for their turn although their requests have given up. Others are dropped, so that the queue stays short. */
const ABANDONED_MAX = 4;

export class WholeListReads {
  #last: Promise<unknown> = Promise.resolve();
  #abandoned = 0;
  readonly #stopped = new AbortController();

  /** @throws SearchGivenUp */
  async run<T>(read: (pause: Pause) => Promise<T>): Promise<T> {
    const turn: Turn = { isWaiting: true, isAbandoned: false };
    const result = this.#last.then(() => {
      turn.isWaiting = false;
      if (turn.isAbandoned) this.#abandoned -= 1;
      if (turn.dropped) throw turn.dropped;
      this.#stopped.signal.throwIfAborted();
      return read(this.#pauseUntil(performance.now() + READ_SECONDS_MAX * 1000));
    });
    this.#last = result.catch(() => {});
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new SearchGivenUp(`A list was not read within ${WAIT_SECONDS_MAX} seconds.`);
      this.#abandon(turn, error);
      timeout.reject(error);
    }, WAIT_SECONDS_MAX * 1000);
    return Promise.race([result, timeout.promise]).finally(() => clearTimeout(timer));
  }

  /** Ends reads at their next pause. */
  stop(): void {
    this.#stopped.abort(new SearchGivenUp('The store is stopping.'));
  }

  #abandon(turn: Turn, error: Error): void {
    if (!turn.isWaiting) return;
    turn.isAbandoned = this.#abandoned < ABANDONED_MAX;
    if (turn.isAbandoned) this.#abandoned += 1;
    else turn.dropped = error;
  }

  #pauseUntil(deadline: number): Pause {
    return async () => {
      await nextTurn();
      this.#stopped.signal.throwIfAborted();
      if (performance.now() > deadline) throw new SearchGivenUp(`A list took longer than ${READ_SECONDS_MAX} seconds.`);
    };
  }
}

/** The turn of a read. */
interface Turn {
  isWaiting: boolean;
  /** The request has given up, but the read still takes its turn. */
  isAbandoned: boolean;
  /** Why the read does not take its turn. */
  dropped?: Error;
}
