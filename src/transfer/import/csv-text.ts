/**
 * Detects the encoding and the cell separator of a CSV file from an exporting program or a spreadsheet. Notes in the report
 * state what was detected, so that the user can notice a mistake. A file with an ambiguous encoding is rejected.
 */
import type { Unreadable } from './import-row.ts';

interface CsvText {
  readonly readable: true;
  readonly text: string;
  readonly separator: Separator;
  /** Sentences about the detected format, unless it is UTF-8 with commas. */
  readonly notes: readonly string[];
}

export type Separator = ',' | ';' | '\t';

/** Decodes a file and detects its separator. Does not check the columns. */
export function readCsvText(bytes: Uint8Array): CsvText | Unreadable {
  if (bytes.length === 0) return unreadable('The file is empty.');
  const decoded = decode(bytes);
  if ('reason' in decoded) return unreadable(decoded.reason);
  const { text, separator } = separate(decoded.text);
  const notes = decoded.note === undefined ? [] : [decoded.note];
  if (separator !== ',') notes.push(SEPARATOR_NOTES[separator]);
  return { readable: true, text, separator, notes };
}

const SEPARATOR_NOTES = {
  ';': 'The cells of the file are separated by semicolons. A number such as 9,99 was read as 9.99.',
  '\t': 'The cells of the file are separated by tabs. A number such as 9,99 was read as 9.99.',
} as const;

const SAVE_AS_UTF8 = 'Save the file as "CSV UTF-8" and try again.';

type Decoded = { readonly text: string; readonly note?: string } | { readonly reason: string };

function decode(bytes: Uint8Array): Decoded {
  const wide = wideEncodingOf(bytes);
  if (wide !== undefined) return decodeWide(bytes, wide);
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) };
  const bad = lineWhere(bytes, (line) => !isUtf8(line))!;
  if (startsWith(bytes, [0xef, 0xbb, 0xbf]))
    return { reason: `The file is marked as UTF-8, but line ${bad} is not UTF-8 text. ${SAVE_AS_UTF8}` };
  // The file was pasted together from two encodings: any single one would garble half of it.
  const good = lineWhere(bytes, (line) => isUtf8(line) && line.some((byte) => byte > 0x7f));
  if (good !== undefined)
    return { reason: `The file mixes encodings: line ${bad} is not UTF-8 text, but line ${good} is. ${SAVE_AS_UTF8}` };
  const text = new TextDecoder('windows-1252').decode(bytes);
  if (/[\0\u0080-\u009f]/.test(text))
    return { reason: `Line ${bad} is neither UTF-8 nor Windows-1252 text. ${SAVE_AS_UTF8}` };
  const note = `The file is not UTF-8 and was read as Windows-1252: line ${bad} contains "${exampleIn(text)}". If that is wrong, save the file as "CSV UTF-8" and import it again.`;
  return { text, note };
}

/** Whether all bytes are valid UTF-8. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT_UTF8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

type WideEncoding = 'utf-16le' | 'utf-16be';

/** Detects UTF-16 by its byte order mark, or by the zero byte of the first letter in the header. */
function wideEncodingOf(bytes: Uint8Array): WideEncoding | undefined {
  if (startsWith(bytes, [0xff, 0xfe]) || (bytes[0] !== 0 && bytes[1] === 0)) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff]) || (bytes[0] === 0 && bytes[1] !== 0)) return 'utf-16be';
  return undefined;
}

function decodeWide(bytes: Uint8Array, encoding: WideEncoding): Decoded {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return { text, note: 'The file was read as UTF-16.' };
  } catch {
    return { reason: `The file begins as UTF-16 but is not valid UTF-16. ${SAVE_AS_UTF8}` };
  }
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}

/** Finds the first matching line, from 1. In UTF-8 and Windows-1252, byte 10 is always a line feed. */
function lineWhere(bytes: Uint8Array, matches: (line: Uint8Array) => boolean): number | undefined {
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    if (matches(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  return undefined;
}

/** Returns the first word with a non-ASCII character. */
function exampleIn(text: string): string {
  const word = text.split(/[\s,;"]+/).find((each) => /[^\0-\x7f]/.test(each)) ?? '';
  return word.slice(0, EXAMPLE_LENGTH_MAX);
}

const EXAMPLE_LENGTH_MAX = 40;

/**
 * Detects the separator: the one in a spreadsheet's first line `sep=;`, which is removed, otherwise the candidate that occurs
 * most often in the header.
 */
function separate(text: string): { text: string; separator: Separator } {
  const [directive, declared] = /^"?sep=([,;\t])"?(?=\r|\n|$)/i.exec(text) ?? [];
  if (directive !== undefined) return { text: text.slice(directive.length), separator: declared as Separator };
  const [header = ''] = /[^\r\n]+/.exec(text) ?? [];
  const names = header.replace(/"[^"]*"/g, '');
  const count = (separator: Separator): number => names.split(separator).length;
  const separator = SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
  return { text, separator };
}

const SEPARATORS: readonly Separator[] = [',', ';', '\t'];

function unreadable(reason: string): Unreadable {
  return { readable: false, reason };
}
