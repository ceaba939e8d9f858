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
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import {
  readStatistics,
  STATISTICS_DAYS,
  STATISTICS_QUERY_DEFAULT,
  type StatisticsQuery,
} from '../../store/statistics.ts';
import { queryOf } from '../resources/address.ts';
import { DATA_TYPES, LD_TYPE } from '../responses/accept.ts';
import { recordTag } from '../responses/entity-tags.ts';
import { renderView, sendRendered } from '../responses/response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    statisticsQuery: StatisticsQuery;
  }
}

/** Parameters, each with its member of the query and the values that it accepts. */
const PARAMETERS = {
  low_stock: {
    member: 'lowStock',
    accepts: (value: string) => /^\d{1,9}$/.test(value),
    expected: 'a whole number from 0 to 999999999',
  },
  days: {
    member: 'days',
    accepts: (value: string) => STATISTICS_DAYS.map(String).includes(value),
    expected: '7, 30 or 90',
  },
} as const;

/** Figures have no version; the digest distinguishes their states. */
const VERSION = 1;

export function registerStatisticsRoute(app: FastifyInstance): void {
  // Each request gets its own object in `readAddress`.
  app.decorateRequest('statisticsQuery', null as never);
  const config = { offers: DATA_TYPES, work: 'list', readAddress } as const;
  app.get(`${API_PATH}${STATISTICS_PATH}`, { config }, async (request, reply) => {
    const figures = await readStatistics(request.service, request.statisticsQuery, request.requestContext);
    const shown = request.responseType === LD_TYPE ? statisticsItemOf(figures) : figures;
    const { webhooks: _, ...withoutWebhooks } = shown as typeof figures;
    const { rights } = request.requestContext;
    // Which webhooks fail may depend on any record.
    const seesWebhooks = rights.has('webhooks:read') && !rights.hidden;
    const body = JSON.stringify(seesWebhooks ? shown : withoutWebhooks);
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
  const query: Record<keyof StatisticsQuery, number> = { ...STATISTICS_QUERY_DEFAULT };
  const seen = new Set<string>();
  for (const { written, value } of parameters) {
    if (!isParameter(written)) {
      if (lenient) continue;
      return problem('invalid-argument', unknownParameter(written, withoutSynonyms(Object.keys(PARAMETERS))));
    }
    const { member, accepts, expected } = PARAMETERS[written];
    if (seen.has(written) && !lenient)
      return problem('invalid-argument', `The parameter "${written}" is given more than once.`);
    if (!accepts(value))
      return problem('invalid-argument', `"${written}" must be ${expected}, not "${shortened(value)}".`);
    query[member] = Number(value);
    seen.add(written);
  }
  request.statisticsQuery = query;
  return undefined;
}

function isParameter(name: string): name is keyof typeof PARAMETERS {
  return Object.hasOwn(PARAMETERS, name);
}
