/**
 * From the bytes of a CSV file to its rows, each with the line it begins on and its cells by the name of their column.
 * A file that is no text, has no such columns or a broken quotation is refused whole: what follows a broken
 * quotation is guesswork. It does not judge what the cells say.
 */
import { type CsvError, parse } from 'csv-parse/sync';
import { readCsvText, type Separator } from './csv-text.ts';
import type { Unreadable } from './import-row.ts';

export interface CsvRow {
  /** The line of the file on which the row begins, counted from 1. */
  readonly line: number;
  /** The cell without white space around it; undefined when the file has no such column. */
  cell(column: string): string | undefined;
  /** The cell exactly as written; undefined when the file has no such column. */
  text(column: string): string | undefined;
  /** Where no comma separates cells, spreadsheets write 9,99. */
  readonly hasDecimalCommas: boolean;
}

interface CsvFile {
  readonly readable: true;
  /** Names of the columns, in the order of the file. */
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  /** Rows that have more or fewer cells than the header. */
  readonly uneven: readonly { readonly line: number; readonly firstCell: string; readonly reason: string }[];
  /** Conclusions about the file's form, in sentences. */
  readonly notes: readonly string[];
}

/** Reads a whole file. `known` are the columns that somebody will ask for: none of them may stand there twice. */
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
  const uneven: { line: number; firstCell: string; reason: string }[] = [];
  for (const { line, cells } of body) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (cells.length !== columns.length) {
      const reason = `row ${line} has ${cells.length} cells, the header has ${columns.length}`;
      uneven.push({ line, firstCell: cells[rowOf.get(required[0] ?? '') ?? 0]?.trim() ?? '', reason });
      continue;
    }
    const text = (column: string) => cells[rowOf.get(column) ?? cells.length];
    rows.push({ line, text, cell: (column) => text(column)?.trim(), hasDecimalCommas: file.separator !== ',' });
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
): { records: { line: number; cells: string[] }[]; broken?: string } {
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

  // The parser counts an embedded CRLF as two lines, so lines are counted here, in the text of each record.
  let line = 1;
  const records = parsed.slice(0, broken?.recordsBefore).map(({ raw, record }) => {
    const first = line + blankLinesBefore(raw);
    line += raw.match(LINE_END)?.length ?? 0;
    return { line: first, cells: record };
  });
  if (!broken) return { records };
  const brokenLine = line + blankLinesBefore(broken.raw);
  return { records, broken: `The row that begins on line ${brokenLine} ${brokenQuotation(broken.error)}` };
}

/** The text of a record begins with the empty lines that were passed over before it. */
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
      return `is no CSV: ${error.message}`;
  }
}

function unreadable(reason: string): Unreadable {
  return { readable: false, reason };
}
