/** Reads the body of a bulk as a stream of bytes or of lines. */
import type { IncomingMessage } from 'node:http';
import { type Problem, problem } from '../../engine/index.ts';
import { ChunkBuffer } from '../../store/chunk-buffer.ts';
import type { JsonLine, LineReader } from '../../store/json-lines.ts';
import type { Limits } from '../admission/limits.ts';
import { UnreadableBody } from '../resources/multipart-form.ts';

/** Time limits of a body. */
export interface BodyLimits extends Pick<Limits, 'bulkSecondsMax' | 'bulkStalledSecondsMax'> {
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** @throws {UnreadableBody} if the client is too slow or the server stops; Node's error if the client disconnects */
async function* incomingBytes(body: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const endsAt = performance.now() + limits.bulkSecondsMax * 1000;
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const leftMs = Math.min(limits.bulkStalledSecondsMax * 1000, endsAt - performance.now());
    const chunk = await inTime(chunks.next(), leftMs, limits.stopping);
    if (chunk.done) return;
    yield chunk.value;
  }
}

async function inTime<T>(coming: Promise<T>, milliseconds: number, stopping: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = (type: 'request-timeout' | 'service-unavailable', detail: string) => (): void =>
    reject(new UnreadableBody(problem(type, detail, { connection: 'close' })));
  const late = fail('request-timeout', 'The lines did not arrive in time.');
  const stop = fail('service-unavailable', 'The server is stopping. Send the lines again.');
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

/** Yields lines as they arrive. @param reader counts them */
export async function* incomingLines(
  body: IncomingMessage,
  reader: LineReader,
  limits: BodyLimits,
): AsyncGenerator<Iterable<JsonLine>> {
  for await (const bytes of incomingBytes(body, limits)) yield reader.read(bytes);
  yield reader.end();
}

/** Reads the whole body, up to a limit. */
export async function incomingWhole(body: IncomingMessage, bytesMax: number, limits: BodyLimits): Promise<Buffer> {
  const chunks = new ChunkBuffer();
  let length = 0;
  for await (const bytes of incomingBytes(body, limits)) {
    length += bytes.length;
    // The rest is discarded: most clients read the response only after they have sent everything.
    if (length <= bytesMax) chunks.add(bytes);
  }
  if (length > bytesMax) throw new UnreadableBody(tooMuch(`is larger than ${bytesMax} bytes`));
  return chunks.join();
}

/** The problem of an atomic or trial bulk that is too large. */
export function tooMuch(fault: string): Problem {
  return problem(
    'content-too-large',
    `This bulk, which is written in one transaction, ${fault}. Split it, or omit “atomic” and “dry_run”.`,
  );
}
