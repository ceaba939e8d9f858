/**
 * The session cookie. Scripts cannot read it, other sites cannot make a browser send it, and over HTTPS no other host can
 * set it (RFC 6265bis §4.1.3.2, `__Host-`). Cookies ignore the port, so the port is part of the name.
 */
import type { FastifyRequest } from 'fastify';
import { isSessionId, SESSION_SECONDS } from '../../store/sessions.ts';
import { isSignInSecret, PROVIDER_SIGN_IN_SECONDS } from '../../store/users/provider-sign-in.ts';
import { originOf } from './own-page.ts';

/** @returns undefined if the request has no session cookie, or more than one */
export function sessionIdOf(request: FastifyRequest): string | undefined {
  const value = cookieNamed(request, nameFor);
  return value !== undefined && isSessionId(value) ? value : undefined;
}

/** Reads a cookie that a request has once. */
function cookieNamed(request: FastifyRequest, name: (request: FastifyRequest) => string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const begins = `${name(request)}=`;
  const [value, ...others] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begins))
    .map((pair) => pair.slice(begins.length));
  return others.length === 0 ? value : undefined;
}

/** @returns the `Set-Cookie` value that sets the cookie */
export function cookieWith(request: FastifyRequest, id: string): string {
  return `${nameFor(request)}=${id}; ${attributesFor(request)}; Max-Age=${SESSION_SECONDS}`;
}

/** @returns the `Set-Cookie` value that deletes the cookie */
export function cookieWithout(request: FastifyRequest): string {
  return `${nameFor(request)}=; ${attributesFor(request)}; Max-Age=0`;
}

/** Returns the secret of a sign-in that has begun at the identity provider. */
export function signInSecretOf(request: FastifyRequest): string | undefined {
  const value = cookieNamed(request, signInNameFor);
  return value !== undefined && isSignInSecret(value) ? value : undefined;
}

/** @returns the `Set-Cookie` value of a sign-in that begins at the identity provider */
export function signInCookieWith(request: FastifyRequest, secret: string): string {
  return `${signInNameFor(request)}=${secret}; ${attributesFor(request, 'Lax')}; Max-Age=${PROVIDER_SIGN_IN_SECONDS}`;
}

/** @returns the `Set-Cookie` value that deletes the cookie of a sign-in at the identity provider */
export function signInCookieWithout(request: FastifyRequest): string {
  return `${signInNameFor(request)}=; ${attributesFor(request, 'Lax')}; Max-Age=0`;
}

function signInNameFor(request: FastifyRequest): string {
  return `${nameFor(request)}-oidc`;
}

function nameFor(request: FastifyRequest): string {
  const { protocol, port } = originOf(request);
  return protocol === 'https:' ? `__Host-purveyor-${port || '443'}` : `purveyor-${port || '80'}`;
}

/** `Lax` cookies are also sent when another site leads the browser here, such as an identity provider. */
function attributesFor(request: FastifyRequest, sameSite: 'Strict' | 'Lax' = 'Strict'): string {
  const isSecure = originOf(request).protocol === 'https:';
  return `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}
