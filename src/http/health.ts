/**
 * `/healthz`: the process lives. `/readyz`: the database and the image store answer, and what is missing all the same, in
 * words. No key needed, no store data shown.
 */
import type { FastifyInstance } from 'fastify';
import { PicturesUnavailable, problem } from '../engine/index.ts';
import { sendProblem } from './answer.ts';
import type { HttpOptions } from './context.ts';

/** Probes of load balancers accept anything. */
const OFFERS = ['application/json', 'text/plain', '*/*'];

/** A probe writes to the disk: however often somebody asks, it runs once in so long. */
const PROBE_LASTS_MS = 1000;

export function addHealthRoutes(app: FastifyInstance, { service, freshness }: HttpOptions): void {
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
        result: Promise.allSettled([freshness.look(), service.images.check(), service.pictures.check()]),
      };
    const [database, images, pictures] = await probe.result;
    if (database!.status === 'fulfilled' && images!.status === 'fulfilled')
      return reply.send({ status: 'ready', ...warningsOf(pictures!) });
    const missing = [
      database!.status === 'rejected' ? 'the database' : '',
      images!.status === 'rejected' ? 'the image store' : '',
    ];
    const detail = `Not ready: ${missing.filter(Boolean).join(' and ')} cannot be used now.`;
    return sendProblem(reply, problem('service-unavailable', detail, { 'retry-after': '1' }));
  });
}

/** All but uploads goes on without the decoder, so that the store is ready. */
function warningsOf(pictures: PromiseSettledResult<unknown>): { warnings?: string[] } {
  const isMissing = pictures.status === 'rejected' && pictures.reason instanceof PicturesUnavailable;
  return isMissing ? { warnings: [pictures.reason.message] } : {};
}
