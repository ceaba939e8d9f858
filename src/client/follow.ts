/** Follows the changes of a store: page after page, waiting where there is nothing, for as long as the caller goes on. */
import type { StoreProblem } from './problem.ts';
import type { RequestOptions } from './shapes.ts';
import type { ChangeEntry } from './types.ts';

export interface FollowOptions extends RequestOptions {
  /** Where to begin: a cursor that was kept, or `now`; left out, with every living record. */
  readonly since?: string | undefined;
  /** Only records of these; every one where it is left out. */
  readonly resources?: readonly ChangeEntry['resource'][];
  /** Each entry brings its record as it is now; null when it is gone. */
  readonly withRecords?: boolean;
  /** Most entries of a page, at most 1000, which is also what is asked for otherwise. */
  readonly limit?: number;
}

/** Entries that were told together, oldest first; none where only the cursor went forward. */
export interface Changes {
  readonly entries: readonly ChangeEntry[];
  /** The place behind them, to be kept with what they led to. */
  readonly cursor: string;
  /** There was no more to tell. The first time after a beginning without `since`, every living record has been told. */
  readonly isCaughtUp: boolean;
}

/** The store tells no more what happened behind the cursor: begin again without `since`, and drop what is told no more. */
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

/** Part of an attempt's time is for the answer itself. */
const WAIT_SHARE = 0.5;

export interface FeedReply {
  readonly entries: readonly ChangeEntry[];
  readonly cursor: string;
}

/**
 * Asks for the next page when the caller comes for it, so a slow caller is not overrun.
 * @param ask reads one page at a path; raises `CursorGone`
 */
export async function* follow(
  ask: (path: string, after: string) => Promise<FeedReply>,
  { since, resources = [], withRecords = false, limit = LIMIT_MAX }: FollowOptions,
  attemptSecondsMax: number,
): AsyncGenerator<Changes, never> {
  const wait = Math.floor(Math.min(WAIT_SECONDS_MAX, attemptSecondsMax * WAIT_SHARE));
  const wishes: [string, string][] = [
    ...resources.map((name): [string, string] => ['resource[]', name]),
    ['limit', String(limit)],
    ...(withRecords ? [['include', 'record'] as [string, string]] : []),
  ];
  let after = since ?? '';
  for (let isCaughtUp = false; ; ) {
    const query = new URLSearchParams(wishes);
    if (after !== '') query.set('after', after);
    // All that is there already is told at once; only behind it the store waits.
    if (isCaughtUp) query.set('wait', String(wait));
    const { entries, cursor } = await ask(`/changes?${query}`, after);
    isCaughtUp = entries.length < limit;
    const isNothing = entries.length === 0 && cursor === after;
    after = cursor;
    if (!isNothing) yield { entries, cursor, isCaughtUp };
  }
}
