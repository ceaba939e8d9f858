/**
 * The session cookie. Scripts cannot read it, other sites cannot make a browser send it, and over HTTPS no other host can
 * set it (RFC 6265bis §4.1.3.2, `__Host-`). Cookies ignore the port, so the port is part of the name.
 */
import type { FastifyRequest } from 'fastify';
import { isSessionId, SESSION_SECONDS } from '../../store/sessions.ts';
import { originOf } from './own-page.ts';

/** @returns undefined if the request has no session cookie, or more than one */
export function sessionIdOf(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const begins = `${nameFor(request)}=`;
  const [value, ...others] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begins))
    .map((pair) => pair.slice(begins.length));
  return value !== undefined && others.length === 0 && isSessionId(value) ? value : undefined;
}

/** @returns the `Set-Cookie` value that sets the cookie */
export function cookieWith(request: FastifyRequest, id: string): string {
  return `${nameFor(request)}=${id}; ${attributesFor(request)}; Max-Age=${SESSION_SECONDS}`;
}

/** @returns the `Set-Cookie` value that deletes the cookie */
export function cookieWithout(request: FastifyRequest): string {
  return `${nameFor(request)}=; ${attributesFor(request)}; Max-Age=0`;
}

function nameFor(request: FastifyRequest): string {
  const { protocol, port } = originOf(request);
  return protocol === 'https:' ? `__Host-purveyor-${port || '443'}` : `purveyor-${port || '80'}`;
}

function attributesFor(request: FastifyRequest): string {
  const isSecure = originOf(request).protocol === 'https:';
  return `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
