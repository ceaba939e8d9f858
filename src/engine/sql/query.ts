/**
 * Reads as SQL: one statement gives one record or one page of a collection with all its links, so that every read sees
 * one moment of the store. Each shape is compiled once; a request only fills in its slots.
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
import { Aliased, and, type Expression, orderOf, type QueryContext } from './source.ts';

/** The record that a path means. Rows: its values, then its version. */
export function recordQuery(route: ModelRoute, selection: Selection, { dialect }: QueryContext): Expression {
  return sql`select ${sql.join([...selection.expressions, sql.id('a', VERSION)])}
    from ${sql.table(route.resource.table)} as ${sql.id('a')} ${selection.joins}
    where ${and(recordConditions(route, 'a', dialect))}`;
}

/** Records of a place by their identifiers, in no order. Rows: the record's values, its id. */
export function recordsQuery(route: ModelRoute, selection: Selection, { dialect }: QueryContext): Expression {
  const { table, identifierField, identifierType } = route.resource;
  const id = sql.id('a', identifierField);
  const listed = dialect.listed(new BindParam('ids', identifierType, true));
  return sql`select ${sql.join([...selection.expressions, id])}
    from ${sql.table(table)} as ${sql.id('a')} ${selection.joins}
    where ${and([sql`${id} in (select value from ${listed})`, ...routeConditions(route, 'a', dialect)])}`;
}

/**
 * One page. Rows: the record's values (all null when the page is empty), its id, its version, then the number of records
 * that the filters let through; at least one row. The ids of the page are found first, so that what hangs on a record is
 * read only for the records that are shown.
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

/** The identifiers of all records that the filters let through, in order. One row, one JSON array. */
export function wholeListQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  const { source, order } = foundRecords(route, listQuery, context);
  const [id, rank] = [sql.id('id'), sql.id('rank')];
  return sql`select ${context.dialect.jsonAggregate(id, rank)} from (
    select ${idOf(route)} as ${id}, row_number() over (order by ${order}) as ${rank} from ${source}
  ) as ${sql.id('found')}`;
}

/** Those of some records (slot `ids`) that the filters let through, in order. Rows: the identifier. */
export function partOfListQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  const some = context.dialect.listed(new BindParam('ids', route.resource.identifierType, true));
  const isOne = sql`${idOf(route)} in (select ${sql.id('listed', 'value')} from ${some})`;
  const { source, order } = foundRecords(route, listQuery, context, isOne);
  return sql`select ${idOf(route)} from ${source} order by ${order}`;
}

/** The part behind FROM where records are looked for as `f`, and the order in which they are listed. */
interface FoundRecords {
  readonly source: Expression;
  readonly order: Expression;
  /** How well a search finds each, where they are in that order: the lower the better. */
  readonly rank?: Expression;
  /** Indexes of texts or links are asked, which takes a while where they find much. */
  readonly isNarrowed: boolean;
}

/** @param isOne whether a record is one of those asked about, where these are few: then no index is asked */
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
    ...listQuery.filters.map((use, index) => filterCondition(found, use, index, isByLinks)),
    ...(listQuery.search ? [searchCondition(found, listQuery.search)] : []),
  ];
  // Asked before the joins, which know then what they are for.
  const rank = listQuery.search && listQuery.orders.length === 0 ? rankOf(found, listQuery.search) : undefined;
  const order = rank ? sql`${rank}, ${idOf(route)}` : orderOf(found, listQuery);
  const source = sql`${sql.table(route.resource.table)} as ${sql.id('f')} ${found.joins()}
    ${conditions.length > 0 ? sql`where ${and(conditions)}` : sql``}`;
  return { source, order, ...(rank && { rank }), isNarrowed: candidates.length > 0 || isByLinks };
}

function idOf({ resource }: ModelRoute): Expression {
  return sql.id('f', resource.identifierField);
}

/** As `pageQuery`. Each text is looked into once: what was found is counted, sorted and cut from one list of it. */
function rankedPage(
  { resource }: ModelRoute,
  selection: Selection,
  { source, rank }: { readonly source: Expression; readonly rank: Expression },
  dialect: Dialect,
): Expression {
  const id = sql.id('a', resource.identifierField);
  const [matches, key, placeholder] = [sql.id('matches'), sql.id('id'), sql.id('place')];
  return sql`with ${matches} as materialized (
      select ${sql.id('f', resource.identifierField)} as ${key}, ${rank} as ${placeholder} from ${source}
    )
    select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total')])}
    from (select count(*) as ${sql.id('total')} from ${matches}) as ${sql.id('n')}
    left join (
      select ${key}, ${placeholder} from ${matches} order by ${placeholder}, ${key}
      limit ${dialect.placeholder(LIMIT)} offset ${dialect.placeholder(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${selection.joins}
    order by ${sql.id('k', 'place')}, ${sql.id('k', 'id')}`;
}

/**
 * The own texts of the record that a path means. Rows: its version, then a list with an element for each language by code: the code, and
 * the place's texts (null: never written).
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
