/**
 * The API of a store, as imports and exports use it: the only interface between them and the stores they read and write.
 * `local-store.ts` implements it in this process, `remote-store.ts` over HTTP. Paths are those of the API reference; `ids`
 * fill their braces in order.
 *
 * Every method throws if the store cannot respond: it is unreachable, rejects the key, or stays overloaded.
 */
export interface StoreApi {
  /** Lists every record that matches the filter; none if the path does not exist. */
  list(path: string, ids?: Ids, filter?: Filter): AsyncIterable<ApiRecord>;
  /** @returns the record, or undefined if it does not exist */
  find(path: string, ids: Ids): Promise<ApiRecord | undefined>;
  post(path: string, ids: Ids, body: ApiRecord): Promise<Saved>;
  patch(path: string, ids: Ids, body: ApiRecord): Promise<Saved>;
  /** Deletes a record. Deleting one that does not exist succeeds. @returns why it was not deleted */
  remove(path: string, ids: Ids): Promise<Rejection | undefined>;
  /** @returns the file at a path; undefined if the store does not send it */
  download(path: string, ids: Ids): Promise<Uint8Array | undefined>;
  /** Returns former clean URLs of a record, newest first; none if the store does not record them. */
  oldUrls(collection: '/products' | '/categories', id: number): Promise<readonly string[]>;
  /** Writes lines as a bulk request does (sync.md §4). Reads lines on demand and yields their results in order. */
  bulk(path: string, lines: Lines, options?: BulkOptions): AsyncIterable<LineResult>;
  /** Reads all records of a collection from one snapshot, ordered by identifier (sync.md §3). */
  export(path: string, filter?: Filter): Promise<Exported>;
}

type Id = number | string;
export type Ids = readonly Id[];
export type Filter = Readonly<Record<string, string | number | readonly string[]>>;
/** A record in API output, or a request body. */
export type ApiRecord = Readonly<Record<string, unknown>>;
type Lines = AsyncIterable<ApiRecord> | Iterable<ApiRecord>;

export interface BulkOptions {
  /** Values for the braces in the path. */
  readonly ids?: Ids | undefined;
  /** The field that identifies records, if it is not the collection's default. */
  readonly key?: string | undefined;
  readonly mode?: 'upsert' | 'create' | 'update' | undefined;
  readonly write?: 'patch' | 'put' | undefined;
  /** The records are orders placed in another system: they are stored as they are, without side effects. */
  readonly past?: boolean | undefined;
  /** Rolls everything back. A line sees the effects of earlier lines only within the same batch of some hundred lines. */
  readonly dryRun?: boolean | undefined;
}

export interface LineResult {
  /** From 1. */
  readonly line: number;
  /** The key of the record, as the line gives it. */
  readonly key: Id | null;
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  readonly id: Id | null;
  readonly rejection?: Rejection | undefined;
}

export interface Exported {
  readonly total: number;
  readonly records: AsyncIterable<ApiRecord>;
}

export type Saved =
  | { readonly ok: true; readonly id: number; readonly record: ApiRecord }
  | ({ readonly ok: false } & Rejection);

/** Why the store rejected a write, with the HTTP status. */
export interface Rejection {
  readonly status: number;
  readonly problems: Problems;
}

export type Problems = readonly {
  /** Path of a field, or empty. */
  readonly path: string;
  /** A sentence in English. */
  readonly message: string;
  /** Identifies the message, so that it can be translated. */
  readonly code?: string;
  /** A value in the message, for example the number of a row. */
  readonly value?: string;
}[];

/** Formats problems as sentences on one line. */
export function sentenceOf(problems: Problems): string {
  return problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' ');
}
