/** Types of the methods, derived from the OpenAPI document of the storefront. */
import type { ApiResponse, RequestOptions, WriteOptions } from '../shapes.ts';
import type { paths } from './types.ts';

export type StorefrontPath = keyof paths;
export type StorefrontMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths with this method. */
export type PathOf<M extends StorefrontMethod> = {
  [P in StorefrontPath]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[StorefrontPath];

/** Paths of lists. */
export type ListPath = {
  [P in PathOf<'get'>]: 'page' extends keyof Query<P>
    ? Output<P, 'get'> extends readonly unknown[]
      ? P
      : never
    : never;
}[PathOf<'get'>];

type Operation<P extends StorefrontPath, M extends StorefrontMethod> =
  paths[P] extends Readonly<Record<M, infer O>> ? O : never;

type PathParameters<O> = O extends { readonly parameters: { readonly path: infer T } } ? T : Record<never, never>;

/** The client knows the token of the cart. */
type Known<P extends StorefrontPath> = P extends `/carts/{token}${string}` ? 'token' : never;

/** Path parameters that the caller passes. */
export type Parameters<P extends StorefrontPath, M extends StorefrontMethod> = Omit<
  PathParameters<Operation<P, M>>,
  Known<P>
>;

type Leading<P extends StorefrontPath, M extends StorefrontMethod> = keyof Parameters<P, M> extends never
  ? []
  : [parameters: Readonly<Parameters<P, M>>];

/** Query parameters of a GET. */
export type Query<P extends StorefrontPath> =
  Operation<P, 'get'> extends { readonly parameters: { readonly query?: infer Q } }
    ? NonNullable<Q>
    : Record<never, never>;

/** Request body of a path's method; undefined if it takes none. */
export type Input<P extends StorefrontPath, M extends StorefrontMethod> =
  Operation<P, M> extends { readonly requestBody: { readonly content: { readonly 'application/json': infer B } } }
    ? B
    : undefined;

type Body<P extends StorefrontPath, M extends StorefrontMethod> =
  Input<P, M> extends undefined ? [body?: undefined] : [body: Input<P, M>];

type Success = 200 | 201 | 202 | 204;

/** Response body of a path's method; undefined for a 204. */
export type Output<P extends StorefrontPath, M extends StorefrontMethod> =
  Operation<P, M> extends { readonly responses: infer R }
    ? {
        [S in keyof R & Success]: R[S] extends { readonly content: { readonly 'application/json': infer T } }
          ? T
          : undefined;
      }[keyof R & Success]
    : never;

/** A record of a list. */
export type Item<P extends ListPath> = Output<P, 'get'> extends readonly (infer T)[] ? T : never;

export interface StorefrontResponse<T> extends ApiResponse<T> {
  /** Number of all records of a list that match the filters, on all pages; undefined for other responses. */
  readonly total: number | undefined;
}

export interface StorefrontGetOptions<P extends StorefrontPath> extends RequestOptions {
  /** Query parameters, with their names in the reference: `{ 'category_ids[]': [3], 'order[name]': 'asc' }`. */
  readonly query?: Readonly<Query<P>>;
}

/** Arguments of a GET after the path. */
export type GetArguments<P extends PathOf<'get'>> = [...Leading<P, 'get'>, options?: StorefrontGetOptions<P>];
/** Arguments of a write after the path. Pass `undefined` as the body of a path that takes none, if options follow. */
export type WriteArguments<P extends StorefrontPath, M extends StorefrontMethod> = [
  ...Leading<P, M>,
  ...Body<P, M>,
  options?: WriteOptions,
];
