/** Handlers of reads: pages, records, views, texts by language. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  hasEvaluated,
  isProblem,
  type ModelRoute,
  type Problem,
  type RequestOptions,
  read,
  readTranslations,
  type Target,
  textsIn,
  type Value,
  type View,
  view,
} from '../../engine/index.ts';
import type { KeyUses } from '../../store/keys/key-uses.ts';
import { type CacheDependencies, type CacheValidator, recordKey } from '../cache/cache-validator.ts';
import { embeddedTag, routeTag, summarizesOthers } from '../cache/dependencies.ts';
import { FastPath } from '../cache/fast-path.ts';
import { createListIdStore, type ListIdStore } from '../cache/list-id-cache.ts';
import { type CacheableResponse, createPageCaches, type PageCaches, PageReader } from '../cache/pages.ts';
import {
  cacheVariant,
  createLru,
  type ExpiringResponse,
  type Rendered,
  ResponseCache,
} from '../cache/response-cache.ts';
import { WholeListReads } from '../cache/whole-list-reads.ts';
import { type Representation, represent, shownTexts } from '../responses/representations.ts';
import { renderRecord, renderTranslations, renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import type { Observer } from '../server/observer.ts';
import type { ResponseBacklog } from '../server/response-backlog.ts';
import { requestOptionsOf, targetOf, textRequestOptionsOf } from './address.ts';
import { HTML_TYPE } from './printed.ts';
import { printedRecord } from './printed-record.ts';

export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What shoppers get. */
interface ShopCaches {
  readonly responses: ResponseCache<ExpiringResponse>;
  /** Identifiers of visible records, by the path of the list. Otherwise each distinct URL would search all records. */
  readonly ids: ResponseCache<readonly Value[]>;
  /** Identifiers of lists that are filtered or sorted by price, if caching is enabled. */
  readonly lists: ListIdStore | undefined;
  readonly wholeListReads: WholeListReads;
}

/** The caches of reads (`src/http/cache/README.md`). */
export interface ReadCaches {
  readonly responses: ResponseCache<Rendered>;
  readonly pages: PageCaches;
  readonly fastPath: FastPath;
  readonly storefront: ShopCaches;
  readonly observer: Observer;
}

/** The share of the cache memory for identifiers of whole lists. */
const LISTS_SHARE = 1 / 3;

/** The share for shoppers. Their requests cannot evict what the back office reads. A third of it is for whole lists. */
const STOREFRONT_SHARE = 1 / 6;

export function createReadCaches(
  { cacheValidator, service, storefront, responseCacheBytesMax: bytesMax }: HttpOptions,
  { observer, keyUses, backlog }: { observer: Observer; keyUses: KeyUses; backlog: ResponseBacklog },
): ReadCaches {
  const shopBytes = storefront ? bytesMax * STOREFRONT_SHARE : 0;
  const lru = createLru(bytesMax * (1 - LISTS_SHARE) - shopBytes);
  const shopLru = createLru(shopBytes * (1 - LISTS_SHARE));
  const lists = bytesMax > 0 ? createListIdStore(bytesMax * LISTS_SHARE) : undefined;
  const textsOf = ({ body, headers }: Rendered): string[] => [body, ...Object.values(headers)];
  const responses = new ResponseCache<Rendered>(cacheValidator, lru, 'response ', textsOf);
  return {
    responses,
    pages: createPageCaches(cacheValidator, lru, lists),
    fastPath: new FastPath({ cacheValidator, responses, observer, keyUses, backlog, clock: service.clock }),
    storefront: {
      responses: new ResponseCache<ExpiringResponse>(cacheValidator, shopLru, 'response ', textsOf),
      ids: new ResponseCache<readonly Value[]>(cacheValidator, shopLru, 'visible ', (ids) => [ids.join()]),
      lists: shopBytes > 0 ? createListIdStore(shopBytes * LISTS_SHARE) : undefined,
      wholeListReads: new WholeListReads(),
    },
    observer,
  };
}

export function handleList(route: ModelRoute, options: HttpOptions, caches: ReadCaches): Handle {
  const pages = new PageReader(route, options, caches.pages);
  return cached(
    route,
    options,
    caches,
    (request) => pages.read(request),
    (request, isKnown) => pages.compose(request, isKnown),
  );
}

export function handleRead(route: ModelRoute, options: HttpOptions, caches: ReadCaches): Handle {
  const dependenciesOf = recordDependencies(route, options.cacheValidator);
  return cached(route, options, caches, async (request) => {
    const after = options.cacheValidator.lastCheck;
    const target = targetOf(request, route);
    const requestOptions = requestOptionsOf(request, options);
    const representation =
      request.responseType === HTML_TYPE
        ? await printedRecord(request.service, requestOptions, target)
        : await representedRecord(request, requestOptions, target);
    if (isProblem(representation)) return representation;
    const rendered = renderRecord(representation, route, request.requestContext.language);
    return { rendered, dependencies: dependenciesOf(request), after };
  });
}

