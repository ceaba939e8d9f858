/**
 * Encodes statements and the engine's values for the driver. Each distinct statement is parsed and planned once per
 * connection, up to a limit, and each time behind a pooler.
 */
import { createHash } from 'node:crypto';
import type { QueryArrayConfig } from 'pg';
import { BindParam, RowsParam, type Statement, type Value } from '../../engine/ports.ts';

export class Prepared {
  readonly #names = new Map<string, string>();
  readonly #namesMax: number;

  constructor(isPooled: boolean) {
    this.#namesMax = isPooled ? 0 : NAMED_STATEMENTS_MAX;
  }

  bind(statement: Statement, values: Readonly<Record<string, Value>>): QueryArrayConfig {
    return {
      name: this.#names.get(statement.sql) ?? this.#nameFor(statement.sql),
      text: statement.sql,
      values: fill(statement.placeholders, values),
      rowMode: 'array',
    };
  }

  /** The server stores named statements until the connection ends, so only the first ones get names. */
  #nameFor(sql: string): string | undefined {
    if (this.#names.size >= this.#namesMax) return undefined;
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, NAME_LENGTH);
    this.#names.set(sql, name);
    return name;
  }
}

const NAMED_STATEMENTS_MAX = 500;

/** 132 bits, so different statements never get the same name. */
const NAME_LENGTH = 22;

function fill(placeholders: readonly unknown[], values: Readonly<Record<string, Value>>): unknown[] {
  const filled = new Array<unknown>(placeholders.length);
  for (let index = 0; index < placeholders.length; index += 1) {
    const placeholder = placeholders[index];
    if (placeholder instanceof RowsParam) filled[index] = encodeRows(placeholder, values[placeholder.name]);
    else
      filled[index] =
        placeholder instanceof BindParam ? encodeParam(placeholder, values[placeholder.name]) : placeholder;
  }
  return filled;
}

function encodeParam(param: BindParam, value: Value | undefined): unknown {
  if (value === undefined) throw new Error(`The statement was run without a value for "${param.name}".`);
  if (param.type !== 'json') return value;
  return param.list ? (value as Value[]).map(encodeJson) : encodeJson(value);
}

/** As JSON objects, whose members PostgreSQL reads as typed columns. */
function encodeRows({ name }: RowsParam, rows: Value | undefined): string {
  if (rows === undefined) throw new Error(`The statement was run without rows for "${name}".`);
  return JSON.stringify(
    (rows as Value[][]).map((row) => Object.fromEntries(row.map((value, index) => [`c${index}`, value]))),
  );
}

export function encodeJson(value: Value): string | null {
  return value === null ? null : JSON.stringify(value);
}
