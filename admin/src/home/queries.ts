/** What the start page reads. It can be requested before React is loaded. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { grants, type Scope } from '../api/access.ts';
import { sessionAccess } from '../api/auth-provider.ts';
import { store } from '../api/client.ts';
import { readRecord } from '../api/runtime-requests.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
export const FIRST_PERIOD: Period = 30;

const ORDERS_MAX = 8;
const CHANGES_MAX = 8;
const REFRESH_INTERVAL_MS = 60_000;

/** Until the start page is left, its first responses count as fresh, so that showing them does not request them again. */
let isOpening = true;
export function endOpening(): void {
  isOpening = false;
}
const staleTime = (): number => (isOpening ? REFRESH_INTERVAL_MS : 0);
const shared = { refetchInterval: REFRESH_INTERVAL_MS, staleTime };

/** Without them, the start page has no figures. */
export const STATISTICS_SCOPES: readonly Scope[] = ['statistics:read', 'orders:read', 'products:read'];

export const statisticsOf = (period: Period) =>
  queryOptions({
    queryKey: ['statistics', period],
    queryFn: async () => (await readRecord('/statistics', {}, { filter: { days: period } })).data,
    ...shared,
  });

export const RECENT_ORDERS = queryOptions({
  queryKey: ['last-orders'],
  queryFn: async () => (await store.page('/orders', { order: { create_date: 'desc' }, itemsPerPage: ORDERS_MAX })).data,
  ...shared,
});

export const RECENT_CHANGES = queryOptions({ queryKey: ['last-changes'], queryFn: readRecentChanges, ...shared });

/** Sends the requests. Failures are shown by the parts of the page that need the responses. */
export function readHome(client: QueryClient): void {
  if (STATISTICS_SCOPES.every(may)) {
    void client.prefetchQuery(statisticsOf(FIRST_PERIOD));
    void client.prefetchQuery(RECENT_ORDERS);
  }
  void client.prefetchQuery(RECENT_CHANGES);
}

function may(scope: Scope): boolean {
  const access = sessionAccess();
  return access !== undefined && grants(access, scope);
}

interface RecentChange {
  readonly of: 'Product' | 'Order';
  readonly name: string;
  readonly path: string;
  readonly date: string;
  readonly isNew: boolean;
}

/** Reads lists sorted by their last change: the change feed can only be read forward from a cursor (sync.md §1). */
async function readRecentChanges(): Promise<readonly RecentChange[]> {
  const newest = { order: { update_date: 'desc' }, itemsPerPage: CHANGES_MAX } as const;
  const [products, orders] = await Promise.all([
    may('products:read') ? store.page('/products', newest) : undefined,
    may('orders:read') ? store.page('/orders', newest) : undefined,
  ]);
  return [
    ...(products?.data ?? []).map((product): RecentChange => {
      const { id, name, sku } = product;
      return { of: 'Product', name: name || sku, path: `/products/${id}`, ...timestampsOf(product) };
    }),
    ...(orders?.data ?? []).map((order): RecentChange => {
      const { id, order_number } = order;
      return { of: 'Order', name: order_number, path: `/orders/${id}/show`, ...timestampsOf(order) };
    }),
  ]
    .sort((one, other) => Date.parse(other.date) - Date.parse(one.date))
    .slice(0, CHANGES_MAX);
}

function timestampsOf(record: { readonly create_date: string; readonly update_date: string }): {
  date: string;
  isNew: boolean;
} {
  return { date: record.update_date, isNew: record.update_date === record.create_date };
}
