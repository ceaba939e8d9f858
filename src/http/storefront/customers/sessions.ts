/** `/storefront/session` and `/storefront/sessions`: login, logout, and the session’s token (storefront.md §3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { committed, formatTimestamp, inUnit, isProblem, type Unit } from '../../../engine/index.ts';
import { cartAtLogin } from '../../../shop/carts/merge.ts';
import type { CartSettings } from '../../../shop/carts/settings.ts';
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
import { loginWriting } from '../carts/requests.ts';
import type { PasswordChecks } from './passwords.ts';
import { CUSTOMER_ROUTE, CUSTOMER_WRITE, customerBody, readMembers, sendJson, shopperOptions } from './requests.ts';
import { COOKIE_WITHOUT, cookieWith, sessionGone } from './session.ts';

const SESSION = `${STOREFRONT_PATH}/session`;

export function registerSessionRoutes(app: FastifyInstance, options: HttpOptions, checks: PasswordChecks): void {
  const needed = { needsSession: true } as const;
  const ending = { config: { ...CUSTOMER_WRITE, ...needed, isBeforeNewPassword: true } };
  app.post(SESSION, customerBody(options, {}), handleLogin(checks, options.storefront!.carts));
  app.get(SESSION, { config: { ...CUSTOMER_ROUTE, ...needed } }, handleRead);
  app.delete(SESSION, ending, handleLogout);
  app.delete(`${SESSION}s`, ending, handleLogoutEverywhere);
  app.post(`${SESSION}/refresh`, { config: { ...CUSTOMER_WRITE, ...needed } }, handleRefresh);
}

function handleLogin(checks: PasswordChecks, settings: CartSettings): Handle {
  return async (request, reply) => {
    const sent = readMembers(request, loginInput);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const {
      login,
      password,
      transport = 'bearer',
      cart,
    } = sent as {
      readonly login: string;
      readonly password: string;
      readonly transport?: Transport;
      readonly cart?: string | null;
    };
    const begun = await checks.logIn(request, { login, password }, async (unit, profile) => ({
      session: await openShopperSession(unit, profile),
      ...(await readAtLogin(request, unit, Number(profile), cart, settings)),
    }));
    return isProblem(begun) ? sendProblem(reply, begun) : sendSession(request, reply, begun, transport);
  };
}

/** A session that has begun, and its customer. */
interface Begun {
  readonly session: OpenedSession;
  readonly customer: ShownCustomer;
  /** The open cart. */
  readonly cart: object | null;
}

/** Reads a customer who logs in. @param token of the cart that becomes the customer’s */
export async function readAtLogin(
  request: FastifyRequest,
  unit: Unit,
  profile: number,
  token: string | null | undefined,
  settings: CartSettings,
): Promise<Omit<Begun, 'session'>> {
  const customer = (await readCustomer(unit, profile))!;
  const writing = loginWriting(request, settings);
  return { customer, cart: await cartAtLogin(unit, { id: profile, login: customer.login }, token, writing) };
}

/** Sends a session that has begun. */
export function sendSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, customer, cart }: Begun,
  transport: Transport,
): FastifyReply {
  const token = sendToken(request, reply, session, transport);
  return sendJson(request, reply, { ...token, profile: customer, cart });
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
