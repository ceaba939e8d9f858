/** Headers that every answer of the interface carries, and those of single features (http.md §§1, 6 and 10). */
import type { PageAddresses } from '../../describe/hydra.ts';
import type { ListQuery } from '../../engine/index.ts';

let known: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> } | undefined;

/** The same for every answer of one server, so made once. */
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

/** By these, pages of other sites may read an answer. */
export const CORS_HEADERS = ['access-control-allow-origin', 'access-control-expose-headers'] as const;

/** The answer to a browser's question before a request from another origin. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, X-Auth-Token, Content-Type, Accept, Accept-Language, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id, traceparent, tracestate',
  'access-control-max-age': '3600',
};

/** Hydra clients find the documentation here. */
export function documentationLink(baseUrl: string): string {
  return `<${baseUrl}/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
}

/** Which page of a collection is asked for. */
export type PageQuery = Pick<ListQuery, 'page' | 'itemsPerPage'>;

/** Clients refuse headers of more than 16 KiB in all. */
const PAGE_LINKS_LENGTH_MAX = 12_000;

/** RFC 8288 links to other pages of a collection; they repeat the query. None when they are too long. */
export function pageLinks(baseUrl: string, url: string, listQuery: PageQuery, total: number): string {
  const { first, previous, next, last } = pageAddresses(url, listQuery, total);
  const link = (address: string, relation: string): string => `<${baseUrl}${address}>; rel="${relation}"`;
  const links = [link(first, 'first')];
  if (previous !== undefined) links.push(link(previous, 'prev'));
  if (next !== undefined) links.push(link(next, 'next'));
  links.push(link(last, 'last'));
  const header = links.join(', ');
  return header.length > PAGE_LINKS_LENGTH_MAX ? '' : header;
}

/** The pages of a collection as path and query; they repeat the query. */
export function pageAddresses(url: string, { page, itemsPerPage }: PageQuery, total: number): PageAddresses {
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
  const kept = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== 'page');
  return inAddress(`${path}?${[...kept, `page=${page}`].join('&')}`);
}

/** Clients send characters that a URI may not hold as they are (RFC 3986); those are percent-encoded. */
export function inAddress(text: string): string {
  return text.replace(/[<>"\s[\]{}|\\^`]/g, encodeURIComponent);
}

function split(url: string): [string, string?] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** The parameter's name; the query was read before, so it can be decoded. */
function nameOf(pair: string): string {
  return decodeURIComponent(pair.split('=')[0]!.replaceAll('+', ' '));
}
