/**
 * Faults that the owner of a PostgreSQL database's tables can detect: invalid or disabled objects in the catalog, and
 * dangling references. Unreadable pages show when rows are read. Checking indexes page by page is a task for
 * PostgreSQL's `pg_amcheck`, for which a store's role rarely has permissions.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Run } from './own-connection.ts';
import { namespaceOf, type StoreAddress } from './store-address.ts';

export async function faultsIn({ schema, dialect: { compile } }: StoreAddress, run: Run): Promise<string[]> {
  const namespace = namespaceOf(schema);
  const faults = (await run(compile(catalogFaults(namespace)))).map(([fault]) => fault as string);
  for (const [table, parent, count] of await run(compile(references(namespace)))) {
    const [[lost] = []] = await run(compile(sql.raw(count as string)));
    if (lost !== 0) faults.push(`In the table ${table}, ${lost} of the rows refer to a ${parent} that does not exist.`);
  }
  return faults.slice(0, FAULTS_MAX);
}

const FAULTS_MAX = 100;

const catalogFaults = (
  namespace: RawBuilder<unknown>,
) => sql`select format('In the table %s, the constraint %s does not hold for all rows.', conrelid::regclass, conname)
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where relnamespace = ${namespace} and not convalidated
    union all select format('In the table %s, the index %s is invalid.', indrelid::regclass, indexrelid::regclass)
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = ${namespace} and not (indisvalid and indisready)
    union all select distinct format('In the table %s, references are not enforced: triggers are off.', tgrelid::regclass)
      from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = ${namespace} and tgisinternal and tgenabled = 'D'`;

/** Tables, and a query that counts the rows with a dangling reference. */
const references = (
  namespace: RawBuilder<unknown>,
) => sql`select conrelid::regclass::text, confrelid::regclass::text, format(
      'select count(*) from %s child where %I is not null and not exists (select from %s parent where parent.%I = child.%I)',
      conrelid::regclass, referring.attname, confrelid::regclass, referred.attname, referring.attname)
    from pg_constraint
      join pg_class on pg_class.oid = conrelid
      join pg_attribute referring on referring.attrelid = conrelid and referring.attnum = conkey[1]
      join pg_attribute referred on referred.attrelid = confrelid and referred.attnum = confkey[1]
    where contype = 'f' and relnamespace = ${namespace} and cardinality(conkey) = 1
    order by 1, 2`;
