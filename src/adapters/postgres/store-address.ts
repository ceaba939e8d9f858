/** Where a store is: a schema of a PostgreSQL database. Stores in different schemas share no table, lock or number. */
import { type RawBuilder, sql } from 'kysely';
import { BindParam, type Dialect } from '../../engine/ports.ts';
import { postgresDialect } from './dialect.ts';

export interface StoreAddress {
  readonly url: string;
  /** Empty: the first schema of the connection's `search_path`. */
  readonly schema: string;
  readonly dialect: Dialect;
}

export function storeAddress(url: string, schema: string): StoreAddress {
  return { url, schema, dialect: postgresDialect(schema) };
}

/** Locks a name until the end of the transaction. Advisory locks belong to the whole database. */
export const lockStatement = postgresDialect('').compile(
  sql`select pg_advisory_xact_lock(hashtextextended(${sql`cast(${new BindParam('name', 'text')} as text)`}, 0))`,
);

/** Returns the name of a lock that stores in other schemas do not share. */
export function lockName(schema: string, name: string): string {
  return schema === '' ? name : `${schema}.${name}`;
}

/** An expression for the schema's identifier in the catalog. */
export function namespaceOf(schema: string): RawBuilder<unknown> {
  return schema === '' ? sql`current_schema()::regnamespace` : sql`quote_ident(${sql.lit(schema)})::regnamespace`;
}

/** Like `namespaceOf` for a named schema, but null if the schema does not exist. */
export function namespaceIfExists(schema: string): RawBuilder<unknown> {
  return sql`to_regnamespace(quote_ident(${sql.lit(schema)}))`;
}
