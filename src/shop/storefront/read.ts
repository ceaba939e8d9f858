/** Reads what shoppers see: pages of the engine's lists, with the values of the storefront view. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  amongIdentifiers,
  committed,
  type FacetedPage,
  type FacetsUse,
  isProblem,
  type ListFieldUse,
  type ListQuery,
  linkedResource,
  list,
  listFaceted,
  listValued,
  type Pause,
  type Problem,
  problem,
  type RequestOptions,
  readingOf,
  type Service,
  type ShownRecord,
  type Target,
  type Value,
} from '../../engine/index.ts';
import { type ShopQuery, toListQuery } from './query.ts';
import { limitedReads } from './sources.ts';
import { parameter, type ShopperContext, type ShopReading, type ShopView, type StorefrontSettings } from './view.ts';
import { forMembers, productsForMember, visibleCategories, visibleProducts } from './visible.ts';

interface ShopPage {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  /** By name, if the path has facets. */
  readonly facets: FacetedPage['facets'] | undefined;
  /** Seconds since 1970: when the page may change although no record changes. Undefined if never. */
  readonly endsAt: number | undefined;
}

/** Reads the identifiers of a view that all shoppers see, or returns those that were read before. */
type SharedIds = (read: () => Promise<readonly Value[]>) => Promise<readonly Value[]>;

/** Reads whose results several responses can use. */
export interface SharedReads {
  readonly ids: SharedIds;
  /** Reads a page of a list that is filtered or sorted by its list field. */
  readonly valuedPage: (
    service: Service,
    requestOptions: RequestOptions,
    target: Target,
    listQuery: ListQuery & { readonly listField: ListFieldUse },
  ) => ReturnType<typeof listValued>;
  /** Runs reads that need the values of all records, one at a time. */
  readonly inTurn: <T>(read: (pause: Pause) => Promise<T>) => Promise<T>;
}

/** For records that only one shopper sees. */
export const UNSHARED: SharedReads = {
  ids: (read) => read(),
  valuedPage: listValued,
  inTurn: (read) => read(nextTurn),
};

/**
 * Reads with several statements. They see the same data only if `service` reads a snapshot, or if nothing has changed
 * meanwhile.
 * @param me the shopper of `for=me`
 */
