/** Lines of JSON to and from the store: a bulk sends them a request at a time, an export reads them as they are used up. */
import type { BulkOptions, Path } from './shapes.ts';
import type { BulkResultOutput } from './types.ts';

export const LINES_TYPE = 'application/x-ndjson';

/** Lines of one request, and their bytes: few enough to be sent again where an answer is lost. */
const LINES_MAX = 1000;
const CHARACTERS_MAX = 4_000_000;

/** The lines of one request, as text. */
interface Part {
  readonly text: string;
  readonly count: number;
}

/** Lines as requests, each no sooner than the one before is used up. @param isOne all of them are one request */
export async function* partsOf(
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  isOne: boolean,
): AsyncGenerator<Part> {
  let texts: string[] = [];
  let length = 0;
  for await (const line of lines) {
    const text = `${JSON.stringify(line)}\n`;
    texts.push(text);
    length += text.length;
    if (isOne || (texts.length < LINES_MAX && length < CHARACTERS_MAX)) continue;
    yield { text: texts.join(''), count: texts.length };
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield { text: texts.join(''), count: texts.length };
}

/** The results of one request; undefined where the answer was cut off. */
export function resultsIn(text: string): BulkResultOutput[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const last = lines.pop() ?? '';
  if (!last.startsWith('{"summary":')) return undefined;
  return lines.map((line) => JSON.parse(line));
}

export function bulkAddress(path: string, { key, mode, write, past, atomic, dryRun }: BulkOptions): string {
  const said = { key, mode, write, past, atomic, dry_run: dryRun };
  const pairs = Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** Whether a line that is written twice leaves what it leaves when it is written once. */
export function isRepeatable(path: Path, { mode }: BulkOptions): boolean {
  return mode !== 'create' && !path.endsWith('/stock/bulk');
}

/** The values of an answer, line by line as it comes. @throws {Error} where it was cut off */
export async function* valuesIn(body: ReadableStream<Uint8Array>, total: number): AsyncGenerator<never> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let count = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        count += 1;
        yield JSON.parse(line) as never;
      }
    }
  } finally {
    await reader.cancel();
  }
  if (count < total) throw new Error(`The answer was cut off: ${count} of ${total} records came.`);
}
