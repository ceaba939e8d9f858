/** The session of a shopper's request: a token in `Authorization`, or in a cookie (storefront.md §3). */
import type { FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem, type Unit } from '../../../engine/index.ts';
import type { Transport } from '../../../shop/customers/inputs.ts';
import { SHOPPER_SESSION_SECONDS, type Shopper, type ShopperSessions } from '../../../store/shoppers/sessions.ts';
import { hasListedOrigin, isForMe, originNotAllowed } from '../cors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the route uses a session, and the request has one. */
    shopper: (Shopper & { readonly transport: Transport }) | undefined;
  }
  interface FastifyContextConfig {
    /** Without a session, the request is a 401. By default, sessions have no effect. */
    readonly needsSession?: boolean;
    /** Uses a session if the request has one. */
    readonly usesSession?: boolean;
    /** Works although the customer must set another password. */
    readonly isBeforeNewPassword?: boolean;
  }
}

const COOKIE = '__Host-pv-shop';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const BEARER = 'bearer ';

/** Finds the session of a request whose key is valid, and sets `request.shopper`. */
export async function admitShopper(request: FastifyRequest, sessions: ShopperSessions): Promise<Problem | undefined> {
  const { needsSession, usesSession, isBeforeNewPassword } = request.routeOptions.config;
  if (!needsSession && !usesSession && !isForMe(request)) return undefined;
  const sent = readToken(request);
  if (isProblem(sent)) return sent;
  if (!sent) return usesSession ? undefined : noSession();
  const shopper = await sessions.find(sent.token);
  // Pages cannot delete the cookie of a session that has ended, so guests may still have one.
  if (!shopper) return usesSession && sent.transport === 'cookie' ? undefined : sessionGone();
  if (shopper.mustChangePassword && !isBeforeNewPassword) return newPasswordNeeded();
  request.shopper = { ...shopper, transport: sent.transport };
  return undefined;
}

interface SentToken {
  readonly token: string;
  readonly transport: Transport;
}

function readToken(request: FastifyRequest): SentToken | Problem | undefined {
  const { authorization = '' } = request.headers;
  if (authorization.toLowerCase().startsWith(BEARER))
    return { token: authorization.slice(BEARER.length).trim(), transport: 'bearer' };
  const token = cookieOf(request);
  if (token === undefined) return undefined;
  return isFromShop(request)
    ? { token, transport: 'cookie' }
    : originNotAllowed(
        'Requests with the session cookie need an Origin that the key lists. Send the request from a page of the shop.',
      );
}

/** @returns undefined if the request has no cookie of a session, or more than one */
function cookieOf({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
  const begins = `${COOKIE}=`;
  const pairs = cookie.split(';').map((pair) => pair.trim());
  const [pair, ...others] = pairs.filter((each) => each.startsWith(begins));
  return others.length === 0 ? pair?.slice(begins.length) : undefined;
}

/** Other sites can make a browser send the cookie, but a page cannot forge these headers. */
function isFromShop(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (headers.origin !== undefined) return hasListedOrigin(request);
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && ['same-origin', 'same-site'].includes(String(headers['sec-fetch-site']));
}

/** Returns the `Set-Cookie` value that sets the cookie of a session. The server ends sessions that are not used before. */
export function cookieWith(token: string): string {
  return `${COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${SHOPPER_SESSION_SECONDS}`;
}

/** The `Set-Cookie` value that deletes the cookie. */
export const COOKIE_WITHOUT = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

const CHALLENGE = { 'www-authenticate': 'Bearer realm="shop"' };

/** The problem of a request without a session. */
export function noSession(): Problem {
  return problem('unauthorized', 'This request needs a session. Log in with POST /storefront/session.', CHALLENGE);
}

/**
 * Locks the session of a request until the unit ends. All writes with a session must do that, because the session may have
 * ended since it was found.
 */
export async function holdSession(unit: Unit, { shopper }: FastifyRequest): Promise<Problem | undefined> {
  const { profile, session } = shopper!;
  // What ends all sessions of a customer locks the profile first, too. Another order could be a deadlock.
  await unit.hold('Profile', [profile]);
  const [held] = await unit.hold('ShopperSession', [session]);
  return held ? undefined : sessionGone();
}

/** The problem of a request whose session has ended. */
export function sessionGone(): Problem {
  return problem('unauthorized', 'The session has ended. Log in again with POST /storefront/session.', CHALLENGE);
}

function newPasswordNeeded(): Problem {
  const detail = 'The customer must set a new password first. Send PUT /storefront/me/password, then log in again.';
  return problem('password-change-required', detail);
}
