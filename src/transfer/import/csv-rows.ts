/**
 * Parses a CSV file into rows with line numbers and cells by column name. Rejects the whole file if it is not text, lacks a
 * required column or has broken quoting: the content after broken quoting is ambiguous. Does not validate cells.
 */
import { type CsvError, parse } from 'csv-parse/sync';
import { readCsvText, type Separator } from './csv-text.ts';
import type { Unreadable } from './import-row.ts';

export interface CsvRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** Its number in a spreadsheet, from 1. A row can have several lines. */
  readonly row: number;
  /** Returns the trimmed cell, or undefined if the file has no such column. */
  cell(column: string): string | undefined;
  /** Returns the untrimmed cell, or undefined if the file has no such column. */
  text(column: string): string | undefined;
  /** Whether `9,99` is a number: spreadsheets write it if cells are not separated by commas. */
  readonly hasDecimalCommas: boolean;
}

interface CsvFile {
  readonly readable: true;
  /** Column names in file order. */
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  /** Rows whose number of cells differs from the header. */
  readonly uneven: readonly {
    readonly line: number;
    readonly row: number;
    readonly firstCell: string;
    readonly reason: string;
  }[];
  /** Sentences about the detected file format. */
  readonly notes: readonly string[];
}

/**
 * Parses a whole file.
 * @param required columns that the file must have
 * @param known columns that the caller reads: none may occur twice
 */
export function readCsvRows(
  bytes: Uint8Array,
  required: readonly string[],
  known: readonly string[],
): CsvFile | Unreadable {
  const file = readCsvText(bytes);
  if (!file.readable) return file;
  const { records, broken } = parseRecords(file.text, file.separator);
  if (broken) return unreadable(broken);
  const [header, ...body] = records;
  const columns = (header?.cells ?? []).map((name) => name.trim());
  const missing = required.find((name) => !columns.includes(name));
  if (missing) {
    return unreadable(
      `The file has no column "${missing}". It must begin with a line of column names, separated by commas, semicolons or tabs.`,
    );
  }
  const twice = known.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (twice) return unreadable(`The file has the column "${twice}" twice. Remove one of them.`);

  const rowOf = new Map(columns.map((name, index) => [name, index]));
  const rows: CsvRow[] = [];
  const uneven: { line: number; row: number; firstCell: string; reason: string }[] = [];
  for (const { line, row, cells } of body) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (cells.length !== columns.length) {
      const reason = `Row ${line} has ${cells.length} cells, but the header has ${columns.length}. Check the separators and quotation marks of the row.`;
      uneven.push({ line, row, firstCell: cells[rowOf.get(required[0] ?? '') ?? 0]?.trim() ?? '', reason });
      continue;
    }
    const text = (column: string) => cells[rowOf.get(column) ?? cells.length];
    rows.push({ line, row, text, cell: (column) => text(column)?.trim(), hasDecimalCommas: file.separator !== ',' });
  }
  return { readable: true, columns, rows, uneven, notes: file.notes };
}

const LINE_END = /\r\n|\n|\r/g;

interface Parsed {
  readonly raw: string;
  readonly record: string[];
}

function parseRecords(
  text: string,
  delimiter: Separator,
): { records: { line: number; row: number; cells: string[] }[]; broken?: string } {
  let broken: { error: CsvError; raw: string; recordsBefore: number } | undefined;
  let recordsRead = 0;
  const parsed = parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    raw: true,
    max_record_size: 0,
    on_record: (record) => {
      recordsRead += 1;
      return record;
    },
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      if (error) broken ??= { error, raw: raw ?? '', recordsBefore: recordsRead };
      return undefined;
    },
  }) as unknown as Parsed[];

  // The parser counts a CRLF within a cell as two lines, so lines are counted here from the raw text of each record.
  let line = 1;
  let row = 0;
  const records = parsed.slice(0, broken?.recordsBefore).map(({ raw, record }) => {
    const blankLines = blankLinesBefore(raw);
    const first = line + blankLines;
    line += raw.match(LINE_END)?.length ?? 0;
    row += blankLines + 1;
    return { line: first, row, cells: record };
  });
  if (!broken) return { records };
  const brokenLine = line + blankLinesBefore(broken.raw);
  return { records, broken: `The row that begins on line ${brokenLine} ${brokenQuotation(broken.error)}` };
}

/** The raw text of a record begins with the empty lines that the parser skipped before it. */
function blankLinesBefore(raw: string): number {
  return raw.match(/^[\r\n]+/)?.[0].match(LINE_END)?.length ?? 0;
}

function brokenQuotation(error: CsvError): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'opens a quotation mark that is never closed. Close it and try again.';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return 'has a quotation mark inside a cell. Put the cell in quotation marks and double the one inside.';
    default:
      return `is not valid CSV: ${error.message}`;
  }
}

function unreadable(reason: string): Unreadable {
  return { readable: false, reason };
}
