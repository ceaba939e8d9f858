/** Types of the client's methods, derived from the generated paths. */
import type { Paths, Problems, Violation } from './types.ts';

export type Path = keyof Paths;
export type Method = 'get' | 'list' | 'post' | 'bulk' | 'put' | 'patch' | 'delete';
export type ProblemType = keyof Problems;
export type ViolationCode = Violation['code'];

/** Paths with this method. */
export type PathOf<M extends Method> = { [P in Path]: Paths[P] extends Readonly<Record<M, unknown>> ? P : never }[Path];

/** Path parameters. */
export type Parameters<P extends Path> = Paths[P]['parameters'];

/** Arguments after the path: its parameters, if it has any. */
export type Leading<P extends Path> = keyof Parameters<P> extends never ? [] : [parameters: Parameters<P>];

type Part<P extends Path, M extends string, Name extends string> =
  Paths[P] extends Readonly<Record<M, Readonly<Record<Name, infer T>>>> ? T : never;

/** Request body of a path's method. */
export type Input<P extends Path, M extends Method> = Part<P, M, 'input'>;
/** Response body of a path's method. */
export type Output<P extends Path, M extends Method> = Part<P, M, 'output'>;
/** Response body of a POST with `dryRun`. */
export type DryRunOutput<P extends Path> =
  Paths[P] extends Readonly<Record<'post', Readonly<Record<'dryRun', infer T>>>> ? T : Output<P, 'post'>;
/** A record of a collection. */
export type Item<P extends PathOf<'list'>> = Part<P, 'list', 'item'>;
export type Filter<P extends PathOf<'list'>> = Part<P, 'list', 'filter'>;
/** Query parameters of a GET. Those of most paths, such as `fields`, have no type of their own. */
export type GetFilter<P extends Path> =
  Paths[P] extends Readonly<Record<'get', Readonly<Record<'filter', infer T>>>> ? T : Readonly<Record<string, unknown>>;
/** Sort order such as `{ price: 'desc', id: 'asc' }`. The first field takes precedence. */
export type Order<P extends PathOf<'list'>> = {
  readonly [Name in Extract<Part<P, 'list', 'order'>, string>]?: 'asc' | 'desc';
};

/** A successful response. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  /** ETag for `ifMatch` and `ifNoneMatch`; undefined after a deletion. */
  readonly etag: string | undefined;
  /** Version of the record; undefined for collections. */
  readonly version: number | undefined;
  /** Language of the texts in `data`. */
  readonly language: string | undefined;
  /** URL of a new record. */
  readonly location: string | undefined;
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

export interface Page<T> extends ApiResponse<T[]> {
  /** Number of all records that match the filter, on all pages. */
  readonly total: number;
  readonly hasNext: boolean;
}

export interface RequestOptions {
  /** Language of the texts. Overrides the client's language. */
  readonly language?: string;
  /** Aborts the request, its retries and the waits between them. */
  readonly signal?: AbortSignal;
}

export interface ReadOptions<T> extends RequestOptions {
  /** An earlier response. It is returned itself if nothing has changed since. */
  readonly ifNoneMatch?: T;
}

export interface GetOptions<T, F = Readonly<Record<string, unknown>>> extends ReadOptions<T> {
  /** Query parameters of the path, for example `fields`, or `days` of `/statistics`. */
  readonly filter?: F;
}

export interface WriteOptions extends RequestOptions {
  /** The response that the change is based on, or its ETag. If the record has changed since, the request fails with a 412. */
  readonly ifMatch?: { readonly etag: string | undefined } | string;
}

export interface PostOptions extends WriteOptions {
  /** Idempotency key, which makes retries safe. Random if omitted; `false` sends none. */
  readonly idempotencyKey?: string | false;
}

/** Options of a POST that returns its result without saving it. Not all paths support it. */
export interface DryRunOptions extends WriteOptions {
  readonly dryRun: true;
}

export interface ListOptions<P extends PathOf<'list'>> extends RequestOptions {
  readonly filter?: Filter<P>;
  readonly order?: Order<P>;
  /** Number of records per request; 100 by default, which is also the maximum. */
  readonly itemsPerPage?: number;
}

/** A line of a bulk request. */
export type Line<P extends PathOf<'bulk'>> = Part<P, 'bulk', 'line'>;

export interface BulkOptions extends RequestOptions {
  /** Field that identifies records, if not the default one. */
  readonly key?: string;
  readonly mode?: 'upsert' | 'create' | 'update';
  readonly write?: 'patch' | 'put';
  /** Imports past orders of another system, with their dates and statuses. */
  readonly past?: boolean;
  /** Writes all lines or none, in one request of at most 10,000 lines. */
  readonly atomic?: boolean;
  /** Reports the results without saving anything. */
  readonly dryRun?: boolean;
}

export interface ExportOptions<P extends PathOf<'list'>> extends RequestOptions {
  readonly filter?: Filter<P>;
}

export interface PageOptions<P extends PathOf<'list'>> extends ListOptions<P>, ReadOptions<Page<Item<P>>> {
  /** Page number, starting at 1. */
  readonly page?: number;
}
