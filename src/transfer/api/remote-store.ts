/** A store that is elsewhere, asked over HTTP (`store-api.ts`), through the client that others use too. */
import { type Client, createClient, StoreProblem } from '../../client/index.ts';
import type { Filter, Ids, LineResult, Refused, Saved, Shown, StoreApi } from './store-api.ts';

/** Where a store is, and the key to it. */
export interface RemoteStore {
  /** `https://shop.example`, with or without `/api` behind it. */
  readonly address: string;
  readonly key: string;
}

/** A store that starts again is waited for. */
export const PATIENCE = { retriesMax: 5, attemptSecondsMax: 300 };

/** @throws {Error} one sentence, where the address is none of a store */
export function openRemote({ address, key }: RemoteStore): StoreApi {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Error(`“${address}” is no address of a store; one begins with https:// or http://.`);
  const store = createClient({ baseUrl: rootOf(address), key, ...PATIENCE });
  return remoteStoreApi(store, address);
}

/** Without the path that the client adds. */
function rootOf(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/api$/, '');
}

/** The client with paths that are known only when it runs. */
interface AnyClient {
  get(path: string): Promise<{ data: Shown }>;
  post(path: string, body: Shown): Promise<{ data: Shown }>;
  patch(path: string, body: Shown): Promise<{ data: Shown }>;
  delete(path: string): Promise<unknown>;
  bulk(path: string, lines: unknown, options: object): AsyncIterable<BulkResult>;
  page(path: string, options: object): Promise<{ data: Shown[]; total: number; hasNext: boolean }>;
  export(path: string, options: object): AsyncIterable<Shown>;
}

type BulkResult = Omit<LineResult, 'refused'> & { readonly status: number; readonly problem?: ProblemShown };

interface ProblemShown {
  readonly detail: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly message: string }[];
}

