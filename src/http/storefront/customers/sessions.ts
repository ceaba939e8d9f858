/** `/storefront/session` and `/storefront/sessions`: login, logout, and the session’s token (storefront.md §3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { committed, formatTimestamp, inUnit, isProblem } from '../../../engine/index.ts';
import { readCustomer, type ShownCustomer } from '../../../shop/customers/customer.ts';
import { loginInput, type Transport } from '../../../shop/customers/inputs.ts';
import {
  endShopperSession,
  endShopperSessions,
  type OpenedSession,
  openShopperSession,
  refreshShopperSession,
} from '../../../store/shoppers/sessions.ts';
import type { Handle } from '../../resources/reads.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import type { PasswordChecks } from './passwords.ts';
import { CUSTOMER_ROUTE, CUSTOMER_WRITE, customerBody, readMembers, sendJson, shopperOptions } from './requests.ts';
import { COOKIE_WITHOUT, cookieWith, sessionGone } from './session.ts';

const SESSION = `${STOREFRONT_PATH}/session`;

export function registerSessionRoutes(app: FastifyInstance, options: HttpOptions, checks: PasswordChecks): void {
  const needed = { needsSession: true } as const;
  const ending = { config: { ...CUSTOMER_WRITE, ...needed, isBeforeNewPassword: true } };
  app.post(SESSION, customerBody(options, {}), handleLogin(checks));
  app.get(SESSION, { config: { ...CUSTOMER_ROUTE, ...needed } }, handleRead);
  app.delete(SESSION, ending, handleLogout);
  app.delete(`${SESSION}s`, ending, handleLogoutEverywhere);
  app.post(`${SESSION}/refresh`, { config: { ...CUSTOMER_WRITE, ...needed } }, handleRefresh);
}

function handleLogin(checks: PasswordChecks): Handle {
  return async (request, reply) => {
    const sent = readMembers(request, loginInput);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const {
      login,
      password,
      transport = 'bearer',
    } = sent as {
      readonly login: string;
      readonly password: string;
      readonly transport?: Transport;
    };
    const begun = await checks.logIn(request, { login, password }, async (unit, profile) => ({
      session: await openShopperSession(unit, profile),
      customer: (await readCustomer(unit, profile))!,
    }));
    return isProblem(begun) ? sendProblem(reply, begun) : sendSession(request, reply, begun, transport);
  };
}

/** A session that has begun, and its customer. */
interface Begun {
  readonly session: OpenedSession;
  readonly customer: ShownCustomer;
}

/** Sends a session that has begun. There are no carts yet. */
export function sendSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, customer }: Begun,
  transport: Transport,
): FastifyReply {
  const token = sendToken(request, reply, session, transport);
  return sendJson(request, reply, { ...token, profile: customer, cart: null });
}

/** Sets the cookie. @returns the members of the response */
function sendToken(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, endsAt }: OpenedSession,
  transport: Transport,
) {
  const isCookie = transport === 'cookie';
  if (isCookie) reply.header('set-cookie', cookieWith(token));
  return { token: isCookie ? null : token, expires_at: shownTime(request, endsAt) };
}

function shownTime({ service }: FastifyRequest, seconds: number): string {
  return formatTimestamp(seconds, service.environment.timeZone);
}

const handleRead: Handle = async (request, reply) => {
  const { profile: id, endsAt } = request.shopper!;
  const profile = await readCustomer(committed(request.service, shopperOptions(request)), id);
  if (!profile) return sendProblem(reply, sessionGone());
  return sendJson(request, reply, { expires_at: shownTime(request, endsAt), profile });
};

const handleLogout: Handle = async (request, reply) => {
  const { session } = request.shopper!;
  await inUnit(request.service, shopperOptions(request), (unit) => endShopperSession(unit, session));
  return sendEnded(request, reply);
};

const handleLogoutEverywhere: Handle = async (request, reply) => {
  const { profile } = request.shopper!;
  await inUnit(request.service, shopperOptions(request), (unit) => endShopperSessions(unit, profile));
  return sendEnded(request, reply);
};

/** Responds to a request that has ended its own session. */
export function sendEnded({ shopper }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (shopper?.transport === 'cookie') reply.header('set-cookie', COOKIE_WITHOUT);
  return reply.code(204).send();
}

const handleRefresh: Handle = async (request, reply) => {
  const { session, transport } = request.shopper!;
  const opened = await inUnit(request.service, shopperOptions(request), (unit) => refreshShopperSession(unit, session));
  if (!opened) return sendProblem(reply, sessionGone());
  return sendJson(request, reply, sendToken(request, reply, opened, transport));
};
