/** SQL that finds a record by its name. */
import { type RawBuilder, sql } from 'kysely';
import type { ModelField } from '../model/model.ts';
import { matchColumn, ownerColumn, textTable } from '../model/tables.ts';
import type { Dialect } from '../ports.ts';
import { DEFAULT_LANGUAGE, LANGUAGE } from '../request/bind-params.ts';

/**
 * The id of the record with a name: the one whose text in the request's language matches, otherwise one that shows the
 * name as a fallback. The lowest id wins (http.md §5). Null if there is none.
 * @param match SQL expression of the name in the form of `matchOf`
 */
export function foundByName(
  naming: ModelField,
  match: RawBuilder<unknown>,
  { dialect }: { readonly dialect: Dialect },
): RawBuilder<unknown> {
  const { resource } = naming;
  if (naming.storage.in === 'column')
    return sql`(select ${sql.id('t', resource.identifierField)} from ${sql.table(resource.table)} as ${sql.id('t')}
      where ${sql.id('t', naming.column)} = ${match})`;
  const texts = sql.table(textTable(resource));
  const owner = ownerColumn(resource);
  const language = dialect.placeholder(LANGUAGE);
  const written = (alias: string) =>
    sql`${sql.id(alias, owner)} = ${sql.id('t', owner)} and ${sql.id(alias, naming.column)} is not null`;
  return sql`coalesce(
    (select min(${sql.id('t', owner)}) from ${texts} as ${sql.id('t')}
      where ${sql.id('t', matchColumn(naming))} = ${match} and ${sql.id('t', 'language')} = ${language}),
    (select min(${sql.id('t', owner)}) from ${texts} as ${sql.id('t')}
      where ${sql.id('t', matchColumn(naming))} = ${match} and ${sql.id('t', 'language')} <> ${language}
      and not exists (select 1 from ${texts} as ${sql.id('o')} where ${written('o')} and ${sql.id('o', 'language')} = ${language})
      and ${sql.id('t', 'language')} = (
        select coalesce(
          min(case when ${sql.id('o', 'language')} = ${dialect.placeholder(DEFAULT_LANGUAGE)} then ${sql.id('o', 'language')} end),
          min(${sql.id('o', 'language')})
        ) from ${texts} as ${sql.id('o')} where ${written('o')})))`;
}
