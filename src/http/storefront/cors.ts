/**
 * CORS below `/storefront` (storefront.md §1). Responses of the catalog are the same for all pages. All others are only for
 * pages whose origin the publishable key lists.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { indexOrigins, isListedOrigin, isLiveOrigin, type OriginIndex } from '../../access/origins.ts';
import { isProblem, type Problem, parseQueryString, problem } from '../../engine/index.ts';
import type { ValidKey } from '../../store/keys.ts';
import type { StoredKey } from '../../store/state.ts';
import { queryOf } from '../resources/address.ts';
import { STOREFRONT_PATH, STOREFRONT_PREFLIGHT_HEADERS } from '../responses/headers.ts';

/** Paths of the catalog, with those below them, and of its description. */
const CATALOG = ['products', 'categories', 'tags', 'attributes', 'store', 'openapi.json', ''];

/** Whether the response does not depend on who sends the request, and every page may read it. */
function isForAll(request: FastifyRequest): boolean {
  if (request.routeOptions.config?.isPublic) return true;
  const path = request.raw.url!.split('?', 1)[0]!;
  const [first] = path.slice(STOREFRONT_PATH.length + 1).split('/', 1);
  return CATALOG.includes(first!) && !isForMe(request);
}

/** Whether the query has `for`, by which a response of the catalog depends on the session. */
export function isForMe(request: FastifyRequest): boolean {
  const query = queryOf(request);
  if (!/for|%/i.test(query)) return false;
  const sent = parseQueryString(query);
  return !isProblem(sent) && sent.some(({ written }) => written === 'for');
}

/** Allows the page of a request to read the response, or rejects the request. Requests without `Origin` are accepted. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { origins = [] }: Pick<ValidKey, 'origins'>,
): Problem | undefined {
  if (isForAll(request)) return undefined;
  const { origin } = request.headers;
  reply.removeHeader('access-control-allow-origin');
  varyByOrigin(reply);
  if (origin === undefined) return undefined;
  if (!isListedOrigin(origins, origin)) return originNotAllowed();
  echo(reply, origin);
  return undefined;
}

/**
 * Responds to a preflight request, which has no key: any live key may list the origin. A request without `Origin` is no
 * preflight request of a browser.
 */
export async function preflight(
  request: FastifyRequest,
  reply: FastifyReply,
  readKeys: () => Promise<readonly StoredKey[]>,
  now: number,
): Promise<Problem | undefined> {
  if (isForAll(request)) {
    reply.headers(STOREFRONT_PREFLIGHT_HEADERS);
    return undefined;
  }
  const { origin } = request.headers;
  reply.removeHeader('access-control-allow-origin');
  varyByOrigin(reply);
  if (origin === undefined) return undefined;
  if (!isLiveOrigin(indexOf(await readKeys()), origin, now)) return originNotAllowed();
  echo(reply, origin);
  reply.headers(PREFLIGHT_HEADERS);
  return undefined;
}

/** Indexes by the list of keys, which is the same object until a key changes. */
const indexes = new WeakMap<readonly StoredKey[], OriginIndex>();

function indexOf(keys: readonly StoredKey[]): OriginIndex {
  const index = indexes.get(keys) ?? indexOrigins(keys);
  indexes.set(keys, index);
  return index;
}

/** Whether the request names an origin that its key lists. */
export function hasListedOrigin({ headers, requestContext }: FastifyRequest): boolean {
  return headers.origin !== undefined && isListedOrigin(requestContext.key.origins ?? [], headers.origin);
}

function varyByOrigin(reply: FastifyReply): void {
  reply.header('vary', `${reply.getHeader('vary')}, Origin`);
}

function echo(reply: FastifyReply, origin: string): void {
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
}

export function originNotAllowed(
  detail = 'The key does not list the Origin of this request. Send the request from a page of the shop, or use another key.',
): Problem {
  return problem('origin-not-allowed', detail);
}

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, X-Auth-Token, Content-Type, Accept, Accept-Language, If-Match, If-None-Match, Idempotency-Key, X-Request-Id, traceparent, tracestate',
  'access-control-max-age': '3600',
};
