/**
 * `/images/…`: image files for browsers. The bytes of a name never change, so caches may store them. Files are streamed, so that
 * memory does not depend on their size or the client's speed.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IMAGES_PATH, isImage, isProblem, problem } from '../../engine/index.ts';
import { readRange } from '../responses/byte-range.ts';
import { namesTag } from '../responses/entity-tags.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { type ImageFile, imageFile, readWidth, thumbnailFile, typeOf } from './image-files.ts';

/** Prevents a browser from running an uploaded file as a page. */
const SAFE_HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Longer than a visit to a shop. Not permanent, because the public URL can change. */
const REDIRECT_HEADERS = { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' };

export function registerImageFiles(app: FastifyInstance, { service, imagesPublicUrl = '' }: HttpOptions): void {
  app.get<{ Params: { name: string } }>(
    `${IMAGES_PATH}/:name`,
    { config: { isPublic: true, negotiates: false, work: 'none' } },
    async (request, reply) => {
      const { name } = request.params;
      if (!isImage(name)) return sendMissing(reply);
      const width = readWidth(request.raw.url!);
      if (isProblem(width)) return sendProblem(reply.header('cache-control', 'no-store'), width);
      if (width !== undefined) reply.header('vary', 'Accept');
      const file =
        width === undefined ? imageFile(service, name) : thumbnailFile(service, name, width, request.headers.accept);
      if (imagesPublicUrl === '') return sendFile(request, reply, file);
      // The bucket reports missing images. Thumbnails may have to be created here.
      if (width !== undefined && (await file.sizeOf()) === undefined) return sendMissing(reply);
      return reply.headers(REDIRECT_HEADERS).redirect(`${imagesPublicUrl}/${file.name}`, 302);
    },
  );
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: ImageFile): Promise<FastifyReply> {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  const { etag } = file;
  if (namesTag(ifNoneMatch, etag)) {
    if (!(await file.isKnown())) return sendMissing(reply);
    return reply
      .headers({ ...SAFE_HEADERS, etag })
      .code(304)
      .send();
  }
  // `If-Range` (RFC 9110 §13.1.5); ranges apply to GET only.
  const isRangeRequested =
    request.method === 'GET' && range !== undefined && (ifRange === undefined || ifRange === etag);
  const headers = { ...SAFE_HEADERS, etag, 'content-type': typeOf(file.name) };
  if (request.method === 'HEAD') {
    const sizeBytes = await file.sizeOf();
    if (sizeBytes === undefined) return sendMissing(reply);
    return reply.headers({ ...headers, 'content-length': sizeBytes }).send(Readable.from([]));
  }
  return isRangeRequested ? sendPart(reply, file, range, headers) : sendWhole(reply, file, headers);
}

type Headers = Readonly<Record<string, string>>;

async function sendWhole(reply: FastifyReply, file: ImageFile, headers: Headers): Promise<FastifyReply> {
  const image = await file.open();
  if (!image) return sendMissing(reply);
  return reply.headers({ ...headers, 'content-length': image.sizeBytes }).send(streamOf(image.read()));
}

async function sendPart(
  reply: FastifyReply,
  file: ImageFile,
  requestedRange: string,
  { 'content-type': type, ...headers }: Headers,
): Promise<FastifyReply> {
  const sizeBytes = await file.sizeOf();
  if (sizeBytes === undefined) return sendMissing(reply);
  const part = readRange(requestedRange, sizeBytes);
  if (part === 'none')
    return reply
      .code(416)
      .headers({ ...headers, 'content-range': `bytes */${sizeBytes}` })
      .send();
  const whole = { ...headers, 'content-type': type! };
  if (part === undefined) return sendWhole(reply, file, whole);
  const image = await file.open(part);
  if (!image) return sendMissing(reply);
  const { first, last } = part;
  const range = { 'content-range': `bytes ${first}-${last}/${sizeBytes}`, 'content-length': last - first + 1 };
  return reply
    .code(206)
    .headers({ ...whole, ...range })
    .send(streamOf(image.read()));
}

function sendMissing(reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  return sendProblem(reply, problem('not-found', 'There is no image at this URL.'));
}

/** A Node stream is passed on unchanged, so that it closes its file even if it is aborted before the first byte. */
function streamOf(bytes: AsyncIterable<Uint8Array>): Readable {
  return bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
}
