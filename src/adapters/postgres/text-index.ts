/**
 * An index for parts of texts: a GIN index of their trigrams. The extension pg_trgm would cut words at letters, and
 * knows no letter but those of ASCII in a database with the locale C; a function of our own takes any three characters.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TextIndex } from '../../engine/ports.ts';

const FUNCTION = sql.id('purveyor_trigrams');

/**
 * Its text stands in the database as parsed, so it does not depend on anybody's search_path. Three passes over the text
 * take each a third of the trigrams; `substr` at each place would look at the whole text before it every time.
 */
const CREATE_FUNCTION = sql`create or replace function ${FUNCTION} (key text) returns text[]
  language sql immutable strict parallel safe
  return array(
    select found[1] from regexp_matches(key, '...', 'g') as found
    union all select found[1] from regexp_matches(substr(key, 2), '...', 'g') as found
    union all select found[1] from regexp_matches(substr(key, 3), '...', 'g') as found
  )`;

/**
 * KiB of changes that wait beside the index, and are looked through by each query, until they are taken in together.
 */
const PENDING_KIB_MAX = 256;

export function createTextIndex(index: TextIndex): RawBuilder<unknown>[] {
  return [
    CREATE_FUNCTION,
    sql`create index ${sql.id(index.name)} on ${sql.id(index.table)} using gin (${trigramsIn(index)})
      with (fastupdate = on, gin_pending_list_limit = ${sql.lit(PENDING_KIB_MAX)})`,
  ];
}

/** The indexed expression. The planner takes the index only where a query has it in the very same words. */
export function trigramsIn({ table, columns }: TextIndex): RawBuilder<unknown> {
  const texts = columns.map((column) => sql`coalesce(${sql.id(table, column)}, '')`);
  return sql`${FUNCTION}(${sql.join(texts, sql` || ' ' || `)})`;
}
