/** Addresses of records as SQL expressions. */
import { sql } from 'kysely';
import type { ModelResource } from '../model/model.ts';
import { pathForms } from '../model/path-forms.ts';
import type { Cell, PathForm } from '../ports.ts';
import type { Expression } from '../sql/source.ts';

/** SQL expression of a record's path. Empty if no route reads the record or its owner publishes its changes. */
export function pathOf(resource: ModelResource): Expression {
  return resource.isPublishedByOwner ? sql`''` : pathIn(resource.table, pathForms(resource));
}

/** The first form whose conditions hold for the table's row. */
export function pathIn(table: string, forms: readonly PathForm[]): Expression {
  const [only, ...others] = forms;
  if (!only) return sql`''`;
  if (others.length === 0 && only.when.length === 0) return filledIn(table, only);
  const cases = forms.map((form) => sql`when ${holds(table, form)} then ${filledIn(table, form)}`);
  return sql`case ${sql.join(cases, sql` `)} else '' end`;
}

function holds(table: string, { when }: PathForm): Expression {
  const conditions = when.map(({ cell, is }) => {
    const value = cellOf(table, cell);
    if (is === undefined) return sql`${value} is not null`;
    return is === null ? sql`${value} is null` : sql`${value} = ${sql.lit(is)}`;
  });
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

function filledIn(table: string, { texts, cells }: PathForm): Expression {
  const parts = texts.flatMap((text, index) => {
    const cell = cells[index];
    return [...(text === '' ? [] : [sql.lit(text)]), ...(cell ? [sql`cast(${cellOf(table, cell)} as text)`] : [])];
  });
  return sql.join(parts, sql` || `);
}

function cellOf(table: string, { column, of }: Cell): Expression {
  if (!of) return sql.id(table, column);
  return sql`(select ${sql.id('above', column)} from ${sql.table(of.table)} as ${sql.id('above')}
    where ${sql.id('above', of.key)} = ${cellOf(table, of.is)})`;
}
