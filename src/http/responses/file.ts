/**
 * Sends stored files with conditions and ranges (RFC 9110 §§13 and 14). Files are streamed, so that memory does not depend on
 * their size or the client's speed.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FilePart, problem, type StoredImage } from '../../engine/index.ts';
import { readRange } from './byte-range.ts';
import { namesTag } from './entity-tags.ts';
import { sendProblem } from './response.ts';

export interface ServedFile {
  readonly etag: string;
  /** With parameters, such as the charset. */
  readonly contentType: string;
  /** Headers of every response with the file, or a part of it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it exists, without opening it. */
  isKnown(): Promise<boolean>;
  sizeOf(): Promise<number | undefined>;
  open(part?: FilePart): Promise<StoredImage | undefined>;
}

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): Promise<FastifyReply> {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  const { etag } = file;
  if (namesTag(ifNoneMatch, etag)) {
    if (!(await file.isKnown())) return sendMissingFile(reply);
    return reply
      .headers({ ...file.headers, etag })
      .code(304)
      .send();
  }
  // `If-Range` (RFC 9110 §13.1.5); ranges apply to GET only.
  const isRangeRequested =
    request.method === 'GET' && range !== undefined && (ifRange === undefined || ifRange === etag);
  if (request.method === 'HEAD') {
    const sizeBytes = await file.sizeOf();
    if (sizeBytes === undefined) return sendMissingFile(reply);
    return reply.headers({ ...wholeHeaders(file), 'content-length': sizeBytes }).send(Readable.from([]));
  }
  return isRangeRequested ? sendPart(reply, file, range) : sendWhole(reply, file);
}

function wholeHeaders({ headers, etag, contentType }: ServedFile): Readonly<Record<string, string>> {
  return { ...headers, etag, 'content-type': contentType };
}

async function sendWhole(reply: FastifyReply, file: ServedFile): Promise<FastifyReply> {
  const stored = await file.open();
  if (!stored) return sendMissingFile(reply);
  return reply.headers({ ...wholeHeaders(file), 'content-length': stored.sizeBytes }).send(streamOf(stored.read()));
}

async function sendPart(reply: FastifyReply, file: ServedFile, requestedRange: string): Promise<FastifyReply> {
  const sizeBytes = await file.sizeOf();
  if (sizeBytes === undefined) return sendMissingFile(reply);
  const part = readRange(requestedRange, sizeBytes);
  if (part === 'none')
    return reply
      .code(416)
      .headers({ ...file.headers, etag: file.etag, 'content-range': `bytes */${sizeBytes}` })
      .send();
  if (part === undefined) return sendWhole(reply, file);
  const stored = await file.open(part);
  if (!stored) return sendMissingFile(reply);
  const { first, last } = part;
  const range = { 'content-range': `bytes ${first}-${last}/${sizeBytes}`, 'content-length': last - first + 1 };
  return reply
    .code(206)
    .headers({ ...wholeHeaders(file), ...range })
    .send(streamOf(stored.read()));
}

export function sendMissingFile(reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  return sendProblem(reply, problem('not-found', 'There is no file at this URL.'));
}

/** A Node stream is passed on unchanged, so that it closes its file even if it is aborted before the first byte. */
function streamOf(bytes: AsyncIterable<Uint8Array>): Readable {
  return bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
}
