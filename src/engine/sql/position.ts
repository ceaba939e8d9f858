/** SQL of positions in lists (finding.md §3): the values that decide a position, and the condition that a record follows it. */
import { sql } from 'kysely';
import type { ModelRoute } from '../model/model.ts';
import { BindParam, type ColumnType, type Dialect, type Row, type Value } from '../ports.ts';
import { isRanked, positionOrders } from '../request/list-position.ts';
import type { ListPosition, ListQuery } from '../request/list-query.ts';
import { type Aliased, and, type Expression, type SortTerm, sortTermsOf, sortTypesOf } from './source.ts';

/**
 * The values of a record's position, the identifier last.
 * @param rank of a list that is sorted by the rank of its search
 */
export function positionTerms(
  route: ModelRoute,
  listQuery: Pick<ListQuery, 'orders' | 'search'>,
  source: Aliased,
  rank?: Expression,
): SortTerm[] {
  const { identifierField, identifierType } = route.resource;
  if (!rank) return sortTermsOf(source, positionOrders(route, listQuery));
  return [rankTerm(rank), idTerm(sql.id(source.alias, identifierField), identifierType)];
}

export function rankTerm(value: Expression): SortTerm {
  return { value, type: 'integer', isDescending: false, isNullable: false };
}

export function idTerm(value: Expression, type: SortTerm['type']): SortTerm {
  return { value, type, isDescending: false, isNullable: false };
}

/** The types of a position's values. */
export function positionTypes(route: ModelRoute, listQuery: Pick<ListQuery, 'orders' | 'search'>): ColumnType[] {
  if (isRanked(listQuery)) return ['integer', route.resource.identifierType];
  return positionOrders(route, listQuery).flatMap(({ field }) => sortTypesOf(field));
}

export function readPosition(types: readonly ColumnType[], values: Row, { decode }: Dialect): ListPosition {
  return types.map((type, index) => decode[type](values[index] as never));
}

const valueParam = (index: number): string => `after_${index}`;

/** The bind values of `followsCondition`. */
export function positionValues(position: ListPosition): Record<string, Value> {
  return Object.fromEntries(position.flatMap((value, index) => (value === null ? [] : [[valueParam(index), value]])));
}

/** Identifies the statement: conditions for null differ from those for other values. */
export function positionShape(position: ListPosition): string {
  return `after ${position.map((value) => (value === null ? 'null' : 'value')).join()}`;
}

/** Whether a record follows the position in the order of the terms. */
export function followsCondition(terms: readonly SortTerm[], position: ListPosition, dialect: Dialect): Expression {
  const values = terms.map(({ type }, index) => dialect.placeholder(new BindParam(valueParam(index), type)));
  // A comparison of rows can use an index for all of its columns.
  if (terms.every(({ isDescending, isNullable }) => !isDescending && !isNullable))
    return sql`(${sql.join(terms.map(({ value }) => value))}) > (${sql.join(values)})`;
  const [first] = terms;
  const [least] = values;
  const isBounded = !first!.isNullable;
  const bound = isBounded ? [sql`${first!.value} ${first!.isDescending ? sql`<=` : sql`>=`} ${least}`] : [];
  return and([...bound, followsFrom(0)]);

  function followsFrom(index: number): Expression {
    const [term, isNull] = [terms[index]!, position[index] === null];
    const follows = followsValue(term, isNull, values[index]!);
    if (index === terms.length - 1) return sql`(${follows})`;
    const isEqual = isNull ? sql`${term.value} is null` : sql`${term.value} = ${values[index]}`;
    return sql`(${follows} or (${isEqual} and ${followsFrom(index + 1)}))`;
  }
}

/** Null is less than all other values. */
function followsValue({ value, isDescending, isNullable }: SortTerm, isNull: boolean, other: Expression): Expression {
  if (isNull) return isDescending ? sql`1 = 0` : sql`${value} is not null`;
  if (!isDescending) return sql`${value} > ${other}`;
  return isNullable ? sql`(${value} < ${other} or ${value} is null)` : sql`${value} < ${other}`;
}
