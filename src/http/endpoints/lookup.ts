/** `GET /api/lookup?q=`: records of several resources that a text finds, each with its title (access.md §5). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LOOKUP_LIMIT, lookupRoutes } from '../../describe/lookup.ts';
import {
  API_PATH,
  isProblem,
  LOOKUP_PATH,
  list,
  type ModelRoute,
  type Problem,
  problem,
  readingOf,
  readListQuery,
  SEARCH_PARAMETER,
  SEARCH_WORDS_MAX,
  searchWords,
} from '../../engine/index.ts';
import { canSearch, rejectHiddenQuery, withoutHidden } from '../access/hidden-queries.ts';
import { requestOptionsOf } from '../resources/address.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { recordTag } from '../responses/entity-tags.ts';
import { renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { readOnlyParameter } from './only-parameter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text that `/lookup` finds records by. */
    lookupText: string;
  }
}

const PARAMETER = 'q';
const LENGTH = { min: 2, max: 100 };

/** Lookups have no version; the digest distinguishes their states. */
const VERSION = 1;

interface Found {
  readonly resource: string;
  readonly id: number;
  readonly path: string;
  /** null if the key may not see the field. */
  readonly title: string | null;
}

export function registerLookupRoute(app: FastifyInstance, options: HttpOptions): void {
  app.decorateRequest('lookupText', '');
  const config = { offers: [JSON_TYPE], work: 'list', readAddress } as const;
  app.get(`${API_PATH}${LOOKUP_PATH}`, { config }, async (request, reply) => {
    const { hidden } = request.requestContext.rights;
    const all: Found[] = [];
    for (const route of lookupRoutes(request.service.model)) {
      if (hidden && !hidden.canRead(route.resource)) continue;
      const found = await find(request, options, route);
      if (isProblem(found)) return sendProblem(reply, found);
      all.push(...found);
    }
    const body = JSON.stringify(all);
    const { language } = request.requestContext;
    return sendRendered(request, reply, renderView({ body, etag: recordTag(VERSION, body, false) }, language));
  });
}

async function find(request: FastifyRequest, options: HttpOptions, route: ModelRoute): Promise<Found[] | Problem> {
  const { resource, collectionPath } = route;
  const { by, title } = resource.declaration.lookup!;
  const { hidden } = request.requestContext.rights;
  const isHidden = hidden?.hides(resource.fields.get(title)!) === true;
  const parameters = {
    [by]: request.lookupText,
    itemsPerPage: `${LOOKUP_LIMIT}`,
    fields: isHidden ? 'id' : `id,${title}`,
  };
  const query = new URLSearchParams(parameters).toString();
  // Only hidden fields could find these records.
  const filter = new URLSearchParams({ [by]: request.lookupText }).toString();
  if (by === SEARCH_PARAMETER ? !canSearch(route, hidden) : rejectHiddenQuery(route, filter, hidden)) return [];
  const listQuery = readListQuery(route, query, readingOf(request.service, request.requestContext));
  if (isProblem(listQuery)) return listQuery;
  const target = { route, parents: [] };
  const page = await list(
    request.service,
    requestOptionsOf(request, options),
    target,
    withoutHidden(route, listQuery, hidden),
  );
  if (isProblem(page)) return page;
  return page.records.map((record) => ({
    resource: resource.name,
    id: record.id as number,
    path: `${API_PATH}${collectionPath}/${record.id}`,
    title: isHidden ? null : (record[title] as string),
  }));
}

function readAddress(request: FastifyRequest): Problem | undefined {
  const given = readOnlyParameter(request, PARAMETER);
  if (isProblem(given)) return given;
  const text = given.trim();
  const length = [...text].length;
  if (length < LENGTH.min || length > LENGTH.max)
    return problem('invalid-argument', `"${PARAMETER}" must have ${LENGTH.min} to ${LENGTH.max} characters.`);
  const words = searchWords(text).length;
  if (words === 0 || words > SEARCH_WORDS_MAX)
    return problem('invalid-argument', `"${PARAMETER}" must have 1 to ${SEARCH_WORDS_MAX} words.`);
  request.lookupText = text;
  return undefined;
}
