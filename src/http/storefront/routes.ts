/** The catalog for shoppers, below `/storefront` (storefront.md §2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type Parameter,
  type Problem,
  problem,
  publishedAs,
  readingOf,
  shortened,
} from '../../engine/index.ts';
import { RESOURCES_OF_COUNTRIES } from '../../shop/storefront/countries.ts';
import { readShopQuery, type ShopQuery } from '../../shop/storefront/query.ts';
import { sourcesOf } from '../../shop/storefront/sources.ts';
import { routeAt, type ShopView } from '../../shop/storefront/view.ts';
import { VIEWS } from '../../shop/storefront/views.ts';
import type { ReadCaches } from '../resources/reads.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { STOREFRONT_PATH } from '../responses/headers.ts';
import type { HttpOptions } from '../server/context.ts';
import { handlePage, handleRecord, handleStore, type ShopServer } from './handlers.ts';
import { readLanguage } from './language.ts';
import { sharedReads } from './shared-reads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a shopper asks for. */
    shopQuery: ShopQuery;
  }
}

type ReadAddress = (request: FastifyRequest) => Problem | undefined;
type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function registerStorefrontRoutes(app: FastifyInstance, options: HttpOptions, caches: ReadCaches): void {
  const settings = options.storefront;
  if (!settings) return;
  const get = (path: string, work: 'read' | 'list', readAddress: ReadAddress, handle: Handle): void => {
    const config = { isOfShoppers: true, offers: [JSON_TYPE], work, readAddress } as const;
    app.get(`${STOREFRONT_PATH}${path}`, { config }, handle);
  };
  const { cacheValidator, service } = options;
  const byView = new Map(
    VIEWS.map((view) => {
      const sources = sourcesOf(service.model, view);
      const tag = cacheValidator.createTag(({ resource }) => sources.has(resource));
      return [view, { tag, shared: sharedReads(view, options, caches, tag) }] as const;
    }),
  );
  const ofStore = new Set(
    ['Language', ...RESOURCES_OF_COUNTRIES].map((name) => publishedAs(service.model.resources.get(name)!)),
  );
  const storeTag = cacheValidator.createTag(({ resource }) => ofStore.has(resource));
  const shop: ShopServer = { options, settings, caches, ofView: (view) => byView.get(view)!, storeTag };
  get('/store', 'read', readNothing, handleStore(shop));
  for (const view of VIEWS) addView(get, view, shop);
}

function addView(
  get: (path: string, work: 'read' | 'list', readAddress: ReadAddress, handle: Handle) => void,
  view: ShopView,
  shop: ShopServer,
): void {
  const path = view.path.replaceAll(/\{(\w+)\}/g, ':$1');
  get(path, 'list', addressReader(view, path === view.path ? undefined : 'product_id'), handlePage(view, shop));
  if (view.facets) get(`${path}/search`, 'list', addressReader(view, undefined, true), handlePage(view, shop));
  if (!view.hasRecords) return;
  const handle = handleRecord(view, shop);
  get(`${view.path}/:id`, 'read', addressReader(view, 'id'), handle);
  get(`${view.path}/by_url/:clean_url`, 'read', addressReader(view, 'clean_url'), handle);
}

const IDENTIFIER = /^[1-9]\d{0,15}$/;

/**
 * Returns a parser of the URLs of a view.
 * @param field by which the path names one record, or `product_id` of a list below a product
 */
function addressReader(
  view: ShopView,
  field?: 'id' | 'clean_url' | 'product_id',
  isFaceted: boolean = false,
): ReadAddress {
  return (request) => {
    const { service, requestContext } = request;
    const value = field && (request.params as Record<string, string>)[field]!;
    const isId = field === 'id' || field === 'product_id';
    if (isId && !(IDENTIFIER.test(value!) && Number.isSafeInteger(Number(value))))
      return problem('not-found', 'Invalid identifier value or configuration.');
    // PostgreSQL rejects texts with this character.
    if (value?.includes('\0')) return problem('not-found', `There is no ${view.resource} with this clean URL.`);
    const sent = readCommon(request);
    if (isProblem(sent)) return sent;
    const reading = readingOf(service, requestContext);
    const named = field === 'product_id' ? { parent: Number(value) } : field && { record: { field, value: value! } };
    const query = readShopQuery(view, sent, { route: routeAt(service, view), reading, isFaceted, ...named });
    if (isProblem(query)) return query;
    request.shopQuery = query;
    return undefined;
  };
}

function readNothing(request: FastifyRequest): Problem | undefined {
  const sent = readCommon(request);
  if (isProblem(sent)) return sent;
  const [first] = sent;
  return (
    first &&
    problem(
      'invalid-argument',
      `Unknown parameter "${shortened(first.written)}". This path takes only "language" and "for".`,
    )
  );
}

/** Reads the parameters that all paths of the catalog take. @returns the others */
function readCommon(request: FastifyRequest): readonly Parameter[] | Problem {
  const sent = readLanguage(request);
  if (isProblem(sent)) return sent;
  const isFor = ({ written }: Parameter): boolean => written === 'for';
  const [named, duplicate] = sent.filter(isFor);
  if (duplicate) return problem('invalid-argument', 'The parameter "for" is given more than once. Send it once.');
  if (named && named.value !== 'me')
    return problem('invalid-argument', `"for" must be "me"; it is "${shortened(named.value)}".`);
  return sent.filter((each) => !isFor(each));
}
