/**
 * A client of the store for TypeScript and JavaScript: fetch, with the types of the declarations, pages as one sequence,
 * ETags and retries. It needs nothing but the web's own globals, so it runs in Node, Deno and browsers. It checks no values:
 * types help where the program is written, and the store judges what is sent.
 */
import { addressOf, type Query } from './address.ts';
import { type Changes, CursorGone, type FeedReply, type FollowOptions, follow } from './follow.ts';
import { bulkAddress, isRepeatable, LINES_TYPE, partsOf, resultsIn, valuesIn } from './lines.ts';
import { StoreProblem } from './problem.ts';
import { type LastReply, type Patience, retryAfterSeconds, sendPatiently, USUAL_PATIENCE } from './retries.ts';
import type {
  Answer,
  BulkOptions,
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
  RequestOptions,
  WriteOptions,
} from './shapes.ts';
import type { BulkResultOutput, ChangeEntry } from './types.ts';

export { type Changes, CursorGone, type FollowOptions } from './follow.ts';
export { StoreProblem } from './problem.ts';
export type * from './shapes.ts';
export type * from './types.ts';

export interface ClientOptions extends Partial<Patience> {
  /** Where the store is, with or without `/api`: `https://shop.example` */
  readonly baseUrl: string;
  /** One of the store's API keys. Only a page that the store itself serves leaves it out: there the browser's cookie says who asks. */
  readonly key?: string;
  /** Language of the texts; else the store's default. */
  readonly language?: string;
}

/**
 * Every method takes a path as the reference writes it, then what its braces stand for, if it has any, then the body, if
 * there is one: `store.put('/products/{id}', { id: 5 }, product)`. It throws a `StoreProblem` when the store refuses, and
 * what `fetch` throws when there is no answer after the last retry.
 */
export interface Client {
  get<P extends PathOf<'get'>>(
    path: P,
    ...rest: [...Leading<P>, options?: ReadOptions<Answer<Output<P, 'get'>>>]
  ): Promise<Answer<Output<P, 'get'>>>;
  /** Every record of a collection, page after page as they are used up. */
  list<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: ListOptions<P>]): AsyncIterable<Item<P>>;
  /** One page of a collection. */
  page<P extends PathOf<'list'>>(path: P, ...rest: [...Leading<P>, options?: PageOptions<P>]): Promise<Page<Item<P>>>;
  /** Makes a record, or runs an action of one. */
  post<P extends PathOf<'post'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'post'>, options?: PostOptions]
  ): Promise<Answer<Output<P, 'post'>>>;
  /** Replaces a record as a whole. */
  put<P extends PathOf<'put'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'put'>, options?: WriteOptions]
  ): Promise<Answer<Output<P, 'put'>>>;
  /** Changes the fields that the body has. */
  patch<P extends PathOf<'patch'>>(
    path: P,
    ...rest: [...Leading<P>, body: Input<P, 'patch'>, options?: WriteOptions]
  ): Promise<Answer<Output<P, 'patch'>>>;
  /**
   * Writes many records, and gives the result of each line in its order. Lines are taken as results are used up, a thousand at
   * a time; a request whose answer is lost is sent again, so a line that was created may be told as unchanged.
   */
  bulk<P extends PathOf<'bulk'>>(
    path: P,
    ...rest: [...Leading<P>, lines: AsyncIterable<Line<P>> | Iterable<Line<P>>, options?: BulkOptions]
  ): AsyncIterable<BulkResultOutput>;
  /** Every record of a collection at one moment, by identifier, read as it is used up. */
  export<P extends PathOf<'list'>>(
    path: P,
    ...rest: [...Leading<P>, options?: ExportOptions<P>]
  ): AsyncIterable<Item<P>>;
  delete<P extends PathOf<'delete'>>(
    path: P,
    ...rest: [...Leading<P>, options?: WriteOptions]
  ): Promise<Answer<undefined>>;
  /**
   * Every change of the store from a cursor on, for ever. Without an answer it goes on trying; it throws `CursorGone` when the
   * store no longer tells what happened behind the cursor.
   */
  follow(options?: FollowOptions): AsyncIterable<Changes>;
}

