/** One table in a FROM clause: its texts in the request's language, its order, and the types of its columns. */
import { type RawBuilder, sql } from 'kysely';
import type { Environment } from '../field.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { keyColumn, ownerColumn, textTable } from '../model/tables.ts';
import type { ColumnType, Dialect } from '../ports.ts';
import { DEFAULT_LANGUAGE, LANGUAGE } from '../request/bind-params.ts';
import type { ListQuery } from '../request/list-query.ts';

export type Expression = RawBuilder<unknown>;

/** Whether the request's language is the store's default, which saves a join. */
export type LanguageMode = 'default' | 'other';

export interface QueryContext {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly mode: LanguageMode;
}

/** An aliased table in a FROM clause. Text tables are joined only if an expression needs them. */
export class Aliased {
  readonly alias: string;
  readonly resource: ModelResource;
  readonly #context: QueryContext;
  #needsTexts = false;

  constructor(alias: string, resource: ModelResource, context: QueryContext) {
    this.alias = alias;
    this.resource = resource;
    this.#context = context;
  }

  get context(): QueryContext {
    return this.#context;
  }

  /**
   * A text column in the request's language. Falls back to the store's default language, then to the first other
   * language by code, then to "" (http.md §5).
   */
  shownText(column: string, fallback?: string): Expression {
    this.#needsTexts = true;
    const own = sql.id(this.#own, column);
    const standsIn = this.#context.mode === 'default' ? sql`` : sql`${sql.id(this.#default, column)},`;
    const inNone = fallback === undefined ? sql`` : sql`${sql.id(this.alias, fallback)},`;
    const table = textTable(this.resource);
    return sql`coalesce(${own}, ${standsIn} ${inNone} (select ${sql.id('x', column)} from ${sql.table(table)} as ${sql.id('x')}
      where ${sql.id('x', ownerColumn(this.resource))} = ${sql.id(this.alias, this.resource.identifierField)}
      and ${sql.id('x', column)} is not null order by ${sql.id('x', 'language')} limit 1), '')`;
  }

  /** The joins for the expressions created so far, or `others` if none are needed. Must be called last. */
  joins(others: Expression = sql``): Expression {
    if (!this.#needsTexts) return others;
    const { mode, dialect } = this.#context;
    const own = this.#join(this.#own, dialect.placeholder(LANGUAGE));
    return mode === 'default' ? own : sql`${own} ${this.#join(this.#default, dialect.placeholder(DEFAULT_LANGUAGE))}`;
  }

  get #own(): string {
    return `${this.alias}_own`;
  }

  get #default(): string {
    return `${this.alias}_default`;
  }

  #join(alias: string, language: Expression): Expression {
    return sql`left join ${sql.table(textTable(this.resource))} as ${sql.id(alias)}
      on ${sql.id(alias, ownerColumn(this.resource))} = ${sql.id(this.alias, this.resource.identifierField)}
      and ${sql.id(alias, 'language')} = ${language}`;
  }
}

/** The requested order, or the default. The id always breaks ties. */
export function orderOf(source: Aliased, { orders }: Pick<ListQuery, 'orders'>): Expression {
  const { resource } = source;
  const wanted = orders.length > 0 ? orders : resource.defaultOrder;
  const terms = orderTermsOf(source, wanted);
  const id = sql.id(source.alias, resource.identifierField);
  return sql.join(wanted.some(({ field }) => field.isIdentifier) ? terms : [...terms, sql`${id} asc`]);
}

/** Terms without ties broken by the identifier. */
export function orderTermsOf(source: Aliased, orders: ListQuery['orders']): Expression[] {
  return sortTermsOf(source, orders).map(({ value, isDescending, isNullable }) => {
    const direction = isDescending ? sql`desc` : sql`asc`;
    // SQLite sorts nulls first, PostgreSQL last.
    const nulls = isNullable ? (isDescending ? sql` nulls last` : sql` nulls first`) : sql``;
    return sql`${value} ${direction}${nulls}`;
  });
}

/** A value by which records are sorted. Null is less than all others. */
export interface SortTerm {
  readonly value: Expression;
  readonly type: ColumnType;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
}

/** The values of orders, without ties broken by the identifier. */
export function sortTermsOf(source: Aliased, orders: ListQuery['orders']): SortTerm[] {
  return orders.flatMap(({ field, descending: isDescending }) => {
    const shownColumn = (column: string): Expression =>
      field.storage.in === 'translation' ? source.shownText(column) : sql.id(source.alias, column);
    // Equal keys are sorted by code points: both databases compare texts by their UTF-8 bytes.
    const columns = field.field.searchable ? [keyColumn(field), field.column] : [field.column];
    const isNullable = field.field.nullable && !field.field.searchable;
    const types = sortTypesOf(field);
    return columns.map((column, index) => ({
      ...{ value: shownColumn(column), type: types[index]!, isDescending, isNullable },
    }));
  });
}

/** The types of the values by which a field sorts: two if it has a search key. */
export function sortTypesOf(field: ModelField): ColumnType[] {
  return field.field.searchable ? ['text', 'text'] : [columnType(field)];
}

/** The type of the column that stores a field. */
export function columnType(field: ModelField): ColumnType {
  if (field.storage.in === 'column') return field.storage.type;
  return field.storage.in === 'translation' ? 'text' : field.target!.identifierType;
}

/** True if there are no conditions, as for the only record of a resource. */
export function and(conditions: readonly Expression[]): Expression {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}
