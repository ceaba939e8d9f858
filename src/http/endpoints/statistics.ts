/** `GET /api/statistics`: the key figures of a shop (http.md §21). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { statisticsItemOf } from '../../describe/hydra.ts';
import {
  API_PATH,
  isProblem,
  type Problem,
  parseQueryString,
  problem,
  STATISTICS_PATH,
  shortened,
} from '../../engine/index.ts';
import { LOW_STOCK_DEFAULT, readStatistics } from '../../store/statistics.ts';
import { queryOf } from '../resources/address.ts';
import { DATA_TYPES, LD_TYPE } from '../responses/accept.ts';
import { recordTag } from '../responses/entity-tags.ts';
import { renderView, sendRendered } from '../responses/response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Up to this quantity, a product counts as low in stock. */
    lowStock: number;
  }
}

const PARAMETER = 'low_stock';

/** Figures have no version; the digest distinguishes their states. */
const VERSION = 1;

export function registerStatisticsRoute(app: FastifyInstance): void {
  app.decorateRequest('lowStock', LOW_STOCK_DEFAULT);
  const config = { offers: DATA_TYPES, work: 'list', readAddress } as const;
  app.get(`${API_PATH}${STATISTICS_PATH}`, { config }, async (request, reply) => {
    const figures = await readStatistics(request.service, request.lowStock);
    const body = JSON.stringify(request.responseType === LD_TYPE ? statisticsItemOf(figures) : figures);
    return sendRendered(
      request,
      reply,
      renderView({ body, etag: recordTag(VERSION, body, false) }, request.requestContext.language),
    );
  });
}

function readAddress(request: FastifyRequest): Problem | undefined {
  const parameters = parseQueryString(queryOf(request));
  if (isProblem(parameters)) return parameters;
  const { lenient } = request.requestContext;
  let isSeen = false;
  for (const { written, value } of parameters) {
    const isKnown = written === PARAMETER;
    if (!isKnown && lenient) continue;
    if (!isKnown || (isSeen && !lenient) || !/^\d{1,9}$/.test(value))
      return problem('invalid-argument', detailOf(written, value, isSeen));
    request.lowStock = Number(value);
    isSeen = true;
  }
  return undefined;
}

function detailOf(written: string, value: string, isSeen: boolean): string {
  if (written !== PARAMETER) return `Unknown parameter "${shortened(written)}". The only one is "${PARAMETER}".`;
  if (isSeen) return `The parameter "${PARAMETER}" is given more than once.`;
  return `"${PARAMETER}" must be a whole number from 0 to 999999999, not "${shortened(value)}".`;
}
