/** PostgreSQL's parts of the engine's statements. The driver's parsers already return the engine's values. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { BindParam, Dialect, RowsParam, Statement, Value } from '../../engine/ports.ts';
import { trigramsIn } from './text-index.ts';
import { TYPES } from './types.ts';

export const postgresDialect: Dialect = {
  name: 'postgres',
  decode: { text: asIs, integer: asIs, timestamp: asIs, decimal: asIs, boolean: asIs, json: asIs },
  jsonArray: (expressions) => sql`json_build_array(${sql.join(expressions)})`,
  jsonAggregate: (expression, order) => sql`coalesce(json_agg(${expression} order by ${order}), '[]')`,
  placeholder: (param) => typed(param, ''),
  listed,
  given: (param: RowsParam) => {
    const names = param.types.map((_, index) => sql.id(`c${index}`));
    const columns = param.types.map((type, index) => {
      const { name, collation } = TYPES[type];
      return sql`${names[index]} ${sql.raw(name + collation)}`;
    });
    return sql`rows from (json_to_recordset(cast(${param} as json)) as (${sql.join(columns)}))
      with ordinality as given(${sql.join(names)}, ordinal)`;
  },
  // An array rather than a subquery, so that the planner expects few records and uses the index.
  havingTrigrams: (index, param) => {
    const wanted = sql`array(select json_array_elements_text(listed.value) collate "C")`;
    return sql`select unnest(array(select ${sql.id(index.table, index.record)} from ${listed(param)}
      join ${sql.table(index.table)} on ${trigramsIn(index)} @> ${wanted}))`;
  },
  // The first eight digits of a segment's name (PostgreSQL, “WAL Internals”). Fails on a standby.
  timeline: sql`left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`,
  writesInTurn: false,
  // A sequence returns each number once, whatever happens to the transaction, and without locks.
  nextNumber: (table) => sql`select nextval(${sequenceOf(table)})`,
  raiseNumber: (table, param) =>
    sql`select setval(${sequenceOf(table)}, ${typed(param, '')})
      where ${typed(param, '')} > coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0)`,
  lastNumber: (table) => sql`select pg_sequence_last_value(${sequenceOf(table)})`,
  startAfterNumber: (table, param) => sql`select setval(${sequenceOf(table)}, ${typed(param, '')})`,
  forUpdate: sql`for no key update`,
  forShare: sql`for share`,
  forRemoval: sql`for update`,
  compile(query: RawBuilder<unknown>): Statement {
    const compiled = query.compile(compiler);
    return { sql: compiled.sql, placeholders: compiled.parameters };
  },
};

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** PostgreSQL cannot always infer the type of a placeholder from its context. */
function typed(param: BindParam, suffix: '' | '[]'): RawBuilder<unknown> {
  const { name, collation } = TYPES[param.type];
  return sql`cast(${param} as ${sql.raw(name + suffix)})${sql.raw(collation)}`;
}

function listed(param: BindParam): RawBuilder<unknown> {
  return sql`unnest(${typed(param, '[]')}) as listed(value)`;
}

function sequenceOf(table: string): RawBuilder<unknown> {
  return sql`cast(pg_get_serial_sequence(${sql.lit(JSON.stringify(table))}, 'id') as regclass)`;
}

function asIs(raw: Value): Value {
  return raw;
}
