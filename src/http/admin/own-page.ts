/**
 * Whether a request with a session comes from the store's own pages, and by a way on which nobody reads along. A browser sends
 * a cookie along whoever made it ask; what it says of that, a page cannot forge (https://www.w3.org/TR/fetch-metadata/).
 */
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Problem, problem } from '../../engine/index.ts';
import type { AdminOptions } from '../server/context.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Headers of a proxy; where it is not trusted, they say at least that the client is not who connects. */
const FORWARDING = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
] as const;

/** Refuses what is not asked by the store's own page, or asked where others can read it. */
export function refuseForeign(request: FastifyRequest, admin: AdminOptions): Problem | undefined {
  return refusePlainHttp(request, admin) ?? refuseForged(request);
}

/** Plain HTTP is for the same machine alone, unless the operator says otherwise. */
export function refusePlainHttp(request: FastifyRequest, { allowsPlainHttp }: AdminOptions): Problem | undefined {
  if (allowsPlainHttp || request.protocol === 'https' || isFromHere(request)) return undefined;
  return problem(
    'insecure-connection',
    'The admin page needs HTTPS, or a browser on the server’s own machine. Behind a proxy with HTTPS, the store should be told to trust the proxy.',
  );
}

function isFromHere(request: FastifyRequest): boolean {
  const { ip, ips, headers } = request;
  const isBehindUntrusted = (ips === undefined || ips.length === 1) && FORWARDING.some((name) => headers[name]);
  return !isBehindUntrusted && ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
}

/** Newer browsers say it in `Sec-Fetch-Site`; older ones, and all over plain HTTP, name the page's `Origin`. */
function refuseForged(request: FastifyRequest): Problem | undefined {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isSafe = SAFE.has(request.method);
  if (site !== undefined) {
    // `none`: a person typed the address.
    if (site === 'same-origin' || (isSafe && site === 'none')) return undefined;
    return problem(
      'foreign-page',
      'The browser says that another site asks for this. Open the admin page itself, at /admin.',
    );
  }
  if (isSafe) return undefined;
  if (origin === undefined)
    return problem(
      'foreign-page',
      'The request tells neither Sec-Fetch-Site nor Origin, so that nobody can know whether the admin page sent it. A program sends a key in X-Auth-Token instead.',
    );
  if (origin === baseOf(request).origin || origin === originOf(request).origin) return undefined;
  return problem(
    'foreign-page',
    `The page that asks is at another address than the store, ${originOf(request).origin}. A proxy in front should pass Host on, or the store’s public address should be set.`,
  );
}

/**
 * The store as this client's browser addresses it: `BASE_URL` where the host is the same, which also knows of HTTPS in front
 * of a proxy that is not trusted.
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
