/** Requests of shoppers that cause mails (storefront.md §3). */

import type { FastifyRequest } from 'fastify';
import { inUnit, isProblem, type Problem, problem, type Unit } from '../../../engine/index.ts';
import type { NewMail } from '../../../store/mails/outbox.ts';
import { requestMails, requestMailsIn } from '../../../store/mails/requested.ts';
import { withShopUrl } from '../../../store/shop-url.ts';
import type { Handle } from '../../resources/reads.ts';
import { sendProblem, sendRendered } from '../../responses/response.ts';
import { rateLimitGroup } from '../../server/client-address.ts';
import type { HttpOptions } from '../../server/context.ts';
import { shopperOptions } from './requests.ts';

/** The mails of a request. */
interface Wanted {
  readonly mails: readonly NewMail[];
  /** Repeats the checks in the transaction that queues the mails. */
  readonly hold?: (unit: Unit) => Promise<Problem | undefined>;
}

/**
 * Handles a request that causes mails. It does the same for every address. Only the attempt to send a mail finds out whether there is
 * such a customer. So neither the response nor its time reveals that.
 * @param read must do slow work, such as hashing, even if the limits prevent the mails
 */
export function handleMailed(
  { mail }: HttpOptions,
  read: (request: FastifyRequest) => Wanted | Problem | Promise<Wanted | Problem>,
): Handle {
  return async (request, reply) => {
    const { service, ip } = request;
    const unconfigured = mail
      ? await rejectWithoutShop(request)
      : mailNotConfigured('This store is not configured to send mail.');
    const wanted = unconfigured ?? (await read(request));
    if (isProblem(wanted)) return sendProblem(reply, wanted);
    const { mails, hold } = wanted;
    const requested = { mails, address: rateLimitGroup(ip), limits: mail!.limits };
    const rejected = hold
      ? await inUnit(
          service,
          shopperOptions(request),
          async (unit) => (await hold(unit)) ?? requestMailsIn(service, unit, requested),
        )
      : await requestMails(service, requested);
    if (isProblem(rejected)) return sendProblem(reply, rejected);
    return sendRendered(request, reply, { body: '{}', etag: '', headers: {} }, 202);
  };
}

async function rejectWithoutShop(request: FastifyRequest): Promise<Problem | undefined> {
  const { environment } = await withShopUrl(request.service, shopperOptions(request));
  if (environment.settings.shop_url) return undefined;
  return mailNotConfigured('Mail to customers contains links to the shop, but shop_url is not set.');
}

function mailNotConfigured(reason: string): Problem {
  return problem('mail-not-configured', `${reason} Ask the operator of the store to change that.`);
}
