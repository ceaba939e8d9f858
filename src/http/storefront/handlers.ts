/**
 * Handlers of the catalog for shoppers. Responses depend only on the URL and the language, so that shared caches can store
 * them (storefront.md §2).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { committed, isProblem, type Problem, problem } from '../../engine/index.ts';
import { readShopperContext } from '../../shop/customers/context.ts';
import { shippedCountries } from '../../shop/storefront/countries.ts';
import { readShopPage, type SharedReads } from '../../shop/storefront/read.ts';
import type { ShopView, StorefrontSettings } from '../../shop/storefront/view.ts';
import type { CacheTag } from '../cache/cache-validator.ts';
import { readUnchanged } from '../cache/consistent-read.ts';
import { cacheVariant, type ExpiringResponse, type Rendered } from '../cache/response-cache.ts';
import { requestOptionsOf } from '../resources/address.ts';
import type { ReadCaches } from '../resources/reads.ts';
import { collectionTag } from '../responses/entity-tags.ts';
import { facetedBody } from '../responses/faceted-body.ts';
import { pageLinks } from '../responses/headers.ts';
import { sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Page = Exclude<Awaited<ReturnType<typeof readShopPage>>, Problem>;

/** What the handlers of a view share. */
interface SharedByView {
  /** Matches the changes that affect responses of the view. */
  readonly tag: CacheTag;
  readonly shared: SharedReads;
}

/** What the handlers of all paths share. */
export interface ShopServer {
  readonly options: HttpOptions;
  readonly settings: StorefrontSettings;
  readonly caches: ReadCaches;
  readonly ofView: (view: ShopView) => SharedByView;
  /** Matches those that affect what the store says about itself. */
  readonly storeTag: CacheTag;
}

export function handleStore(shop: ShopServer): Handle {
  const { options, settings } = shop;
  const { environment } = options.service;
  return cachedForAll(shop, shop.storeTag, async (request) => {
    const { service } = request;
    // Languages of a later check than that of the admission, because the response is cached as of that later check.
    const { languages } = await options.cacheValidator.check();
    const body = JSON.stringify({
      name: settings.name || new URL(service.environment.baseUrl).hostname,
      currency: environment.settings.currency,
      languages,
      time_zone: environment.timeZone,
      weight_unit: environment.settings.weight_unit,
      countries: await shippedCountries(committed(service, requestOptionsOf(request, options))),
    });
    return { ...rendered(request, 1, body), endsAt: undefined };
  });
}

/** Sends a page, or an object with a page and its facets. */
export function handlePage(view: ShopView, shop: ShopServer): Handle {
  return cachedView(view, shop, (request, { records, total, facets }) => {
    const { service, shopQuery, url } = request;
    const { route, listQuery } = shopQuery;
    const body = facets ? facetedBody(route, listQuery, records, facets) : records;
    const made = rendered(request, total, JSON.stringify(body));
    const links = pageLinks(service.environment.baseUrl, url, listQuery, { total });
    const headers = { ...made.headers, 'x-total-count': String(total), ...(links === '' ? {} : { link: links }) };
    return { ...made, headers };
  });
}

export function handleRecord(view: ShopView, shop: ShopServer): Handle {
  return cachedView(view, shop, (request, { records: [record] }) => {
    if (record) return rendered(request, 1, JSON.stringify(record));
    const [named] = Object.values(request.params as Record<string, string>);
    const { resource } = request.shopQuery.route;
    return problem('not-found', `There is no ${resource.name} with the identifier ${JSON.stringify(named)} here.`);
  });
}

/** The tag is a digest without a version, which would reveal how often the record changes. */
function rendered({ requestContext }: FastifyRequest, total: number, body: string): Rendered {
  return { body, etag: collectionTag(total, body), headers: { 'content-language': requestContext.language } };
}

/** Sends a response for one shopper, which is not cached. */
function sendOwn(request: FastifyRequest, reply: FastifyReply, made: Rendered): FastifyReply {
  return sendRendered(request, reply, { ...made, etag: '' });
}

function cachedView(
  view: ShopView,
  shop: ShopServer,
  render: (request: FastifyRequest, page: Page) => Rendered | Problem,
): Handle {
  const { options, settings } = shop;
  const { tag, shared } = shop.ofView(view);
  return cachedForAll(shop, tag, async (request) => {
    const { service, shopQuery, shopper } = request;
    const requestOptions = requestOptionsOf(request, options);
    const me = shopper && (await readShopperContext(committed(service, requestOptions), shopper.profile));
    const page = await readShopPage(service, requestOptions, shopQuery, settings, shared, me);
    if (isProblem(page)) return page;
    const made = render(request, page);
    return isProblem(made) ? made : { ...made, endsAt: page.endsAt };
  });
}

/** Sends the cached response, or makes and caches it. */
function cachedForAll(
  { options, settings, caches }: ShopServer,
  tag: CacheTag,
  make: (request: FastifyRequest) => Promise<ExpiringResponse | Problem>,
): Handle {
  const { cacheValidator } = options;
  const { responses } = caches.storefront;
  const { observer } = caches;
  const dependencies = { all: [tag] };
  return async (request, reply) => {
    const key = `${cacheVariant(request, options)} ${request.raw.url}`;
    const known = request.shopper ? undefined : responses.get(key);
    if (known) {
      observer.readCompleted('kept');
      return send(request, reply, known, settings);
    }
    const made = await readUnchanged(cacheValidator, dependencies, ATTEMPTS_MAX, () => make(request));
    if (!made) return sendProblem(reply, changing());
    const { found, after } = made;
    if (isProblem(found)) return sendProblem(reply, found);
    observer.readCompleted('made');
    if (request.shopper) return sendOwn(request, reply, found);
    const { endsAt } = found;
    if (!request.shopQuery?.listQuery.isRelative) responses.set(key, found, { ...dependencies, endsAt }, after);
    return send(request, reply, found, settings);
  };
}

/** Reads of one response. If the catalog has changed during each of them, the shopper has to ask again. */
const ATTEMPTS_MAX = 4;

/** A snapshot would have no time limit, and would take connections from all other requests. */
function changing(): Problem {
  const detail = 'The catalog is changing too quickly. Retry the request.';
  return problem('service-unavailable', detail, { 'retry-after': '1' });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ExpiringResponse,
  { cacheSeconds }: StorefrontSettings,
): FastifyReply {
  const seconds = response.endsAt === undefined ? undefined : response.endsAt - request.service.clock.now();
  reply.headers({
    'cache-control': cacheControl(cacheSeconds, seconds),
    vary: request.namesLanguage ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language',
  });
  return sendRendered(request, reply, response);
}

const STALE_SECONDS = 30;

/** @param seconds until the response may change; undefined: no such time is known */
function cacheControl(cacheSeconds: number, seconds = Number.POSITIVE_INFINITY): string {
  if (cacheSeconds === 0) return 'public, no-cache';
  // The clock has whole seconds, so the change may be almost a second earlier.
  const left = Math.max(seconds - 1, 0);
  const fresh = Math.min(cacheSeconds, left);
  return `public, max-age=${fresh}, stale-while-revalidate=${Math.min(STALE_SECONDS, left - fresh)}`;
}
