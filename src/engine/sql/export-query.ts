/**
 * Records of a place by identifier, a span of identifiers at a time, as SQL: however few the filters let through, one
 * statement looks at no more records than the span has.
 */
import { sql } from 'kysely';
import type { ModelPlace } from '../model/model.ts';
import { Slot } from '../ports.ts';
import type { ListIntent } from '../request/list-query.ts';
import { foundRecords } from './query.ts';
import type { Selection } from './selection.ts';
import type { Expression, QueryContext } from './source.ts';

/**
 * Rows: the records' values, then the id, of those behind the slot `after` up to the slot `until`, by id. The left join
 * keeps a database from walking through all records to have them in order.
 */
export function spanQuery(
  place: ModelPlace,
  selection: Selection,
  intent: ListIntent,
  context: QueryContext,
): Expression {
  const { table, identifierField } = place.resource;
  const id = sql.id('a', identifierField);
  return sql`select ${sql.join([...selection.expressions, id])}
    from (select ${idOf(place)} as ${sql.id('id')} from ${inSpan(place, intent, context)}) as ${sql.id('k')}
    left join ${sql.table(table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${selection.joins}
    order by ${sql.id('k', 'id')}`;
}

/** Rows: how many records the span has that the filters let through. */
export function spanCountQuery(place: ModelPlace, intent: ListIntent, context: QueryContext): Expression {
  return sql`select count(*) from ${inSpan(place, intent, context)}`;
}

/** Rows: the lowest and the highest identifier there is. */
export function boundsQuery({ resource }: ModelPlace): Expression {
  const id = sql.id(resource.identifierField);
  return sql`select min(${id}), max(${id}) from ${sql.table(resource.table)}`;
}

function inSpan(place: ModelPlace, intent: ListIntent, context: QueryContext): Expression {
  const { dialect } = context;
  const [after, until] = ['after', 'until'].map((name) => dialect.place(new Slot(name, place.resource.identifierType)));
  const isIn = sql`${idOf(place)} > ${after} and ${idOf(place)} <= ${until}`;
  return foundRecords(place, { ...intent, orders: [] }, context, isIn).source;
}

function idOf({ resource }: ModelPlace): Expression {
  return sql.id('f', resource.identifierField);
}
