/** Which products and categories shoppers see (storefront.md §2). */
import {
  isProblem,
  listAmong,
  listFaceted,
  type Reads,
  readFacetsQuery,
  readingOf,
  readListParameters,
  type Value,
} from '../../engine/index.ts';
import { parameter, routeAt, type ShopReading, type ShopView } from './view.ts';

/** The filters that visible products and categories meet. A category also needs visible ancestors. */
export const VISIBLE: ShopView['conditions'] = [
  ['enabled', undefined, 'true'],
  ['memberships', 'exists', 'false'],
];

const PRODUCTS = { resource: 'Product', path: '/products' };

/** Returns those of these products that are visible. */
export async function visibleProducts(
  { service, requestOptions }: ShopReading,
  ids: readonly Value[],
): Promise<readonly Value[]> {
  const route = routeAt(service, PRODUCTS);
  const conditions = VISIBLE.map((each) => parameter(...each));
  const listQuery = readListParameters(route, conditions, readingOf(service, requestOptions));
  if (isProblem(listQuery)) throw new Error(listQuery.detail);
  return listAmong(service, requestOptions, { route, parents: [] }, listQuery, ids);
}

interface TreeRow {
  readonly parent: Value;
  readonly isShown: boolean;
}

/** Returns those of these categories that are visible; of all categories if none are given. */
export async function visibleCategories(reads: Reads, ids?: readonly Value[]): Promise<ReadonlySet<Value>> {
  const rows = new Map<Value, TreeRow>();
  const readLevel = async (where: Readonly<Record<string, Value>>): Promise<void> => {
    const only = ['parent', 'enabled', 'memberships'];
    for (const { id, parent, enabled, memberships } of await reads.list('Category', where, { only }))
      rows.set(id!, { parent: parent!, isShown: enabled === true && (memberships as Value[]).length === 0 });
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

/** Returns the tags of visible products. */
export async function visibleTags({ service, requestOptions }: ShopReading): Promise<Value[]> {
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
