/** Validates rows from outside against their table: number of values, and type of each. */
import type { Column, ColumnType, Table, Value } from '../ports.ts';

/** @returns the fault, as the predicate of a sentence about the row; undefined if the row is valid */
export function rowFault({ columns }: Table, row: unknown): string | undefined {
  if (!Array.isArray(row)) return 'is not an array';
  if (row.length !== columns.length) return `has ${row.length} values for ${columns.length} columns`;
  const wrong = columns.find((column, index) => !fits(column, row[index]));
  return wrong && `has no ${wrong.type} in the column ${wrong.name}`;
}

function fits({ type, nullable }: Column, value: Value): boolean {
  return value === null ? nullable : FITS[type](value);
}

const FITS: Readonly<Record<ColumnType, (value: Value) => boolean>> = {
  text: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000'),
  integer: Number.isSafeInteger,
  // The column's range: ten digits before the decimal point, four after it.
  decimal: (value) => typeof value === 'number' && Math.abs(value) < 1e10 && Number(value.toFixed(4)) === value,
  boolean: (value) => typeof value === 'boolean',
  timestamp: Number.isSafeInteger,
  json: () => true,
};
