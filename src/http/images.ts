/**
 * `/images/…`: the stored files, for shoppers' browsers. A name never changes its bytes, so caches may keep them. Files are
 * read as they are sent, so that memory does not grow with their size or with the client's slowness.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IMAGES_PATH, problem, type StoredImage } from '../engine/index.ts';
import { sendProblem } from './answer.ts';
import { readRange } from './byte-range.ts';
import type { HttpOptions } from './context.ts';
import { namesTag } from './tags.ts';

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A file that was uploaded never runs as a page, whatever a browser takes it for. */
const SAFE_HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

export function addImageRoutes(app: FastifyInstance, { service }: HttpOptions): void {
  app.get<{ Params: { name: string } }>(
    `${IMAGES_PATH}/:name`,
    { config: { isPublic: true, negotiates: false, work: 'none' } },
    async (request, reply) => {
      const { name } = request.params;
      const [hash, extension = ''] = name.split('.');
      const type = TYPES[extension];
      const image = type === undefined ? undefined : await service.images.open(name);
      if (!image) {
        reply.header('cache-control', 'no-store');
        return sendProblem(reply, problem('not-found', 'There is no image at this address.'));
      }
      const etag = `"${hash}"`;
      reply.headers({ ...SAFE_HEADERS, etag });
      if (namesTag(request.headers['if-none-match'], etag)) {
        await image.close();
        return reply.code(304).send();
      }
      return sendFile(request, reply.header('content-type', type), image, etag);
    },
  );
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  image: StoredImage,
  etag: string,
): Promise<FastifyReply> {
  const { sizeBytes } = image;
  const { range: asked, 'if-range': ifRange } = request.headers;
  // A part of another state of the file would be of no use (RFC 9110 §13.1.5); a range has a meaning for GET alone.
  const isAsked = request.method === 'GET' && (ifRange === undefined || ifRange === etag);
  const range = isAsked ? readRange(asked, sizeBytes) : undefined;
  if (range === 'none') {
    await image.close();
    return reply.code(416).header('content-range', `bytes */${sizeBytes}`).removeHeader('content-type').send();
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
  reply.header('content-length', last - first + 1);
  if (request.method === 'HEAD' || sizeBytes === 0) {
    await image.close();
    return reply.send(Readable.from([]));
  }
  return reply.send(streamOf(image.read(first, last)));
}

/** A stream of Node's is passed on as it is: cut off before its first byte, it still closes its file. */
function streamOf(bytes: AsyncIterable<Uint8Array>): Readable {
  return bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
}
