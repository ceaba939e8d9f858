/**
 * Positions in lists (finding.md §3): the values by which a record is sorted, its identifier last. A page that begins after
 * a position is exact even if that record has been deleted since.
 */
import type { ModelOrder, ModelRoute } from '../model/model.ts';
import { CURSOR_PARAMETER, FACET_PARAMETERS, hasCursors, type ListQuery } from './list-query.ts';
import { type Parameter, parseQueryString } from './query-string.ts';
import { FIELDS_PARAMETER } from './shown-fields.ts';

/** A count that may stop early stops above this number. */
export const ESTIMATED_COUNT_MAX = 10_000;

/** Whether the database can read a page after a position. It cannot sort by values of a list field. */
export function hasPositions(route: ModelRoute, { listField }: ListQuery): boolean {
  return hasCursors(route) && listField?.membersKey === undefined;
}

/** The orders that decide a position: those of the query, or else the default ones, until one that no two records share. */
export function positionOrders({ resource }: ModelRoute, { orders }: Pick<ListQuery, 'orders'>): readonly ModelOrder[] {
  const byId = { field: resource.fields.get(resource.identifierField)!, descending: false };
  const all = [...(orders.length > 0 ? orders : resource.defaultOrder), byId];
  return all.slice(0, all.findIndex(({ field }) => field.isIdentifier) + 1);
}

/** Whether the list is sorted by the rank of the search. */
export function isRanked({ search, orders }: Pick<ListQuery, 'search' | 'orders'>): boolean {
  return search !== undefined && orders.length === 0;
}

/** Whether only the identifier decides the position. */
export function isSortedById(route: ModelRoute, listQuery: ListQuery): boolean {
  return !isRanked(listQuery) && positionOrders(route, listQuery).length === 1;
}

/** Parameters that a request may change when it uses a cursor. */
const CHANGEABLE: readonly string[] = [
  ...[CURSOR_PARAMETER, 'page', 'itemsPerPage', FIELDS_PARAMETER],
  ...FACET_PARAMETERS,
];

/**
 * Identifies the list to which a position belongs: its path, its order, and its filters as they were written, because a
 * filter may be relative to the current time.
 * @param query the raw text after `?`, which has been parsed before
 */
export function positionScope(
  route: ModelRoute,
  listQuery: ListQuery,
  { path, query, lenient }: { readonly path: string; readonly query: string; readonly lenient: boolean },
): string {
  const order = isRanked(listQuery)
    ? listQuery.search!.ranks.map(({ field, has }) => `${field.name} ${has}`)
    : positionOrders(route, listQuery).map(({ field, descending }) => `${field.name} ${descending}`);
  const parameters = (parseQueryString(query) as readonly Parameter[])
    .filter(({ name }) => name !== 'order' && !CHANGEABLE.includes(name))
    .map(({ name, operator, value }) => [`${name}[${operator ?? '-'}]`, value] as const);
  // In lenient mode, the last of several parameters counts.
  if (!lenient) parameters.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return JSON.stringify([path, isRanked(listQuery), order, parameters]);
}
