/** SQL of `search=` (http.md §14): the condition that finds words, and the rank that orders the results. */
import { sql } from 'kysely';
import type { ModelField, ModelSearch } from '../model/model.ts';
import { keyColumn } from '../model/tables.ts';
import { BindParam } from '../ports.ts';
import { BETWEEN_WORDS, type SearchParam } from '../request/word-search.ts';
import { Aliased, type Expression } from './source.ts';

/** Every word is contained in the search key of one of the texts. */
export function searchCondition(source: Aliased, search: ModelSearch): Expression {
  return hasAll(source, 'search_patterns', (pattern) => {
    const inOne = search.in.map((field) =>
      field.resource === source.resource ? like(keyOf(source, field), pattern) : isInPart(source, field, pattern),
    );
    return sql`(${sql.join(inOne, sql` or `)})`;
  });
}

function isInPart(source: Aliased, field: ModelField, pattern: Expression): Expression {
  const { table, owner } = field.resource;
  const part = new Aliased('part', field.resource, source.context);
  const found = like(keyOf(part, field), pattern);
  return sql`exists (select 1 from ${sql.table(table)} as ${sql.id('part')} ${part.joins()}
    where ${sql.id('part', owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)} and ${found})`;
}

/** The number of the first rank condition that the record meets. */
export function rankOf(source: Aliased, { ranks }: ModelSearch): Expression {
  const cases = ranks.map((rank, index) => sql`when ${rankCondition(source, rank)} then ${sql.lit(index)}`);
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(ranks.length)} end`;
}

function rankCondition(source: Aliased, { field, has }: ModelSearch['ranks'][number]): Expression {
  const key = keyOf(source, field);
  const text = (param: SearchParam): Expression => source.context.dialect.placeholder(new BindParam(param, 'text'));
  switch (has) {
    case 'equal':
      return sql`${key} = ${text('search_phrase')}`;
    case 'begins':
      return like(key, text('search_begins'));
    case 'words':
      return hasAll(source, 'search_words', (pattern) => like(spaced(key), pattern));
    case 'all':
      return hasAll(source, 'search_patterns', (pattern) => like(key, pattern));
  }
}

function hasAll(source: Aliased, param: SearchParam, isFound: (pattern: Expression) => Expression): Expression {
  return sql`not exists (select 1 from ${source.context.dialect.listed(new BindParam(param, 'text', true))}
    where not ${isFound(sql.id('listed', 'value'))})`;
}

function like(text: Expression, pattern: Expression): Expression {
  return sql`(${text} like ${pattern} escape '\\')`;
}

function keyOf(source: Aliased, field: ModelField): Expression {
  const key = keyColumn(field);
  if (field.storage.in === 'translation') return source.shownText(key);
  const own = sql.id(source.alias, key);
  // A comparison with null would be neither true nor false, so the record would count as found.
  return field.field.nullable ? sql`coalesce(${own}, '')` : own;
}

/** The text with at least one space before and after each of its words. */
function spaced(text: Expression): Expression {
  const words = BETWEEN_WORDS.reduce((all, character) => sql`replace(${all}, ${sql.lit(character)}, ' ')`, text);
  return sql`(' ' || ${words} || ' ')`;
}
