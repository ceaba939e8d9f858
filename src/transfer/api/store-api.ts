/**
 * The API of a store, as imports and exports ask it: the one port between them and where they read and write. `here.ts` answers
 * in this process, `far.ts` over HTTP; whoever asks does not know which. Paths are those of the reference, and `ids` fill their
 * braces in order.
 *
 * Each method raises where the store cannot answer: it is gone, does not take the key, or is overloaded for long.
 */
export interface StoreApi {
  /** Every record that the filter leaves, page by page; none where the path leads nowhere. */
  list(path: string, ids?: Ids, filter?: Filter): AsyncIterable<Shown>;
  /** One record; undefined where there is none. */
  find(path: string, ids: Ids): Promise<Shown | undefined>;
  post(path: string, ids: Ids, body: Shown): Promise<Saved>;
  patch(path: string, ids: Ids, body: Shown): Promise<Saved>;
  /** One that is gone already stays gone. @returns a refusal, where it stays */
  remove(path: string, ids: Ids): Promise<Refused | undefined>;
  /** Writes lines as a bulk does (sync.md §4), and gives their results in order. Lines are taken as results are used up. */
  bulk(path: string, lines: Lines, options?: BulkOptions): AsyncIterable<LineResult>;
  /** All records of a collection at one moment, by identifier (sync.md §3). */
  export(path: string, filter?: Filter): Promise<Exported>;
}

type Id = number | string;
export type Ids = readonly Id[];
export type Filter = Readonly<Record<string, string | number | readonly string[]>>;
/** A record as output shows it, or a body. */
export type Shown = Readonly<Record<string, unknown>>;
type Lines = AsyncIterable<Shown> | Iterable<Shown>;

export interface BulkOptions {
  /** Of the braces in the path. */
  readonly ids?: Ids | undefined;
  /** The field that names records, where it is not the usual one. */
  readonly key?: string | undefined;
  readonly mode?: 'upsert' | 'create' | 'update' | undefined;
  readonly write?: 'patch' | 'put' | undefined;
  /** Records were made elsewhere and are only taken down (orders). */
  readonly past?: boolean | undefined;
  /** Nothing is kept. Lines know of those before them within some hundreds. */
  readonly dryRun?: boolean | undefined;
}

export interface LineResult {
  /** From 1. */
  readonly line: number;
  /** As the line names its record. */
  readonly key: Id | null;
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  readonly id: Id | null;
  readonly refused?: Refused | undefined;
}

export interface Exported {
  readonly total: number;
  readonly records: AsyncIterable<Shown>;
}

export type Saved =
  | { readonly ok: true; readonly id: number; readonly record: Shown }
  | ({ readonly ok: false } & Refused);

/** A refusal: its HTTP status, and what is wrong. */
export interface Refused {
  readonly status: number;
  readonly problems: Problems;
}

/** `path` is that of a field, or empty. */
export type Problems = readonly { readonly path: string; readonly message: string }[];

/** The refusal in one line. */
export function sentenceOf(problems: Problems): string {
  return problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
}