async function representedRecord(
  request: FastifyRequest,
  requestOptions: RequestOptions,
  target: Target,
): Promise<Representation | Problem> {
  const found = await read(request.service, requestOptions, target);
  return isProblem(found) ? found : represent(request, found, target);
}

export function handleView(route: ModelRoute, declared: View, options: HttpOptions, caches: ReadCaches): Handle {
  // A view may read any record.
  const dependencies = { all: [options.cacheValidator.createTag(() => true)] };
  const make = async (request: FastifyRequest): Promise<CacheableResponse | Problem> => {
    const after = options.cacheValidator.lastCheck;
    const target = targetOf(request, route);
    const { parameters } = request.address;
    const found = await view(request.service, requestOptionsOf(request, options), target, declared, parameters);
    if (isProblem(found)) return found;
    const shown = 'shows' in declared ? { ...target, field: declared.shows } : { ...target, view: declared };
    return {
      rendered: renderView(represent(request, found, shown), request.requestContext.language),
      dependencies,
      after,
    };
  };
  const changesWithTime = 'output' in declared && declared.changesWithTime === true;
  return changesWithTime ? uncached(make) : cached(route, options, caches, make);
}

/** A record named by its identifier depends on its own changes. Below a parent it depends on all resources of the route. */
function recordDependencies(
  route: ModelRoute,
  cacheValidator: CacheValidator,
): (request: FastifyRequest) => CacheDependencies {
  const { item, parents, fixed, resource } = route;
  const ofRoute = { all: [routeTag(route, cacheValidator)] };
  if (!item?.isIdentifier || parents.length > 0 || fixed.size > 0 || resource.isPublishedByOwner) return () => ofRoute;
  const all = [embeddedTag(route, cacheValidator)];
  return ({ address }) =>
    summarizesOthers(address.fields) ? ofRoute : { all, records: [recordKey(resource.name, String(address.id))] };
}

/** Not cached: a read-only key sees fewer languages than a read/write key. */
export function handleTranslations(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const found = await readTranslations(request.service, textRequestOptionsOf(request, options), target);
    if (isProblem(found)) return sendProblem(reply, found);
    return sendRendered(request, reply, renderTranslations(shownTexts(request, target, found)));
  };
}

export function handleTranslation(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const requestOptions = textRequestOptionsOf(request, options);
    const { language } = requestOptions;
    const found = await readTranslations(request.service, requestOptions, target);
    const texts = isProblem(found) ? found : textsIn(found, target, requestOptions);
    if (isProblem(texts)) return sendProblem(reply, texts);
    const shown = { ...target, texts: { language } };
    return sendRendered(request, reply, renderView(represent(request, texts, shown), language));
  };
}

/** Builds the response anew for each request. */
export function uncached(make: (request: FastifyRequest) => Promise<CacheableResponse | Problem>): Handle {
  return async (request, reply) => {
    const made = await make(request);
    return isProblem(made) ? sendProblem(reply, made) : sendRendered(request, reply, made.rendered);
  };
}

/**
 * Responds from the response cache, or makes the response and caches it.
 * @param compose makes the response of cached parts; undefined if `make` has to
 */
export function cached(
  { resource }: ModelRoute,
  options: HttpOptions,
  { responses, fastPath, observer }: ReadCaches,
  make: (request: FastifyRequest) => Promise<CacheableResponse | Problem>,
  compose?: (request: FastifyRequest, isKnown: boolean) => Promise<CacheableResponse | undefined>,
): Handle {
  const makeUncached = uncached(make);
  if (resource.changesUnpublished) return makeUncached;
  return async (request, reply) => {
    // A printed page shows further records.
    const isPrinted = request.responseType === HTML_TYPE;
    const { listQuery, fields = listQuery?.fields } = request.address;
    if (isPrinted || listQuery?.isRelative || hasEvaluated(fields)) return makeUncached(request, reply);
    const { lenient } = request.requestContext;
    const variant = `${cacheVariant(request, options)} ${lenient} ${listQuery?.isEstimated === true}`;
    const form = `${variant} ${request.responseType} `;
    const key = `${form}${request.raw.url}`;
    const known = responses.get(key);
    if (known) {
      observer.readCompleted('kept');
      sendRendered(request, reply, known);
      void fastPath.remember(request, reply, form, known);
      return reply;
    }
    const composed = await compose?.(request, responses.has(key));
    const made = composed ?? (await make(request));
    if (isProblem(made)) return sendProblem(reply, made);
    observer.readCompleted(composed ? 'composed' : 'made');
    responses.set(key, made.rendered, made.dependencies, made.after);
    return sendRendered(request, reply, made.rendered);
  };
}
