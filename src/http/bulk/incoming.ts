/** The body of a bulk as it comes: its bytes, and then its lines. */
import type { IncomingMessage } from 'node:http';
import { type Problem, problem } from '../../engine/index.ts';
import { ChunkBuffer } from '../../store/chunk-buffer.ts';
import type { JsonLine, LineReader } from '../../store/json-lines.ts';
import type { Limits } from '../admission/limits.ts';
import { UnreadableBody } from '../resources/multipart-form.ts';

/** The time that a body may take, and what ends it early. */
export interface Patience extends Pick<Limits, 'bulkSecondsMax' | 'bulkStalledSecondsMax'> {
  /** The server stops. */
  readonly stopping: AbortSignal;
}

/** @throws {UnreadableBody} when the client takes too long, or the server stops; what Node raises when the client is gone */
async function* incomingBytes(body: IncomingMessage, patience: Patience): AsyncGenerator<Buffer> {
  const endsAt = performance.now() + patience.bulkSecondsMax * 1000;
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const leftMs = Math.min(patience.bulkStalledSecondsMax * 1000, endsAt - performance.now());
    const chunk = await inTime(chunks.next(), leftMs, patience.stopping);
    if (chunk.done) return;
    yield chunk.value;
  }
}

async function inTime<T>(coming: Promise<T>, milliseconds: number, stopping: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = (type: 'request-timeout' | 'service-unavailable', detail: string) => (): void =>
    reject(new UnreadableBody(problem(type, detail, { connection: 'close' })));
  const late = fail('request-timeout', 'The lines did not come in time.');
  const stop = fail('service-unavailable', 'The server stops; send the lines again.');
  const timer = setTimeout(late, Math.max(0, milliseconds));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
    coming.catch(() => {});
  }
}

/** Lines as they end. @param reader counts them */
export async function* incomingLines(
  body: IncomingMessage,
  reader: LineReader,
  patience: Patience,
): AsyncGenerator<Iterable<JsonLine>> {
  for await (const bytes of incomingBytes(body, patience)) yield reader.read(bytes);
  yield reader.end();
}

/** The whole body, up to a limit. */
export async function incomingWhole(body: IncomingMessage, bytesMax: number, patience: Patience): Promise<Buffer> {
  const chunks = new ChunkBuffer();
  let length = 0;
  for await (const bytes of incomingBytes(body, patience)) {
    length += bytes.length;
    // The rest is read to nowhere: most clients read no answer before they have sent all.
    if (length <= bytesMax) chunks.add(bytes);
  }
  if (length > bytesMax) throw new UnreadableBody(tooMuch(`is larger than ${bytesMax} bytes`));
  return chunks.join();
}

/** Of a bulk that is written at once. */
export function tooMuch(fault: string): Problem {
  return problem(
    'content-too-large',
    `A bulk that is written at once ${fault}; send it in parts, or without “atomic”.`,
  );
}
