/** JSON Lines: batches of bulk requests, and streaming of exports. */
import type { BulkOptions, Path } from './shapes.ts';
import type { BulkResultOutput } from './types.ts';

export const LINES_TYPE = 'application/x-ndjson';

/** Lines and characters of one request, small enough to repeat it if the response is lost. */
const LINES_MAX = 1000;
const CHARACTERS_MAX = 4_000_000;

/** The lines of one request. */
interface Batch {
  readonly text: string;
  readonly count: number;
}

/**
 * Splits lines into batches. Reads the next lines only when the consumer requests the next batch.
 *
 * @param isAtomic - puts all lines into one batch
 */
export async function* batchesOf(
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  isAtomic: boolean,
): AsyncGenerator<Batch> {
  let texts: string[] = [];
  let length = 0;
  for await (const line of lines) {
    const text = `${JSON.stringify(line)}\n`;
    texts.push(text);
    length += text.length;
    if (isAtomic || (texts.length < LINES_MAX && length < CHARACTERS_MAX)) continue;
    yield { text: texts.join(''), count: texts.length };
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield { text: texts.join(''), count: texts.length };
}

/** Parses the results of one batch. Returns undefined if the response is incomplete. */
export function resultsIn(text: string): BulkResultOutput[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const last = lines.pop() ?? '';
  if (!last.startsWith('{"summary":')) return undefined;
  return lines.map((line) => JSON.parse(line));
}

export function bulkAddress(path: string, { key, mode, write, past, atomic, dryRun }: BulkOptions): string {
  const parameters = { key, mode, write, past, atomic, dry_run: dryRun };
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** Whether the bulk operation is idempotent. */
export function isIdempotent(path: Path, { mode }: BulkOptions): boolean {
  return mode !== 'create' && !path.endsWith('/stock/bulk');
}

/**
 * Parses a response line by line while it arrives.
 *
 * @throws {Error} if the response ends before `total` lines
 */
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
  if (count < total) throw new Error(`The response was cut off after ${count} of ${total} records.`);
}
