/** Reads what shoppers see: pages of the engine's lists, with the values of the storefront view. */
import {
  amongIdentifiers,
  committed,
  isProblem,
  list,
  type Problem,
  problem,
  type RequestOptions,
  readingOf,
  type Service,
  type Value,
} from '../../engine/index.ts';
import { type ShopQuery, toListQuery } from './query.ts';
import { limitedReads } from './sources.ts';
import type { ShopperContext, ShopReading, StorefrontSettings } from './view.ts';
import { forMembers, productsForMember, VISIBLE, visibleCategories, visibleProducts } from './visible.ts';

interface ShopPage {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  /** Seconds since 1970: when the page may change although no record changes. Undefined if never. */
  readonly endsAt: number | undefined;
}

/** Reads identifiers that all requests for a view share, or returns those that were read before. */
export type SharedIds = (read: () => Promise<readonly Value[]>) => Promise<readonly Value[]>;

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
  shared: SharedIds,
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
  );
  if (isProblem(visible)) return visible;
  const { among = membership !== null && isRestricted(view) ? productsForMember : undefined } = view;
  const listQuery = among ? amongIdentifiers(route, visible, await shared(() => among(reading))) : visible;
  const target = { route, parents: parent === undefined ? [] : [parent] };
  const page = await list(service, requestOptions, target, listQuery);
  if (isProblem(page)) return page;
  const { records, endsAt } = await view.show(reading, page.records, names);
  return { records, total: page.total, endsAt };
}

const NOBODY: ShopperContext = { membership: null, address: null };

/** Whether records can be restricted to members. Categories and products can. */
function isRestricted({ conditions }: ShopQuery['view']): boolean {
  return conditions === VISIBLE;
}

/** For members, the identifiers of visible records decide instead of the condition on memberships. */
function visibleParameters({ view, parameters }: ShopQuery, membership: number | null): ShopQuery['parameters'] {
  return membership !== null && isRestricted(view) ? forMembers(parameters) : parameters;
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
    Category: await visibleCategories(reading, categories),
    Product: new Set<Value>(products.length === 0 ? [] : await visibleProducts(reading, products)),
  };
  return parameters.map((each) =>
    each.idOf === undefined || visible[each.idOf]!.has(Number(each.value)) ? each : { ...each, value: NO_ID },
  );
}
