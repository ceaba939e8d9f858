/** A page of a list together with its facets (finding.md §2). */
import { isProblem, type Problem } from '../../errors.ts';
import {
  displayedName,
  type FacetRange,
  type FacetUse,
  linkedResource,
  type ModelResource,
} from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { FacetsQuery } from '../../request/facets-query.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { type IndexedFacet, isOwnFilter, namesQuery, selectedQuery } from '../../sql/facets.ts';
import { searching } from '../../unit/reads.ts';
import { languageMode, queryContext, type RequestOptions, type Service, type Target } from '../../unit/service.ts';
import { boundsOf, type Counted, type FacetCounts, type RangeCounts, sqlFacetCounts } from './facet-counts.ts';
import { list, type Page, valuesOf } from './list.ts';
import type { Pause } from './list-field.ts';
import { listValued, listValues, type ValuedPage } from './valued-list.ts';

interface FacetValue {
  readonly id: number;
  readonly name: string;
  readonly count: number;
  readonly selected: boolean;
}

type Facet =
  | { readonly values: readonly FacetValue[]; readonly more: boolean }
  | {
      readonly min: number | null;
      readonly max: number | null;
      readonly ranges: readonly (FacetRange & { readonly count: number })[];
    };

export interface FacetedPage {
  readonly page: Page | ValuedPage;
  readonly facets: Readonly<Record<string, Facet>>;
  /** When the page or a facet may change without a change of a record (seconds since 1970). Undefined if never. */
  readonly endsAt: number | undefined;
}

interface Reading {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly query: FacetsQuery;
  readonly pause: Pause | undefined;
}

/**
 * Reads with several statements. They see the same data only if `service` reads a snapshot, or if nothing has changed
 * meanwhile.
 * @param pause needed if the list is filtered or sorted by the list field, or if a facet counts its values
 */
export async function listFaceted(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  query: FacetsQuery,
  pause?: Pause,
): Promise<FacetedPage | Problem> {
  const { listQuery, facets } = query;
  const { listField } = listQuery;
  const page = listField
    ? await listValued(service, requestOptions, target, { ...listQuery, listField }, pause)
    : await list(service, requestOptions, target, listQuery);
  if (isProblem(page)) return page;
  const reading: Reading = { service, requestOptions, target, query, pause };
  const counter = sqlFacetCounts(service, requestOptions, target.route);
  const found = new Map<number, Facet>();
  for (const group of groupsOf(target, listQuery, facets)) {
    const [{ index, facet }] = group as [IndexedFacet];
    if (isOfListField(target, facet)) {
      const valued = await valuedRanges(reading, facet);
      if (isProblem(valued)) return valued;
      found.set(index, valued);
      continue;
    }
    const counted = await countedRecords(reading, facet, page);
    if (isProblem(counted)) return counted;
    for (const [index, facet] of await facetsOf(reading, counter, counted, group)) found.set(index, facet);
  }
  const all = Object.fromEntries(facets.map(({ name }, index) => [name, found.get(index)!]));
  return { page, facets: all, endsAt: isValued(page) ? page.endsAt : undefined };
}

function isValued(page: Page | ValuedPage): page is ValuedPage {
  return 'values' in page;
}

/** Whether the facet counts the values of the list field. */
function isOfListField({ route }: Target, { field }: FacetUse): boolean {
  return field === route.listField?.field;
}

/** Groups facets that count the same records: those without own filters, and each of the others. */
function groupsOf(target: Target, { filters }: ListQuery, facets: readonly FacetUse[]): IndexedFacet[][] {
  const indexed = facets.map((facet, index) => ({ index, facet }));
  const isSelected = ({ facet }: IndexedFacet): boolean =>
    isOfListField(target, facet) || filters.some(({ filter }) => isOwnFilter(filter, facet));
  const others = indexed.filter((each) => !isSelected(each));
  return [...indexed.filter(isSelected).map((each) => [each]), ...(others.length > 0 ? [others] : [])];
}

/** The records that a facet counts: those of the list without the facet's own filters. */
async function countedRecords(
  { service, requestOptions, target, query, pause }: Reading,
  facet: FacetUse,
  page: Page | ValuedPage,
): Promise<Counted | Problem> {
  const listQuery = withoutOwnFilters(query.listQuery, facet);
  const { listField } = listQuery;
  if (!listField || listField.conditions.length === 0) return { listQuery };
  const hasOwn = query.listQuery.filters.some(({ filter }) => isOwnFilter(filter, facet));
  if (!hasOwn && isValued(page) && page.whole) return { ids: page.whole };
  const one = { ...listQuery, itemsPerPage: 1, listField: { ...listField, order: undefined } };
  const found = await listValued(service, requestOptions, target, one, pause);
  return isProblem(found) ? found : { ids: found.whole! };
}

