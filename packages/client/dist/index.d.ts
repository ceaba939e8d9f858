import { type Changes, type FollowOptions } from './follow.ts';
import { type Patience } from './retries.ts';
import type { Answer, BulkOptions, ExportOptions, Input, Item, Leading, Line, ListOptions, Output, Page, PageOptions, PathOf, PostOptions, ReadOptions, WriteOptions } from './shapes.ts';
import type { BulkResultOutput } from './types.ts';
export { type Changes, CursorGone, type FollowOptions } from './follow.ts';
export { StoreProblem } from './problem.ts';
export type * from './shapes.ts';
export type * from './types.ts';
export interface ClientOptions extends Partial<Patience> {
    /** Where the store is, without `/api`: `https://shop.example` */
    readonly baseUrl: string;
    /** One of the store's API keys. */
    readonly key: string;
    /** Language of the texts; else the store's default. */
    readonly language?: string;
}
/**
 * Every method takes a path as the reference writes it, then what its braces stand for, if it has any, then the body, if
 * there is one: `store.put('/products/{id}', { id: 5 }, product)`. It throws a `StoreProblem` when the store refuses, and
 * what `fetch` throws when there is no answer after the last retry.
 */
export interface Client {
    get<P extends PathOf<'get'>>(path: P, ...rest: [...Leading<P>, options?: ReadOptions<Answer<Output<P, 'get'>>>]): Promise<Answer<Output<P, 'get'>>>;
    /** Every record of a collection, page after page as they are used up. */
    list<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: ListOptions<P>]): AsyncIterable<Item<P>>;
    /** One page of a collection. */
    page<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: PageOptions<P>]): Promise<Page<Item<P>>>;
    /** Makes a record, or runs an action of one. */
    post<P extends PathOf<'post'>>(path: P, ...rest: [...Leading<P>, body: Input<P, 'post'>, options?: PostOptions]): Promise<Answer<Output<P, 'post'>>>;
    /** Replaces a record as a whole. */
    put<P extends PathOf<'put'>>(path: P, ...rest: [...Leading<P>, body: Input<P, 'put'>, options?: WriteOptions]): Promise<Answer<Output<P, 'put'>>>;
    /** Changes the fields that the body has. */
    patch<P extends PathOf<'patch'>>(path: P, ...rest: [...Leading<P>, body: Input<P, 'patch'>, options?: WriteOptions]): Promise<Answer<Output<P, 'patch'>>>;
    /**
     * Writes many records, and gives the result of each line in its order. Lines are taken as results are used up, a thousand at
     * a time; a request whose answer is lost is sent again, so a line that was created may be told as unchanged.
     */
    bulk<P extends PathOf<'bulk'>>(path: P, lines: AsyncIterable<Line<P>> | Iterable<Line<P>>, options?: BulkOptions): AsyncIterable<BulkResultOutput>;
    /** Every record of a collection at one moment, by identifier, read as it is used up. */
    export<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: ExportOptions<P>]): AsyncIterable<Item<P>>;
    delete<P extends PathOf<'delete'>>(path: P, ...rest: [...Leading<P>, options?: WriteOptions]): Promise<Answer<undefined>>;
    /**
     * Every change of the store from a cursor on, for ever. Without an answer it goes on trying; it throws `CursorGone` when the
     * store no longer tells what happened behind the cursor.
     */
    follow(options?: FollowOptions): AsyncIterable<Changes>;
}
/** @throws {TypeError} when `baseUrl` is no address */
export declare function createClient({ baseUrl, key, language, ...given }: ClientOptions): Client;
