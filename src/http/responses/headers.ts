/** Headers of every API response, and those of single features (http.md §§1, 6 and 10). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAddresses } from '../../describe/hydra.ts';
import { ESTIMATED_COUNT_MAX, type ListQuery } from '../../engine/index.ts';

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
      'Link, ETag, Location, Allow, Accept-Patch, X-Total-Count, X-Total-Count-Relation, Content-Language, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Preference-Applied, Idempotency-Replayed, Changes-Cursor, X-Request-Id, traceresponse, Server-Timing',
  };
}

/** Headers that allow pages of other origins to read a response. */
const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'] as const;

/** Headers of responses to shoppers. Those that shared caches may store replace the first two (storefront.md §2). */
const STOREFRONT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-store',
  vary: 'Accept-Encoding, Accept-Language',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Link, ETag, Location, Allow, X-Total-Count, Content-Language, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Idempotency-Replayed, X-Request-Id, traceresponse, Server-Timing',
};

/** Sets the headers of every response. Pages of other origins cannot read responses below `/admin` (http.md §20). */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (isOfStorefront(request)) {
    reply.headers(STOREFRONT_HEADERS);
    return;
  }
  reply.headers(commonHeaders(request.service.environment.baseUrl));
  if (isOfAdminPage(request)) for (const name of CORS_HEADERS) reply.removeHeader(name);
}

/** Whether the path is that of the admin page, or below it. */
export function isOfAdminPage({ url }: FastifyRequest): boolean {
  return /^\/admin(?:[/?]|$)/.test(url.includes('%') ? decodedPath(url) : url);
}

export const STOREFRONT_PATH = '/storefront' as const;

/** Whether the path is for shoppers. */
export function isOfStorefront({ url }: FastifyRequest): boolean {
  return /^\/storefront(?:[/?]|$)/.test(url.includes('%') ? decodedPath(url) : url);
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

/** The response to a preflight request of a shopper's page, which may only read (storefront.md §1). */
export const STOREFRONT_PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers':
    'X-Auth-Token, Accept, Accept-Language, If-None-Match, X-Request-Id, traceparent, tracestate',
  'access-control-max-age': '3600',
};

/** The link by which Hydra clients find the API documentation. */
export function documentationLink(baseUrl: string): string {
  return `<${baseUrl}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
}

export type PageQuery = Pick<ListQuery, 'page' | 'itemsPerPage' | 'after' | 'isEstimated'>;

/** What is known about the records before and after a page. */
export interface PageExtent {
  /** Number of records on all pages. */
  readonly total: number;
  /** Whether records follow; by default, the total decides. */
  readonly hasNext?: boolean | undefined;
  /** The cursor of the next page, if it has one. */
  readonly cursor?: string | undefined;
}

/** Whether the total in the response is a lower bound, because the client accepts that. */
export function isLowerBound({ isEstimated }: PageQuery, total: number): boolean {
  return isEstimated === true && total > ESTIMATED_COUNT_MAX;
}

/** Clients reject headers of more than 16 KiB in all. */
const PAGE_LINKS_LENGTH_MAX = 12_000;

/**
 * Returns RFC 8288 links to other pages, which repeat the query. Empty if they are too long, or if pages are empty. The next
 * page has its cursor, if it has one and if the links are short enough.
 */
export function pageLinks(baseUrl: string, url: string, listQuery: PageQuery, extent: PageExtent): string {
  const addresses = pageAddresses(url, listQuery, extent);
  const { cursor } = extent;
  if (addresses.first === undefined) return '';
  const isShort = (links: string): boolean => links.length <= PAGE_LINKS_LENGTH_MAX;
  const next = cursor === undefined ? addresses.next : pageAddress(url, 'cursor', cursor);
  const links = linksTo(baseUrl, { ...addresses, next });
  if (isShort(links)) return links;
  // A page after a cursor has no number, and without a link a client would miss the records that follow.
  const fewer = linksTo(baseUrl, listQuery.after ? { next } : addresses);
  return isShort(fewer) ? fewer : '';
}

function linksTo(baseUrl: string, { first, previous, next, last }: Partial<PageAddresses>): string {
  const link = (address: string | undefined, relation: string): string[] =>
    address === undefined ? [] : [`<${baseUrl}${address}>; rel="${relation}"`];
  return [...link(first, 'first'), ...link(previous, 'prev'), ...link(next, 'next'), ...link(last, 'last')].join(', ');
}

/**
 * Returns the pages of a collection as path and query. Empty pages have no links to others. A page after a cursor has no
 * number, so that only the first and the next one are known. If the total is a lower bound, the last page is not known.
 */
export function pageAddresses(url: string, listQuery: PageQuery, extent: PageExtent): PageAddresses {
  const { page, itemsPerPage, after } = listQuery;
  const { total, cursor } = extent;
  const numbered = (number: number): string => pageAddress(url, 'page', String(number));
  if (after) {
    const first = itemsPerPage === 0 ? {} : { first: numbered(1) };
    return { self: inAddress(url), ...first, ...(cursor && { next: pageAddress(url, 'cursor', cursor) }) };
  }
  if (itemsPerPage === 0) return { self: numbered(page) };
  const last = isLowerBound(listQuery, total) ? undefined : Math.max(1, Math.ceil(total / itemsPerPage));
  const hasNext = extent.hasNext ?? (last !== undefined && page < last);
  return {
    self: numbered(page),
    first: numbered(1),
    ...(page > 1 ? { previous: numbered(Math.min(page - 1, last ?? page - 1)) } : {}),
    ...(hasNext ? { next: numbered(page + 1) } : {}),
    ...(last === undefined ? {} : { last: numbered(last) }),
  };
}

const POSITION_PARAMETERS: readonly string[] = ['page', 'cursor'];

function pageAddress(url: string, parameter: 'page' | 'cursor', value: string): string {
  const [path, query = ''] = split(url);
  const others = query.split('&').filter((pair) => pair !== '' && !POSITION_PARAMETERS.includes(nameOf(pair)));
  return inAddress(`${path}?${[...others, `${parameter}=${value}`].join('&')}`);
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
