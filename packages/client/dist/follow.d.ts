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
export declare class CursorGone extends Error {
    readonly name = "CursorGone";
    readonly cursor: string;
    readonly cause: StoreProblem;
    constructor(cursor: string, cause: StoreProblem);
}
export interface FeedReply {
    readonly entries: readonly ChangeEntry[];
    readonly cursor: string;
}
/**
 * Asks for the next page when the caller comes for it, so a slow caller is not overrun.
 * @param ask reads one page at a path; raises `CursorGone`
 */
export declare function follow(ask: (path: string, after: string) => Promise<FeedReply>, { since, resources, withRecords, limit }: FollowOptions, attemptSecondsMax: number): AsyncGenerator<Changes, never>;
