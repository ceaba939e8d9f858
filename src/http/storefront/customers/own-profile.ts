/** `/storefront/me`: the profile of the session’s customer (storefront.md §3). */
import type { FastifyInstance } from 'fastify';
import { committed, inUnit, isProblem, writeRecord } from '../../../engine/index.ts';
import { readCustomer } from '../../../shop/customers/customer.ts';
import { customerInput, passwordInput } from '../../../shop/customers/inputs.ts';
import { endShopperSessions } from '../../../store/shoppers/sessions.ts';
import type { Handle } from '../../resources/reads.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import { holdConfirmed, type PasswordChecks } from './passwords.ts';
import { CUSTOMER_ROUTE, customerBody, readMembers, sendJson, shopperOptions } from './requests.ts';
import { holdSession, sessionGone } from './session.ts';
import { sendEnded } from './sessions.ts';

const ME = `${STOREFRONT_PATH}/me`;

export function registerOwnProfileRoutes(app: FastifyInstance, options: HttpOptions, checks: PasswordChecks): void {
  const needed = { needsSession: true } as const;
  app.get(ME, { config: { ...CUSTOMER_ROUTE, ...needed } }, handleRead);
  app.patch(ME, customerBody(options, needed), handleUpdate);
  const config = { ...needed, isBeforeNewPassword: true };
  app.put(`${ME}/password`, customerBody(options, config), handlePassword(checks));
}

const handleRead: Handle = async (request, reply) => {
  const reads = committed(request.service, shopperOptions(request));
  const profile = await readCustomer(reads, request.shopper!.profile);
  return profile ? sendJson(request, reply, profile) : sendProblem(reply, sessionGone());
};

const handleUpdate: Handle = async (request, reply) => {
  const { service, shopper } = request;
  const sent = readMembers(request, customerInput);
  if (isProblem(sent)) return sendProblem(reply, sent);
  const id = shopper!.profile;
  const [route] = service.model.resources.get('Profile')!.routes;
  const target = { route: route!, parents: [], id };
  const written = await writeRecord(
    service,
    shopperOptions(request),
    target,
    'patch',
    sent,
    {},
    async (unit, write) => {
      const saved = (await holdSession(unit, request)) ?? (await write());
      return isProblem(saved) ? saved : ((await readCustomer(unit, id)) ?? sessionGone());
    },
  );
  return isProblem(written) ? sendProblem(reply, written) : sendJson(request, reply, written);
};

/** Sets the password and ends all sessions, also this one. */
function handlePassword(checks: PasswordChecks): Handle {
  return async (request, reply) => {
    const sent = readMembers(request, passwordInput);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const confirmed = await checks.confirm(request, sent.current as string);
    if (isProblem(confirmed)) return sendProblem(reply, confirmed);
    const password = await checks.hash(request, sent.password as string);
    const rejected = await inUnit(request.service, shopperOptions(request), async (unit) => {
      const changed = await holdConfirmed(unit, request, confirmed);
      if (changed) return changed;
      await unit.update('Profile', confirmed.profile, { password, force_change_password: false });
      await endShopperSessions(unit, confirmed.profile);
    });
    return isProblem(rejected) ? sendProblem(reply, rejected) : sendEnded(request, reply);
  };
}
