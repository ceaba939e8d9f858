/** `/images/…`: image files for browsers. The bytes of a name never change, so caches may store them. */
import type { FastifyInstance } from 'fastify';
import { IMAGES_PATH, isImage, isProblem } from '../../engine/index.ts';
import { sendFile, sendMissingFile } from '../responses/file.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { imageFile, readWidth, thumbnailFile, typeOf } from './image-files.ts';

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

const PUBLIC = { isPublic: true, negotiates: false, work: 'none' } as const;

export function registerImageFiles(app: FastifyInstance, { service, imagesPublicUrl = '' }: HttpOptions): void {
  app.get(`${IMAGES_PATH}/*`, { config: PUBLIC }, (_request, reply) => sendMissingFile(reply));
  app.get<{ Params: { name: string } }>(`${IMAGES_PATH}/:name`, { config: PUBLIC }, async (request, reply) => {
    const { name } = request.params;
    if (!isImage(name)) return sendMissingFile(reply);
    const width = readWidth(request.raw.url!);
    if (isProblem(width)) return sendProblem(reply.header('cache-control', 'no-store'), width);
    if (width !== undefined) reply.header('vary', 'Accept');
    const file =
      width === undefined ? imageFile(service, name) : thumbnailFile(service, name, width, request.headers.accept);
    if (imagesPublicUrl === '')
      return sendFile(request, reply, { ...file, contentType: typeOf(file.name), headers: SAFE_HEADERS });
    // The bucket reports missing images. Thumbnails may have to be created here.
    if (width !== undefined && (await file.sizeOf()) === undefined) return sendMissingFile(reply);
    return reply.headers(REDIRECT_HEADERS).redirect(`${imagesPublicUrl}/${file.name}`, 302);
  });
}
