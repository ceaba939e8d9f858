/**
 * `/healthz`: the process lives. `/readyz`: the database and the image store answer, and what is missing all the same, in
 * words. An image store apart from all servers is told as missing only: a proxy that looks here would else leave out every
 * server, and with them all that needs no image. No key needed, no store data shown.
 */
import type { FastifyInstance } from 'fastify';
import { ImageDecoderUnavailable, problem } from '../../engine/index.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from './context.ts';

/** Probes of load balancers accept anything. */
const OFFERS = ['application/json', 'text/plain', '*/*'];

/** A probe writes to the disk: however often somebody asks, it runs once in so long. */
const PROBE_LASTS_MS = 1000;

export function registerHealthRoutes(app: FastifyInstance, { service, cacheValidator }: HttpOptions): void {
  const route = { config: { isPublic: true, offers: OFFERS, work: 'none' }, logLevel: 'warn' } as const;
  app.get('/healthz', route, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  let probe: { at: number; result: Promise<PromiseSettledResult<unknown>[]> } | undefined;
  app.get('/readyz', route, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!probe || performance.now() - probe.at > PROBE_LASTS_MS)
      probe = {
        at: performance.now(),
        result: Promise.allSettled([cacheValidator.check(), service.images.check(), service.imageDecoder.check()]),
      };
    const [database, images, imageDecoder] = await probe.result;
    const isImagesMissing = images!.status === 'rejected';
    if (database!.status === 'fulfilled' && (!isImagesMissing || service.images.isApart)) {
      const warnings = [...(isImagesMissing ? [NO_IMAGES] : []), ...warningsOf(imageDecoder!)];
      return reply.send({ status: 'ready', ...(warnings.length > 0 && { warnings }) });
    }
    const missing = [database!.status === 'rejected' ? 'the database' : '', isImagesMissing ? 'the image store' : ''];
    const detail = `Not ready: ${missing.filter(Boolean).join(' and ')} cannot be used now.`;
    return sendProblem(reply, problem('service-unavailable', detail, { 'retry-after': '1' }));
  });
}

const NO_IMAGES = 'The S3 store of the images cannot be used now: image files and uploads are a 503.';

/** All but uploads goes on without the decoder, so that the store is ready. */
function warningsOf(imageDecoder: PromiseSettledResult<unknown>): string[] {
  const isMissing = imageDecoder.status === 'rejected' && imageDecoder.reason instanceof ImageDecoderUnavailable;
  return isMissing ? [imageDecoder.reason.message] : [];
}
