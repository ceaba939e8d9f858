/** Counts of facets. SQL counts them today; columns in memory can implement the same interface (issue 27). */
import type { ModelRoute } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import { facetBoundParam, facetParam, keyParam } from '../../request/bind-params.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { facetRangesQuery, facetValuesQuery, type IndexedFacet } from '../../sql/facets.ts';
import { searching } from '../../unit/reads.ts';
import { languageMode, queryContext, type RequestOptions, type Service } from '../../unit/service.ts';
import { valuesOf } from './list.ts';

/** The records to count: those of a list, or these. */
export type Counted = { readonly listQuery: ListQuery } | { readonly ids: readonly Value[] };

export interface RangeCounts {
  readonly min: number | null;
  readonly max: number | null;
  /** In the order of the facet's ranges. */
  readonly counts: readonly number[];
}

export interface FacetCounts {
  /** Returns the number of counted records by linked record, for each of the facets. Records without links are missing. */
  byValue(counted: Counted, facets: readonly IndexedFacet[]): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>>;
  byRange(counted: Counted, facet: IndexedFacet): Promise<RangeCounts>;
}

/** Counts with one statement for all facets of the same records. */
export function sqlFacetCounts(service: Service, requestOptions: RequestOptions, route: ModelRoute): FacetCounts {
  const mode = languageMode(requestOptions);
  const context = queryContext(service, mode);
  const reads = searching(service, requestOptions);
  const run = (
    kind: string,
    counted: Counted,
    facets: readonly IndexedFacet[],
    build: (listQuery: ListQuery | undefined) => ReturnType<typeof facetValuesQuery>,
  ) => {
    const listQuery = 'ids' in counted ? undefined : counted.listQuery;
    const of = listQuery ? listQuery.shape : 'of ids';
    const name = `${kind} ${route.path} ${mode} ${facets.map(shapeOf).join()} ${of}`;
    const statement = service.whole.statements.get(name, () => build(listQuery));
    const base = 'ids' in counted ? { ids: [...counted.ids] } : {};
    const values = listQuery ? valuesOf(requestOptions, listQuery) : {};
    return reads.run(statement, { ...values, ...base, ...Object.assign({}, ...facets.map(boundsOf)) });
  };
  return {
    async byValue(counted, facets) {
      const rows = await run('facet values', counted, facets, (listQuery) =>
        facetValuesQuery(route, listQuery, facets, context),
      );
      const counts = new Map(facets.map(({ index }) => [index, new Map<number, number>()]));
      for (const [index, id, count] of rows) counts.get(Number(index))!.set(Number(id), Number(count));
      return counts;
    },
    async byRange(counted, facet) {
      const rows = await run('facet ranges', counted, [facet], (listQuery) =>
        facetRangesQuery(route, listQuery, facet, context),
      );
      const [min, max, ...counts] = rows[0]!;
      const decode = (raw: unknown): number | null =>
        raw === null ? null : Number(service.database.dialect.decode.decimal(raw as never));
      return { min: decode(min), max: decode(max), counts: counts.map(Number) };
    },
  };
}

/** Bind values of a facet. */
export function boundsOf({ index, facet: { key, ranges = [] } }: IndexedFacet): Record<string, Value> {
  const bounds: Record<string, Value> = key === undefined ? {} : { [keyParam(facetParam(index))]: key };
  for (const [at, { from, to }] of ranges.entries()) {
    if (from !== null) bounds[facetBoundParam(index, at, 'from')] = from;
    if (to !== null) bounds[facetBoundParam(index, at, 'to')] = to;
  }
  return bounds;
}

/** Identifies the SQL of a facet: equal for facets that differ only in bind values. */
function shapeOf({ index, facet: { field, ranges } }: IndexedFacet): string {
  const bounds = ranges?.map(({ from, to }) => `${from === null ? '' : 'f'}..${to === null ? '' : 't'}`) ?? [];
  return `${index} ${field.name} ${bounds.join('|')}`;
}
