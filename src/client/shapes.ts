/** The types of the client's methods, read off the generated paths. */
import type { Paths, Problems, Violation } from './types.ts';

export type Path = keyof Paths;
export type Method = 'get' | 'list' | 'post' | 'bulk' | 'put' | 'patch' | 'delete';
export type ProblemType = keyof Problems;
export type ViolationCode = Violation['code'];

/** The paths that have this method. */
export type PathOf<M extends Method> = { [P in Path]: Paths[P] extends Readonly<Record<M, unknown>> ? P : never }[Path];

/** The values for the braces of a path. */
export type Parameters<P extends Path> = Paths[P]['parameters'];

/** A path with parameters takes them right behind it; one without takes none. */
export type Leading<P extends Path> = keyof Parameters<P> extends never ? [] : [parameters: Parameters<P>];

type Part<P extends Path, M extends string, Name extends string> =
  Paths[P] extends Readonly<Record<M, Readonly<Record<Name, infer T>>>> ? T : never;

/** The body that a method of a path takes. */
export type Input<P extends Path, M extends Method> = Part<P, M, 'input'>;
/** The body of the answer of a path's method. */
export type Output<P extends Path, M extends Method> = Part<P, M, 'output'>;
/** One record of a collection. */
export type Item<P extends PathOf<'list'>> = Part<P, 'list', 'item'>;
export type Filter<P extends PathOf<'list'>> = Part<P, 'list', 'filter'>;
/** `{ price: 'desc', id: 'asc' }`: the first counts most. */
export type Order<P extends PathOf<'list'>> = {
  readonly [Name in Extract<Part<P, 'list', 'order'>, string>]?: 'asc' | 'desc';
};

export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  /** For `ifMatch` and `ifNoneMatch`. A deletion has none. */
  readonly etag: string | undefined;
  /** How often the record changed; a collection has none. */
  readonly version: number | undefined;
  /** The language of the texts in `data`. */
  readonly language: string | undefined;
  /** Address of the record that was made. */
  readonly location: string | undefined;
  /** The store had done this already, for an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

export interface Page<T> extends Answer<T[]> {
  /** Number of all records that the filter leaves, on every page together. */
  readonly total: number;
  readonly hasNext: boolean;
}

export interface RequestOptions {
  /** Language of the texts, instead of the client's. */
  readonly language?: string;
  /** Ends the request, its retries and the waits between them. */
  readonly signal?: AbortSignal;
}

export interface ReadOptions<T> extends RequestOptions {
  /** An earlier answer, which comes back itself when nothing has changed since. */
  readonly ifNoneMatch?: T;
}

export interface WriteOptions extends RequestOptions {
  /** The answer that the change is based on, or its tag: if the record changed since, nothing is done (412). */
  readonly ifMatch?: { readonly etag: string | undefined } | string;
}

export interface PostOptions extends WriteOptions {
  /** Names this one change, so that repeating it does nothing more. Made up when left out; `false` sends none. */
  readonly idempotencyKey?: string | false;
}

export interface ListOptions<P extends PathOf<'list'>> extends RequestOptions {
  readonly filter?: Filter<P>;
  readonly order?: Order<P>;
  /** Records that one request brings, at most 100, which is also what is asked for otherwise. */
  readonly itemsPerPage?: number;
}

/** One line of a bulk. */
export type Line<P extends PathOf<'bulk'>> = Part<P, 'bulk', 'line'>;

export interface BulkOptions extends RequestOptions {
  /** The field that names records, where it is not the usual one. */
  readonly key?: string;
  readonly mode?: 'upsert' | 'create' | 'update';
  readonly write?: 'patch' | 'put';
  /** Records were made elsewhere, and are taken down with their dates and states: of orders. */
  readonly past?: boolean;
  /** All lines or none, in one request: at most 10,000. */
  readonly atomic?: boolean;
  /** Nothing is kept; the results are as they would be. */
  readonly dryRun?: boolean;
}

export interface ExportOptions<P extends PathOf<'list'>> extends RequestOptions {
  readonly filter?: Filter<P>;
}

export interface PageOptions<P extends PathOf<'list'>> extends ListOptions<P>, ReadOptions<Page<Item<P>>> {
  /** From 1. */
  readonly page?: number;
}
