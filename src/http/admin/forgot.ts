/** `/admin/forgot`: mails a link for a new password to a user (access.md §3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isProblem, rejectParameters } from '../../engine/index.ts';
import { requestMails } from '../../store/mails/requested.ts';
import { MAILS } from '../../store/users/links.ts';
import { readEmail } from '../../store/users/user-input.ts';
import { queryOf } from '../resources/address.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import { rejectForeign } from './own-page.ts';

const BODY_BYTES_MAX = 8192;

export function registerForgotRoute(app: FastifyInstance, options: HttpOptions, admin: AdminOptions): void {
  const readAddress = (request: FastifyRequest) =>
    rejectForeign(request, admin) ?? rejectParameters(queryOf(request), false);
  app.post(
    '/admin/forgot',
    { bodyLimit: BODY_BYTES_MAX, config: { isPublic: true, readAddress, work: 'write', takesBody: true } },
    handleForgot(options, admin),
  );
}

/** Whether users can have a new password by mail. */
export function offersReset({ mail }: HttpOptions, { oidc }: AdminOptions): boolean {
  return mail !== undefined && !oidc?.isOnly;
}

/**
 * The request does the same for every address: it counts and queues a mail. Only the attempt to send it finds out whether there is
 * such a user. So neither the response nor its time reveals that.
 */
function handleForgot(options: HttpOptions, admin: AdminOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { service, ip } = request;
    const sent = readJsonObject(request.body as Buffer | undefined);
    const to = isProblem(sent) ? sent : readEmail(sent, service.model);
    if (isProblem(to)) return sendProblem(reply, to);
    const { mail } = options;
    if (mail && offersReset(options, admin))
      await requestMails(service, {
        mails: [{ template: MAILS.reset_link, to, data: {} }],
        address: rateLimitGroup(ip),
        limits: mail.limits,
      });
    return reply
      .code(202)
      .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
      .send('{}');
  };
}
