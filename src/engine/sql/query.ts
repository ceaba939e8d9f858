/**
 * SQL of reads. One statement reads one record, or one page of a collection with all links, so every read sees one
 * snapshot of the store. Statements are compiled once; requests only bind values.
 */
import { sql } from 'kysely';
import type { ModelRoute } from '../model/model.ts';
import { ownerColumn, textTable, VERSION } from '../model/tables.ts';
import { BindParam, type Dialect } from '../ports.ts';
import type { ListQuery } from '../request/list-query.ts';
import { candidateConditions } from './candidates.ts';
import { filterCondition, isFoundByLinks, recordConditions, routeConditions } from './conditions.ts';
import { rankOf, searchCondition } from './search.ts';
import type { Selection } from './selection.ts';
import { Aliased, and, type Expression, orderOf, orderTermsOf, type QueryContext } from './source.ts';

/** The record of a path. Rows: its values, then its version. */
export function recordQuery(route: ModelRoute, selection: Selection, { dialect }: QueryContext): Expression {
  return sql`select ${sql.join([...selection.expressions, sql.id('a', VERSION)])}
    from ${sql.table(route.resource.table)} as ${sql.id('a')} ${selection.joins}
    where ${and(recordConditions(route, 'a', dialect))}`;
}

/** Records of a route by identifier, unordered. Rows: record values, id. */
export function recordsQuery(route: ModelRoute, selection: Selection, { dialect }: QueryContext): Expression {
  const { table, identifierField, identifierType } = route.resource;
  const id = sql.id('a', identifierField);
  const listed = dialect.listed(new BindParam('ids', identifierType, true));
  return sql`select ${sql.join([...selection.expressions, id])}
    from ${sql.table(table)} as ${sql.id('a')} ${selection.joins}
    where ${and([sql`${id} in (select value from ${listed})`, ...routeConditions(route, 'a', dialect)])}`;
}

/**
 * One page. Rows: record values (all null if the page is empty), id, version, total of matching records; at least one
 * row. The ids of the page are selected first, so that linked data is read only for records on the page.
 */
export function pageQuery(
  route: ModelRoute,
  selection: Selection,
  listQuery: ListQuery,
  context: QueryContext,
): Expression {
  const { dialect } = context;
  const { resource } = route;
  const { source, order, rank, isNarrowed } = foundRecords(route, listQuery, context);
  const id = sql.id('a', resource.identifierField);
  const once = rank ?? (isNarrowed ? sql`row_number() over (order by ${order})` : undefined);
  if (once) return rankedPage(route, selection, { source, rank: once }, dialect);
  const shown = new Aliased('a', resource, context);
  const shownOrder = orderOf(shown, listQuery);
  return sql`select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total')])}
    from (select count(*) as ${sql.id('total')} from ${source}) as ${sql.id('n')}
    left join (
      select ${sql.id('f', resource.identifierField)} as ${sql.id('id')} from ${source}
      order by ${order} limit ${dialect.placeholder(LIMIT)} offset ${dialect.placeholder(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${shown.joins(selection.joins)}
    order by ${shownOrder}`;
}

/** Identifiers of all matching records, in order. One row with one JSON array. */
export function wholeListQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  const { source, order } = foundRecords(route, listQuery, context);
  const [id, rank] = [sql.id('id'), sql.id('rank')];
  return sql`select ${context.dialect.jsonAggregate(id, rank)} from (
    select ${idOf(route)} as ${id}, row_number() over (order by ${order}) as ${rank} from ${source}
  ) as ${sql.id('found')}`;
}

/** Those of the records `ids` that match, in order. Rows: the identifier. */
export function partOfListQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  const some = context.dialect.listed(new BindParam('ids', route.resource.identifierType, true));
  const isOne = sql`${idOf(route)} in (select ${sql.id('listed', 'value')} from ${some})`;
  const { source, order } = foundRecords(route, listQuery, context, isOne);
  return sql`select ${idOf(route)} from ${source} order by ${order}`;
}

/**
 * All matching records, in order, and a number for each that is equal if they are equal in the first `count` orders. One row
 * with two JSON arrays: identifiers and numbers.
 */
export function sortedListQuery(
  route: ModelRoute,
  listQuery: ListQuery,
  count: number,
  context: QueryContext,
): Expression {
  const { source, order } = foundRecords(route, listQuery, context);
  const [id, rank, group] = [sql.id('id'), sql.id('rank'), sql.id('part')];
  const { jsonAggregate } = context.dialect;
  return sql`select ${jsonAggregate(id, rank)}, ${jsonAggregate(group, rank)} from (
    select ${idOf(route)} as ${id}, row_number() over (order by ${order}) as ${rank},
      ${groupOf(route, listQuery, count, context)} as ${group} from ${source}
  ) as ${sql.id('found')}`;
}

