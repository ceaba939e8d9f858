/**
 * Strict parsers for numbers, flags and short texts in cells. A cell that cannot be parsed exactly adds a problem and returns
 * undefined. An empty cell or a missing column returns undefined without a problem.
 */
import type { CsvRow } from './csv-rows.ts';

/** The range and precision of money and weight in the store (http.md §9). */
const DECIMAL_MAX = 9_999_999_999.9999;
const DECIMAL_PLACES_MAX = 4;
/** Maximum length of names, titles and alternative texts, in code points. */
export const SHORT_TEXT_LENGTH_MAX = 255;

/**
 * Parses a non-negative number in plain notation, such as `0` or `9.99`, but not `1e3`, `.5` or `-1`. `9,99` and `1.234,56`
 * are accepted only in a file whose cells are not separated by commas. There, `1,234` and `1.234` are ambiguous and rejected.
 * @returns the digits, with a decimal point
 */
export function readPlainNumber(row: CsvRow, column: string, problems: string[]): string | undefined {
  const cell = row.cell(column);
  if (!cell) return undefined;
  if (row.hasDecimalCommas && MAYBE_THOUSANDS.test(cell)) {
    const [thousands, decimals] = [cell.replace(/[.,]/, ''), cell.replace(',', '.')];
    problems.push(
      `${cellIn(row, column)} is ambiguous (${thousands} or ${decimals}). Write ${thousands} or ${decimals}0.`,
    );
    return undefined;
  }
  const digits =
    row.hasDecimalCommas && DECIMAL_COMMA.test(cell) ? cell.replace(/\D/g, (mark) => (mark === ',' ? '.' : '')) : cell;
  if (/^\d{1,20}(\.\d{1,20})?$/.test(digits)) return digits;
  problems.push(`${cellIn(row, column)} is not a plain number. Write it as in 9.99.`);
  return undefined;
}

const MAYBE_THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Thousands may be separated by points, apostrophes or spaces, including non-breaking ones. */
const DECIMAL_COMMA = /^(\d+|[1-9]\d{0,2}([.'’ \u00a0\u202f]\d{3})+),\d+$/;

/** Parses a plain number that the store can represent exactly. */
export function readDecimal(row: CsvRow, column: string, problems: string[]): number | undefined {
  const digits = readPlainNumber(row, column, problems);
  if (digits === undefined) return undefined;
  const decimalPlaces = digits.split('.')[1]?.replace(/0{1,20}$/, '').length ?? 0;
  if (decimalPlaces > DECIMAL_PLACES_MAX) {
    problems.push(`${cellIn(row, column)} has too many decimals. Round it to ${DECIMAL_PLACES_MAX} decimals.`);
    return undefined;
  }
  const value = Number(digits);
  if (value <= DECIMAL_MAX) return value;
  problems.push(`${cellIn(row, column)} is too large. Write at most ${DECIMAL_MAX}.`);
  return undefined;
}

/** Parses a whole number, which may be negative. */
export function readInteger(row: CsvRow, column: string, problems: string[]): number | undefined {
  const cell = row.cell(column);
  if (!cell) return undefined;
  if (/^-?\d+$/.test(cell) && Number.isSafeInteger(Number(cell))) return Number(cell);
  problems.push(`${cellIn(row, column)} is not a whole number. Write digits only.`);
  return undefined;
}

/** Parses `true` or `false` in any case; spreadsheets write them in capitals. */
export function readFlag(row: CsvRow, column: string, problems: string[]): boolean | undefined {
  const cell = row.cell(column)?.toLowerCase();
  if (!cell) return undefined;
  if (cell === 'true' || cell === 'false') return cell === 'true';
  problems.push(`${cellIn(row, column)} is neither true nor false. Write true or false.`);
  return undefined;
}

/** Reads a text of at most 255 characters. An empty cell is an empty text. */
export function readShortText(row: CsvRow, column: string, problems: string[]): string | undefined {
  const cell = row.cell(column);
  if (cell === undefined || isShort(cell)) return cell;
  problems.push(`${column} in row ${row.line} is too long. Shorten it to at most ${SHORT_TEXT_LENGTH_MAX} characters.`);
  return undefined;
}

/** Whether a text has at most 255 code points, the unit in which the store counts characters. */
export function isShort(text: string): boolean {
  return [...text].length <= SHORT_TEXT_LENGTH_MAX;
}

/** Names a cell with its content, truncated to one line: `Variant Price "9,99" in row 5`. */
function cellIn(row: CsvRow, column: string): string {
  const cell = row.cell(column) ?? '';
  const shown = [...cell].length > SHOWN_LENGTH_MAX ? `${[...cell].slice(0, SHOWN_LENGTH_MAX).join('')}…` : cell;
  return `${column} "${shown}" in row ${row.line}`;
}

const SHOWN_LENGTH_MAX = 40;
