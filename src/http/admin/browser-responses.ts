/** Responses of the admin page for people in a browser, who get a page instead of a JSON problem. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problemTypes } from '../../engine/index.ts';
import { rejectionPage } from '../reference/problem-pages.ts';
import { REFERENCE_FILES_PATH } from '../reference/routes.ts';
import { negotiate, PROBLEM_TYPE } from '../responses/accept.ts';
import { sendProblem } from '../responses/response.ts';

/** Programs that accept anything get a problem. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return negotiate(headers.accept, [PROBLEM_TYPE, 'text/html']) === 'text/html';
}

/** Sends a problem as a page if the client asks for one. */
export function sendRejection(request: FastifyRequest, reply: FastifyReply, rejection: Problem): FastifyReply {
  if (!wantsPage(request)) return sendProblem(reply, rejection);
  const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  return reply
    .code(problemTypes[rejection.problem].status)
    .headers({ 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' })
    .send(rejectionPage(rejection, `${REFERENCE_FILES_PATH}/`));
}
