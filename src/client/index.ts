/**
 * Client of the store for TypeScript and JavaScript, with typed paths, pagination, ETags and retries. It only needs `fetch` and
 * other web standards, so it runs in Node.js, Deno and browsers. It does not validate input; the store does.
 */
import { type AnyExportOptions, exportRecords, writeLines } from './bulk.ts';
import { type ClientOptions, connect } from './connection.ts';
import { type Changes, type FeedReply, type FollowOptions, follow } from './follow.ts';
import { type AnyPageOptions, type Parameters, read, readAll, readFeed, readPage, write } from './requests.ts';
import type {
  ApiResponse,
  BulkOptions,
  DryRunOptions,
  DryRunOutput,
  ExportOptions,
  Input,
  Item,
  Leading,
  Line,
  ListOptions,
  Output,
  Page,
  PageOptions,
  PathOf,
  PostOptions,
  ReadOptions,
  WriteOptions,
} from './shapes.ts';
import type { BulkResultOutput } from './types.ts';

export type { ClientOptions } from './connection.ts';
export { type Changes, CursorGone, type FollowOptions } from './follow.ts';
export { StoreProblem } from './problem.ts';
export type * from './shapes.ts';
export type * from './types.ts';

/**
 * Methods take a path as the API reference writes it, then the path parameters and the body, if there are any:
 * `store.put('/products/{id}', { id: 5 }, product)`. They throw a `StoreProblem` for error responses, and the error of `fetch`
 * if there is no response after the last retry.
 */
export interface Client {
  get<P extends PathOf<'get'>>(
    path: P,
    ...rest: [...Leading<P>, options?: ReadOptions<ApiResponse<Output<P, 'get'>>>]
  ): Promise<ApiResponse<Output<P, 'get'>>>;
  /** Yields all records of a collection. Requests pages as the caller needs them. */
  list<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: ListOptions<P>]): AsyncIterable<Item<P>>;
  /** Reads a page of a collection. */
  page<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: PageOptions<P>]): Promise<Page<Item<P>>>;
  /** Returns the result of a POST without saving it. */
  post<P extends PathOf<'post'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'post'>, options: DryRunOptions]
  ): Promise<ApiResponse<DryRunOutput<P>>>;
  /** Creates a record or runs an action. */
  post<P extends PathOf<'post'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'post'>, options?: PostOptions]
  ): Promise<ApiResponse<Output<P, 'post'>>>;
  /** Replaces a record. */
  put<P extends PathOf<'put'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'put'>, options?: WriteOptions]
  ): Promise<ApiResponse<Output<P, 'put'>>>;
  /** Changes only the fields in the body. */
  patch<P extends PathOf<'patch'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'patch'>, options?: WriteOptions]
  ): Promise<ApiResponse<Output<P, 'patch'>>>;
  /**
   * Writes many records and yields the result of each line, in order. Reads up to 1,000 lines ahead of the results. A request
   * whose response is lost is repeated, so a created line can be reported as unchanged.
   */
  bulk<P extends PathOf<'bulk'>>(
    path: P,
    ...rest: [...Leading<P>, lines: AsyncIterable<Line<P>> | Iterable<Line<P>>, options?: BulkOptions]
  ): AsyncIterable<BulkResultOutput>;
  /** Yields all records of a collection from a consistent snapshot, by identifier. */
  export<P extends PathOf<'list'>>(
    path: P,
    ...rest: [...Leading<P>, options?: ExportOptions<P>]
  ): AsyncIterable<Item<P>>;
  delete<P extends PathOf<'delete'>>(
    path: P,
    ...rest: [...Leading<P>, options?: WriteOptions]
  ): Promise<ApiResponse<undefined>>;
  /**
   * Yields all changes of the store after a cursor, without end. Retries while the store is unavailable. Throws `CursorGone` if
   * the changes after the cursor are no longer available.
   */
  follow(options?: FollowOptions): AsyncIterable<Changes>;
}

/** @throws {TypeError} if `baseUrl` is not a URL */
export function createClient(options: ClientOptions): Client {
  const connection = connect(options);
  const writer =
    (method: string, hasBody: boolean) =>
    (path: string, ...rest: unknown[]) =>
      write(connection, method, path, argumentsOf<PostOptions>(path, rest, hasBody));
  return {
    bulk(path, ...rest) {
      const { parameters, body, options: own } = argumentsOf<BulkOptions>(path, rest, true);
      const lines = body as Iterable<unknown>;
      return iterable(() => writeLines(connection, path, { parameters, lines, options: own }));
    },
    export(path, ...rest) {
      const { parameters, options: own } = argumentsOf<AnyExportOptions>(path, rest, false);
      return iterable(() => exportRecords(connection, path, parameters, own));
    },
    async get(path, ...rest) {
      const { parameters, options: own } = argumentsOf<ReadOptions<ApiResponse<unknown>>>(path, rest, false);
      return (await read(connection, path, parameters, own)).response as ApiResponse<never>;
    },
    list(path, ...rest) {
      const { parameters, options: own } = argumentsOf<AnyPageOptions>(path, rest, false);
      return iterable(() => readAll(connection, path, parameters, own));
    },
    page(path, ...rest) {
      const { parameters, options: own } = argumentsOf<AnyPageOptions>(path, rest, false);
      return readPage(connection, path, parameters, own);
    },
    post: writer('POST', true),
    put: writer('PUT', true),
    patch: writer('PATCH', true),
    delete: writer('DELETE', false),
    follow(own = {}) {
      const page = (path: string, after: string): Promise<FeedReply> => readFeed(connection, path, after, own);
      return iterable(() => follow(page, own, connection.policy.attemptSecondsMax));
    },
  };
}

/** Each iteration starts anew, so that a sequence can be iterated several times. */
function iterable<T>(iterate: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: iterate };
}

function argumentsOf<O>(
  path: string,
  rest: readonly unknown[],
  hasBody: boolean,
): { parameters: Parameters; body: unknown; options: O } {
  const remaining = [...rest];
  const parameters = (path.includes('{') ? remaining.shift() : undefined) ?? {};
  const body = hasBody ? remaining.shift() : undefined;
  return { parameters: parameters as Parameters, body, options: (remaining.shift() ?? {}) as O };
}
