/** Renders and sends records, pages and problems with the headers of the contract. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hydraProblem } from '../../describe/hydra.ts';
import { isProblem, type ModelRoute, type Problem, problemBody, problemTypes } from '../../engine/index.ts';
import { concealed } from '../access/concealed-problems.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { FORM_TYPE } from '../resources/multipart-form.ts';
import { HTML_TYPE, PRINTED_HEADERS } from '../resources/printed.ts';
import { instanceOf } from '../server/request-ids.ts';
import { JSON_TYPE, LD_TYPE, LINE_TYPES, MERGE_PATCH_TYPE, negotiate, PROBLEM_TYPE } from './accept.ts';
import { sendEncoded, tagFor } from './encodings.ts';
import { collectionTag, namesTag } from './entity-tags.ts';
import { documentationLink, type PageQuery, pageLinks } from './headers.ts';
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
  const { id, headers, routeOptions, service } = reply.request;
  const accept = routeOptions.config?.negotiates === false ? undefined : headers.accept;
  const { type, body } = renderProblem(concealed(reply.request, problem), accept, id, service.environment.baseUrl);
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

/** @param total the number of records on all pages */
export function renderPage(
  total: number,
  listQuery: PageQuery,
  url: string,
  language: string,
  baseUrl: string,
  body: string,
): Rendered {
  const headers = {
    'content-language': language,
    'x-total-count': String(total),
    link: [documentationLink(baseUrl), pageLinks(baseUrl, url, listQuery, total)].filter(Boolean).join(', '),
  };
  return { body, etag: collectionTag(total, body), headers };
}

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

/** Confirms an applied preference (RFC 7240). */
export function applyPreference(request: FastifyRequest, reply: FastifyReply): void {
  if (request.requestContext.lenient) reply.header('preference-applied', 'handling=lenient');
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
