/** The products and categories that everyone may see, for documents that list all of them (catalog.md §17). */
import {
  isProblem,
  type ListQuery,
  listAll,
  type ModelRoute,
  type RequestOptions,
  readAll,
  readingOf,
  readListQuery,
  type Service,
  type ShownRecord,
  type Value,
} from '../engine/index.ts';
import { ownRequestOptions, routeOf } from '../store/own-requests.ts';

/** Records read at once. Larger batches are no faster, and their garbage lives longer. */
const BATCH = 20;

const VISIBLE = 'enabled=true&memberships[exists]=false';

export interface Source {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
}

/** @param language of texts */
export function sourceIn(service: Service, language: string, defaultLanguage: string): Source {
  return { service, requestOptions: { ...ownRequestOptions(defaultLanguage), language } };
}

/** Yields listed products with these fields, in batches by ascending id. */
export async function* listedProducts(source: Source, fields: readonly string[]): AsyncGenerator<ShownRecord[]> {
  yield* batches(source, routeOf(source.service, 'Product'), VISIBLE, fields);
}

/** A listed category with the names of its ancestors and its own. */
export interface ListedCategory {
  readonly record: ShownRecord;
  readonly path: readonly string[];
}

/** Returns the categories that are visible and below visible ones only, by id. */
export async function listedCategories(source: Source): Promise<ReadonlyMap<Value, ListedCategory>> {
  const records = new Map<Value, ShownRecord>();
  const fields = ['id', 'name', 'parent', 'clean_url', 'icon', 'banner', 'update_date'];
  for await (const batch of batches(source, routeOf(source.service, 'Category'), `parent=all&${VISIBLE}`, fields))
    for (const record of batch) records.set(record.id!, record);
  const listed = new Map<Value, ListedCategory>();
  const add = (record: ShownRecord): readonly string[] | undefined => {
    const known = listed.get(record.id!);
    if (known) return known.path;
    const parent = record.parent === null ? undefined : records.get(record.parent!);
    const above = record.parent === null ? [] : parent && add(parent);
    if (!above) return undefined;
    const path = [...above, record.name as string];
    listed.set(record.id!, { record, path });
    return path;
  };
  for (const record of records.values()) add(record);
  return listed;
}

async function* batches(
  { service, requestOptions }: Source,
  route: ModelRoute,
  query: string,
  names: readonly string[],
): AsyncGenerator<ShownRecord[]> {
  const listQuery = readListQuery(route, query, readingOf(service, requestOptions));
  if (isProblem(listQuery)) throw new Error(listQuery.detail);
  const target = { route, parents: [], fields: route.outputs.filter(({ name }) => names.includes(name)) };
  const byId: ListQuery = { ...listQuery, orders: [] };
  const ids = await listAll(service, requestOptions, target, byId, true);
  for (let first = 0; first < ids.length; first += BATCH) {
    const some = ids.slice(first, first + BATCH);
    const records = await readAll(service, requestOptions, target, some);
    yield some.map((id) => records.get(id)).filter((record) => record !== undefined);
  }
}
