/**
 * Records of a place by identifier, a span of identifiers at a time, as SQL: however few the filters let through, one
 * statement looks at no more records than the span has.
 */
import { sql } from 'kysely';
import type { ModelRoute } from '../model/model.ts';
import { BindParam } from '../ports.ts';
import type { ListQuery } from '../request/list-query.ts';
import { foundRecords } from './query.ts';
import type { Selection } from './selection.ts';
import type { Expression, QueryContext } from './source.ts';

/**
 * Rows: the records' values, then the id, of those behind the slot `after` up to the slot `until`, by id. The left join
 * keeps a database from walking through all records to have them in order.
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

/** Rows: how many records the span has that the filters let through. */
export function spanCountQuery(route: ModelRoute, listQuery: ListQuery, context: QueryContext): Expression {
  return sql`select count(*) from ${inSpan(route, listQuery, context)}`;
}

/** Rows: the lowest and the highest identifier there is. */
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
