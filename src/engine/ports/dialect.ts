/** Statements, and the differences between SQL databases that they depend on. */
import type { RawBuilder } from 'kysely';
import type { TextIndex } from './schema.ts';
import type { ColumnType, Value } from './values.ts';

/** One row: values by position, as returned by the driver. */
export type Row = readonly unknown[];

/** A bind parameter of a statement. With `list`, it takes any number of values. */
export class BindParam {
  readonly name: string;
  readonly type: ColumnType;
  readonly list: boolean;
  constructor(name: string, type: ColumnType, list = false) {
    this.name = name;
    this.type = type;
    this.list = list;
  }
}

/** A bind parameter for any number of rows, with values in the order of these types. */
export class RowsParam {
  readonly name: string;
  readonly types: readonly ColumnType[];
  constructor(name: string, types: readonly ColumnType[]) {
    this.name = name;
    this.types = types;
  }
}

/** A compiled statement: SQL text and its bound values (bind parameters, and constants of the statement). */
export interface Statement {
  readonly sql: string;
  readonly placeholders: readonly unknown[];
}

/** The differences between SQL databases that the engine's own statements need to know. */
export interface Dialect {
  readonly name: string;
  /** Converts driver values to engine values by column type, both from columns and from JSON. */
  readonly decode: Readonly<Record<ColumnType, (raw: never) => Value>>;
  /** A JSON array of expressions, e.g. `json_array(a, b)`. */
  jsonArray(expressions: readonly RawBuilder<unknown>[]): RawBuilder<unknown>;
  /** All rows' values as one JSON array in the given order. Never null. */
  jsonAggregate(expression: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A bind parameter as a typed expression. */
  placeholder(param: BindParam): RawBuilder<unknown>;
  /** The values of a list parameter as a one-column table `listed` with the column `value`. */
  listed(param: BindParam): RawBuilder<unknown>;
  /** The rows of a parameter as a table `given` with the columns `c0`, `c1`, … and the row number `ordinal`. */
  given(param: RowsParam): RawBuilder<unknown>;
  /**
   * A query for the records whose texts contain all trigrams of one of the lists in this parameter: JSON such as
   * `["shi","hir","irt"]`. Each list has at least one trigram.
   */
  havingTrigrams(index: TextIndex, param: BindParam): RawBuilder<unknown>;
  /** A text that changes when another server has taken over after a failover. Otherwise constant. */
  readonly timeline: RawBuilder<unknown>;
  /** Write transactions of a process run one after the other, in the order of their requests, and commit in that order. */
  readonly writesInTurn: boolean;
  /**
   * A query for the next number of a table with only a counted column. Concurrent raises may produce a number twice; a
   * unique index then rejects one transaction, which runs again.
   */
  nextNumber(table: string): RawBuilder<unknown>;
  /** A query that raises the next numbers above the parameter's value; lower values have no effect. Not concurrent. */
  raiseNumber(table: string, param: BindParam): RawBuilder<unknown>;
  /** A query for the last number that a counted table has assigned, or null. */
  lastNumber(table: string): RawBuilder<unknown>;
  /** A query that makes a new, empty counted table continue above the parameter's number. */
  startAfterNumber(table: string, param: BindParam): RawBuilder<unknown>;
  /** The clock of the database: seconds since 1970, equal for all servers of the store. */
  readonly now: RawBuilder<unknown>;
  /** Appended to a SELECT to lock its rows until the transaction ends. */
  readonly forUpdate: RawBuilder<unknown>;
  /** Like `forUpdate`, but several transactions may hold the lock, and only changes wait for it. */
  readonly forShare: RawBuilder<unknown>;
  /** Like `forUpdate`, and also prevents other transactions from inserting rows that reference these. */
  readonly forRemoval: RawBuilder<unknown>;
  /** Compiles a query. Placeholders are in the order of the SQL text. */
  compile(query: RawBuilder<unknown>): Statement;
}