/** @param address of the client's store, to name it in what goes wrong */
export function remoteStoreApi(client: Client, address: string): StoreApi {
  const store = client as unknown as AnyClient;

  /** @returns the refusal of this one request. @throws {Error} one sentence, for all that others would meet too */
  function refusedBy(error: unknown): Refused {
    if (!(error instanceof StoreProblem)) throw unreachable(address, error);
    const { status, detail, violations, type } = error;
    const isOwn = status >= 400 && status < 500 && type !== 'about:blank';
    if (!isOwn || GENERAL.has(status)) throw new Error(`The store at ${address} answers ${status}: ${detail}`);
    return refused(status, { detail, violations });
  }

  async function saving(work: Promise<{ data: Shown }>): Promise<Saved> {
    try {
      const { data } = await work;
      return { ok: true, id: data.id as number, record: data };
    } catch (error) {
      return { ok: false, ...refusedBy(error) };
    }
  }

  /**
   * Every record once. Where one is deleted meanwhile, pages shift, and the record at the border is on none of them; the total tells,
   * and the pages are read again. @throws {Error} one sentence, where the list does not come to rest
   */
  async function* recordsOf(path: string, filter: Filter): AsyncGenerator<Shown> {
    const seen = new Set<unknown>();
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const totals = new Set<number>();
      const before = seen.size;
      for await (const record of pagesOf(path, filter, totals)) {
        const key = record.id ?? JSON.stringify(record);
        if (!seen.has(key)) yield record;
        seen.add(key);
      }
      const isAtRest = totals.size === 0 || (totals.size === 1 && totals.has(seen.size));
      if (isAtRest || (round > 1 && seen.size === before && totals.size === 1)) return;
    }
    throw new Error(`The list ${path} of the store at ${address} changes while it is read.`);
  }

  /**
   * Release 5.5 tells no total on some paths, and has no pages on others: there the first is the whole list, as is every further one.
   * @param totals takes those that are told
   */
  async function* pagesOf(path: string, filter: Filter, totals: Set<number>): AsyncGenerator<Shown> {
    let before: string | undefined;
    for (let page = 1; ; page += 1) {
      const one = await store.page(path, { filter, page }).catch(orNothing(path, page === 1 && !REQUIRED.has(path)));
      if (!one) return;
      const { data, total, hasNext } = one;
      if (!Number.isNaN(total)) totals.add(total);
      const first = JSON.stringify(data[0]);
      if (data.length === 0 || first === before) return;
      yield* data;
      if (!Number.isNaN(total) && !hasNext) return;
      before = first;
    }
  }

  /** @param isOptional a path that leads nowhere has nothing @throws {Error} one sentence */
  function orNothing(path: string, isOptional: boolean): (error: unknown) => Promise<undefined> {
    return async (error) => {
      if (isOptional && (isNowhere(error) || (await isOwnerGone(path, error)))) return undefined;
      throw unreachable(address, error);
    };
  }

  /** Where the record is gone that a path begins with, the answer is a 400 (http.md §2). */
  async function isOwnerGone(path: string, error: unknown): Promise<boolean> {
    const [owner] = /^\/\w+\/[^/]+(?=\/)/.exec(path) ?? [];
    if (owner === undefined || !(error instanceof StoreProblem) || error.status !== 400) return false;
    return store.get(owner).then(() => false, isNowhere);
  }

  async function* toldOf(results: AsyncIterable<BulkResult>): AsyncGenerator<LineResult> {
    try {
      for await (const { line, key, result, id, status, problem } of results)
        yield { line, key, result, id, refused: problem && refused(status, problem) };
    } catch (error) {
      if (!(error instanceof StoreProblem)) throw unreachable(address, error);
      throw new Error(`The store at ${address} answers ${error.status}: ${error.detail}`);
    }
  }

  return {
    list: (path, ids = [], filter = {}) => recordsOf(filled(path, ids), filter),
    async find(path, ids) {
      return (await store.get(filled(path, ids)).catch(orNothing(filled(path, ids), true)))?.data;
    },
    post: (path, ids, body) => saving(store.post(filled(path, ids), body)),
    patch: (path, ids, body) => saving(store.patch(filled(path, ids), body)),
    async remove(path, ids) {
      return store.delete(filled(path, ids)).then(
        () => undefined,
        (error) => (isNowhere(error) ? undefined : refusedBy(error)),
      );
    },
    bulk: (path, lines, { ids = [], ...options } = {}) =>
      toldOf(store.bulk(`${filled(path, ids)}/bulk`, lines, options)),
    async export(path, filter = {}) {
      const { total } = await store.page(path, { itemsPerPage: 1 }).catch((error) => {
        throw unreachable(address, error);
      });
      return { total, records: store.export(path, { filter }) };
    },
  };
}

/** Of a live shop each round finds a little more, until one finds nothing. */
const ROUNDS_MAX = 10;

/** Each store has these: without them the address is none of a store. */
const REQUIRED: ReadonlySet<string> = new Set(['/products', '/categories', '/orders']);

/** Another release says so in its own words. */
function isNowhere(error: unknown): boolean {
  return error instanceof StoreProblem && error.status === 404;
}

/** Of the key, its rights, or the rate: other requests would meet them too. */
const GENERAL: ReadonlySet<number> = new Set([401, 403, 405, 406, 415, 429]);

function refused(status: number, { detail, violations = [] }: ProblemShown): Refused {
  const problems = violations.map(({ propertyPath, message }) => ({ path: propertyPath, message }));
  return { status, problems: problems.length > 0 ? problems : [{ path: '', message: detail }] };
}

/** @throws {Error} as it is, where it has words for people */
function unreachable(address: string, error: unknown): Error {
  if (error instanceof StoreProblem)
    return new Error(`The store at ${address} answers ${error.status}: ${error.detail}`);
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  const isFetch = name === 'TypeError' || name === 'TimeoutError';
  const why = cause?.code ?? cause?.message ?? message;
  return isFetch ? new Error(`The store at ${address} does not answer (${why}).`) : (error as Error);
}

function filled(path: string, ids: Ids): string {
  let next = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(String(ids[next++])));
}
