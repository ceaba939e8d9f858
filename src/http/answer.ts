/** Writing answers: records, pages, problems; with the headers that the contract asks of each. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problemBody, problemTypes } from '../engine/errors.ts';
import type { ListIntent } from '../engine/intent.ts';
import type { ModelPlace } from '../engine/model.ts';
import type { Page } from '../engine/operations/list.ts';
import type { Found } from '../engine/service.ts';
import { collectionTag, isUnchanged } from './conditional.ts';
import { documentationLink, pageLinks } from './headers.ts';
import { MERGE_PATCH_TYPE } from './request-body.ts';
import type { Rendered } from './response-cache.ts';

export const JSON_CONTENT = 'application/json; charset=utf-8';
const PROBLEM_CONTENT = 'application/problem+json; charset=utf-8';

/** Where the pages of the problem types are. */
export const PROBLEMS_PATH = '/api/_reference/problems';

export function sendProblem(reply: FastifyReply, problem: Problem, baseUrl: string): FastifyReply {
  const body = problemBody(problem, `${baseUrl}${PROBLEMS_PATH}`, `urn:uuid:${reply.request.id}`);
  return reply
    .code(problemTypes[problem.problem].status)
    .headers(problem.headers)
    .header('content-type', PROBLEM_CONTENT)
    .send(JSON.stringify(body));
}

/** A record as an answer. */
export function renderRecord(found: Found, place: ModelPlace, language: string): Rendered {
  const headers: Record<string, string> = { 'content-language': language };
  if (place.operations.has('patch')) headers['accept-patch'] = `${MERGE_PATCH_TYPE}, application/json`;
  return { body: found.body, etag: found.etag, headers };
}

/** A view of a record as an answer; it is read and nothing else. */
export function renderView({ body, etag }: Found, language: string): Rendered {
  return { body, etag, headers: { 'content-language': language } };
}

/** A page of a collection as an answer. */
export function renderPage(page: Page, intent: ListIntent, url: string, language: string, baseUrl: string): Rendered {
  const body = JSON.stringify(page.records);
  const headers = {
    'content-language': language,
    'x-total-count': String(page.total),
    link: [documentationLink(baseUrl), pageLinks(baseUrl, url, intent, page.total)].filter(Boolean).join(', '),
  };
  return { body, etag: collectionTag(page.total, body), headers };
}

/** Sends what was rendered; a read whose bytes the client has already is a 304. */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
  status = 200,
): FastifyReply {
  reply.headers(rendered.headers).header('etag', rendered.etag);
  applyPreference(request, reply);
  if (isRead(request) && isUnchanged(request.headers['if-none-match'], rendered.etag))
    return reply.removeHeader('accept-patch').code(304).send();
  return reply.code(status).header('content-type', JSON_CONTENT).send(rendered.body);
}

/** Says that the client's preference was applied, if it had one (RFC 7240). */
export function applyPreference(request: FastifyRequest, reply: FastifyReply): void {
  if (request.visit.saysLenient) reply.header('preference-applied', 'handling=lenient');
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