/** @throws {TypeError} when `baseUrl` is no address */
export function createClient({ baseUrl, key, language, ...given }: ClientOptions): Client {
  const root = `${new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const patience: Patience = { ...USUAL_PATIENCE, ...given };

  function headersOf(spoken: string | undefined, headers: Readonly<Record<string, string>>): Headers {
    const sent = new Headers({ Accept: 'application/json', ...headers });
    if (key !== undefined) sent.set('X-Auth-Token', key);
    if (spoken !== undefined) sent.set('Accept-Language', spoken);
    return sent;
  }

  async function send(
    method: string,
    path: string,
    { body, headers, signal, ...rest }: Sent,
    own: Partial<Patience> = {},
  ): Promise<LastReply> {
    const sent = headersOf(rest.language ?? language, headers);
    if (body !== undefined)
      sent.set('Content-Type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const request: RequestInit = { ...REFUSING, method, headers: sent };
    if (body !== undefined) request.body = JSON.stringify(body);
    // A merge patch sets values, so that it is repeatable as PUT is (RFC 7396).
    const isRepeatable = method !== 'POST' || sent.has('Idempotency-Key');
    const attempt = async (limit: AbortSignal) => {
      const response = await fetch(`${root}${path}`, { ...request, signal: limit });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    return sendPatiently(attempt, { isRepeatable, signal }, { ...patience, ...own });
  }

  async function readFeed(path: string, after: string, options: FollowOptions): Promise<FeedReply> {
    try {
      // A follower outlives a store that is away for however long.
      const reply = await send('GET', path, { ...options, headers: {} }, { retriesMax: Number.POSITIVE_INFINITY });
      const { data } = answerOf(reply, 'GET', '/changes') as Answer<ChangeEntry[]>;
      return { entries: data, cursor: reply.headers.get('changes-cursor') ?? after };
    } catch (error) {
      if (error instanceof StoreProblem && error.type === 'cursor-gone') throw new CursorGone(after, error);
      throw error;
    }
  }

  async function change(method: string, path: string, rest: unknown[], hasBody: boolean): Promise<Answer<never>> {
    const { parameters, body, options } = argumentsOf<PostOptions>(path, rest, hasBody);
    const headers: Record<string, string> = {};
    if (options.ifMatch !== undefined) headers['If-Match'] = tagOf(options.ifMatch);
    if (method === 'POST' && options.idempotencyKey !== false)
      headers['Idempotency-Key'] = options.idempotencyKey ?? randomKey();
    const reply = await send(method, addressOf(path, parameters), { ...options, body, headers });
    // Somebody deleted it, and perhaps it was the attempt that was not answered: either way it is done.
    const isGone = method === 'DELETE' && reply.status === 404 && reply.wasPerhapsDone;
    return isGone ? answerOf({ ...reply, status: 204, text: '' }, method, path) : answerOf(reply, method, path);
  }

  async function read(path: string, parameters: Parameters, options: ReadOptions<Answer<unknown>> & Query) {
    const headers: Record<string, string> = {};
    if (options.ifNoneMatch !== undefined) headers['If-None-Match'] = tagOf(options.ifNoneMatch);
    const reply = await send('GET', addressOf(path, parameters, options), { ...options, headers });
    const isKnown = reply.status === 304 && options.ifNoneMatch !== undefined;
    return { reply, answer: isKnown ? options.ifNoneMatch : answerOf(reply, 'GET', path), isKnown };
  }

  async function page(path: string, parameters: Parameters, options: AnyPageOptions): Promise<Page<never>> {
    const { page: number = 1, itemsPerPage = ITEMS_PER_PAGE_MAX } = options;
    const { reply, answer, isKnown } = await read(path, parameters, { ...options, page: number, itemsPerPage });
    if (isKnown) return answer as Page<never>;
    const total = Number(reply.headers.get('x-total-count') ?? Number.NaN);
    // Counted instead of read off Link, which the store leaves out when the query is very long.
    const hasNext = number * Math.min(itemsPerPage, ITEMS_PER_PAGE_MAX) < total;
    return { ...(answer as Answer<never[]>), total, hasNext };
  }

  async function* list(path: string, parameters: Parameters, options: AnyPageOptions): AsyncGenerator<never, void> {
    for (let number = 1, hasNext = true; hasNext; number += 1) {
      const one = await page(path, parameters, { ...options, page: number });
      yield* one.data;
      hasNext = one.hasNext && one.data.length > 0;
    }
  }

  async function* bulk(
    path: PathOf<'bulk'>,
    parameters: Parameters,
    lines: AsyncIterable<unknown> | Iterable<unknown>,
    options: BulkOptions,
  ): AsyncGenerator<BulkResultOutput, void> {
    const address = bulkAddress(addressOf(path, parameters), options);
    const headers = headersOf(options.language ?? language, { Accept: LINES_TYPE, 'Content-Type': LINES_TYPE });
    if (options.atomic && !options.dryRun) headers.set('Idempotency-Key', randomKey());
    let before = 0;
    for await (const { text: body, count } of partsOf(lines, options.atomic === true)) {
      const attempt = async (limit: AbortSignal) => {
        const response = await fetch(`${root}${address}`, {
          ...REFUSING,
          method: 'POST',
          headers,
          body,
          signal: limit,
        });
        const text = await response.text();
        if (response.status === 200 && !resultsIn(text)) throw new Error('The answer to a bulk was cut off.');
        return { status: response.status, headers: response.headers, text };
      };
      const mayRepeat = isRepeatable(path, options) || headers.has('Idempotency-Key');
      const reply = await sendPatiently(attempt, { isRepeatable: mayRepeat, signal: options.signal }, patience);
      if (reply.status !== 200) answerOf(reply, 'POST', path);
      for (const result of resultsIn(reply.text)!) yield { ...result, line: result.line + before };
      before += count;
    }
  }

  async function* exported(
    path: string,
    parameters: Parameters,
    options: AnyExportOptions,
  ): AsyncGenerator<never, void> {
    const headers = headersOf(options.language ?? language, { Accept: LINES_TYPE });
    let response: Response | undefined;
    // The records are read after the attempt, for as long as it takes.
    const signal = options.signal ?? null;
    const attempt = async () => {
      response = await fetch(`${root}${addressOf(path, parameters, options)}`, { ...REFUSING, headers, signal });
      return { status: response.status, headers: response.headers, text: response.ok ? '' : await response.text() };
    };
    const reply = await sendPatiently(attempt, { isRepeatable: true, signal: options.signal }, patience);
    if (reply.status !== 200) answerOf(reply, 'GET', path);
    yield* valuesIn(response!.body!, Number(reply.headers.get('x-total-count')));
  }

  return {
    bulk(path, ...rest) {
      const { parameters, body: lines, options } = argumentsOf<BulkOptions>(path, rest, true);
      return { [Symbol.asyncIterator]: () => bulk(path, parameters, lines as Iterable<unknown>, options) };
    },
    export(path, ...rest) {
      const { parameters, options } = argumentsOf<AnyExportOptions>(path, rest, false);
      return { [Symbol.asyncIterator]: () => exported(path, parameters, options) };
    },
    async get(path, ...rest) {
      const { parameters, options } = argumentsOf<ReadOptions<Answer<unknown>>>(path, rest, false);
      return (await read(path, parameters, options)).answer as Answer<never>;
    },
    list(path, ...rest) {
      const { parameters, options } = argumentsOf<AnyPageOptions>(path, rest, false);
      return { [Symbol.asyncIterator]: () => list(path, parameters, options) };
    },
    page(path, ...rest) {
      const { parameters, options } = argumentsOf<AnyPageOptions>(path, rest, false);
      return page(path, parameters, options);
    },
    post: (path, ...rest) => change('POST', path, rest, true),
    put: (path, ...rest) => change('PUT', path, rest, true),
    patch: (path, ...rest) => change('PATCH', path, rest, true),
    delete: (path, ...rest) => change('DELETE', path, rest, false),
    follow(options = {}) {
      const ask = (path: string, after: string): Promise<FeedReply> => readFeed(path, after, options);
      return { [Symbol.asyncIterator]: () => follow(ask, options, patience.attemptSecondsMax) };
    },
  };
}

const ITEMS_PER_PAGE_MAX = 100;

type Parameters = Readonly<Record<string, unknown>>;
type AnyExportOptions = RequestOptions & Pick<Query, 'filter'>;

/** The key goes nowhere else. */
const REFUSING = { redirect: 'manual' } as const;

type AnyPageOptions = Query & ReadOptions<Page<never>>;

interface Sent extends RequestOptions {
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

function argumentsOf<O>(
  path: string,
  rest: readonly unknown[],
  hasBody: boolean,
): { parameters: Parameters; body: unknown; options: O } {
  const left = [...rest];
  const parameters = (path.includes('{') ? left.shift() : undefined) ?? {};
  const body = hasBody ? left.shift() : undefined;
  return { parameters: parameters as Parameters, body, options: (left.shift() ?? {}) as O };
}

function answerOf(reply: LastReply, method: string, path: string): Answer<never> {
  const { status, headers } = reply;
  const etag = headers.get('etag') ?? undefined;
  const body = parsed(reply.text);
  // Only of a deletion is there nothing to tell; a page of a proxy is no answer of a store, whatever its status.
  if (status < 200 || status > 299 || (body === undefined && status !== 204))
    throw new StoreProblem({
      method,
      path,
      status,
      body: body as Readonly<Record<string, unknown>> | undefined,
      ...explained(status),
      etag,
      retryAfterSeconds: retryAfterSeconds(headers),
      wasPerhapsDone: reply.wasPerhapsDone,
    });
  const version = /^"(\d+)-/.exec(etag ?? '')?.[1];
  return {
    data: body as never,
    status,
    etag,
    version: version === undefined ? undefined : Number(version),
    language: headers.get('content-language') ?? undefined,
    location: headers.get('location') ?? undefined,
    isReplayed: headers.get('idempotency-replayed') === 'true',
  };
}

function explained(status: number): { explanation?: string } {
  // A browser tells of a redirect no more than status 0.
  if (status === 0 || (status >= 300 && status <= 399))
    return { explanation: 'The address redirects elsewhere, where the key is not sent: is baseUrl the store’s own?' };
  return status <= 299 ? { explanation: 'The answer is not JSON: is baseUrl the address of a store?' } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tagOf(given: { readonly etag: string | undefined } | string): string {
  const tag = typeof given === 'string' ? given : given.etag;
  // Sent as nothing, the change would be made whatever happened meanwhile.
  if (!tag) throw new TypeError('There is no ETag in what was given to compare with.');
  return tag;
}

/** Not `randomUUID`, which browsers have on secure pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
