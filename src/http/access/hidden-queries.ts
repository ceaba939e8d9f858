/** Rejects queries that read data which a key cannot see (access.md §2). */
import { EVERY_EVENT, followingFields } from '../../access/followed-events.ts';
import { filteredFields, filteredResources, type HiddenData } from '../../access/hidden-data.ts';
import {
  displayedName,
  FACETS_PARAMETER,
  FIELDS_PARAMETER,
  filterNamed,
  isProblem,
  type ListQuery,
  linkedResource,
  type ModelField,
  type ModelFilter,
  type ModelRoute,
  type Problem,
  parseQueryString,
  SEARCH_PARAMETER,
} from '../../engine/index.ts';
import { insufficientScope } from './insufficient-scope.ts';

/** Checks filters, orders and selected fields of the raw query. Other faults of it are reported later. */
export function rejectHiddenQuery(
  route: ModelRoute,
  query: string,
  hidden: HiddenData | undefined,
): Problem | undefined {
  if (!hidden || query === '') return undefined;
  const parameters = parseQueryString(query);
  if (isProblem(parameters)) return undefined;
  const computed = route.listField?.declaration;
  const { basis, values } = computed?.uses ?? {};
  const calculatedFrom = [basis, values].flatMap((uses) => (uses ? hidden.missingToUse(uses) : []));
  const missing = parameters.flatMap(({ name, operator, value }) => {
    const filter = filterNamed(route, name);
    if (computed && (name === computed.name || (name === 'order' && operator === computed.name))) return calculatedFrom;
    if (filter) return missingToFilter(filter, hidden);
    if (name === SEARCH_PARAMETER) return missingToSearch(route, hidden);
    if (name === FACETS_PARAMETER && route.faceted) return missingForFacets(route, value, hidden);
    if (name === 'order') return missingToCompare([route.orders.get(operator ?? '')], hidden);
    const selected = name === FIELDS_PARAMETER ? value.split(',').map((each) => each.trim()) : [];
    return [
      ...(computed && selected.includes(computed.name) ? calculatedFrom : []),
      ...missingIn(
        selected.map((each) => route.fields.get(each)),
        hidden,
      ),
    ];
  });
  return missing.length === 0 ? undefined : insufficientScope(missing, 'This query');
}

function missingToFilter(filter: ModelFilter, hidden: HiddenData): string[] {
  return [...hidden.missingFor(filteredResources(filter)), ...missingToCompare(filteredFields(filter), hidden)];
}

/** Some fields are hidden in some records. A client that compares all records by such a field needs to read every family. */
function missingToCompare(fields: readonly (ModelField | undefined)[], hidden: HiddenData): string[] {
  const isFollowing = fields.some((field) => field && followingFields(field.resource).includes(field.name));
  return [...missingIn(fields, hidden), ...(isFollowing ? hidden.missingToFollow(EVERY_EVENT) : [])];
}

/** Facets show the names of linked records. */
function missingForFacets(route: ModelRoute, value: string, hidden: HiddenData): string[] {
  return value.split(',').flatMap((facet) => {
    const filter = filterNamed(route, facet.split(':', 1)[0]!.trim());
    if (!filter) return [];
    const { field } = filter;
    const named = field.target ? [linkedResource(field)] : [];
    const fields = [...filteredFields(filter), ...named.flatMap((resource) => displayedName(resource) ?? [])];
    return [...hidden.missingFor([...filteredResources(filter), ...named]), ...missingIn(fields, hidden)];
  });
}

/** A search omits masked fields, so a client needs only one of the others. */
function missingToSearch({ resource }: ModelRoute, hidden: HiddenData): readonly string[] {
  const searched = resource.search?.in ?? [];
  const missing = hidden.missingFor(searched.map((field) => field.resource));
  const isPossible = searched.length === 0 || searched.some((field) => !hidden.hides(field));
  return isPossible ? missing : [...missing, ...hidden.masksOf(searched)];
}

/** Whether a search that omits what the client cannot see can find records. */
export function canSearch({ resource }: ModelRoute, hidden: HiddenData | undefined): boolean {
  return !hidden || (resource.search?.in ?? []).some((field) => isSearchable(field, hidden));
}

function isSearchable(field: ModelField, hidden: HiddenData): boolean {
  return !hidden.hides(field) && hidden.canRead(field.resource);
}

/** Returns the query without what it would read from hidden fields although the client does not name them. */
export function withoutHidden(
  { resource }: ModelRoute,
  listQuery: ListQuery,
  hidden: HiddenData | undefined,
): ListQuery {
  if (!hidden) return listQuery;
  const isShown = ({ field }: { readonly field: ModelField }): boolean => !hidden.hides(field);
  const { search, orders } = listQuery;
  const ranks = search?.ranks.filter(({ field }) => isSearchable(field, hidden)) ?? [];
  const searched = search && { ...search, in: search.in.filter((field) => isSearchable(field, hidden)), ranks };
  // Without an order of its own, a list has the default order, or that of the search.
  const isOrdered = search ? ranks.length > 0 : resource.defaultOrder.every(isShown);
  const visible = orders.filter(isShown);
  const byId = { field: resource.fields.get(resource.identifierField)!, descending: false };
  const ordered = visible.length > 0 || (orders.length === 0 && isOrdered) ? visible : [byId];
  const isSame = ordered.length === orders.length && searched?.in.length === search?.in.length;
  if (isSame && searched?.ranks.length === search?.ranks.length) return listQuery;
  return { ...listQuery, search: searched, orders: ordered, shape: `${listQuery.shape}&without ${hidden.id}` };
}

/** Returns the scopes that a client lacks to see these fields, or the masks that hide them. */
export function missingIn(fields: readonly (ModelField | undefined)[], hidden: HiddenData): string[] {
  return fields.flatMap((field) => (field && hidden.hides(field) ? hidden.missingForField(field) : []));
}
