/**
 * SQL of exports: records by spans of identifiers. One statement reads no more records than its span contains, however
 * few of them match.
 */
import { sql } from 'kysely';
import type { ModelRoute } from '../model/model.ts';
import { BindParam } from '../ports.ts';
import type { ListQuery } from '../request/list-query.ts';
import { foundRecords } from './query.ts';
import type { Selection } from './selection.ts';
import type { Expression, QueryContext } from './source.ts';

/**
 * Rows: record values, then the id, of records after `after` up to `until`, by id. The left join prevents databases
 * from scanning all records for the order.
 */
export function spanQuery(
  route: ModelRoute,
  selection: Selection,
  listQuery: ListQuery,
  context: QueryContext,
): Expression {
  const { table, identifierField } = route.resource;
  const id = sql.id('a', identifierField);
  return sql`select ${sql.join([...selection.expressions, id])}
    from (select ${idOf(route)} as ${sql.id('id')} from ${inSpan(route, listQuery, context)}) as ${sql.id('k')}
    left join ${sql.table(table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${selection.joins}
    order by ${sql.id('k', 'id')}`;
}

/** Rows: the number of matching records in the span. */
export function spanCountQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  return sql`select count(*) from ${inSpan(route, listQuery, context)}`;
}

/** Rows: the lowest and the highest identifier. */
export function boundsQuery({ resource }: ModelRoute): Expression {
  const id = sql.id(resource.identifierField);
  return sql`select min(${id}), max(${id}) from ${sql.table(resource.table)}`;
}

function inSpan(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  const { dialect } = context;
  const [after, until] = ['after', 'until'].map((name) =>
    dialect.placeholder(new BindParam(name, route.resource.identifierType)),
  );
  const isIn = sql`${idOf(route)} > ${after} and ${idOf(route)} <= ${until}`;
  return foundRecords(route, { ...listQuery, orders: [] }, context, isIn).source;
}

function idOf({ resource }: ModelRoute): Expression {
  return sql.id('f', resource.identifierField);
}
