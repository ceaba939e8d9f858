/** Parses the query of a search with facets: that of the collection, and which facets to count (finding.md §2). */
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import type { Reading } from '../field.ts';
import { hintOf } from '../hints.ts';
import { type FacetRange, type FacetUse, filterNamed, type ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import {
  FACET_PARAMETERS,
  FACETS_LIMIT_PARAMETER,
  FACETS_PARAMETER,
  type ListQuery,
  readListParameters,
} from './list-query.ts';
import { type Parameter, parseQueryString } from './query-string.ts';

export const FACETS_MAX = 10;
export const FACET_RANGES_MAX = 20;
export const FACET_VALUES_MAX = 100;

/** Which facets to count. */
export interface FacetsUse {
  /** In the order of the request. */
  readonly facets: readonly FacetUse[];
  /** Maximum number of values of a facet. */
  readonly limit: number;
  /**
   * Returns those of these linked records that the client may see as values of the facet. If undefined, it may see all.
   * @param counted values with a count of at least 1
   * @param selected other values that filters name
   */
  readonly visibleValues?: (
    facet: FacetUse,
    counted: readonly number[],
    selected: readonly number[],
  ) => Promise<ReadonlySet<Value>>;
}

export interface FacetsQuery extends FacetsUse {
  readonly listQuery: ListQuery;
}

/** @param query the raw text after `?` */
export function readFacetsQuery(route: ModelRoute, query: string, reading: Reading): FacetsQuery | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const isOurs = ({ name }: Parameter): boolean => FACET_PARAMETERS.includes(name);
  const use = readFacetParameters(route, parameters.filter(isOurs));
  if (isProblem(use)) return use;
  const rest = parameters.filter((parameter) => !isOurs(parameter));
  const listQuery = readListParameters(route, rest, reading, FACET_PARAMETERS);
  return isProblem(listQuery) ? listQuery : { listQuery, ...use };
}

/** @param parameters only those named in `FACET_PARAMETERS` */
export function readFacetParameters(route: ModelRoute, parameters: readonly Parameter[]): FacetsUse | Problem {
  let facets: readonly FacetUse[] = [];
  let limit = FACET_VALUES_MAX;
  const seen = new Set<string>();
  for (const { name, operator, value, written } of parameters) {
    const isRepeated = seen.has(name);
    seen.add(name);
    if (operator !== undefined || isRepeated)
      return problem(
        'invalid-argument',
        `"${shortened(written)}" must be given once, as "${name}=…", without brackets.`,
      );
    if (name === FACETS_LIMIT_PARAMETER) {
      limit = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : 0;
      if (limit < 1 || limit > FACET_VALUES_MAX)
        return problem(
          'invalid-argument',
          `"${name}" should be a whole number from 1 to ${FACET_VALUES_MAX}; it is "${shortened(value)}".`,
        );
      continue;
    }
    const read = readFacets(route, value);
    if (typeof read === 'string') return problem('invalid-argument', read);
    facets = read;
  }
  return { facets, limit };
}

/** @returns the facets in the order of the request, or an error message */
function readFacets(route: ModelRoute, value: string): readonly FacetUse[] | string {
  const all = value.split(',').map((each) => each.trim());
  if (all.length > FACETS_MAX)
    return `"${FACETS_PARAMETER}" should have at most ${FACETS_MAX} facets; it has ${all.length}.`;
  const facets = new Map<string, FacetUse>();
  for (const written of all) {
    const facet = readFacet(route, written);
    if (typeof facet === 'string') return facet;
    if (facets.has(facet.name)) return `"${FACETS_PARAMETER}" names "${facet.name}" more than once. Name it once.`;
    facets.set(facet.name, facet);
  }
  return [...facets.values()];
}

function readFacet(route: ModelRoute, written: string): FacetUse | string {
  const [name = '', ...rest] = written.split(':');
  if (name === '') {
    const [one, two] = [...route.faceted!.facets.keys()];
    return `"${FACETS_PARAMETER}" should be names like "${one},${two}"; one is empty.`;
  }
  const field = facetField(route, name);
  if (!field) {
    const names = facetNames(route);
    return `Unknown facet "${shortened(name)}".${hintOf(name, names, 'facets')}`;
  }
  const hasRanges = field.storage.in === 'column';
  if (rest.length === 0) {
    const key = filterNamed(route, name)?.key;
    return hasRanges ? { name, field, ranges: [] } : { name, field, key };
  }
  if (!hasRanges || rest.length > 1)
    return `The facet "${shortened(written)}" takes no ranges. Only ${rangedNames(route)} has them.`;
  const ranges = readRanges(name, rest[0]!);
  return typeof ranges === 'string' ? ranges : { name, field, ranges };
}

/** The field of a facet, by the name that a client uses; undefined for an unknown one. */
export function facetField(route: ModelRoute, name: string) {
  const filter = filterNamed(route, name);
  return filter && filter.linkedField === undefined ? route.faceted?.facets.get(filter.field.name) : undefined;
}

/** The names of all facets, for messages. */
function facetNames({ faceted, keyedFilters }: ModelRoute): { readonly name: string }[] {
  return [...(faceted?.facets.keys() ?? [])].map((name) => ({ name: keyedFilters.has(name) ? `${name}.ID` : name }));
}

function rangedNames({ faceted }: ModelRoute): string {
  return [...faceted!.facets.values()]
    .filter(({ storage }) => storage.in === 'column')
    .map(({ name }) => `"${name}"`)
    .join(', ');
}

/** Numbers have at most 4 decimals and are at least 0. */
const RANGE = /^(\d{1,10}(?:\.\d{1,4})?)?\.\.(\d{1,10}(?:\.\d{1,4})?)?$/;

/** @returns the ranges, or an error message */
function readRanges(name: string, text: string): readonly FacetRange[] | string {
  const all = text.split('|');
  if (all.length > FACET_RANGES_MAX)
    return `The facet "${name}" should have at most ${FACET_RANGES_MAX} ranges; it has ${all.length}.`;
  const ranges: FacetRange[] = [];
  for (const each of all) {
    const [, low, high] = RANGE.exec(each) ?? [];
    const range = { from: low === undefined ? null : Number(low), to: high === undefined ? null : Number(high) };
    if ((range.from === null && range.to === null) || (range.from ?? -1) >= (range.to ?? Number.POSITIVE_INFINITY))
      return `The range "${shortened(each)}" of "${name}" should be like "0..25", "25.." or "..25", from the smaller to the larger number, with at most 4 decimals.`;
    ranges.push(range);
  }
  return ranges;
}
