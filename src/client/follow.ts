/** Follows the change feed with long polling, for as long as the caller iterates. */
import type { StoreProblem } from './problem.ts';
import type { RequestOptions } from './shapes.ts';
import type { ChangeEntry } from './types.ts';

export interface FollowOptions extends RequestOptions {
  /** Cursor to start from, or `now`. If omitted, starts with all existing records. */
  readonly since?: string | undefined;
  /** Only changes of these resources. If omitted, changes of all resources. */
  readonly resources?: readonly ChangeEntry['resource'][];
  /** Includes the current record in each entry; null if it was deleted. */
  readonly withRecords?: boolean;
  /** Number of entries per page; 1000 by default, which is also the maximum. */
  readonly limit?: number;
}

export interface OnChange {
  /** Receives the changes instead of an iterator. The next changes are read when it has returned, or its promise has resolved. */
  readonly onChange: (changes: Changes) => unknown;
}

/** Following that calls `onChange`. */
export interface Following {
  /** Ends following. Resolves after the last call of `onChange` has ended. Do not await it inside of `onChange`. */
  stop(): Promise<void>;
  /** Resolves when following has ended by `stop()` or `signal`. Rejects if `onChange` or the feed fails. */
  readonly done: Promise<void>;
}

/** A page of the change feed, oldest entry first. It is empty if only the cursor advanced. */
export interface Changes {
  readonly entries: readonly ChangeEntry[];
  /** Cursor after the entries. Save it together with the data derived from them. */
  readonly cursor: string;
  /** Whether these were the latest changes. Without `since`, all existing records have been received when it is first true. */
  readonly isCaughtUp: boolean;
}

/**
 * The changes after the cursor are no longer available. Start again without `since`, and delete the records of your copy that
 * the feed no longer contains.
 */
export class CursorGone extends Error {
  override readonly name = 'CursorGone';
  readonly cursor: string;
  override readonly cause: StoreProblem;

  constructor(cursor: string, cause: StoreProblem) {
    super(cause.message);
    this.cursor = cursor;
    this.cause = cause;
  }
}

const LIMIT_MAX = 1000;
const WAIT_SECONDS_MAX = 30;

/** Share of an attempt's timeout to wait for changes. The rest is for the response. */
const WAIT_SHARE = 0.5;

export interface FeedReply {
  readonly entries: readonly ChangeEntry[];
  readonly cursor: string;
}

/**
 * Yields pages of the change feed. Requests the next page only when the caller needs it.
 *
 * @param readPage - reads one page; throws `CursorGone`
 */
export async function* follow(
  readPage: (path: string, after: string) => Promise<FeedReply>,
  { since, resources = [], withRecords = false, limit = LIMIT_MAX }: FollowOptions,
  attemptSecondsMax: number,
): AsyncGenerator<Changes, never> {
  const wait = Math.floor(Math.min(WAIT_SECONDS_MAX, attemptSecondsMax * WAIT_SHARE));
  const parameters: [string, string][] = [
    ...resources.map((name): [string, string] => ['resource[]', name]),
    ['limit', String(limit)],
    ...(withRecords ? [['include', 'record'] as [string, string]] : []),
  ];
  let after = since ?? '';
  for (let isCaughtUp = false; ; ) {
    const query = new URLSearchParams(parameters);
    if (after !== '') query.set('after', after);
    // Waits only once all existing changes have been read.
    if (isCaughtUp) query.set('wait', String(wait));
    const { entries, cursor } = await readPage(`/changes?${query}`, after);
    isCaughtUp = entries.length < limit;
    const hasNews = entries.length > 0 || cursor !== after;
    after = cursor;
    if (hasNews) yield { entries, cursor, isCaughtUp };
  }
}

/**
 * Calls `onChange` for each page of the change feed.
 *
 * @param iterate - follows until the signal is aborted
 */
export function followWith(
  { onChange, signal }: OnChange & Pick<FollowOptions, 'signal'>,
  iterate: (signal: AbortSignal) => AsyncIterable<Changes>,
): Following {
  const stopping = new AbortController();
  const end = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
  const run = async (): Promise<void> => {
    let isCalling = false;
    try {
      for await (const changes of iterate(end)) {
        isCalling = true;
        await onChange(changes);
        isCalling = false;
      }
    } catch (error) {
      if (isCalling || !end.aborted) throw error;
    }
  };
  const done = run();
  return {
    done,
    async stop() {
      stopping.abort();
      // `done` reports the error.
      await done.catch(() => undefined);
    },
  };
}
