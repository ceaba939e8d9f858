/**
 * SQL of reads. One statement reads one record, or one page of a collection with all links, so every read sees one
 * snapshot of the store. Statements are compiled once; requests only bind values.
 */
import { sql } from 'kysely';
import type { ModelRoute } from '../model/model.ts';
import { ownerColumn, textTable, VERSION } from '../model/tables.ts';
import { BindParam, type Dialect } from '../ports.ts';
import { ESTIMATED_COUNT_MAX, hasPositions } from '../request/list-position.ts';
import type { ListQuery } from '../request/list-query.ts';
import { candidateConditions } from './candidates.ts';
import { filterCondition, isFoundByLinks, recordConditions, routeConditions } from './conditions.ts';
import { followsCondition, idTerm, positionTerms, rankTerm } from './position.ts';
import { rankOf, searchCondition } from './search.ts';
import type { Selection } from './selection.ts';
import { Aliased, and, type Expression, orderOf, orderTermsOf, type QueryContext, type SortTerm } from './source.ts';

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
 * One page. Rows: record values (all null if the page is empty), id, version, total of matching records, and the values of the
 * record's position without its id, if the list has positions; at least one row. The ids of the page are selected first, so
 * that linked data is read only for records on the page.
 */
export function pageQuery(
  route: ModelRoute,
  selection: Selection,
  listQuery: ListQuery,
  context: QueryContext,
): Expression {
  const { dialect } = context;
  const { resource } = route;
  const found = foundRecords(route, listQuery, context);
  const { source, order } = found;
  const id = sql.id('a', resource.identifierField);
  if (found.rank || found.isNarrowed) return materializedPage(route, selection, listQuery, found, context);
  const shown = new Aliased('a', resource, context);
  const shownOrder = orderOf(shown, listQuery);
  const position = shownPosition(route, listQuery, shown);
  return sql`select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total'), ...position])}
    from (${countOf(source, listQuery)}) as ${sql.id('n')}
    left join (
      select ${sql.id('f', resource.identifierField)} as ${sql.id('id')} from ${found.following() ?? source}
      order by ${order} limit ${dialect.placeholder(LIMIT)} offset ${dialect.placeholder(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${shown.joins(selection.joins)}
    order by ${shownOrder}`;
}

function countOf(source: Expression, { isEstimated }: ListQuery): Expression {
  const total = sql.id('total');
  if (!isEstimated) return sql`select count(*) as ${total} from ${source}`;
  return sql`select count(*) as ${total}
    from (select 1 from ${source} limit ${sql.lit(ESTIMATED_COUNT_MAX + 1)}) as ${sql.id('some')}`;
}

/** The position without the identifier, which a row has anyway. Empty if the list has no positions. */
function shownPosition(route: ModelRoute, listQuery: ListQuery, shown: Aliased, rank?: Expression): Expression[] {
  if (!hasPositions(route, listQuery)) return [];
  return positionTerms(route, listQuery, shown, rank)
    .slice(0, -1)
    .map(({ value }) => value);
}

/** Positions of those of the records `ids` that match. Rows: the values of the position. */
export function positionsQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  const some = context.dialect.listed(new BindParam('ids', route.resource.identifierType, true));
  const isOne = sql`${idOf(route)} in (select ${sql.id('listed', 'value')} from ${some})`;
  const { source, terms } = foundRecords(route, listQuery, context, isOne);
  return sql`select ${sql.join(terms().map(({ value }) => value))} from ${source}`;
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
  /** The values of a position in the list. */
  terms(): SortTerm[];
  /** Like `source`, with the records that follow the position of the query. Undefined without one. */
  following(): Expression | undefined;
  /** Whether a record of `source` follows that position. */
  follows(): Expression | undefined;
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
  const joins = found.joins();
  const from = (
    all: readonly Expression[],
  ): Expression => sql`${sql.table(route.resource.table)} as ${sql.id('f')} ${joins}
    ${all.length > 0 ? sql`where ${and(all)}` : sql``}`;
  // The order has the same terms, so they need no other joins.
  const terms = (): SortTerm[] => positionTerms(route, listQuery, found, rank);
  const follows = (): Expression | undefined =>
    listQuery.after && followsCondition(terms(), listQuery.after, context.dialect);
  return {
    ...{ source: from(conditions), order, ...(rank && { rank }), terms, follows },
    isNarrowed: candidates.length > 0 || isByLinks,
    following() {
      const condition = follows();
      return condition && from([...conditions, condition]);
    },
  };
}

function idOf({ resource }: ModelRoute): Expression {
  return sql.id('f', resource.identifierField);
}

/** Like `pageQuery`, but reads each text once: matches are materialized, then counted, sorted and limited. */
function materializedPage(
  route: ModelRoute,
  selection: Selection,
  listQuery: ListQuery,
  found: FoundRecords,
  context: QueryContext,
): Expression {
  const { dialect } = context;
  const { resource } = route;
  const { source, order, rank } = found;
  const id = sql.id('a', resource.identifierField);
  const [matches, key, place, follows] = [sql.id('matches'), sql.id('id'), sql.id('place'), sql.id('follows')];
  const shown = new Aliased('a', resource, context);
  const position = shownPosition(route, listQuery, shown, rank && sql.id('k', 'place'));
  // The rank is compared where it is already computed.
  const isLater = rank
    ? listQuery.after &&
      followsCondition([rankTerm(place), idTerm(key, resource.identifierType)], listQuery.after, dialect)
    : found.follows() && follows;
  return sql`with ${matches} as materialized (
      select ${sql.id('f', resource.identifierField)} as ${key},
        ${rank ?? sql`row_number() over (order by ${order})`} as ${place}
        ${rank || !isLater ? sql`` : sql`, ${found.follows()} as ${follows}`} from ${source}
    )
    select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total'), ...position])}
    from (${countOf(matches, listQuery)}) as ${sql.id('n')}
    left join (
      select ${key}, ${place} from ${matches} ${isLater ? sql`where ${isLater}` : sql``} order by ${place}, ${key}
      limit ${dialect.placeholder(LIMIT)} offset ${dialect.placeholder(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${shown.joins(selection.joins)}
    order by ${sql.id('k', 'place')}, ${sql.id('k', 'id')}`;
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
