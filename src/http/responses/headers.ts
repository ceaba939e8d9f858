/** Headers of every API response, and those of single features (http.md §§1, 6 and 10). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAddresses } from '../../describe/hydra.ts';
import type { ListQuery } from '../../engine/index.ts';

let known: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> } | undefined;

/** Returns the headers of every response. They depend only on the base URL, so the last ones are cached. */
export function commonHeaders(baseUrl: string): Readonly<Record<string, string>> {
  if (known?.baseUrl !== baseUrl) known = { baseUrl, headers: makeCommonHeaders(baseUrl) };
  return known.headers;
}

function makeCommonHeaders(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Encoding, Accept-Language, Prefer',
    'x-content-type-options': 'nosniff',
    link: documentationLink(baseUrl),
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'Link, ETag, Location, Allow, Accept-Patch, X-Total-Count, Content-Language, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Preference-Applied, Idempotency-Replayed, Changes-Cursor, X-Request-Id, traceresponse, Server-Timing',
  };
}

/** Headers that allow pages of other origins to read a response. */
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'] as const;

/** Sets the headers of every response. Pages of other origins cannot read responses below `/admin` (http.md §20). */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(request.service.environment.baseUrl));
  if (isOfAdminPage(request)) for (const name of CORS_HEADERS) reply.removeHeader(name);
}

/** Whether the path is that of the admin page, or below it. */
export function isOfAdminPage({ url }: FastifyRequest): boolean {
  return /^\/admin(?:[/?]|$)/.test(url.includes('%') ? decodedPath(url) : url);
}

/** The path as the router reads it: `/%61dmin` is `/admin`. */
function decodedPath(url: string): string {
  const path = url.split('?', 1)[0]!;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The response to a CORS preflight request. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, X-Auth-Token, Content-Type, Accept, Accept-Language, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id, traceparent, tracestate',
  'access-control-max-age': '3600',
};

/** The link by which Hydra clients find the API documentation. */
export function documentationLink(baseUrl: string): string {
  return `<${baseUrl}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
}

export type PageQuery = Pick<ListQuery, 'page' | 'itemsPerPage'>;

/** Clients reject headers of more than 16 KiB in all. */
const PAGE_LINKS_LENGTH_MAX = 12_000;

/** Returns RFC 8288 links to other pages, which repeat the query. Empty if they are too long, or if pages are empty. */
export function pageLinks(baseUrl: string, url: string, listQuery: PageQuery, total: number): string {
  const { first, previous, next, last } = pageAddresses(url, listQuery, total);
  if (first === undefined || last === undefined) return '';
  const link = (address: string, relation: string): string => `<${baseUrl}${address}>; rel="${relation}"`;
  const links = [link(first, 'first')];
  if (previous !== undefined) links.push(link(previous, 'prev'));
  if (next !== undefined) links.push(link(next, 'next'));
  links.push(link(last, 'last'));
  const header = links.join(', ');
  return header.length > PAGE_LINKS_LENGTH_MAX ? '' : header;
}

/** Returns the pages of a collection as path and query. Empty pages have no links to others. */
export function pageAddresses(url: string, { page, itemsPerPage }: PageQuery, total: number): PageAddresses {
  if (itemsPerPage === 0) return { self: pageAddress(url, page) };
  const last = Math.max(1, Math.ceil(total / itemsPerPage));
  return {
    self: pageAddress(url, page),
    first: pageAddress(url, 1),
    ...(page > 1 ? { previous: pageAddress(url, Math.min(page - 1, last)) } : {}),
    ...(page < last ? { next: pageAddress(url, page + 1) } : {}),
    last: pageAddress(url, last),
  };
}

function pageAddress(url: string, page: number): string {
  const [path, query = ''] = split(url);
  const others = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== 'page');
  return inAddress(`${path}?${[...others, `page=${page}`].join('&')}`);
}

/** Percent-encodes characters that clients send unencoded but a URI must not contain (RFC 3986). */
export function inAddress(text: string): string {
  return text.replace(/[<>"\s[\]{}|\\^`]/g, encodeURIComponent);
}

function split(url: string): [string, string?] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** The query was parsed before, so its names can be decoded. */
function nameOf(pair: string): string {
  return decodeURIComponent(pair.split('=')[0]!.replaceAll('+', ' '));
}
