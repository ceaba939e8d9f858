/** Writing answers: records, pages, problems; with the headers that the contract asks of each. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hydraProblem } from '../../describe/hydra.ts';
import { isProblem, type ModelRoute, type Problem, problemBody, problemTypes } from '../../engine/index.ts';
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

/** Where the pages of the problem types are. */
export const PROBLEMS_PATH = '/api/_reference/problems';

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { id, headers, routeOptions, service } = reply.request;
  const accept = routeOptions.config?.negotiates === false ? undefined : headers.accept;
  const { type, body } = renderProblem(problem, accept, id, service.environment.baseUrl);
  reply.code(problemTypes[problem.problem].status).headers(problem.headers).header('content-type', type);
  return sendEncoded(reply, body);
}

/** A problem may come before the form of the answer is chosen: then the JSON-LD form is for who asks for nothing better. */
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

/** A record as an answer. */
export function renderRecord({ body, etag }: Representation, route: ModelRoute, language: string): Rendered {
  const headers: Record<string, string> = { 'content-language': language };
  const patches = [MERGE_PATCH_TYPE, JSON_TYPE, LD_TYPE, ...(route.resource.declaration.upload ? [FORM_TYPE] : [])];
  if (route.operations.has('patch')) headers['accept-patch'] = patches.join(', ');
  return { body, etag, headers };
}

/** A view of a record as an answer; it is read and nothing else. */
export function renderView({ body, etag }: Representation, language: string): Rendered {
  return { body, etag, headers: { 'content-language': language } };
}

/** A record's texts in all languages as an answer: of none in particular. */
export function renderTranslations({ body, etag }: Representation): Rendered {
  return { body, etag, headers: {} };
}

/** A page of a collection as an answer. @param total the number of all its records */
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

/** Sends what was rendered; a read whose bytes the client has already is a 304. */
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
  if (request.answerType === HTML_TYPE) reply.headers(PRINTED_HEADERS);
  return sendEncoded(reply.code(status).header('content-type', contentType(request)), rendered.body, rendered);
}

/** Sends what came of a write: its answer, or the problem that kept it from being done. */
export function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: (Rendered & { readonly status?: number }) | Problem,
): FastifyReply {
  if (isProblem(outcome)) return sendProblem(reply, outcome);
  const { status, ...rendered } = outcome;
  return sendRendered(request, reply, rendered, status);
}

/** Of the store's data, in the form that was chosen at the door. */
export function contentType({ answerType }: FastifyRequest): string {
  if (LINE_TYPES.includes(answerType) || answerType === HTML_TYPE) return `${answerType}; charset=utf-8`;
  return answerType === LD_TYPE ? LD_CONTENT : JSON_CONTENT;
}

/** Says that the client's preference was applied, if it had one (RFC 7240). */
export function applyPreference(request: FastifyRequest, reply: FastifyReply): void {
  if (request.requestContext.saysLenient) reply.header('preference-applied', 'handling=lenient');
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
