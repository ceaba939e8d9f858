/** `GET /api/store`: settings of the store (http.md §22). They change only when the server restarts. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { storeInfoItemOf } from '../../describe/hydra.ts';
import { API_PATH, type Environment, type Problem, rejectParameters, STORE_PATH } from '../../engine/index.ts';
import { queryOf } from '../resources/address.ts';
import { DATA_TYPES, LD_TYPE } from '../responses/accept.ts';
import { recordTag } from '../responses/entity-tags.ts';
import { renderView, sendRendered } from '../responses/response.ts';

/** Settings have no version; the digest distinguishes their states. */
const VERSION = 1;

export function registerStoreRoute(app: FastifyInstance): void {
  const config = { offers: DATA_TYPES, work: 'none', readAddress: readNothing } as const;
  app.get(`${API_PATH}${STORE_PATH}`, { config }, async (request, reply) => {
    const info = infoOf(request.service.environment);
    const body = JSON.stringify(request.responseType === LD_TYPE ? storeInfoItemOf(info) : info);
    return sendRendered(
      request,
      reply,
      renderView({ body, etag: recordTag(VERSION, body, false) }, request.requestContext.language),
    );
  });
}

function readNothing(request: FastifyRequest): Problem | undefined {
  return rejectParameters(queryOf(request), request.requestContext.lenient);
}

function infoOf({ timeZone, settings }: Environment): object {
  const { currency, weight_unit, dimension_unit, seller, invoice_keep_years, shop_url = '' } = settings;
  return {
    currency,
    time_zone: timeZone,
    weight_unit,
    seller,
    invoice_keep_years: Number(invoice_keep_years),
    shop_url,
    dimension_unit,
  };
}
