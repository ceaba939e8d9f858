/**
 * Narrows text filters and searches to candidate records by text indexes. Candidates must still meet the conditions,
 * because an index knows neither the request's language nor the positions of trigrams in a text.
 */
import { sql } from 'kysely';
import type { ModelSearch } from '../model/model.ts';
import { textIndexOf } from '../model/tables.ts';
import { BindParam } from '../ports.ts';
import { filterParam, trigramParam } from '../request/bind-params.ts';
import type { ListQuery } from '../request/list-query.ts';
import { longWordParam } from '../request/word-search.ts';
import type { Aliased, Expression } from './source.ts';

/** One condition for all texts, since databases estimate several ones badly. Empty if no index applies. */
export function candidateConditions(source: Aliased, listQuery: ListQuery): Expression[] {
  const sets = [...filterCandidates(source, listQuery), ...searchCandidates(source, listQuery)];
  if (sets.length === 0) return [];
  const each = sets.map((set) => sql`select * from (${set}) as ${sql.id('candidates')}`);
  return [sql`${sql.id(source.alias, source.resource.identifierField)} in (${sql.join(each, sql` intersect `)})`];
}

function filterCandidates({ context }: Aliased, { filters }: ListQuery): Expression[] {
  return filters.flatMap((use, index) => {
    if (use.form !== 'partial' || !use.hasTrigrams) return [];
    const textIndex = textIndexOf(use.filter.field);
    if (!textIndex) return [];
    return [context.dialect.havingTrigrams(textIndex, new BindParam(trigramParam(filterParam(index)), 'json', true))];
  });
}

function searchCandidates(source: Aliased, { search }: ListQuery): Expression[] {
  if (!search) return [];
  const params = Array.from(
    { length: search.longWords },
    (_, index) => new BindParam(longWordParam(index), 'json', true),
  );
  return params.flatMap((param) => wordCandidates(source, search, param) ?? []);
}

/** Records that may contain the word in one of the texts; undefined if a text has no index. */
function wordCandidates(source: Aliased, search: ModelSearch, word: BindParam): Expression | undefined {
  const sets = new Map<string, Expression>();
  for (const field of search.in) {
    const index = textIndexOf(field);
    if (!index) return undefined;
    const { resource } = field;
    const found = source.context.dialect.havingTrigrams(index, word);
    sets.set(
      index.name,
      resource === source.resource
        ? found
        : sql`select ${sql.id(resource.owner!.column)} from ${sql.table(resource.table)}
            where ${sql.id(resource.identifierField)} in (${found})`,
    );
  }
  return sql.join([...sets.values()], sql` union all `);
}