export async function readShopPage(
  service: Service,
  requestOptions: RequestOptions,
  query: ShopQuery,
  settings: StorefrontSettings,
  shared: SharedReads,
  me: ShopperContext = NOBODY,
): Promise<ShopPage | Problem> {
  const { view, route, names, parent } = query;
  const reads = limitedReads(committed(service, requestOptions), view);
  const { membership } = me;
  const address = query.address ?? me.address;
  const reading: ShopReading = { service, requestOptions, reads, settings, address, membership, parent };
  if (parent !== undefined && (await visibleProducts(reading, [parent])).length === 0)
    return problem('not-found', `There is no Product with the identifier "${parent}" here.`);
  const visible = toListQuery(
    { ...query, parameters: await withVisibleIds(visibleParameters(query, membership), reading) },
    readingOf(service, requestOptions),
    membership,
  );
  if (isProblem(visible)) return visible;
  const isForMember = membership !== null && view.restricted !== undefined;
  const ids = isForMember && query.isRecord ? undefined : await visibleIds(reading, view, shared.ids);
  const amongVisible = (all: ListQuery): ListQuery => {
    if (ids) return amongIdentifiers(route, all, ids);
    return membership !== null && view.resource === 'Product' ? productsForMember(route, all, membership) : all;
  };
  const target = { route, parents: parent === undefined ? [] : [parent] };
  const faceted = await listWithFacets(
    reading,
    query,
    { target, listQuery: amongVisible(visible), shared },
    amongVisible,
  );
  if (isProblem(faceted)) return faceted;
  const { page, facets } = faceted;
  const found = isForMember && query.isRecord ? await onlyVisible(reading, page.records) : page.records;
  const { records, endsAt } = await view.show(reading, found, names);
  return { records, total: page.total, facets, endsAt: earliest(endsAt, faceted.endsAt) };
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

interface VisibleList {
  readonly target: Target;
  readonly listQuery: ListQuery;
  readonly shared: SharedReads;
}

/** @param amongVisible restricts a list of records that meet the conditions of the view to those that the shopper sees */
async function listWithFacets(
  reading: ShopReading,
  { view, route, facets }: ShopQuery,
  { target, listQuery, shared }: VisibleList,
  amongVisible: (listQuery: ListQuery) => ListQuery,
): Promise<(Pick<FacetedPage, 'page'> & Partial<FacetedPage>) | Problem> {
  const { service, requestOptions, membership } = reading;
  const { listField } = listQuery;
  if (facets) {
    const conditions = view.conditions.map((each) => parameter(...each));
    const parameters = [
      ...(membership === null ? conditions : forMembers(conditions)),
      parameter('itemsPerPage', undefined, '1'),
    ];
    const all = toListQuery(
      { view, route, names: [], parameters, facets: undefined },
      readingOf(service, requestOptions),
    );
    if (isProblem(all)) return all;
    const visibleValues = visibleValuesOf(reading, target, amongVisible(all));
    const read = (pause?: Pause) =>
      listFaceted(service, requestOptions, target, { ...facets, listQuery, visibleValues }, pause);
    return listField ? shared.inTurn(read) : read();
  }
  if (!listField) {
    const page = await list(service, requestOptions, target, listQuery);
    return isProblem(page) ? page : { page };
  }
  const page = await shared.valuedPage(service, requestOptions, target, { ...listQuery, listField });
  return isProblem(page) ? page : { page, endsAt: page.endsAt };
}

/**
 * Finds visible values of a facet: categories as in the list of categories, other values if a visible product has them.
 * @param all the list of all visible records
 */
function visibleValuesOf(reading: ShopReading, target: Target, all: ListQuery): FacetsUse['visibleValues'] {
  const { service, requestOptions } = reading;
  return async (facet, counted, selected) => {
    if (linkedResource(facet.field).name === 'Category') return visibleCategories(reading, [...counted, ...selected]);
    if (selected.length === 0) return new Set(counted);
    const query = { listQuery: all, facets: [facet], limit: Number.MAX_SAFE_INTEGER };
    const found = await listFaceted(service, requestOptions, target, query);
    if (isProblem(found)) throw new Error(found.detail);
    const ofAll = found.facets[facet.name]!;
    return new Set([...counted, ...('values' in ofAll ? ofAll.values.map(({ id }) => id) : [])]);
  };
}

const NOBODY: ShopperContext = { membership: null, address: null };

/** For members, another condition or the identifiers of visible records replace the condition on memberships. */
function visibleParameters({ parameters }: ShopQuery, membership: number | null): ShopQuery['parameters'] {
  return membership === null ? parameters : forMembers(parameters);
}

/** Returns the identifiers of the records that the shopper may see; undefined if the conditions of the view are enough. */
async function visibleIds(
  reading: ShopReading,
  { among, restricted }: ShopView,
  shared: SharedIds,
): Promise<readonly Value[] | undefined> {
  const isForMember = reading.membership !== null && restricted !== undefined;
  const forAll = among && (await shared(() => among(reading)));
  return isForMember ? [...new Set([...forAll!, ...(await restricted(reading))])] : forAll;
}

/** Returns those of these categories that the shopper sees. */
async function onlyVisible(reading: ShopReading, records: readonly ShownRecord[]): Promise<readonly ShownRecord[]> {
  const ids = records.map(({ id }) => id!);
  const visible = await visibleCategories(reading, ids);
  return records.filter(({ id }) => visible.has(id!));
}

async function visibleAmong(
  reading: ShopReading,
  resource: string,
  ids: readonly Value[],
): Promise<ReadonlySet<Value>> {
  if (ids.length === 0) return new Set();
  return resource === 'Category' ? visibleCategories(reading, ids) : new Set(await visibleProducts(reading, ids));
}

/** No record has this id. */
const NO_ID = '0';

/** Replaces the ids of records that shoppers cannot see, so that these filters match nothing. */
async function withVisibleIds(
  parameters: ShopQuery['parameters'],
  reading: ShopReading,
): Promise<ShopQuery['parameters']> {
  const idsOf = (resource: string): Value[] =>
    parameters.filter(({ idOf }) => idOf === resource).map(({ value }): Value => Number(value));
  const [categories, products] = [idsOf('Category'), idsOf('Product')];
  if (categories.length + products.length === 0) return parameters;
  const visible: Readonly<Record<string, ReadonlySet<Value>>> = {
    Category: await visibleAmong(reading, 'Category', categories),
    Product: await visibleAmong(reading, 'Product', products),
  };
  return parameters.map((each) =>
    each.idOf === undefined || visible[each.idOf]!.has(Number(each.value)) ? each : { ...each, value: NO_ID },
  );
}
