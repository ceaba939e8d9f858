/** Whether a row from outside has the form of its table: as many values as columns, each of its column's type. */
import type { Column, ColumnType, Table, Value } from '../ports.ts';

/** @returns what is wrong, to end a sentence that names the row; undefined for a row that fits */
export function rowFault({ columns }: Table, row: unknown): string | undefined {
  if (!Array.isArray(row)) return 'is no row';
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
  // As wide as the column: ten digits before the point, four after it.
  decimal: (value) => typeof value === 'number' && Math.abs(value) < 1e10 && Number(value.toFixed(4)) === value,
  boolean: (value) => typeof value === 'boolean',
  timestamp: Number.isSafeInteger,
  json: () => true,
};
