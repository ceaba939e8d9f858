/**
 * From the bytes of a CSV file to its text and the mark between its cells, as the exporting program or a spreadsheet
 * wrote them. The notes tell each conclusion, so that a person sees a wrong one. A file whose form would be guesswork
 * is refused.
 */
import type { Unreadable } from './import-row.ts';

interface CsvText {
  readonly readable: true;
  readonly text: string;
  readonly separator: Separator;
  /** Conclusions about a file in another form than UTF-8 with commas, in sentences. */
  readonly notes: readonly string[];
}

export type Separator = ',' | ';' | '\t';

/** The file as text with a separator; it does not judge whether the columns are the right ones. */
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
  ';': 'Its cells are separated by semicolons; a number such as 9,99 was read as 9.99.',
  '\t': 'Its cells are separated by tabs; a number such as 9,99 was read as 9.99.',
} as const;

const WAY_OUT = 'Save the file as "CSV UTF-8" and try again.';

type Decoded = { readonly text: string; readonly note?: string } | { readonly reason: string };

function decode(bytes: Uint8Array): Decoded {
  const wide = wideEncodingOf(bytes);
  if (wide !== undefined) return decodeWide(bytes, wide);
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) };
  const bad = lineWhere(bytes, (line) => !isUtf8(line))!;
  if (startsWith(bytes, [0xef, 0xbb, 0xbf]))
    return { reason: `The file says that it is UTF-8, and line ${bad} is not. ${WAY_OUT}` };
  // A file that mixes both was pasted together from two: read in one way, half of it would be nonsense.
  const good = lineWhere(bytes, (line) => isUtf8(line) && line.some((byte) => byte > 0x7f));
  if (good !== undefined) return { reason: `Line ${bad} is not UTF-8 text, and line ${good} is. ${WAY_OUT}` };
  const text = new TextDecoder('windows-1252').decode(bytes);
  if (/[\0\u0080-\u009f]/.test(text)) return { reason: `Line ${bad} is neither UTF-8 nor Windows-1252. ${WAY_OUT}` };
  const note = `The file is not UTF-8 and was read as Windows-1252; line ${bad} has "${exampleIn(text)}". If that is wrong, save it as "CSV UTF-8" and import it again.`;
  return { text, note };
}

/** Whether the bytes are UTF-8 from the first to the last. */
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

/** By its byte order mark; without one by the zero beside the first letter of the header. */
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
    return { reason: `The file begins as UTF-16 and is none. ${WAY_OUT}` };
  }
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}

/** The first of such lines, counted from 1. A byte 10 is never part of a longer character, so each can be judged alone. */
function lineWhere(bytes: Uint8Array, isSuch: (line: Uint8Array) => boolean): number | undefined {
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    if (isSuch(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  return undefined;
}

/** The first word with a character that is not ASCII. */
function exampleIn(text: string): string {
  const word = text.split(/[\s,;"]+/).find((each) => /[^\0-\x7f]/.test(each)) ?? '';
  return word.slice(0, EXAMPLE_LENGTH_MAX);
}

const EXAMPLE_LENGTH_MAX = 40;

/**
 * Finds the character that stands most often between the names of the columns. A spreadsheet's first line `sep=;` says
 * it, and is no header.
 */
function separate(text: string): { text: string; separator: Separator } {
  const [said, mark] = /^"?sep=([,;\t])"?(?=\r|\n|$)/i.exec(text) ?? [];
  if (said !== undefined) return { text: text.slice(said.length), separator: mark as Separator };
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
