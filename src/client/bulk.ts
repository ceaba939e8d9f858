/** Bulk writes and exports. */
import { addressOf, type Query } from './address.ts';
import { type Connection, headersFor, parseResponse, randomKey, WITHOUT_REDIRECTS } from './connection.ts';
import { batchesOf, bulkAddress, isIdempotent, LINES_TYPE, resultsIn, valuesIn } from './lines.ts';
import { sendWithRetries } from './retries.ts';
import type { BulkOptions, PathOf, RequestOptions } from './shapes.ts';
import type { BulkResultOutput } from './types.ts';
import { StoreUnreachable } from './unreachable.ts';

type Parameters = Readonly<Record<string, unknown>>;
export type AnyExportOptions = RequestOptions & Pick<Query, 'filter'>;

/** Sends lines in batches and yields the result of each line. */
export async function* writeLines(
  connection: Connection,
  path: PathOf<'bulk'>,
  { parameters, lines, options }: { parameters: Parameters; lines: Iterable<unknown>; options: BulkOptions },
): AsyncGenerator<BulkResultOutput, void> {
  const url = `${connection.root}${bulkAddress(addressOf(path, parameters), options)}`;
  const headers = headersFor(connection, options.language, { Accept: LINES_TYPE, 'Content-Type': LINES_TYPE });
  if (options.atomic && !options.dryRun) headers.set('Idempotency-Key', randomKey());
  const sent = {
    ...{ method: 'POST', url },
    isIdempotent: isIdempotent(path, options) || headers.has('Idempotency-Key'),
    signal: options.signal,
  };
  let linesBefore = 0;
  for await (const { text: body, count } of batchesOf(lines, options.atomic === true)) {
    const attempt = async (signal: AbortSignal) => {
      const response = await fetch(url, { ...WITHOUT_REDIRECTS, method: 'POST', headers, body, signal });
      const text = await response.text();
      if (response.status === 200 && !resultsIn(text)) throw new Error('The response to a bulk request was cut off.');
      return { status: response.status, headers: response.headers, text };
    };
    const reply = await sendWithRetries(attempt, sent, connection.policy);
    if (reply.status !== 200) parseResponse(reply, 'POST', path);
    for (const result of resultsIn(reply.text)!) yield { ...result, line: result.line + linesBefore };
    linesBefore += count;
  }
}

/** Yields all records of a collection from one response, which is read while the caller iterates. */
export async function* exportRecords(
  connection: Connection,
  path: string,
  parameters: Parameters,
  options: AnyExportOptions,
): AsyncGenerator<never, void> {
  const url = `${connection.root}${addressOf(path, parameters, options)}`;
  const headers = headersFor(connection, options.language, { Accept: LINES_TYPE });
  let response: Response | undefined;
  // The attempt ends with the headers. Its timeout must not abort the body, which is read for as long as it takes.
  const signal = options.signal ?? null;
  const attempt = async () => {
    response = await fetch(url, { ...WITHOUT_REDIRECTS, headers, signal });
    return { status: response.status, headers: response.headers, text: response.ok ? '' : await response.text() };
  };
  const sent = { method: 'GET', url, isIdempotent: true, signal: options.signal };
  const reply = await sendWithRetries(attempt, sent, connection.policy);
  if (reply.status !== 200) parseResponse(reply, 'GET', path);
  try {
    yield* valuesIn(response!.body!, Number(reply.headers.get('x-total-count')));
  } catch (error) {
    // `fetch` reports a broken connection as a TypeError.
    throw error instanceof TypeError ? new StoreUnreachable('GET', url, error) : error;
  }
}