/** Counts the values of the list field. Like any facet, it ignores its own filters: the conditions on these values. */
async function valuedRanges(
  { service, requestOptions, target, query: { listQuery }, pause }: Reading,
  { ranges = [] }: FacetUse,
): Promise<Facet | Problem> {
  const { listField } = listQuery;
  if (!listField) throw new Error('The parameters of the list field are missing.');
  const found = await listValues(service, requestOptions, target, { ...listQuery, listField }, pause);
  if (isProblem(found)) return found;
  const { values } = found;
  const countOf = ({ from, to }: FacetRange): number =>
    values.filter((value) => value >= (from ?? Number.NEGATIVE_INFINITY) && value < (to ?? Number.POSITIVE_INFINITY))
      .length;
  const bound = (better: (one: number, other: number) => number): number | null =>
    values.length === 0 ? null : values.reduce((one, other) => better(one, other));
  return rangesOf(ranges, { min: bound(Math.min), max: bound(Math.max), counts: ranges.map(countOf) });
}

function withoutOwnFilters(listQuery: ListQuery, facet: FacetUse): ListQuery {
  const own: number[] = [];
  const filters = listQuery.filters.map((use, index) => {
    if (!isOwnFilter(use.filter, facet)) return use;
    own.push(index);
    return { filter: use.filter, form: 'ignored' as const };
  });
  return {
    ...listQuery,
    filters,
    orders: [],
    page: 1,
    after: undefined,
    shape: `${listQuery.shape} without ${own.join()}`,
  };
}

async function facetsOf(
  reading: Reading,
  counter: FacetCounts,
  counted: Counted,
  group: readonly IndexedFacet[],
): Promise<[index: number, facet: Facet][]> {
  const found: [number, Facet][] = [];
  const linked = group.filter(({ facet }) => facet.ranges === undefined);
  const counts = linked.length > 0 ? await counter.byValue(counted, linked) : new Map();
  for (const each of group) {
    const { index, facet } = each;
    found.push([
      index,
      facet.ranges
        ? rangesOf(facet.ranges, await counter.byRange(counted, each))
        : await valuesOfFacet(reading, each, counts.get(index)!),
    ]);
  }
  return found;
}

function rangesOf(ranges: readonly FacetRange[], { min, max, counts }: RangeCounts): Facet {
  return { min, max, ranges: ranges.map((range, index) => ({ ...range, count: counts[index]! })) };
}

/** The values by count, then identifier, up to the limit; then the other selected ones. */
async function valuesOfFacet(
  reading: Reading,
  indexed: IndexedFacet,
  counts: ReadonlyMap<number, number>,
): Promise<Facet> {
  const target = linkedResource(indexed.facet.field);
  const countOf = (id: number): number => counts.get(id) ?? 0;
  const order = (one: number, other: number): number => countOf(other) - countOf(one) || one - other;
  const { counted, selected } = await visibleValues(
    reading,
    indexed,
    [...counts.keys()].sort(order),
    await selectedIds(reading, indexed, target),
  );
  const first = new Set(counted.slice(0, reading.query.limit));
  const shown = [...first, ...[...selected].filter((id) => !first.has(id)).sort(order)];
  const names = await namesOf(reading, target, shown);
  const values = shown.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name, count: countOf(id), selected: selected.has(id) }];
  });
  return { values, more: counted.some((id) => !first.has(id) && !selected.has(id)) };
}

async function visibleValues(
  { query }: Reading,
  { facet }: IndexedFacet,
  counted: readonly number[],
  selected: ReadonlySet<number>,
): Promise<{ readonly counted: readonly number[]; readonly selected: ReadonlySet<number> }> {
  if (!query.visibleValues) return { counted, selected };
  const known = new Set(counted);
  const others = [...selected].filter((id) => !known.has(id));
  const visible = await query.visibleValues(facet, counted, others);
  const isVisible = (id: number): boolean => visible.has(id);
  return { counted: counted.filter(isVisible), selected: new Set([...selected].filter(isVisible)) };
}

async function selectedIds(
  { service, requestOptions, target: { route }, query: { listQuery } }: Reading,
  indexed: IndexedFacet,
  target: ModelResource,
): Promise<ReadonlySet<number>> {
  const { filters, shape } = listQuery;
  const { facet, index } = indexed;
  if (!filters.some(({ form, filter }) => form === 'links' && isOwnFilter(filter, facet))) return new Set();
  const mode = languageMode(requestOptions);
  const name = `selected ${route.path} ${mode} ${index} ${facet.field.name} ${shape}`;
  const statement = service.whole.statements.get(name, () =>
    selectedQuery(route, listQuery, indexed, target, queryContext(service, mode)),
  );
  const values = { ...valuesOf(requestOptions, listQuery), ...boundsOf(indexed) };
  const rows = await searching(service, requestOptions).run(statement, values);
  return new Set(rows.map(([id]) => Number(id)));
}

async function namesOf(
  { service, requestOptions }: Reading,
  target: ModelResource,
  ids: readonly Value[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const name = displayedName(target)!;
  const mode = languageMode(requestOptions);
  const statement = service.whole.statements.get(`names ${target.name} ${mode}`, () =>
    namesQuery(target, name, queryContext(service, mode)),
  );
  const { language, defaultLanguage } = requestOptions;
  const values = { ids: [...ids], language, default_language: defaultLanguage };
  const rows = await searching(service, requestOptions).run(statement, values);
  return new Map(rows.map(([id, text]) => [Number(id), text as string]));
}
