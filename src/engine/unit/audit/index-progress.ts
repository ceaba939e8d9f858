/** Progress of the index tables of the audit. */
import { sql } from 'kysely';
import { BindParam, type Dialect } from '../../ports.ts';
import type { Expression } from '../../sql/source.ts';

/** Settings with the id of the last entry in an index. */
export const INDEXED_PATHS = 'audit paths';
export const INDEXED_VALUES = 'audit values';

/** @param setting of the index @returns 0 before the first entry */
export function indexedUpTo(setting: string): Expression {
  return sql`coalesce((select cast(value as bigint) from ${sql.table('setting')}
    where name = ${sql.lit(setting)}), 0)`;
}

/** Condition for the entries that the job adds to an index: those after the last one in it, up to `last`. */
export function isNext({ placeholder }: Dialect, setting: string): Expression {
  return sql`id > ${indexedUpTo(setting)} and id <= ${placeholder(new BindParam('last', 'integer'))}`;
}
