/**
 * Splits a stream of bytes into lines, with at most one line in memory. Lines end with LF or CRLF. A byte order mark at the
 * start and blank lines are skipped.
 */
export type Line = {
  /** From 1. */
  readonly number: number;
  /** Byte offset of the next line. */
  readonly end: number;
} & ({ readonly text: string } | { readonly unreadable: string });

/** The default limit of the API for request bodies. */
const LINE_BYTES_MAX = 1024 * 1024;
/** A byte order mark and a CR, which do not count as part of the line. */
const AROUND_BYTES_MAX = 4;

export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let blocks: Uint8Array[] = [];
  let [number, length, end] = [1, 0, 0];
  const add = (block: Uint8Array): void => {
    length += block.length;
    end += block.length;
    if (length > LINE_BYTES_MAX + AROUND_BYTES_MAX) blocks = [];
    else if (block.length > 0) blocks.push(block);
  };
  const take = (): Line | undefined => {
    const line = length > LINE_BYTES_MAX + AROUND_BYTES_MAX ? TOO_LONG : readLine(blocks, number === 1);
    const position = { number, end };
    [blocks, number, length] = [[], number + 1, 0];
    return line && { ...position, ...line };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      add(chunk.subarray(start, at));
      end += 1;
      start = at + 1;
      const line = take();
      if (line) yield line;
    }
    add(chunk.subarray(start));
  }
  const last = length > 0 ? take() : undefined;
  if (last) yield last;
}

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const TOO_LONG = { unreadable: 'The line is longer than 1 MiB. Shorten it.' };
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readLine(
  blocks: readonly Uint8Array[],
  isFirst: boolean,
): { text: string } | { unreadable: string } | undefined {
  let bytes: Uint8Array = blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks);
  if (isFirst && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)) bytes = bytes.subarray(3);
  if (bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
  if (bytes.length > LINE_BYTES_MAX) return TOO_LONG;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { unreadable: 'The line is not UTF-8 text. Save the file as UTF-8.' };
  }
  return /^[ \t\r]*$/.test(text) ? undefined : { text };
}