/** Like `sortedListQuery`, of the records `ids`. Rows: the identifier, its number. */
export function sortedPartQuery(
  route: ModelRoute,
  listQuery: ListQuery,
  count: number,
  context: QueryContext,
): Expression {
  const some = context.dialect.listed(new BindParam('ids', route.resource.identifierType, true));
  const isOne = sql`${idOf(route)} in (select ${sql.id('listed', 'value')} from ${some})`;
  const { source, order } = foundRecords(route, listQuery, context, isOne);
  return sql`select ${idOf(route)}, ${groupOf(route, listQuery, count, context)} from ${source} order by ${order}`;
}

/** The terms are also part of the order, whose joins the source has. */
function groupOf({ resource }: ModelRoute, { orders }: ListQuery, count: number, context: QueryContext): Expression {
  if (count === 0) return sql`0`;
  const terms = orderTermsOf(new Aliased('f', resource, context), orders.slice(0, count));
  return sql`dense_rank() over (order by ${sql.join(terms)})`;
}

/** The FROM clause that selects the matching records as `f`, and their order. */
interface FoundRecords {
  readonly source: Expression;
  readonly order: Expression;
  /** Search rank of each record if results are ordered by rank; lower is better. */
  readonly rank?: Expression;
  /** Text or link indexes narrow the records, which is slow if they find many. */
  readonly isNarrowed: boolean;
}

/** @param isOne condition that restricts the query to few given records; indexes are not used then */
export function foundRecords(
  route: ModelRoute,
  listQuery: ListQuery,
  context: QueryContext,
  isOne?: Expression,
): FoundRecords {
  const found = new Aliased('f', route.resource, context);
  const candidates = isOne ? [] : candidateConditions(found, listQuery);
  const linking = [
    ...route.parents.flatMap(({ field }) => field ?? []),
    ...listQuery.filters.flatMap(({ form, filter }) => (form === 'links' ? filter.field : [])),
  ];
  const isByLinks = !isOne && candidates.length === 0 && linking.some(isFoundByLinks);
  const conditions = [
    ...(isOne ? [isOne] : []),
    ...candidates,
    ...routeConditions(route, 'f', context.dialect, isByLinks),
    ...listQuery.filters.flatMap((use, index) =>
      use.form === 'ignored' ? [] : filterCondition(found, use, index, isByLinks),
    ),
    ...(listQuery.search ? [searchCondition(found, listQuery.search)] : []),
  ];
  // Before the joins, which depend on the expressions created so far.
  const rank = listQuery.search && listQuery.orders.length === 0 ? rankOf(found, listQuery.search) : undefined;
  const order = rank ? sql`${rank}, ${idOf(route)}` : orderOf(found, listQuery);
  const source = sql`${sql.table(route.resource.table)} as ${sql.id('f')} ${found.joins()}
    ${conditions.length > 0 ? sql`where ${and(conditions)}` : sql``}`;
  return { source, order, ...(rank && { rank }), isNarrowed: candidates.length > 0 || isByLinks };
}

function idOf({ resource }: ModelRoute): Expression {
  return sql.id('f', resource.identifierField);
}

/** Like `pageQuery`, but reads each text once: matches are materialized, then counted, sorted and limited. */
function rankedPage(
  { resource }: ModelRoute,
  selection: Selection,
  { source, rank }: { readonly source: Expression; readonly rank: Expression },
  dialect: Dialect,
): Expression {
  const id = sql.id('a', resource.identifierField);
  const [matches, key, position] = [sql.id('matches'), sql.id('id'), sql.id('position')];
  return sql`with ${matches} as materialized (
      select ${sql.id('f', resource.identifierField)} as ${key}, ${rank} as ${position} from ${source}
    )
    select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total')])}
    from (select count(*) as ${sql.id('total')} from ${matches}) as ${sql.id('n')}
    left join (
      select ${key}, ${position} from ${matches} order by ${position}, ${key}
      limit ${dialect.placeholder(LIMIT)} offset ${dialect.placeholder(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${selection.joins}
    order by ${sql.id('k', 'position')}, ${sql.id('k', 'id')}`;
}

/**
 * Translations of the record of a path. Rows: its version, then a list by language code: the code, and the route's
 * texts (null: never written).
 */
export function translationsQuery(route: ModelRoute, dialect: Dialect): Expression {
  const { resource, texts } = route;
  const language = sql.id('t', 'language');
  const written = dialect.jsonArray([language, ...texts.map(({ column }) => sql.id('t', column))]);
  return sql`select ${sql.id('a', VERSION)}, (select ${dialect.jsonAggregate(written, language)}
      from ${sql.table(textTable(resource))} as ${sql.id('t')}
      where ${sql.id('t', ownerColumn(resource))} = ${sql.id('a', resource.identifierField)})
    from ${sql.table(resource.table)} as ${sql.id('a')} where ${and(recordConditions(route, 'a', dialect))}`;
}

const LIMIT = new BindParam('limit', 'integer');
const OFFSET = new BindParam('offset', 'integer');
