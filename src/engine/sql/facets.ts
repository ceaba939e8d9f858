/** SQL of facet counts (finding.md §2): the records of a list, counted by the values of some of its facets. */
import { sql } from 'kysely';
import type { FacetUse, ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import { BindParam } from '../ports.ts';
import { facetBoundParam, facetParam, filterParam, keyParam } from '../request/bind-params.ts';
import type { ListQuery } from '../request/list-query.ts';
import { keyedConditions, linkedRecords, linkTableOf } from './conditions.ts';
import { foundRecords } from './query.ts';
import { Aliased, and, columnType, type Expression, type QueryContext } from './source.ts';

/** Facets with their index among those of the request, which their bind parameters contain. */
export interface IndexedFacet {
  readonly index: number;
  readonly facet: FacetUse;
}

const base = sql.id('base');
const baseId = sql.id('base', 'id');

/** The identifiers of the counted records. @param listQuery undefined: the records of the parameter `ids` */
function baseQuery(route: ModelRoute, listQuery: ListQuery | undefined, context: QueryContext): Expression {
  if (listQuery) {
    const { source } = foundRecords(route, listQuery, context);
    return sql`select ${sql.id('f', route.resource.identifierField)} as ${sql.id('id')} from ${source}`;
  }
  const listed = context.dialect.listed(new BindParam('ids', route.resource.identifierType, true));
  return sql`select ${sql.id('listed', 'value')} as ${sql.id('id')} from ${listed}`;
}

/** Rows: the facet's index, the identifier of the linked record, the number of records with this link. */
export function facetValuesQuery(
  route: ModelRoute,
  listQuery: ListQuery | undefined,
  facets: readonly IndexedFacet[],
  context: QueryContext,
): Expression {
  const { dialect } = context;
  const each = facets.map(({ index, facet: { field } }) => {
    if (field.storage.in === 'link') {
      const value = sql.id('a', field.column);
      return sql`select ${sql.lit(index)}, ${value}, count(*) from ${base}
        join ${sql.table(route.resource.table)} as ${sql.id('a')} on ${sql.id('a', route.resource.identifierField)} = ${baseId}
        where ${value} is not null group by ${value}`;
    }
    const { table, by, to } = linkTableOf(field);
    const value = sql.id('through', to);
    return sql`select ${sql.lit(index)}, ${value}, count(*) from ${base}
      join ${sql.table(table)} as ${sql.id('through')} on ${sql.id('through', by)} = ${baseId}
      where ${and(keyedConditions(field, facetParam(index), dialect))} group by ${value}`;
  });
  return sql`with ${base} as materialized (${baseQuery(route, listQuery, context)}) ${sql.join(each, sql` union all `)}`;
}

/** One row: the least and the greatest value, then the number of records in each range. */
export function facetRangesQuery(
  route: ModelRoute,
  listQuery: ListQuery | undefined,
  { index, facet }: IndexedFacet,
  context: QueryContext,
): Expression {
  const { field, ranges = [] } = facet;
  const value = sql.id('a', field.column);
  const bound = (at: number, end: 'from' | 'to'): Expression =>
    context.dialect.placeholder(new BindParam(facetBoundParam(index, at, end), columnType(field)));
  const counts = ranges.map(({ from, to }, at) => {
    const conditions = [
      ...(from === null ? [] : [sql`${value} >= ${bound(at, 'from')}`]),
      ...(to === null ? [] : [sql`${value} < ${bound(at, 'to')}`]),
    ];
    return sql`count(case when ${and(conditions)} then 1 end)`;
  });
  return sql`with ${base} as materialized (${baseQuery(route, listQuery, context)})
    select ${sql.join([sql`min(${value})`, sql`max(${value})`, ...counts])} from ${base}
    join ${sql.table(route.resource.table)} as ${sql.id('a')} on ${sql.id('a', route.resource.identifierField)} = ${baseId}`;
}

/** Identifiers of the linked records that the filters of a facet name. */
export function selectedQuery(
  { resource }: ModelRoute,
  { filters }: ListQuery,
  { index, facet }: IndexedFacet,
  target: ModelResource,
  context: QueryContext,
): Expression {
  const source = new Aliased('f', resource, context);
  const named = filters.flatMap((use, at) =>
    use.form === 'links' && isOwnFilter(use.filter, facet)
      ? sql`select * from (${linkedRecords(source, use.filter.field, use.by, filterParam(at))}) as ${sql.id('named')}`
      : [],
  );
  const id = sql.id('a', target.identifierField);
  const conditions = [sql`${id} in (${sql.join(named, sql` union all `)})`];
  if (facet.key !== undefined) {
    const param = new BindParam(keyParam(facetParam(index)), target.owner!.target!.identifierType);
    conditions.push(sql`${sql.id('a', target.owner!.column)} = ${context.dialect.placeholder(param)}`);
  }
  return sql`select ${id} from ${sql.table(target.table)} as ${sql.id('a')} where ${and(conditions)}`;
}

/** Names of records. Rows: identifier, name in the request's language. */
export function namesQuery(target: ModelResource, name: ModelField, context: QueryContext): Expression {
  const source = new Aliased('a', target, context);
  const id = sql.id('a', target.identifierField);
  const shown = name.storage.in === 'translation' ? source.shownText(name.column) : sql.id('a', name.column);
  const listed = context.dialect.listed(new BindParam('ids', target.identifierType, true));
  return sql`select ${id}, ${shown} from ${sql.table(target.table)} as ${sql.id('a')} ${source.joins()}
    where ${id} in (select ${sql.id('listed', 'value')} from ${listed})`;
}

/** Whether a filter belongs to the facet's own selection. */
export function isOwnFilter(
  filter: { readonly field: ModelField; readonly key?: number },
  { field, key }: FacetUse,
): boolean {
  return filter.field === field && filter.key === key;
}
