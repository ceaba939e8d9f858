/**
 * PostgreSQL's parts of the engine's statements. The driver's parsers already return the engine's values. With a schema, every
 * statement names it, so that no statement depends on the `search_path` of its connection.
 */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SchemableIdentifierNode,
  sql,
} from 'kysely';
import type { BindParam, Dialect, RowsParam, Statement, TextIndex, Value } from '../../engine/ports.ts';
import { trigramsIn } from './text-index.ts';
import { TYPES } from './types.ts';

/** @param schema of the store's tables; empty: the first schema of the `search_path` */
export function postgresDialect(schema: string): Dialect {
  const compiler = compilerFor(schema);
  return {
    ...DIALECT,
    nextNumber: (table) => sql`select nextval(${sequenceOf(schema, table)})`,
    raiseNumber: (table, param) =>
      sql`select setval(${sequenceOf(schema, table)}, ${typed(param, '')})
        where ${typed(param, '')} > coalesce(pg_sequence_last_value(${sequenceOf(schema, table)}), 0)`,
    lastNumber: (table) => sql`select pg_sequence_last_value(${sequenceOf(schema, table)})`,
    startAfterNumber: (table, param) => sql`select setval(${sequenceOf(schema, table)}, ${typed(param, '')})`,
    compile(query: RawBuilder<unknown>): Statement {
      const compiled = query.compile(compiler);
      return { sql: compiled.sql, placeholders: compiled.parameters };
    },
  };
}

/** The parts that are equal for all schemas. */
const DIALECT = {
  name: 'postgres',
  decode: { text: asIs, integer: asIs, timestamp: asIs, decimal: asIs, boolean: asIs, json: asIs },
  jsonArray: (expressions) => sql`json_build_array(${sql.join(expressions)})`,
  jsonAggregate: (expression, order) => sql`coalesce(json_agg(${expression} order by ${order}), '[]')`,
  placeholder: (param) => typed(param, ''),
  listed,
  havingTrigrams,
  given: (param: RowsParam) => {
    const names = param.types.map((_, index) => sql.id(`c${index}`));
    const columns = param.types.map((type, index) => {
      const { name, collation } = TYPES[type];
      return sql`${names[index]} ${sql.raw(name + collation)}`;
    });
    return sql`rows from (json_to_recordset(cast(${param} as json)) as (${sql.join(columns)}))
      with ordinality as given(${sql.join(names)}, ordinal)`;
  },
  // The first eight digits of a segment's name (PostgreSQL, “WAL Internals”). Fails on a standby.
  timeline: sql`left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`,
  writesInTurn: false,
  now: sql`floor(extract(epoch from clock_timestamp()))::bigint`,
  forUpdate: sql`for no key update`,
  forShare: sql`for share`,
  forRemoval: sql`for update`,
} satisfies Partial<Dialect>;

function compilerFor(schema: string): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => (schema === '' ? new PostgresQueryCompiler() : new QualifyingCompiler(schema)),
    },
  });
}

/** Adds the schema to each name of a table or function (`sql.table`). */
class QualifyingCompiler extends PostgresQueryCompiler {
  readonly #schema: string;

  constructor(schema: string) {
    super();
    this.#schema = schema;
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    this.append(`${quoted(this.#schema)}.`);
    super.visitSchemableIdentifier(node);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** PostgreSQL cannot always infer the type of a placeholder from its context. */
function typed(param: BindParam, suffix: '' | '[]'): RawBuilder<unknown> {
  const { name, collation } = TYPES[param.type];
  return sql`cast(${param} as ${sql.raw(name + suffix)})${sql.raw(collation)}`;
}

function listed(param: BindParam): RawBuilder<unknown> {
  return sql`unnest(${typed(param, '[]')}) as listed(value)`;
}

/** An array rather than a subquery, so that the planner expects few records and uses the index. */
function havingTrigrams(index: TextIndex, param: BindParam): RawBuilder<unknown> {
  const wanted = sql`array(select json_array_elements_text(listed.value) collate "C")`;
  return sql`select unnest(array(select ${sql.id(index.table, index.record)} from ${listed(param)}
    join ${sql.table(index.table)} on ${trigramsIn(index)} @> ${wanted}))`;
}

/** A sequence returns each number once, whatever happens to the transaction, and without locks. */
function sequenceOf(schema: string, table: string): RawBuilder<unknown> {
  return sql`cast(pg_get_serial_sequence(${sql.lit(nameIn(schema, table))}, 'id') as regclass)`;
}

/** Returns the quoted name of a table, for functions of PostgreSQL that take a name as text. */
export function nameIn(schema: string, table: string): string {
  return schema === '' ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}

function asIs(raw: Value): Value {
  return raw;
}
