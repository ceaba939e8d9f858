/** Export and erasure of a customer’s data by the customer (storefront.md §3, profiles.md §4). */
import type { FastifyInstance } from 'fastify';
import {
  committed,
  dataSubjectsOf,
  heldRootsOfDataSubject,
  isProblem,
  type Problem,
  type Roots,
} from '../../../engine/index.ts';
import { readCustomer } from '../../../shop/customers/customer.ts';
import { exportCustomer } from '../../../shop/customers/exported.ts';
import { currentInput } from '../../../shop/customers/inputs.ts';
import { recordPrivacyExport } from '../../../store/audit/recorded-exports.ts';
import { eraseOwnData } from '../../../store/erase-data-subject.ts';
import { exportShopperSessions } from '../../../store/shoppers/sessions.ts';
import type { Handle } from '../../resources/reads.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import { holdConfirmed, type PasswordChecks } from './passwords.ts';
import { CUSTOMER_ROUTE, customerBody, readMembers, sendJson, shopperOptions } from './requests.ts';
import { sessionGone } from './session.ts';
import { sendEnded } from './sessions.ts';

const ME = `${STOREFRONT_PATH}/me`;

export function registerCustomerPrivacyRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  checks: PasswordChecks,
): void {
  const needed = { needsSession: true } as const;
  app.get(`${ME}/export`, { config: { ...CUSTOMER_ROUTE, ...needed, work: 'list' } }, handleExport);
  app.delete(ME, customerBody(options, needed), handleErase(options, checks));
}

const handleExport: Handle = async (request, reply) => {
  const { service } = request;
  const { profile: id } = request.shopper!;
  const requestOptions = shopperOptions(request);
  const reads = committed(service, requestOptions);
  const profile = await readCustomer(reads, id);
  if (!profile) return sendProblem(reply, sessionGone());
  const { records, paths } = await exportCustomer(service, requestOptions, id, ME);
  const sessions = await exportShopperSessions(reads, id);
  if (request.method !== 'HEAD') await recordPrivacyExport(service, paths, requestOptions.actor);
  return sendJson(request, reply, {
    records: [
      { resource: 'profile', path: ME, record: profile },
      ...records,
      ...sessions.map((record) => ({ resource: 'session', path: null, record })),
    ],
  });
};

function handleErase({ erasuresFile }: HttpOptions, checks: PasswordChecks): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readMembers(request, currentInput);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const confirmed = await checks.confirm(request, sent.current as string);
    if (isProblem(confirmed)) return sendProblem(reply, confirmed);
    const { profile } = confirmed;
    let rejected: Problem | undefined;
    await eraseOwnData(service, shopperOptions(request), erasuresFile, async (unit): Promise<Roots> => {
      rejected = await holdConfirmed(unit, request, confirmed);
      return rejected ? new Map() : heldRootsOfDataSubject(unit, dataSubjectsOf(service.model)!, profile);
    });
    return rejected ? sendProblem(reply, rejected) : sendEnded(request, reply);
  };
}
