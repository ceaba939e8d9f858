/**
 * The store's base URL in responses. If it is configured, or the server listens on this machine only, there is one.
 * Otherwise each response uses the host of its own request, from the header `Host` or from a trusted proxy.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { isProblem, type Problem, problem, type Service, serviceAt } from '../../engine/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The store, with the base URL of this request's response. */
    service: Service;
    /** Set if the request's host is not a valid host name or address. */
    hostProblem: Problem | undefined;
  }
}

/** A DNS or container host name, or an IP address; an optional port. No character in it needs escaping in a URL. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/;

/** Clients can send any number of host names; a store has few. */
const SERVICES_MAX = 16;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

export interface Addressing {
  /** Sets the `service` of a request. */
  address(request: FastifyRequest): void;
  /** Caches the service of an admitted request. Unauthenticated requests could evict hosts that clients use. */
  remember(request: FastifyRequest): void;
  /** Whether the base URL is configured, or a client with a key has used it. */
  isKnown(request: FastifyRequest): boolean;
  /** Returns the base URL for a request that does not reach admission. */
  baseUrlOf(message: IncomingMessage): string;
}

export function addressing(service: Service, followsHost: boolean, trustProxy: readonly string[]): Addressing {
  if (!followsHost)
    return {
      address(request) {
        request.service = service;
      },
      remember() {},
      isKnown: () => true,
      baseUrlOf: () => service.environment.baseUrl,
    };
  const services = new LRUCache<string, Service>({ max: SERVICES_MAX });
  const isTrusted = proxyMatcher(trustProxy);
  return {
    address(request) {
      const address = baseAddressOf(request.raw, isTrusted);
      if (isProblem(address)) request.hostProblem = address;
      const isNamed = typeof address === 'string';
      request.service = isNamed ? (services.get(address) ?? serviceAt(service, address)) : service;
    },
    remember({ service: own }) {
      const { baseUrl } = own.environment;
      if (own !== service && !services.has(baseUrl)) services.set(baseUrl, own);
    },
    isKnown: ({ service: own }) => own === service || services.has(own.environment.baseUrl),
    baseUrlOf(message) {
      const address = baseAddressOf(message, isTrusted);
      return typeof address === 'string' ? address : service.environment.baseUrl;
    },
  };
}

/** @returns undefined if the request names no host */
function baseAddressOf(
  { headers, socket }: IncomingMessage,
  isTrusted: (address: string | undefined) => boolean,
): string | Problem | undefined {
  const isForwarded = isTrusted(socket.remoteAddress);
  const forwarded = (name: string): string | undefined => (isForwarded ? lastOf(headers[name]) : undefined);
  const ownHost = headers.host?.trim().toLowerCase() ?? '';
  // A proxy may pass on what its client sent, so an invalid value is ignored in favor of Host.
  const forwardedHost = forwarded('x-forwarded-host');
  const host = forwardedHost !== undefined && isHost(forwardedHost) ? forwardedHost : ownHost;
  if (host === '') return undefined;
  if (!isHost(host))
    return problem('malformed-request', 'The header Host must be a host name or address with an optional port.');
  const scheme = forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http';
  const port = forwarded('x-forwarded-port');
  const hasPort = /:\d+$/.test(host) || !isPort(port);
  const url = `${scheme}://${hasPort ? host : `${host}:${port}`}`;
  const defaultPort = DEFAULT_PORTS[scheme]!;
  return url.endsWith(defaultPort) ? url.slice(0, -defaultPort.length) : url;
}

function isHost(text: string): boolean {
  const [, port] = HOST.exec(text) ?? [undefined, undefined];
  return HOST.test(text) && (port === undefined || isPort(port));
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;
}

/** Each proxy appends its own value, and only the last proxy is trusted. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(',').at(-1)!.trim().toLowerCase();
}

function proxyMatcher(ranges: readonly string[]): (address: string | undefined) => boolean {
  const trusted = ranges.map((range) => {
    if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range);
    const single = ipaddr.parse(range);
    return [single, single.toByteArray().length * 8] as [typeof single, number];
  });
  return (address) =>
    trusted.length > 0 &&
    address !== undefined &&
    ipaddr.isValid(address) &&
    ipaddr.subnetMatch(ipaddr.process(address), { trusted }, 'unknown') === 'trusted';
}
