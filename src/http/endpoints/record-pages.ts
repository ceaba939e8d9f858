/** Pages of records that are not those of a resource: keys, users, roles (http.md §6). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { keyCollectionOf } from '../../describe/hydra.ts';
import {
  ITEMS_PER_PAGE_DEFAULT,
  isProblem,
  type Problem,
  parseQueryString,
  problem,
  readPageParameter,
  type ShownRecord,
  shortened,
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import { queryOf } from '../resources/address.ts';
import { LD_TYPE } from '../responses/accept.ts';
import { pageAddresses } from '../responses/headers.ts';
import { renderPage, sendRendered } from '../responses/response.ts';

interface RecordPage {
  page: number;
  itemsPerPage: number;
  /** Order of identifiers; undefined for the default order. */
  direction: 'asc' | 'desc' | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    recordPage: RecordPage;
  }
}

const ORDER = 'order[id]';

export function registerRecordPages(app: FastifyInstance): void {
  app.decorateRequest('recordPage');
}

/**
 * Sends the page of the request.
 * @param records all of them, in the default order
 * @param linked returns the page as JSON-LD, if the path offers it
 */
export function sendRecordPage(
  request: FastifyRequest,
  reply: FastifyReply,
  records: readonly (ShownRecord & { readonly id: string | number })[],
  linked?: typeof keyCollectionOf,
): FastifyReply {
  const { page, itemsPerPage, direction } = request.recordPage;
  const sorted =
    direction === undefined ? [...records] : records.toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1));
  if (direction === 'desc') sorted.reverse();
  const shown = sorted.slice((page - 1) * itemsPerPage, page * itemsPerPage);
  const { language } = request.requestContext;
  const { baseUrl } = request.service.environment;
  const total = records.length;
  const addresses = pageAddresses(request.url, request.recordPage, { total });
  const isLinked = linked !== undefined && request.responseType === LD_TYPE;
  const body = JSON.stringify(isLinked ? linked({ records: shown, total, addresses }) : shown);
  return sendRendered(request, reply, renderPage({ total }, request.recordPage, request.url, language, baseUrl, body));
}

/** Parses page and order of the query. */
export function readRecordPage(request: FastifyRequest): Problem | undefined {
  const parameters = parseQueryString(queryOf(request));
  if (isProblem(parameters)) return parameters;
  const { lenient } = request.requestContext;
  const page: RecordPage = { page: 1, itemsPerPage: ITEMS_PER_PAGE_DEFAULT, direction: undefined };
  const seen = new Set<string>();
  for (const { written, value } of parameters) {
    const error = seen.has(written) && !lenient ? repeated(written) : readPart(page, written, value, lenient);
    // The order and unknown names do not change which records are listed.
    if (error !== undefined && !lenient) return problem('invalid-argument', error);
    seen.add(written);
  }
  request.recordPage = page;
  return undefined;
}

function repeated(name: string): string {
  return `The parameter "${shortened(name)}" is given more than once. Send it once.`;
}

/** Reads one parameter into `page`. @returns an error message */
function readPart(page: RecordPage, written: string, value: string, lenient: boolean): string | undefined {
  if (written === ORDER) {
    const direction = value.toLowerCase() || 'asc';
    if (direction !== 'asc' && direction !== 'desc')
      return `"${written}" should be asc or desc; it is "${shortened(value)}".`;
    page.direction = direction;
    return undefined;
  }
  if (written !== 'page' && written !== 'itemsPerPage')
    return unknownParameter(written, withoutSynonyms(['page', 'itemsPerPage', ORDER]));
  const number = readPageParameter(written, value, lenient);
  if (typeof number === 'string') return number;
  page[written] = number;
  return undefined;
}
