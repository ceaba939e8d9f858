/**
 * The typed client for paths that are chosen at run time, such as the attributes of one of three scopes. The compiler checks that the
 * path has the method and derives the types of bodies from it; it cannot check the parameters of a union of paths.
 */
import type { ApiResponse, Input, Item, Output, Page, PathOf } from 'purveyor/client';
import { store } from './client.ts';
import { fieldOf, type Values } from './record-diff.ts';

export type PathParameters = Readonly<Record<string, string | number>>;

interface PageRequest {
  readonly page?: number;
  readonly itemsPerPage?: number;
  readonly order?: Readonly<Record<string, string>>;
  readonly filter?: Values;
  readonly signal?: AbortSignal | undefined;
}

interface ReadRequest {
  readonly filter?: Values;
  readonly signal?: AbortSignal | undefined;
}

interface WriteRequest {
  readonly ifMatch?: string | undefined;
}

type Method = 'get' | 'list' | 'page' | 'post' | 'patch' | 'delete' | 'export';

/** The client takes parameters only for paths that have some. */
function call(method: Method, path: string, parameters: PathParameters, ...rest: unknown[]): unknown {
  const send = store[method] as unknown as (path: string, ...rest: unknown[]) => unknown;
  return path.includes('{') ? send(path, parameters, ...rest) : send(path, ...rest);
}

/** Reads every record of a collection that matches the filter. */
export async function readAll<P extends PathOf<'list'>>(
  path: P,
  parameters: PathParameters = {},
  filter: Values = {},
): Promise<Item<P>[]> {
  const records: Item<P>[] = [];
  for await (const record of call('list', path, parameters, { filter }) as AsyncIterable<Item<P>>) records.push(record);
  return records;
}

export function readPage<P extends PathOf<'list'>>(
  path: P,
  parameters: PathParameters,
  request: PageRequest,
): Promise<Page<Item<P>>> {
  return call('page', path, parameters, request) as Promise<Page<Item<P>>>;
}

export function readRecord<P extends PathOf<'get'>>(
  path: P,
  parameters: PathParameters,
  request: ReadRequest = {},
): Promise<ApiResponse<Output<P, 'get'>>> {
  return call('get', path, parameters, request) as Promise<ApiResponse<Output<P, 'get'>>>;
}

export function createRecord<P extends PathOf<'post'>>(
  path: P,
  parameters: PathParameters,
  body: Input<P, 'post'>,
  request: WriteRequest = {},
): Promise<ApiResponse<Output<P, 'post'>>> {
  return call('post', path, parameters, body, request) as Promise<ApiResponse<Output<P, 'post'>>>;
}

export function updateRecord<P extends PathOf<'patch'>>(
  path: P,
  parameters: PathParameters,
  body: Input<P, 'patch'>,
  request: WriteRequest = {},
): Promise<ApiResponse<Output<P, 'patch'>>> {
  return call('patch', path, parameters, body, request) as Promise<ApiResponse<Output<P, 'patch'>>>;
}

export async function deleteRecord(
  path: PathOf<'delete'>,
  parameters: PathParameters,
  request: WriteRequest = {},
): Promise<void> {
  await call('delete', path, parameters, request);
}

export function exportRecords<P extends PathOf<'list'>>(path: P, filter: Values = {}): AsyncIterable<Item<P>> {
  return call('export', path, {}, { filter }) as AsyncIterable<Item<P>>;
}

/** Records whose fields can be read and changed one by one. */
export type FieldPath = PathOf<'get'> & PathOf<'patch'>;

/**
 * Changes one field, and `otherFields` in the same request, if the field still has the value that the user saw.
 * @returns whether it was saved, and the field's value now
 * @throws {StoreProblem} if the store rejects a request
 */
export async function updateField(
  path: FieldPath,
  parameters: PathParameters,
  field: string,
  seen: unknown,
  value: unknown,
  otherFields: object = {},
): Promise<{ isSaved: boolean; current: unknown }> {
  // The ETag of a response with selected fields is valid for If-Match: only its version is compared (http.md §13).
  const { data, etag } = await readRecord(path, parameters, { filter: { fields: field } });
  const current = fieldOf(data, field);
  if (current !== seen) return { isSaved: false, current };
  await updateRecord(path, parameters, { ...otherFields, [field]: value }, { ifMatch: etag });
  return { isSaved: true, current: value };
}
