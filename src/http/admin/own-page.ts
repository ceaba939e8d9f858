/**
 * Checks that a request with a session comes from the store's own pages over a secure connection. Browsers also send cookies
 * with requests of other sites, but a page cannot forge the headers that say so (https://www.w3.org/TR/fetch-metadata/).
 */
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Problem, problem } from '../../engine/index.ts';
import type { AdminOptions } from '../server/context.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Headers of proxies. Even if the proxy is not trusted, they show that the peer is not the client. */
const FORWARDING = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
] as const;

/** Rejects requests of other sites and over insecure connections. */
export function rejectForeign(request: FastifyRequest, admin: AdminOptions): Problem | undefined {
  return rejectPlainHttp(request, admin) ?? rejectForged(request) ?? rejectOtherOrigin(request, admin);
}

/** Whether the method may change something. */
export function isWrite({ method }: FastifyRequest): boolean {
  return !SAFE.has(method);
}

/**
 * With `BASE_URL`, only its pages may write. `Host` and `Origin` can agree on a name that someone else has pointed to this
 * server (DNS rebinding).
 */
function rejectOtherOrigin(request: FastifyRequest, { origin }: AdminOptions): Problem | undefined {
  if (origin === undefined || !isWrite(request)) return undefined;
  if ((request.headers.origin ?? originOf(request).origin) === origin) return undefined;
  return problem('foreign-page', `Writes with a session must come from ${origin}. Open the admin page there.`);
}

/** The problem for a write on another host than that of the session's sign-in. */
export function foreignHost(host: string): Problem {
  return problem(
    'foreign-page',
    `This session can write only at ${host}, where it signed in. Open the admin page there.`,
  );
}

/** Returns the host, with its port if it is not the default, that the browser's request names. */
export function hostOf(request: FastifyRequest): string {
  return originOf(request).host;
}

/** Allows plain HTTP only from the same machine, unless the operator allows it. */
export function rejectPlainHttp(request: FastifyRequest, { allowsPlainHttp }: AdminOptions): Problem | undefined {
  if (allowsPlainHttp || request.protocol === 'https' || isLocal(request)) return undefined;
  return problem(
    'insecure-connection',
    'The admin page needs HTTPS, or a browser on the same machine. If a proxy provides HTTPS, configure the store to trust it.',
  );
}

function isLocal(request: FastifyRequest): boolean {
  const { ip, ips, headers } = request;
  const isBehindUntrusted = (ips === undefined || ips.length === 1) && FORWARDING.some((name) => headers[name]);
  return !isBehindUntrusted && ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
}

/** Current browsers send `Sec-Fetch-Site`. Older ones, and all over plain HTTP, send `Origin`. */
function rejectForged(request: FastifyRequest): Problem | undefined {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isSafe = !isWrite(request);
  if (site !== undefined) {
    // `none`: the user typed the URL.
    if (site === 'same-origin' || (isSafe && site === 'none')) return undefined;
    return problem('foreign-page', 'The browser reports a request of another site. Open the admin page at /admin.');
  }
  if (isSafe) return undefined;
  if (origin === undefined)
    return problem(
      'foreign-page',
      'The request has neither Sec-Fetch-Site nor Origin, so its page is unknown. Programs should send a key in X-Auth-Token instead.',
    );
  if (origin === baseOf(request).origin || origin === originOf(request).origin) return undefined;
  return problem(
    'foreign-page',
    `The requesting page has another origin than the store, ${originOf(request).origin}. Make the proxy forward Host, or configure the store’s public URL.`,
  );
}

/**
 * Returns the origin of the store for this client: that of `BASE_URL` if the host is the same, because it also knows about HTTPS of
 * a proxy that is not trusted.
 */
export function originOf(request: FastifyRequest): URL {
  const base = baseOf(request);
  const asked = `${request.protocol}://${request.host ?? ''}`;
  if (!URL.canParse(asked)) return base;
  const origin = new URL(asked);
  return request.protocol === 'http' && origin.host === base.host ? base : origin;
}

function baseOf({ service }: FastifyRequest): URL {
  return new URL(service.environment.baseUrl);
}
