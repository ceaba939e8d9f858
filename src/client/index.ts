/**
 * Client of the store for TypeScript and JavaScript, with typed paths, pagination, ETags and retries. It only needs `fetch` and
 * other web standards, so it runs in Node.js, Deno and browsers. It does not validate input; the store does.
 */
import { type AnyExportOptions, exportRecords, writeLines } from './bulk.ts';
import { type ClientOptions, type Connection, connect } from './connection.ts';
import {
  type Changes,
  type FeedReply,
  type Following,
  type FollowOptions,
  follow,
  followWith,
  type OnChange,
} from './follow.ts';
import { type OptionsOwner, rejectUnknownOptions } from './option-names.ts';
import { type AnyPageOptions, type Parameters, read, readAll, readFeed, readPage, write } from './requests.ts';
import type {
  ApiResponse,
  BulkOptions,
  DryRunOptions,
  DryRunOutput,
  ExportOptions,
  GetFilter,
  GetOptions,
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
  WriteOptions,
} from './shapes.ts';
import type { BulkResultOutput } from './types.ts';

export type { ClientOptions } from './connection.ts';
export { type Changes, CursorGone, type Following, type FollowOptions, type OnChange } from './follow.ts';
export { StoreProblem } from './problem.ts';
export type * from './shapes.ts';
export type * from './types.ts';
export { StoreUnreachable } from './unreachable.ts';

/**
 * Methods take a path as the API reference writes it, then the path parameters and the body, if there are any:
 * `store.put('/products/{id}', { id: 5 }, product)`. They throw a `StoreProblem` for error responses, `StoreUnreachable` if there is
 * no response after the last retry, and a `TypeError` that names an unknown option.
 */
export interface Client {
  get<P extends PathOf<'get'>>(
    path: P,
    ...rest: [...Leading<P>, options?: GetOptions<ApiResponse<Output<P, 'get'>>, GetFilter<P>>]
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
  follow(options?: FollowOptions & { readonly onChange?: never }): AsyncIterable<Changes>;
  /** Calls `onChange` with the changes, one page after the other, until `stop()` of the returned handle is called. */
  follow(options: FollowOptions & OnChange): Following;
}

/** @throws {TypeError} if `baseUrl` is not a URL, or an option is unknown */
export function createClient(options: ClientOptions): Client {
  rejectUnknownOptions('createClient', options);
  const connection = connect(options, '/api');
  const writer =
    (name: 'post' | 'put' | 'patch' | 'delete') =>
    async (path: string, ...rest: unknown[]) =>
      write(connection, name.toUpperCase(), path, argumentsOf<PostOptions>(name, path, rest));
  return {
    bulk(path, ...rest) {
      const { parameters, body, options: own } = argumentsOf<BulkOptions>('bulk', path, rest);
      const lines = body as Iterable<unknown>;
      return iterable(() => writeLines(connection, path, { parameters, lines, options: own }));
    },
    export(path, ...rest) {
      const { parameters, options: own } = argumentsOf<AnyExportOptions>('export', path, rest);
      return iterable(() => exportRecords(connection, path, parameters, own));
    },
    async get(path, ...rest) {
      const { parameters, options: own } = argumentsOf<GetOptions<ApiResponse<unknown>>>('get', path, rest);
      return (await read(connection, path, parameters, own)).response as ApiResponse<never>;
    },
    list(path, ...rest) {
      const { parameters, options: own } = argumentsOf<AnyPageOptions>('list', path, rest);
      return iterable(() => readAll(connection, path, parameters, own));
    },
    async page(path, ...rest) {
      const { parameters, options: own } = argumentsOf<AnyPageOptions>('page', path, rest);
      return readPage(connection, path, parameters, own);
    },
    post: writer('post'),
    put: writer('put'),
    patch: writer('patch'),
    delete: writer('delete'),
    follow: follower(connection) as Client['follow'],
  };
}

function follower(connection: Connection) {
  return (options: FollowOptions & Partial<OnChange> = {}): AsyncIterable<Changes> | Following => {
    rejectUnknownOptions('follow', options);
    const { onChange, ...own } = options;
    const changes = (of: FollowOptions): AsyncIterable<Changes> => {
      const page = (path: string, after: string): Promise<FeedReply> => readFeed(connection, path, after, of);
      return iterable(() => follow(page, of, connection.policy.attemptSecondsMax));
    };
    if (onChange === undefined) return changes(own);
    if (typeof onChange !== 'function') throw new TypeError('The option “onChange” of follow is not a function.');
    return followWith({ ...own, onChange }, (signal) => changes({ ...own, signal }));
  };
}

/** Each iteration starts anew, so that a sequence can be iterated several times. */
function iterable<T>(iterate: () => AsyncGenerator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: iterate };
}

const WITH_BODY: ReadonlySet<OptionsOwner> = new Set(['bulk', 'patch', 'post', 'put']);

function argumentsOf<O extends object>(
  method: OptionsOwner,
  path: string,
  rest: readonly unknown[],
): { parameters: Parameters; body: unknown; options: O } {
  const remaining = [...rest];
  const parameters = (path.includes('{') ? remaining.shift() : undefined) ?? {};
  const body = WITH_BODY.has(method) ? remaining.shift() : undefined;
  const options = (remaining.shift() ?? {}) as O;
  rejectUnknownOptions(method, options);
  if (remaining.length > 0)
    throw new TypeError(`Too many arguments of ${method}: the options of “${path}” are the last one.`);
  return { parameters: parameters as Parameters, body, options };
}
