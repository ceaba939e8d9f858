/**
 * The store's address in answers. Where it is set, or the server listens on this machine alone, there is one. Else it is what
 * the client asked by: each answer names the host of its own request, as a trusted proxy or the client tells it.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { isProblem, type Problem, problem, type Service, serviceAt } from '../../engine/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The store, with the address that this request's answer names. */
    service: Service;
    /** The request names its host in a form that no host has. */
    hostProblem: Problem | undefined;
  }
}

/** A host name as DNS and container networks have it, or an IP address; a port. Nothing in it means anything elsewhere. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/;

/** Clients may name as many hosts as they like; a store has few. */
const SERVICES_MAX = 16;

const USUAL_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

export interface Addressing {
  /** Gives a request its `service`. */
  address(request: FastifyRequest): void;
  /** Keeps the service of a request that has passed the door: others could only push out those that clients use. */
  keep(request: FastifyRequest): void;
  /** The store's address as a request asks by it that never comes to the door. */
  baseUrlOf(message: IncomingMessage): string;
}

export function addressing(service: Service, followsHost: boolean, trustProxy: readonly string[]): Addressing {
  if (!followsHost)
    return {
      address(request) {
        request.service = service;
      },
      keep() {},
      baseUrlOf: () => service.environment.baseUrl,
    };
  const services = new LRUCache<string, Service>({ max: SERVICES_MAX });
  const trusts = trustIn(trustProxy);
  return {
    address(request) {
      const address = baseAddressOf(request.raw, trusts);
      if (isProblem(address)) request.hostProblem = address;
      const isNamed = typeof address === 'string';
      request.service = isNamed ? (services.get(address) ?? serviceAt(service, address)) : service;
    },
    keep({ service: own }) {
      const { baseUrl } = own.environment;
      if (own !== service && !services.has(baseUrl)) services.set(baseUrl, own);
    },
    baseUrlOf(message) {
      const address = baseAddressOf(message, trusts);
      return typeof address === 'string' ? address : service.environment.baseUrl;
    },
  };
}

/** @returns undefined where nothing names a host */
function baseAddressOf(
  { headers, socket }: IncomingMessage,
  trusts: (address: string | undefined) => boolean,
): string | Problem | undefined {
  const isForwarded = trusts(socket.remoteAddress);
  const told = (name: string): string | undefined => (isForwarded ? lastOf(headers[name]) : undefined);
  const sent = headers.host?.trim().toLowerCase() ?? '';
  // A proxy may pass on what its client said: what is no host is passed over, and Host counts.
  const forwarded = told('x-forwarded-host');
  const host = forwarded !== undefined && isHost(forwarded) ? forwarded : sent;
  if (host === '') return undefined;
  if (!isHost(host)) return problem('malformed-request', 'The header Host should name a host, and perhaps its port.');
  const scheme = told('x-forwarded-proto') === 'https' ? 'https' : 'http';
  const port = told('x-forwarded-port');
  const hasPort = /:\d+$/.test(host) || !isPort(port);
  const whole = `${scheme}://${hasPort ? host : `${host}:${port}`}`;
  const usual = USUAL_PORTS[scheme]!;
  return whole.endsWith(usual) ? whole.slice(0, -usual.length) : whole;
}

function isHost(text: string): boolean {
  const [, port] = HOST.exec(text) ?? [undefined, undefined];
  return HOST.test(text) && (port === undefined || isPort(port));
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;
}

/** Each proxy adds its own at the end, and the last one is the one that is trusted. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(',').at(-1)!.trim().toLowerCase();
}

function trustIn(ranges: readonly string[]): (address: string | undefined) => boolean {
  const trusted = ranges.map((range) => {
    if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range);
    const one = ipaddr.parse(range);
    return [one, one.toByteArray().length * 8] as [typeof one, number];
  });
  return (address) =>
    trusted.length > 0 &&
    address !== undefined &&
    ipaddr.isValid(address) &&
    ipaddr.subnetMatch(ipaddr.process(address), { trusted }, 'unknown') === 'trusted';
}
