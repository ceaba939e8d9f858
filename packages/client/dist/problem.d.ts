/** A store's refusal, as an error to catch. */
import type { ProblemType } from './shapes.ts';
import type { Violation } from './types.ts';
export declare class StoreProblem extends Error {
    readonly name = "StoreProblem";
    /** One of the store's problems. `about:blank`: the answer is no problem of a store, but a proxy's, say. */
    readonly type: ProblemType | 'about:blank';
    /** Address of a page about this kind of problem. */
    readonly page: string | undefined;
    readonly status: number;
    readonly title: string;
    /** An explanation of this failure, and of the way out. */
    readonly detail: string;
    /** The request id; the store's log has more under it. */
    readonly instance: string | undefined;
    /** Every broken rule of the body; empty unless `type` is `validation-failed`. */
    readonly violations: readonly Violation[];
    /** How many violations there are beside those. */
    readonly violationsOmitted: number;
    /** With a 412: the tag that the record has now. */
    readonly etag: string | undefined;
    readonly retryAfterSeconds: number | undefined;
    /** An earlier attempt of this request was not answered, so it may have been done: a 412 may be one's own change. */
    readonly wasPerhapsDone: boolean;
    constructor(reply: ProblemReply);
}
export interface ProblemReply {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly body: Readonly<Record<string, unknown>> | undefined;
    /** Said when the body is no problem. */
    readonly explanation?: string;
    readonly etag: string | undefined;
    readonly retryAfterSeconds: number | undefined;
    readonly wasPerhapsDone: boolean;
}
