/**
 * Faults that the owner of a PostgreSQL database's tables can detect: invalid or disabled objects in the catalog, and
 * dangling references. Unreadable pages show when rows are read. Checking indexes page by page is a task for
 * PostgreSQL's `pg_amcheck`, for which a store's role rarely has permissions.
 */
import { sql } from 'kysely';
import { postgresDialect } from './dialect.ts';
import type { Run } from './own-connection.ts';

export async function faultsIn(run: Run): Promise<string[]> {
  const faults = (await run(READ_CATALOGUE)).map(([fault]) => fault as string);
  for (const [table, parent, count] of await run(READ_REFERENCES)) {
    const [[lost] = []] = await run(compile(sql.raw(count as string)));
    if (lost !== 0) faults.push(`In the table ${table}, ${lost} of the rows refer to a ${parent} that does not exist.`);
  }
  return faults.slice(0, FAULTS_MAX);
}

const FAULTS_MAX = 100;

const { compile } = postgresDialect;

const READ_CATALOGUE = compile(
  sql`select format('In the table %s, the constraint %s does not hold for all rows.', conrelid::regclass, conname)
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where relnamespace = current_schema()::regnamespace and not convalidated
    union all select format('In the table %s, the index %s is invalid.', indrelid::regclass, indexrelid::regclass)
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = current_schema()::regnamespace and not (indisvalid and indisready)
    union all select distinct format('In the table %s, references are not enforced: triggers are off.', tgrelid::regclass)
      from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = current_schema()::regnamespace and tgisinternal and tgenabled = 'D'`,
);

/** Tables, and a query that counts the rows with a dangling reference. */
const READ_REFERENCES = compile(
  sql`select conrelid::regclass::text, confrelid::regclass::text, format(
      'select count(*) from %s child where %I is not null and not exists (select from %s parent where parent.%I = child.%I)',
      conrelid::regclass, referring.attname, confrelid::regclass, referred.attname, referring.attname)
    from pg_constraint
      join pg_class on pg_class.oid = conrelid
      join pg_attribute referring on referring.attrelid = conrelid and referring.attnum = conkey[1]
      join pg_attribute referred on referred.attrelid = confrelid and referred.attnum = confkey[1]
    where contype = 'f' and relnamespace = current_schema()::regnamespace and cardinality(conkey) = 1
    order by 1, 2`,
);
