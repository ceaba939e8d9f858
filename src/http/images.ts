/** `/images/…`: the stored files, for shoppers' browsers. A name never changes its bytes, so caches may keep them. */
import type { FastifyInstance } from 'fastify';
import { problem } from '../engine/errors.ts';
import { IMAGES_PATH } from '../engine/fields/file.ts';
import { sendProblem } from './answer.ts';
import { isUnchanged } from './conditional.ts';
import type { HttpOptions } from './context.ts';

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A file that was uploaded never runs as a page, whatever a browser takes it for. */
const SAFE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

export function addImageRoutes(app: FastifyInstance, { service }: HttpOptions): void {
  const offers = [...Object.values(TYPES), 'image/*', '*/*'];
  app.get<{ Params: { name: string } }>(
    `${IMAGES_PATH}/:name`,
    { config: { isPublic: true, offers } },
    async (request, reply) => {
      const { name } = request.params;
      const type = TYPES[name.split('.')[1] ?? ''];
      const etag = `"${name.split('.')[0]}"`;
      // The name tells the bytes: who has them already needs no reading of the file.
      if (type && isUnchanged(request.headers['if-none-match'], etag) && (await service.images.has(name)))
        return reply
          .headers({ ...SAFE_HEADERS, etag })
          .code(304)
          .send();
      const bytes = type && (await service.images.get(name));
      if (!bytes) {
        reply.header('cache-control', 'no-store');
        return sendProblem(reply, problem('not-found', 'There is no image at this address.'), service.world.baseUrl);
      }
      return reply
        .headers({ ...SAFE_HEADERS, etag })
        .header('content-type', type)
        .send(bytes);
    },
  );
}
