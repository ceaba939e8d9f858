/** Cells of a WooCommerce export that hold more than one value, or a yes and no in its own words. */
import type { CsvRow } from './csv-rows.ts';

/** Values with commas between them; a comma of a value's own has a backslash before it. */
export function splitCell(cell: string): string[] {
  return cell
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter((part) => part !== '');
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
