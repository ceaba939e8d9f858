/** A store that is elsewhere, asked over HTTP (`store-api.ts`), through the client that others use too. */
import { type Client, createClient, StoreProblem } from '../../client/index.ts';
import type { Filter, Ids, LineResult, Refused, Saved, Shown, StoreApi } from './store-api.ts';

/** Where a store is, and the key to it. */
export interface FarStore {
  /** `https://shop.example`, with or without `/api` behind it. */
  readonly address: string;
  readonly key: string;
}

/** A store that starts again is waited for. */
const PATIENCE = { retriesMax: 5, attemptSecondsMax: 300 };

/** @throws {Error} one sentence, where the address is none of a store */
export function openFar({ address, key }: FarStore): StoreApi {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Error(`“${address}” is no address of a store; one begins with https:// or http://.`);
  const store = createClient({ baseUrl: rootOf(address), key, ...PATIENCE });
  return apiFar(store, address);
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
  export(path: string): AsyncIterable<Shown>;
}

type BulkResult = Omit<LineResult, 'refused'> & { readonly status: number; readonly problem?: ProblemShown };

interface ProblemShown {
  readonly detail: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly message: string }[];
}

function apiFar(client: Client, address: string): StoreApi {
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

  /** Release 5.5 tells no total on some paths, and has no pages on others: there the first is the whole list, as is every further one. */
  async function* pagesOf(path: string, filter: Filter): AsyncGenerator<Shown> {
    let before: string | undefined;
    for (let page = 1; ; page += 1) {
      const { data, total, hasNext } = await store.page(path, { filter, page });
      const first = JSON.stringify(data[0]);
      if (data.length === 0 || first === before) return;
      yield* data;
      if (!Number.isNaN(total) && !hasNext) return;
      before = first;
    }
  }

  /** Where the path leads nowhere there is nothing. */
  async function* orNothing<T>(records: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* records;
    } catch (error) {
      if (!isNowhere(error)) refusedBy(error);
    }
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
    list: (path, ids = [], filter = {}) => orNothing(pagesOf(filled(path, ids), filter)),
    async find(path, ids) {
      try {
        return (await store.get(filled(path, ids))).data;
      } catch (error) {
        if (!isNowhere(error)) refusedBy(error);
        return undefined;
      }
    },
    post: (path, ids, body) => saving(store.post(filled(path, ids), body)),
    patch: (path, ids, body) => saving(store.patch(filled(path, ids), body)),
    async remove(path, ids) {
      await store.delete(filled(path, ids)).catch(refusedBy);
    },
    bulk: (path, lines, options = {}) => toldOf(store.bulk(`${path}/bulk`, lines, options)),
    async export(path) {
      const { total } = await store.page(path, { itemsPerPage: 1 }).catch((error) => {
        throw unreachable(address, error);
      });
      return { total, records: store.export(path) };
    },
  };
}

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
