/** Encodes the engine's values as bind parameters. The dialect's `decode` is the inverse. */
import type { SQLInputValue } from 'node:sqlite';
import { BindParam, type ColumnType, RowsParam, type Value } from '../../engine/ports.ts';

/** Decimals are stored as integers of ten-thousandths, so that they stay exact. */
export const DECIMAL_SCALE = 10_000;

export const encode: Readonly<Record<ColumnType, (value: Value) => SQLInputValue>> = {
  text: asIs,
  integer: asIs,
  timestamp: asIs,
  decimal: (value) => (value === null ? null : Math.round((value as number) * DECIMAL_SCALE)),
  boolean: (value) => (value === null ? null : Number(value)),
  json: (value) => (value === null ? null : JSON.stringify(value)),
};

/** Returns the values to bind for one execution of a statement. */
export function fill(placeholders: readonly unknown[], values: Readonly<Record<string, Value>>): SQLInputValue[] {
  const filled = new Array<SQLInputValue>(placeholders.length);
  for (let index = 0; index < placeholders.length; index += 1) {
    const placeholder = placeholders[index];
    if (placeholder instanceof RowsParam) filled[index] = encodeRows(placeholder, values[placeholder.name]);
    else if (placeholder instanceof BindParam) filled[index] = encodeParam(placeholder, values[placeholder.name]);
    else filled[index] = typeof placeholder === 'boolean' ? Number(placeholder) : (placeholder as SQLInputValue);
  }
  return filled;
}

function encodeParam(param: BindParam, value: Value | undefined): SQLInputValue {
  if (value === undefined) throw new Error(`The statement was run without a value for "${param.name}".`);
  const encodeOne = encode[param.type];
  return param.list ? JSON.stringify((value as Value[]).map(encodeOne)) : encodeOne(value);
}

function encodeRows(param: RowsParam, rows: Value | undefined): SQLInputValue {
  if (rows === undefined) throw new Error(`The statement was run without rows for "${param.name}".`);
  const encodeRow = (row: Value[]): SQLInputValue[] => row.map((value, index) => encode[param.types[index]!](value));
  return JSON.stringify((rows as Value[][]).map(encodeRow));
}

function asIs(value: Value): SQLInputValue {
  return value as SQLInputValue;
}
