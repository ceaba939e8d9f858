/** Rejects queries that read data which a key cannot see (access.md §2). */
import { filteredResources, type HiddenData } from '../../access/hidden-data.ts';
import { usedBy } from '../../access/scopes.ts';
import {
  FACETS_PARAMETER,
  FIELDS_PARAMETER,
  filterNamed,
  isProblem,
  linkedResource,
  type Model,
  type ModelField,
  type ModelRoute,
  type Problem,
  parseQueryString,
  SEARCH_PARAMETER,
} from '../../engine/index.ts';
import { insufficientScope } from './insufficient-scope.ts';

/** Checks filters, orders and selected fields of the raw query. Other faults of it are reported later. */
export function rejectHiddenQuery(
  model: Model,
  route: ModelRoute,
  query: string,
  hidden: HiddenData | undefined,
): Problem | undefined {
  if (!hidden || query === '') return undefined;
  const parameters = parseQueryString(query);
  if (isProblem(parameters)) return undefined;
  const searched = (route.resource.search?.in ?? []).map(({ resource }) => resource);
  const computed = route.listField?.declaration;
  const { basis, values } = computed?.uses ?? {};
  const used = [basis, values].flatMap((uses) => (uses ? usedBy(model, { uses }) : []));
  const calculatedFrom = hidden.missingFor(used);
  const missing = parameters.flatMap(({ name, operator, value }) => {
    const filter = filterNamed(route, name);
    if (computed && (name === computed.name || (name === 'order' && operator === computed.name))) return calculatedFrom;
    if (filter) return [...hidden.missingFor(filteredResources(filter)), ...missingIn([filter.field], hidden)];
    if (name === SEARCH_PARAMETER) return hidden.missingFor(searched);
    if (name === FACETS_PARAMETER && route.faceted) return missingForFacets(route, value, hidden);
    if (name === 'order') return missingIn([route.orders.get(operator ?? '')], hidden);
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

/** Facets show the names of linked records. */
function missingForFacets(route: ModelRoute, value: string, hidden: HiddenData): string[] {
  return value.split(',').flatMap((facet) => {
    const filter = filterNamed(route, facet.split(':', 1)[0]!.trim());
    if (!filter) return [];
    const { field } = filter;
    const named = field.target ? [linkedResource(field)] : [];
    return [...hidden.missingFor([...filteredResources(filter), ...named]), ...missingIn([field], hidden)];
  });
}

/** Returns the scopes that a client lacks to see these fields. */
export function missingIn(fields: readonly (ModelField | undefined)[], hidden: HiddenData): string[] {
  return fields.flatMap((field) => (field && hidden.hides(field) ? hidden.missingForField(field) : []));
}
