/** Requests for records and pages. */
import { addressOf, type Query } from './address.ts';
import { type Connection, etagOf, parseResponse, randomKey, send } from './connection.ts';
import { CursorGone, type FeedReply, type FollowOptions } from './follow.ts';
import { StoreProblem } from './problem.ts';
import type { ApiResponse, DryRunOptions, Page, PostOptions, ReadOptions } from './shapes.ts';
import type { ChangeEntry } from './types.ts';

export type Parameters = Readonly<Record<string, unknown>>;
export type AnyPageOptions = Query & ReadOptions<Page<never>>;

const ITEMS_PER_PAGE_MAX = 100;

export async function read(
  connection: Connection,
  path: string,
  parameters: Parameters,
  options: ReadOptions<ApiResponse<unknown>> & Query,
) {
  const headers: Record<string, string> = {};
  if (options.ifNoneMatch !== undefined) headers['If-None-Match'] = etagOf(options.ifNoneMatch);
  const reply = await send(connection, 'GET', addressOf(path, parameters, options), { ...options, headers });
  const isUnchanged = reply.status === 304 && options.ifNoneMatch !== undefined;
  return { reply, response: isUnchanged ? options.ifNoneMatch : parseResponse(reply, 'GET', path), isUnchanged };
}

export async function readPage(
  connection: Connection,
  path: string,
  parameters: Parameters,
  options: AnyPageOptions,
): Promise<Page<never>> {
  const { page = 1, itemsPerPage = ITEMS_PER_PAGE_MAX } = options;
  const { reply, response, isUnchanged } = await read(connection, path, parameters, { ...options, page, itemsPerPage });
  if (isUnchanged) return response as Page<never>;
  const total = Number(reply.headers.get('x-total-count') ?? Number.NaN);
  // Computed, because the store omits the Link header for very long queries.
  const hasNext = page * Math.min(itemsPerPage, ITEMS_PER_PAGE_MAX) < total;
  return { ...(response as ApiResponse<never[]>), total, hasNext };
}

/** Yields all records of a collection. Requests a page only when the caller needs it. */
export async function* readAll(
  connection: Connection,
  path: string,
  parameters: Parameters,
  options: AnyPageOptions,
): AsyncGenerator<never, void> {
  for (let page = 1, hasNext = true; hasNext; page += 1) {
    const one = await readPage(connection, path, parameters, { ...options, page });
    yield* one.data;
    hasNext = one.hasNext && one.data.length > 0;
  }
}

export async function write(
  connection: Connection,
  method: string,
  path: string,
  { parameters, body, options }: { parameters: Parameters; body: unknown; options: PostOptions | DryRunOptions },
): Promise<ApiResponse<never>> {
  const headers: Record<string, string> = {};
  if (options.ifMatch !== undefined) headers['If-Match'] = etagOf(options.ifMatch);
  const isDryRun = 'dryRun' in options && options.dryRun;
  // A quote saves no change either, and rejects the header.
  const isTrial = isDryRun || path.endsWith('/quote');
  const key = 'idempotencyKey' in options ? options.idempotencyKey : undefined;
  if (method === 'POST' && !isTrial && key !== false) headers['Idempotency-Key'] = key ?? randomKey();
  const address = `${addressOf(path, parameters)}${isDryRun ? '?dry_run' : ''}`;
  const reply = await send(connection, method, address, { ...options, body, headers, isTrial });
  // The record is deleted, possibly by an earlier attempt whose response was lost. Either way the deletion succeeded.
  const isDeleted = method === 'DELETE' && reply.status === 404 && reply.wasPerhapsDone;
  return parseResponse(isDeleted ? { ...reply, status: 204, text: '' } : reply, method, path);
}

/** Reads a page of the change feed. Retries without limit, so that followers survive an outage of the store. */
export async function readFeed(
  connection: Connection,
  path: string,
  after: string,
  options: FollowOptions,
): Promise<FeedReply> {
  try {
    const policy = { retriesMax: Number.POSITIVE_INFINITY };
    const reply = await send(connection, 'GET', path, { ...options, headers: {} }, policy);
    const { data } = parseResponse(reply, 'GET', '/changes') as ApiResponse<ChangeEntry[]>;
    return { entries: data, cursor: reply.headers.get('changes-cursor') ?? after };
  } catch (error) {
    if (error instanceof StoreProblem && error.type === 'cursor-gone') throw new CursorGone(after, error);
    throw error;
  }
}
