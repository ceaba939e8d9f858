/** How texts are compared and found: the key for sorting and searching, the form for names, and finding a record by name. */
import { type RawBuilder, sql } from 'kysely';
import type { ModelField } from '../model/model.ts';
import type { Dialect, TextForm } from '../ports.ts';
import { DEFAULT_LANGUAGE, LANGUAGE } from './slots.ts';
import { matchColumn, ownerColumn, textTable } from '../model/tables.ts';

/** Sorts and searches without accents and case: NFKD, combining marks dropped, lower case (http.md §8). */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/** Two names are the same when this is: trimmed, NFC, lower case (http.md §5). */
export function nameMatch(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** Two codes are twins when this is the same: case, outer white space and compatible forms of characters do not count. */
export function looseMatch(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

export const TEXT_FORMS: Readonly<Record<TextForm, (text: string) => string>> = {
  key: searchKey,
  match: nameMatch,
  loose: looseMatch,
};

/** A LIKE pattern, escaped with `\`, for texts whose key contains the value's key. */
export function containsPattern(value: string): string {
  return `%${escapedPattern(searchKey(value))}%`;
}

/** A text as the part of a LIKE pattern, escaped with `\`, that stands for nothing but itself. */
export function escapedPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The form in which the texts that name records of a resource are compared: codes exactly, names as names. */
export function matchOf(naming: ModelField, text: string): string {
  return naming.storage.in === 'translation' ? nameMatch(text) : text;
}

/**
 * The id of the record that a name means: the one whose own text in the request's language matches, else one that shows
 * it by fall-back; of several the lowest id (http.md §5). Null when there is none.
 * @param match an expression that gives the name as `matchOf` has it
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
  const language = dialect.place(LANGUAGE);
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
          min(case when ${sql.id('o', 'language')} = ${dialect.place(DEFAULT_LANGUAGE)} then ${sql.id('o', 'language')} end),
          min(${sql.id('o', 'language')})
        ) from ${texts} as ${sql.id('o')} where ${written('o')})))`;
}
