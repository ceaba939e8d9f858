/** Finds the audit entries of records by path. The job `index-audit.ts` adds entries to the table of paths. */
import { sql } from 'kysely';
import { AUDIT_TABLE } from '../../model/audit-tables.ts';
import { BindParam, type Dialect } from '../../ports.ts';
import type { Expression } from '../../sql/source.ts';
import { INDEXED_PATHS, indexedUpTo, isNext } from './index-progress.ts';

const CHAIN = sql.table('audit_entry');
const PATHS = sql.table('audit_path');
const [PATH, START] = [sql.id('of', 'path'), sql.id('listed', 'value')];

/** Entries that are not in the table yet. */
export const IS_NEW_PATH = sql`id > ${indexedUpTo(INDEXED_PATHS)}`;

const NOT_INDEXED = sql`select id from ${CHAIN} where ${IS_NEW_PATH}`;

const ABOUT = new BindParam('paths', 'text', true);

/** Adds the paths of entries to the table. */
export function addPaths(dialect: Dialect): Expression {
  return sql`insert into ${PATHS} (path, id) select path, id from ${CHAIN}
    where ${isNext(dialect, INDEXED_PATHS)} and path is not null order by path, id`;
}

/** Condition for the entries of the chain without their row in the table. */
export const LACKS_PATH = sql`path is not null and (select 1 from ${PATHS} as ${sql.id('of')}
  where ${PATH} = ${sql.id(AUDIT_TABLE, 'path')} and ${sql.id('of', 'id')} = ${sql.id(AUDIT_TABLE, 'id')}) is null`;

/** The number of rows that the table needs for the selected entries. */
export const PATH_ROWS = sql`count(path)`;

/** Condition for the entries of records with one of the paths `paths`. @param table of entries */
export function isOf({ listed }: Dialect, table: string): Expression {
  const isListed = sql`${sql.id(table, 'path')} in (select ${START} from ${listed(ABOUT)})`;
  if (table !== AUDIT_TABLE) return isListed;
  return sql`${sql.id(table, 'id')} in (select ${sql.id('of', 'id')} from ${listed(ABOUT)}
    join ${PATHS} as ${sql.id('of')} on ${PATH} = ${START} union all ${NOT_INDEXED}) and ${isListed}`;
}

/**
 * Condition for the entries of the records `paths` and of their parts. The paths of parts begin with the path of the record and a
 * slash. `0` is the character after the slash, so these paths are less than the record’s path followed by `0`.
 */
export function isAbout({ listed }: Dialect, table: string): Expression {
  const own = sql.id(table, 'path');
  const isListed = sql`exists (select 1 from ${listed(ABOUT)}
    where ${own} = ${START} or substr(${own}, 1, length(${START}) + 1) = ${START} || '/')`;
  if (table !== AUDIT_TABLE) return isListed;
  return sql`${sql.id(table, 'id')} in (select ${sql.id('of', 'id')} from ${listed(ABOUT)}
    join ${PATHS} as ${sql.id('of')} on ${PATH} >= ${START} and ${PATH} < ${START} || '0' union all ${NOT_INDEXED}) and ${isListed}`;
}

/** Ids of the entries in the table with the path `path`. */
export function idsOfPath({ placeholder }: Dialect): Expression {
  return sql`select id from ${PATHS} where path = ${placeholder(new BindParam('path', 'text'))}`;
}

/** Removes the entries up to `id` from the table, before they are deleted. */
export function removePaths({ placeholder }: Dialect): Expression {
  const id = placeholder(new BindParam('id', 'integer'));
  return sql`delete from ${PATHS} where id <= ${id} and path in (select path from ${CHAIN} where id <= ${id})`;
}
