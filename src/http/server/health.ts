/**
 * `/healthz`: the process runs. `/readyz`: the database and the image store respond, with warnings. If an image store outside
 * the server (S3) is unavailable, that is only a warning: otherwise a load balancer would take all servers out of service,
 * although only requests for images fail. No key needed, no data of the store.
 */
import type { FastifyInstance } from 'fastify';
import { ImageDecoderUnavailable, problem } from '../../engine/index.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from './context.ts';

/** Probes of load balancers send any `Accept`. */
const OFFERS = ['application/json', 'text/plain', '*/*'];

/** A probe writes to the disk, so its result is reused for this time. */
const PROBE_LASTS_MS = 1000;

export function registerHealthRoutes(app: FastifyInstance, { service, cacheValidator }: HttpOptions): void {
  const config = { isPublic: true, offers: OFFERS, work: 'none', ignoresBacklog: true } as const;
  const route = { config, logLevel: 'warn' } as const;
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
    if (database!.status === 'fulfilled' && (!isImagesMissing || service.images.isRemote)) {
      const warnings = [...(isImagesMissing ? [NO_IMAGES] : []), ...warningsOf(imageDecoder!)];
      return reply.send({ status: 'ready', ...(warnings.length > 0 && { warnings }) });
    }
    const missing = [database!.status === 'rejected' ? 'the database' : '', isImagesMissing ? 'the image store' : ''];
    const detail = `Not ready: ${missing.filter(Boolean).join(' and ')} not available.`;
    return sendProblem(reply, problem('service-unavailable', detail, { 'retry-after': '1' }));
  });
}

const NO_IMAGES = 'The S3 image store is not available. Requests for image files and uploads get a 503.';

/** Without the decoder, only uploads fail, so the store is ready. */
function warningsOf(imageDecoder: PromiseSettledResult<unknown>): string[] {
  const isMissing = imageDecoder.status === 'rejected' && imageDecoder.reason instanceof ImageDecoderUnavailable;
  return isMissing ? [imageDecoder.reason.message] : [];
}
