/** SQLite's parts of the engine's statements, and the decoding of its values. */
import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { BindParam, ColumnType, Dialect, RowsParam, Statement, Value } from '../../engine/ports.ts';
import { DECIMAL_SCALE } from './encode.ts';

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  decode: {
    text: asIs,
    integer: asIs,
    timestamp: asIs,
    decimal: (raw: number | null) => (raw === null ? null : raw / DECIMAL_SCALE),
    boolean: (raw: number | null) => (raw === null ? null : raw !== 0),
    // Inside a JSON array, a JSON column is still a string, because it is stored as text.
    json: (raw: Value) => (typeof raw === 'string' ? JSON.parse(raw) : raw),
  },
  jsonArray: (expressions) => sql`json_array(${sql.join(expressions)})`,
  jsonAggregate: (expression, order) => sql`json_group_array(${expression} order by ${order})`,
  placeholder: (param) => (WHOLE_NUMBERS.has(param.type) ? sql`cast(${param} as integer)` : sql`${param}`),
  listed,
  given: (param: RowsParam) => {
    const columns = param.types.map(
      (_, index) => sql`json_extract(value, ${sql.lit(`$[${index}]`)}) as ${sql.id(`c${index}`)}`,
    );
    return sql`(select ${sql.join(columns)}, key + 1 as ordinal from json_each(${param})) as given`;
  },
  havingTrigrams: ({ name }, param) => {
    // The index has no trigram positions, so it is queried for all trigrams: "shi" AND "hir" AND "irt".
    const quoted = sql`'"' || replace(value, '"', '""') || '"'`;
    const all = sql`(select group_concat(${quoted}, ' AND ') from json_each(listed.value))`;
    return sql`select ${sql.id(name, 'rowid')} from ${listed(param)} cross join ${sql.table(name)} on ${sql.id(name, name)} match ${all}`;
  },
  timeline: sql`'0'`,
  writesInTurn: true,
  nextNumber: (table) => sql`insert into ${sql.table(table)} default values returning id`,
  raiseNumber: (table, param) =>
    sql`insert into ${sql.table(table)} (id) values (cast(${param} as integer)) on conflict do nothing`,
  lastNumber: (table) => sql`select max(seq) from sqlite_sequence where name = ${sql.lit(table)}`,
  startAfterNumber: (table, param) =>
    sql`insert into sqlite_sequence (name, seq) values (${sql.lit(table)}, cast(${param} as integer))`,
  now: sql`unixepoch()`,
  forUpdate: sql``,
  forShare: sql``,
  forRemoval: sql``,
  compile(query: RawBuilder<unknown>): Statement {
    const compiled = query.compile(compiler);
    return { sql: compiled.sql, placeholders: compiled.parameters };
  },
};

function listed(param: BindParam): RawBuilder<unknown> {
  return sql`json_each(${param}) as listed`;
}

/** `node:sqlite` binds every number as a floating-point one, with which 5 / 2 would be 2.5. */
const WHOLE_NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'decimal', 'boolean', 'timestamp']);

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

function asIs(raw: Value): Value {
  return raw;
}
