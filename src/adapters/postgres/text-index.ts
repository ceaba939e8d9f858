/**
 * Substring index: a GIN index of trigrams. The pg_trgm extension would split words at non-letters, and in a database
 * with the C locale it knows only ASCII letters. The function below takes any three characters.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TextIndex } from '../../engine/ports.ts';

/** With a schema, the compiler of the statements adds it, as it does to names of tables. */
const FUNCTION = sql.table('purveyor_trigrams');

/**
 * PostgreSQL stores the parsed body, so the function does not depend on the search_path. Each of three passes over the
 * text takes a third of the trigrams; `substr` at each position would scan the preceding text every time.
 */
const CREATE_FUNCTION = sql`create or replace function ${FUNCTION} (key text) returns text[]
  language sql immutable strict parallel safe
  return array(
    select found[1] from regexp_matches(key, '...', 'g') as found
    union all select found[1] from regexp_matches(substr(key, 2), '...', 'g') as found
    union all select found[1] from regexp_matches(substr(key, 3), '...', 'g') as found
  )`;

/** KiB of changes that are buffered next to the index and scanned by each query until they are merged. */
const PENDING_KIB_MAX = 256;

export function createTextIndex(index: TextIndex): RawBuilder<unknown>[] {
  return [
    CREATE_FUNCTION,
    sql`create index ${sql.id(index.name)} on ${sql.table(index.table)} using gin (${trigramsIn(index)})
      with (fastupdate = on, gin_pending_list_limit = ${sql.lit(PENDING_KIB_MAX)})`,
  ];
}

/** The indexed expression. The planner uses the index only if a query contains exactly the same expression. */
export function trigramsIn({ table, columns }: TextIndex): RawBuilder<unknown> {
  const texts = columns.map((column) => sql`coalesce(${sql.id(table, column)}, '')`);
  return sql`${FUNCTION}(${sql.join(texts, sql` || ' ' || `)})`;
}
