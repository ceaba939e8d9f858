/** `StoreApi` over HTTP, for a store on another server, through the public client. */
import { type Client, createClient, StoreProblem, StoreUnreachable } from '../../client/index.ts';
import type { ApiRecord, Filter, Ids, LineResult, Rejection, Saved, StoreApi } from './store-api.ts';

/** The address of a store and an API key for it. */
export interface RemoteStore {
  /** `https://shop.example`, with or without `/api` at the end. */
  readonly address: string;
  readonly key: string;
}

/** Long enough for the store to restart. */
export const PATIENCE = { retriesMax: 5, attemptSecondsMax: 300 };

/** @throws {Error} with a message for the user, if the address is not an HTTP address */
export function openRemote({ address, key }: RemoteStore): StoreApi {
  // Such an address may contain a password, so it is not printed.
  if (address.includes('@'))
    throw new Error('The address of the store must not contain “@”. Pass the API key as an option instead.');
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Error(`“${address}” is not the address of a store. Give one that begins with https:// or http://.`);
  const store = createClient({ baseUrl: rootOf(address), key, ...PATIENCE });
  return remoteStoreApi(store, address, async (path) => {
    const response = await fetch(`${rootOf(address)}/api${path}`, { headers: { 'x-auth-token': key } }).catch(
      (error) => {
        throw unreachable(address, error);
      },
    );
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    await response.body?.cancel();
    return undefined;
  });
}

/** Removes the `/api` that the client adds itself. */
function rootOf(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/api$/, '');
}

/** The client with paths that are known only at run time. */
interface AnyClient {
  get(path: string): Promise<{ data: ApiRecord }>;
  post(path: string, body: ApiRecord): Promise<{ data: ApiRecord }>;
  patch(path: string, body: ApiRecord): Promise<{ data: ApiRecord }>;
  delete(path: string): Promise<unknown>;
  bulk(path: string, lines: unknown, options: object): AsyncIterable<BulkResult>;
  page(path: string, options: object): Promise<{ data: ApiRecord[]; total: number; hasNext: boolean }>;
  export(path: string, options: object): AsyncIterable<ApiRecord>;
}

type BulkResult = Omit<LineResult, 'rejection'> & { readonly status: number; readonly problem?: ProblemDetails };

interface ProblemDetails {
  readonly detail: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly code: string; readonly message: string }[];
}

/** An open client and the address to name in error messages. */
interface Connection {
  readonly client: AnyClient;
  readonly address: string;
}

/**
 * @param address of the client's store, for error messages
 * @param download reads a file with the client's key; without it, no files are read
 */
export function remoteStoreApi(
  client: Client,
  address: string,
  download: (path: string) => Promise<Uint8Array | undefined> = async () => undefined,
): StoreApi {
  const connection: Connection = { client: client as unknown as AnyClient, address };
  const { client: store } = connection;
  const saving = async (work: Promise<{ data: ApiRecord }>): Promise<Saved> => {
    try {
      const { data } = await work;
      return { ok: true, id: data.id as number, record: data };
    } catch (error) {
      return { ok: false, ...rejectionOf(address, error) };
    }
  };
  return {
    list: (path, ids = [], filter = {}) => allRecords(connection, filled(path, ids), filter),
    async find(path, ids) {
      return (await store.get(filled(path, ids)).catch(undefinedIfMissing(connection, filled(path, ids), true)))?.data;
    },
    post: (path, ids, body) => saving(store.post(filled(path, ids), body)),
    patch: (path, ids, body) => saving(store.patch(filled(path, ids), body)),
    async remove(path, ids) {
      return store.delete(filled(path, ids)).then(
        () => undefined,
        (error) => (isNotFound(error) ? undefined : rejectionOf(address, error)),
      );
    },
    download: (path, ids) => download(filled(path, ids)),
    async oldUrls(collection, id) {
      const path = `${collection}/${id}/old_urls`;
      const found = await store.get(path).catch(undefinedIfMissing(connection, path, true));
      return ((found?.data ?? []) as unknown as readonly { clean_url: string }[]).map(({ clean_url }) => clean_url);
    },
    bulk: (path, lines, { ids = [], ...options } = {}) =>
      lineResults(connection, store.bulk(`${filled(path, ids)}/bulk`, lines, options)),
    async export(path, filter = {}) {
      const { total } = await store.page(path, { itemsPerPage: 1 }).catch((error) => {
        throw unreachable(address, error);
      });
      return { total, records: store.export(path, { filter }) };
    },
  };
}

/**
 * Yields every record once. Deleting a record while pages are read shifts the following ones, so that a record at a page
 * boundary is on no page. The number of records then differs from the total, and the pages are read again.
 * @throws {Error} with a message for the user, if the list keeps changing
 */
