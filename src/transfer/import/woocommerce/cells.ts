/** Cells of a WooCommerce export that hold more than one value, or a yes and no in its own words. */
import type { CsvRow } from '../csv-rows.ts';

/** The export puts an apostrophe before cells that a spreadsheet would take for a formula. */
export function withoutGuard(row: CsvRow): CsvRow {
  const text = (column: string) => row.text(column)?.replace(/^'(?=[=+\-@])/, '');
  return { ...row, text, cell: (column) => text(column)?.trim() };
}

/** Values with commas between them; a comma of a value's own has a backslash before it. */
export function splitCell(cell: string): string[] {
  return cell
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter((part) => part !== '');
}

/**
 * Whether a sale is on: dates are `2026-01-31` or `2026-01-31 12:00:00`, taken as UTC, and the last day counts. Without dates it is.
 */
export function isSaleNow(row: CsvRow, problems: string[]): boolean {
  const [starts, ends] = ['Date sale price starts', 'Date sale price ends'].map((column) => {
    const cell = row.cell(column)?.replace('T', ' ') ?? '';
    if (cell === '' || /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(cell)) return cell;
    problems.push(`${column} "${cell.slice(0, SHOWN_LENGTH_MAX)}" in row ${row.line} is no date such as 2026-01-31`);
    return '';
  }) as [string, string];
  const now = new Date().toISOString().replace('T', ' ');
  return now.slice(0, starts.length) >= starts && (ends === '' || now.slice(0, ends.length) <= ends);
}

/** `1`, `0`, and the words of spreadsheets; `notify` is a yes. An empty cell and a missing column say nothing. */
export function readYesNo(row: CsvRow, column: string, problems: string[]): boolean | undefined {
  const cell = row.cell(column)?.toLowerCase();
  if (!cell) return undefined;
  if (YES.has(cell)) return true;
  if (NO.has(cell)) return false;
  problems.push(`${column} "${cell.slice(0, SHOWN_LENGTH_MAX)}" in row ${row.line} is neither 1 nor 0`);
  return undefined;
}

const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'notify']);
const NO: ReadonlySet<string> = new Set(['0', 'false', 'no', '-1']);
const SHOWN_LENGTH_MAX = 40;
