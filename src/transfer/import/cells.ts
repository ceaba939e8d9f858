/**
 * Reads one cell as a number, a flag or a short text, strictly: what cannot be read exactly is a problem, never a guess.
 * An empty cell and a column that is not there give undefined without a problem.
 */
import type { CsvRow } from './csv-rows.ts';

/** The largest amount of money and weight that the store keeps, and how exactly (http.md §9). */
const DECIMAL_MAX = 9_999_999_999.9999;
const DECIMAL_PLACES_MAX = 4;
/** Longest name, title and alternative text, in characters. */
export const SHORT_TEXT_LENGTH_MAX = 255;

/**
 * A plain number from 0, as its digits: `0`, `9.99`; not `1e3`, `.5` or `-1`. `9,99` and `1.234,56` only in a file whose
 * cells are not separated by commas; there `1,234` and `1.234` may be a thousand or one, and are neither.
 */
export function readPlainNumber(row: CsvRow, column: string, problems: string[]): string | undefined {
  const cell = row.cell(column);
  if (!cell) return undefined;
  if (row.hasDecimalCommas && MAYBE_THOUSANDS.test(cell)) {
    const [thousands, decimals] = [cell.replace(/[.,]/, ''), cell.replace(',', '.')];
    problems.push(`${roundedTo(row, column)} may be ${thousands} or ${decimals}; write ${thousands} or ${decimals}0`);
    return undefined;
  }
  const digits =
    row.hasDecimalCommas && DECIMAL_COMMA.test(cell) ? cell.replace(/\D/g, (mark) => (mark === ',' ? '.' : '')) : cell;
  if (/^\d{1,20}(\.\d{1,20})?$/.test(digits)) return digits;
  problems.push(`${roundedTo(row, column)} is not a plain number such as 9.99`);
  return undefined;
}

const MAYBE_THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Thousands may be apart: by points, apostrophes or spaces, also those that do not break. */
const DECIMAL_COMMA = /^(\d+|[1-9]\d{0,2}([.'’ \u00a0\u202f]\d{3})+),\d+$/;

/** A plain number that the store can keep exactly. */
export function readDecimal(row: CsvRow, column: string, problems: string[]): number | undefined {
  const digits = readPlainNumber(row, column, problems);
  if (digits === undefined) return undefined;
  const decimalPlaces = digits.split('.')[1]?.replace(/0{1,20}$/, '').length ?? 0;
  if (decimalPlaces > DECIMAL_PLACES_MAX) {
    problems.push(`${roundedTo(row, column)} has more than ${DECIMAL_PLACES_MAX} decimals`);
    return undefined;
  }
  const value = Number(digits);
  if (value <= DECIMAL_MAX) return value;
  problems.push(`${roundedTo(row, column)} is larger than ${DECIMAL_MAX}`);
  return undefined;
}

/** A whole number, below 0 too. */
export function readInteger(row: CsvRow, column: string, problems: string[]): number | undefined {
  const cell = row.cell(column);
  if (!cell) return undefined;
  if (/^-?\d+$/.test(cell) && Number.isSafeInteger(Number(cell))) return Number(cell);
  problems.push(`${roundedTo(row, column)} is not a whole number`);
  return undefined;
}

/** `true` or `false`, in capitals too, as spreadsheets write them. */
export function readFlag(row: CsvRow, column: string, problems: string[]): boolean | undefined {
  const cell = row.cell(column)?.toLowerCase();
  if (!cell) return undefined;
  if (cell === 'true' || cell === 'false') return cell === 'true';
  problems.push(`${roundedTo(row, column)} is neither true nor false`);
  return undefined;
}

/** A text that fits the store; the empty text stays one. */
export function readShortText(row: CsvRow, column: string, problems: string[]): string | undefined {
  const cell = row.cell(column);
  if (cell === undefined || isShort(cell)) return cell;
  problems.push(`${column} in row ${row.line} is longer than ${SHORT_TEXT_LENGTH_MAX} characters`);
  return undefined;
}

/** Whether the text has at most 255 characters, as the store counts them: code points. */
export function isShort(text: string): boolean {
  return [...text].length <= SHORT_TEXT_LENGTH_MAX;
}

/** `Variant Price "9,99" in row 5`, cut so that a whole description in the wrong column stays one line. */
function roundedTo(row: CsvRow, column: string): string {
  const cell = row.cell(column) ?? '';
  const shown = [...cell].length > SHOWN_LENGTH_MAX ? `${[...cell].slice(0, SHOWN_LENGTH_MAX).join('')}…` : cell;
  return `${column} "${shown}" in row ${row.line}`;
}

const SHOWN_LENGTH_MAX = 40;