async function* allRecords(connection: Connection, path: string, filter: Filter): AsyncGenerator<ApiRecord> {
  const seen = new Set<unknown>();
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const totals = new Set<number>();
    const before = seen.size;
    for await (const record of recordsByPage(connection, path, filter, totals)) {
      const key = record.id ?? JSON.stringify(record);
      if (!seen.has(key)) yield record;
      seen.add(key);
    }
    const isComplete = totals.size === 0 || (totals.size === 1 && totals.has(seen.size));
    if (isComplete || (round > 1 && seen.size === before && totals.size === 1)) return;
  }
  throw new Error(
    `The list ${path} of the store at ${connection.address} changed every time it was read. Try again when the store is less busy.`,
  );
}

/** In a busy shop, each round finds a few more records until one finds none. */
const ROUNDS_MAX = 10;

/**
 * Release 5.5 reports no total on some paths and has no pages on others. Without pages, every page is the whole list.
 * @param totals receives the totals that the store reports
 */
async function* recordsByPage(
  connection: Connection,
  path: string,
  filter: Filter,
  totals: Set<number>,
): AsyncGenerator<ApiRecord> {
  let firstOfPrevious: string | undefined;
  for (let page = 1; ; page += 1) {
    const isOptional = page === 1 && !REQUIRED.has(path);
    const found = await connection.client
      .page(path, { filter, page })
      .catch(undefinedIfMissing(connection, path, isOptional));
    if (!found) return;
    const { data, total, hasNext } = found;
    if (!Number.isNaN(total)) totals.add(total);
    const first = JSON.stringify(data[0]);
    if (data.length === 0 || first === firstOfPrevious) return;
    yield* data;
    if (!Number.isNaN(total) && !hasNext) return;
    firstOfPrevious = first;
  }
}

/** Every store has these lists: an address without them is not a store. */
const REQUIRED: ReadonlySet<string> = new Set(['/products', '/categories', '/orders']);

/**
 * Error handler for reads.
 * @param isOptional return undefined if the path or its parent does not exist
 * @throws {Error} with a message for the user
 */
function undefinedIfMissing(
  connection: Connection,
  path: string,
  isOptional: boolean,
): (error: unknown) => Promise<undefined> {
  return async (error) => {
    if (isOptional && (isNotFound(error) || (await isParentMissing(connection, path, error)))) return undefined;
    throw unreachable(connection.address, error);
  };
}

/** If the record that a path begins with does not exist, the store responds with 400, not 404 (http.md §2). */
async function isParentMissing({ client }: Connection, path: string, error: unknown): Promise<boolean> {
  const [parent] = /^\/\w+\/[^/]+(?=\/)/.exec(path) ?? [];
  if (parent === undefined || !(error instanceof StoreProblem) || error.status !== 400) return false;
  return client.get(parent).then(() => false, isNotFound);
}

/** Checks the status only: the problem types of other releases differ. */
function isNotFound(error: unknown): boolean {
  return error instanceof StoreProblem && error.status === 404;
}

async function* lineResults({ address }: Connection, results: AsyncIterable<BulkResult>): AsyncGenerator<LineResult> {
  try {
    for await (const { line, key, result, id, status, problem } of results)
      yield { line, key, result, id, rejection: problem && rejection(status, problem) };
  } catch (error) {
    throw unreachable(address, error);
  }
}

/**
 * @returns why the store rejected this one request
 * @throws {Error} with a message for the user, for every failure that would affect other requests too
 */
function rejectionOf(address: string, error: unknown): Rejection {
  if (!(error instanceof StoreProblem)) throw unreachable(address, error);
  const { status, detail, violations, type } = error;
  const concernsRequest = status >= 400 && status < 500 && type !== 'about:blank';
  if (!concernsRequest || GENERAL.has(status)) throw unreachable(address, error);
  return rejection(status, { detail, violations });
}

/** Statuses about the key, its rights, the protocol or the rate: other requests would fail in the same way. */
const GENERAL: ReadonlySet<number> = new Set([401, 403, 405, 406, 415, 429]);

function rejection(status: number, { detail, violations = [] }: ProblemDetails): Rejection {
  const problems = violations.map(({ propertyPath, code, message }) => ({ path: propertyPath, code, message }));
  return { status, problems: problems.length > 0 ? problems : [{ path: '', message: detail }] };
}

/** @returns an error with a message for the user; any other error unchanged */
function unreachable(address: string, error: unknown): Error {
  if (error instanceof StoreProblem)
    return new Error(`The store at ${address} responded with ${error.status}: ${error.detail}`);
  if (!(error instanceof StoreUnreachable)) return error as Error;
  const { code, cause } = error;
  const why = code ?? (cause as Error).message;
  return new Error(
    `The store at ${address} does not respond (${why}). Check the address and that the store is running.`,
  );
}

function filled(path: string, ids: Ids): string {
  let next = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(String(ids[next++])));
}
