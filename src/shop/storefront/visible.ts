/** Which products and categories shoppers see (storefront.md §2). */
import {
  isProblem,
  type ListQuery,
  linkedToOrToNone,
  listAmong,
  listFaceted,
  type ModelRoute,
  readFacetsQuery,
  readingOf,
  readListParameters,
  type Value,
} from '../../engine/index.ts';
import { parameter, routeAt, type ShopReading, type ShopView } from './view.ts';

const MEMBERSHIPS = 'memberships';

/** The filters that visible products and categories meet. A category also needs visible ancestors. */
export const VISIBLE: ShopView['conditions'] = [
  ['enabled', undefined, 'true'],
  [MEMBERSHIPS, 'exists', 'false'],
];

const PRODUCTS = { resource: 'Product', path: '/products' };

/** Removes the condition on memberships, which another one replaces for members. */
export function forMembers<P extends { readonly name: string }>(parameters: readonly P[]): P[] {
  return parameters.filter(({ name }) => name !== MEMBERSHIPS);
}

/** Restricts a list without the condition on memberships to products that are for everybody, or for this membership. */
export function productsForMember(route: ModelRoute, listQuery: ListQuery, membership: number): ListQuery {
  return linkedToOrToNone(route, listQuery, MEMBERSHIPS, [membership]);
}

/** Returns those of these products that are visible. */
export function visibleProducts(
  { service, requestOptions, membership }: ShopReading,
  ids: readonly Value[],
): Promise<readonly Value[]> {
  const route = routeAt(service, PRODUCTS);
  const visible = VISIBLE.map((each) => parameter(...each));
  const conditions = membership === null ? visible : forMembers(visible);
  const forAll = readListParameters(route, conditions, readingOf(service, requestOptions));
  if (isProblem(forAll)) throw new Error(forAll.detail);
  const listQuery = membership === null ? forAll : productsForMember(route, forAll, membership);
  return listAmong(service, requestOptions, { route, parents: [] }, listQuery, ids);
}

interface TreeRow {
  readonly parent: Value;
  readonly isShown: boolean;
}

/** Returns those of these categories that are visible; of all categories if none are given. */
export async function visibleCategories(
  { reads, membership }: Pick<ShopReading, 'reads' | 'membership'>,
  ids?: readonly Value[],
): Promise<ReadonlySet<Value>> {
  const rows = new Map<Value, TreeRow>();
  const readLevel = async (where: Readonly<Record<string, Value>>): Promise<void> => {
    const only = ['parent', 'enabled', MEMBERSHIPS];
    for (const { id, parent, enabled, memberships } of await reads.list('Category', where, { only })) {
      const members = memberships as Value[];
      const isForShopper = members.length === 0 || members.includes(membership);
      rows.set(id!, { parent: parent!, isShown: enabled === true && isForShopper });
    }
  };
  if (!ids) await readLevel({});
  for (let level = [...new Set(ids ?? [])]; level.length > 0; ) {
    await readLevel({ id: level });
    const above = level.flatMap((id) => rows.get(id)?.parent ?? []);
    level = [...new Set(above)].filter((id) => !rows.has(id));
  }
  const isVisible = (id: Value): boolean => {
    for (let at: Value | undefined = id; at !== null; ) {
      const row: TreeRow | undefined = rows.get(at!);
      if (!row?.isShown) return false;
      at = row.parent;
    }
    return true;
  };
  return new Set((ids ?? [...rows.keys()]).filter(isVisible));
}

/** Returns the visible categories that are restricted to members, or are below such categories. */
export async function categoriesOfMembers(reading: ShopReading): Promise<Value[]> {
  const { reads, membership } = reading;
  const found = new Set(await reads.linking('Category', MEMBERSHIPS, [membership]));
  for (let level = [...found]; level.length > 0; ) {
    const below = await reads.list('Category', { parent: level }, { only: [] });
    level = below.map(({ id }) => id!).filter((id) => !found.has(id));
    for (const id of level) found.add(id);
  }
  return [...(await visibleCategories(reading, [...found]))];
}

/** Returns the tags of the products that all shoppers see. */
export async function tagsForAll(reading: ShopReading): Promise<Value[]> {
  const { service, requestOptions } = reading;
  const route = routeAt(service, PRODUCTS);
  const query = 'facets=tags&fields=id&itemsPerPage=1&enabled=true&memberships[exists]=false';
  const facetsQuery = readFacetsQuery(route, query, readingOf(service, requestOptions));
  if (isProblem(facetsQuery)) throw new Error(facetsQuery.detail);
  const all = { ...facetsQuery, limit: Number.MAX_SAFE_INTEGER };
  const found = await listFaceted(service, requestOptions, { route, parents: [] }, all);
  if (isProblem(found)) throw new Error(found.detail);
  const { tags } = found.facets;
  return tags && 'values' in tags ? tags.values.map(({ id }) => id) : [];
}

/** Returns the tags of the products that are restricted to members and visible to this one. */
export async function tagsOfMembers(reading: ShopReading): Promise<Value[]> {
  const { membership } = reading;
  const restricted = await reading.reads.linking('Product', MEMBERSHIPS, [membership]);
  if (restricted.length === 0) return [];
  const rows = await reading.reads.list('Product', { id: restricted, enabled: true }, { only: ['tags'] });
  return rows.flatMap((row) => row.tags as Value[]);
}
