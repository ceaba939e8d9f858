/** Parsers for the lists, dates and flags in a WooCommerce export. */
import type { CsvRow } from '../csv-rows.ts';

/** Removes the apostrophe that the export puts before cells that a spreadsheet would read as a formula. */
export function withoutGuard(row: CsvRow): CsvRow {
  const text = (column: string) => row.text(column)?.replace(/^'(?=[=+\-@])/, '');
  return { ...row, text, cell: (column) => text(column)?.trim() };
}

/** Splits a list separated by commas. A comma within a value is escaped with a backslash. */
export function splitCell(cell: string): string[] {
  return cell
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter((part) => part !== '');
}

/**
 * Whether the dates of a sale include the present. Dates are `2026-01-31` or `2026-01-31 12:00:00` in UTC. The last day is
 * included. A missing date is no limit.
 */
export function isSaleNow(row: CsvRow, problems: string[]): boolean {
  const [starts, ends] = ['Date sale price starts', 'Date sale price ends'].map((column) => {
    const cell = row.cell(column)?.replace('T', ' ') ?? '';
    if (cell === '' || /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(cell)) return cell;
    problems.push(
      `${column} "${cell.slice(0, SHOWN_LENGTH_MAX)}" in row ${row.line} is not a date. Write it as in 2026-01-31.`,
    );
    return '';
  }) as [string, string];
  const now = new Date().toISOString().replace('T', ' ');
  return now.slice(0, starts.length) >= starts && (ends === '' || now.slice(0, ends.length) <= ends);
}

/** Parses `1`, `0` and the words of spreadsheets; `notify` means yes. An empty cell or a missing column is undefined. */
export function readYesNo(row: CsvRow, column: string, problems: string[]): boolean | undefined {
  const cell = row.cell(column)?.toLowerCase();
  if (!cell) return undefined;
  if (YES.has(cell)) return true;
  if (NO.has(cell)) return false;
  problems.push(`${column} "${cell.slice(0, SHOWN_LENGTH_MAX)}" in row ${row.line} is neither 1 nor 0. Write 1 or 0.`);
  return undefined;
}

const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'notify']);
const NO: ReadonlySet<string> = new Set(['0', 'false', 'no', '-1']);
const SHOWN_LENGTH_MAX = 40;
