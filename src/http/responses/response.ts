/** Renders and sends records, pages and problems with the headers of the contract. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hydraProblem } from '../../describe/hydra.ts';
import {
  ESTIMATED_COUNT_MAX,
  isProblem,
  type ModelRoute,
  type Problem,
  problemBody,
  problemTypes,
} from '../../engine/index.ts';
import { concealed } from '../access/concealed-problems.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { FORM_TYPE } from '../resources/multipart-form.ts';
import { HTML_TYPE, PRINTED_HEADERS } from '../resources/printed.ts';
import { instanceOf } from '../server/request-ids.ts';
import { JSON_TYPE, LD_TYPE, LINE_TYPES, MERGE_PATCH_TYPE, negotiate, PROBLEM_TYPE } from './accept.ts';
import { sendEncoded, tagFor } from './encodings.ts';
import { collectionTag, namesTag } from './entity-tags.ts';
import {
  documentationLink,
  isLowerBound,
  isOfStorefront,
  type PageExtent,
  type PageQuery,
  pageLinks,
} from './headers.ts';
import type { Representation } from './representations.ts';

const JSON_CONTENT = `${JSON_TYPE}; charset=utf-8`;
const LD_CONTENT = `${LD_TYPE}; charset=utf-8`;
const PROBLEM_CONTENT = `${PROBLEM_TYPE}; charset=utf-8`;

/** Path of the pages of problem types. */
export const PROBLEMS_PATH = '/api/_reference/problems';

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return sendEncoded(reply, prepareProblem(reply, problem));
}

/** Sets the status and the headers of a problem. @returns its body */
export function prepareProblem(reply: FastifyReply, problem: Problem): string {
  const { request } = reply;
  const { id, headers, routeOptions, service } = request;
  const isJson = routeOptions.config?.negotiates === false || isOfStorefront(request);
  const accept = isJson ? undefined : headers.accept;
  const { type, body } = renderProblem(concealed(request, problem), accept, id, service.environment.baseUrl);
  reply.code(problemTypes[problem.problem].status).headers(problem.headers).header('content-type', type);
  return body;
}

/** A problem may occur before content negotiation, so it negotiates its own media type. */
const PROBLEM_OFFERS = [PROBLEM_TYPE, JSON_TYPE, LD_TYPE];

export function renderProblem(
  problem: Problem,
  accept: string | undefined,
  requestId: string,
  baseUrl: string,
): { type: string; body: string } {
  const body = problemBody(problem, `${baseUrl}${PROBLEMS_PATH}`, instanceOf(requestId));
  return negotiate(accept, PROBLEM_OFFERS) === LD_TYPE
    ? { type: LD_CONTENT, body: JSON.stringify(hydraProblem(body)) }
    : { type: PROBLEM_CONTENT, body: JSON.stringify(body) };
}

export function renderRecord({ body, etag }: Representation, route: ModelRoute, language: string): Rendered {
  const headers: Record<string, string> = { 'content-language': language };
  const patches = [MERGE_PATCH_TYPE, JSON_TYPE, LD_TYPE, ...(route.resource.declaration.upload ? [FORM_TYPE] : [])];
  if (route.operations.has('patch')) headers['accept-patch'] = patches.join(', ');
  return { body, etag, headers };
}

/** Renders a view. Views cannot be patched. */
export function renderView({ body, etag }: Representation, language: string): Rendered {
  return { body, etag, headers: { 'content-language': language } };
}

/** Renders texts in all languages, so without `Content-Language`. */
export function renderTranslations({ body, etag }: Representation): Rendered {
  return { body, etag, headers: {} };
}

export function renderPage(
  extent: PageExtent,
  listQuery: PageQuery,
  url: string,
  language: string,
  baseUrl: string,
  body: string,
): Rendered {
  const isBound = isLowerBound(listQuery, extent.total);
  const total = isBound ? ESTIMATED_COUNT_MAX : extent.total;
  const headers = {
    'content-language': language,
    'x-total-count': String(total),
    ...(isBound && { [RELATION_HEADER]: 'at-least' }),
    link: [documentationLink(baseUrl), pageLinks(baseUrl, url, listQuery, extent)].filter(Boolean).join(', '),
  };
  return { body, etag: collectionTag(isBound ? `${total}+` : total, body), headers };
}

/** Says that the total is a lower bound. */
const RELATION_HEADER = 'x-total-count-relation';

/** Sends a rendered response, or 304 if `If-None-Match` contains its tag. */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
  status = 200,
): FastifyReply {
  reply.headers(rendered.headers);
  if (rendered.etag !== '') reply.header('etag', tagFor(request, rendered.etag, rendered.body));
  applyPreference(request, reply);
  if (isRead(request) && namesTag(request.headers['if-none-match'], rendered.etag))
    return reply.removeHeader('accept-patch').code(304).send();
  if (request.responseType === HTML_TYPE) reply.headers(PRINTED_HEADERS);
  return sendEncoded(reply.code(status).header('content-type', contentType(request)), rendered.body, rendered);
}

/** Sends the response to a write, or the problem. */
export function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: (Rendered & { readonly status?: number }) | Problem,
): FastifyReply {
  if (isProblem(outcome)) return sendProblem(reply, outcome);
  const { status, ...rendered } = outcome;
  return sendRendered(request, reply, rendered, status);
}

/** Returns the `Content-Type` of the negotiated media type. */
export function contentType({ responseType }: FastifyRequest): string {
  if (LINE_TYPES.includes(responseType) || responseType === HTML_TYPE) return `${responseType}; charset=utf-8`;
  return responseType === LD_TYPE ? LD_CONTENT : JSON_CONTENT;
}

/** Confirms the applied preferences (RFC 7240). */
export function applyPreference(request: FastifyRequest, reply: FastifyReply): void {
  const applied = [
    ...(request.requestContext.lenient ? ['handling=lenient'] : []),
    ...(reply.hasHeader(RELATION_HEADER) ? ['count=estimated'] : []),
  ];
  if (applied.length > 0) reply.header('preference-applied', applied.join(', '));
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
