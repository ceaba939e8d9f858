/**
 * Pages of collections. A page in plain JSON is made of its records' texts, which are kept: after a change only the
 * identifiers are asked for again, and the records that the change concerns.
 */
import type { FastifyRequest } from 'fastify';
import {
  dependencyResources,
  isProblem,
  type ListQuery,
  list,
  listIds,
  type ModelRoute,
  onlyFields,
  type Problem,
  type RequestOptions,
  readAll,
  type Service,
  type ShownRecord,
  shownResources,
  type Target,
  type Value,
} from '../../engine/index.ts';
import { requestOptionsOf, targetOf } from '../resources/address.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { shownPage } from '../responses/representations.ts';
import { renderPage } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { type CacheDependencies, type CacheTag, type CacheValidator, recordKey } from './cache-validator.ts';
import { ListIdCache, type ListIdStore } from './list-id-cache.ts';
import { cacheVariant, type Rendered, ResponseCache } from './response-cache.ts';
import type { SegmentedLru } from './segmented-lru.ts';

/** An answer that was made, with what it was made of, and the look at the store at which it holds. */
export interface Made {
  readonly rendered: Rendered;
  readonly dependencies: CacheDependencies;
  readonly after: number;
}

/** The parts that pages are made of. */
export interface PageCaches {
  readonly records: ResponseCache<string>;
  /** Which records a page has. */
  readonly members: ResponseCache<Members>;
  /** Which records whole lists have. */
  readonly lists: ListIdStore | undefined;
}

interface Members {
  readonly ids: readonly Value[];
  readonly total: number;
}

/** @param lists the memory of whole lists, where any are kept */
export function createPageCaches(
  cacheValidator: CacheValidator,
  memory: SegmentedLru | undefined,
  lists: ListIdStore | undefined,
): PageCaches {
  return {
    records: new ResponseCache(cacheValidator, memory, 'record ', (text) => [text]),
    members: new ResponseCache(cacheValidator, memory, 'members ', ({ ids }) => ids.map(String)),
    lists,
  };
}

interface Pages {
  /** Reads a page as a whole. */
  read(request: FastifyRequest): Promise<Made | Problem>;
  /**
   * Makes a page of what is kept, as far as it holds; undefined where it has to be read as a whole.
   * @param isKnown it was made before, so that most of its records may be kept
   */
  compose(request: FastifyRequest, isKnown: boolean): Promise<Made | undefined>;
}

/** A page that somebody asks for. */
interface Asked {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ListQuery;
  readonly variant: string;
}

interface Found extends Members {
  /** The look after which it was read, or at which it is known to hold. */
  readonly after: number;
  readonly isProved: boolean;
}

/** While others write without pause, no page would come together: then it is read as a whole. */
const TRIES_MAX = 2;

export function createPages(route: ModelRoute, options: HttpOptions, caches: PageCaches): Pages {
  const { cacheValidator } = options;
  const { resource } = route;
  const anyReached = reachedFrom(route, cacheValidator);
  const comesOrGoes = cacheValidator.cacheTag(
    (change) => change.resource === resource.name && change.kind !== 'updated',
  );
  const embedded = embeddedIn(route, cacheValidator);
  // Elsewhere a record may be shown otherwise, or its changes be told under another name.
  const isComposable =
    route.parents.length === 0 &&
    route.fixed.size === 0 &&
    !resource.isPublishedByOwner &&
    !resource.changesUnpublished &&
    !caches.records.keepsNothing;

  const lists =
    isComposable && caches.lists && resource.identifierType === 'integer'
      ? new ListIdCache(cacheValidator, caches.lists, route)
      : undefined;

  /** Whatever decides which records a page has: of a list of all records by their identifiers, only that there are these. */
  const decides = ({ filters, search, orders }: ListQuery): CacheTag =>
    filters.length === 0 && !search && orders.length === 0 && resource.defaultOrder.length === 0
      ? comesOrGoes
      : anyReached;
  const dependenciesOf = (listQuery: ListQuery, ids: readonly Value[]): CacheDependencies => ({
    all: [decides(listQuery), embedded],
    records: ids.map((id) => recordKey(resource.name, String(id))),
  });
  const askedOf = (request: FastifyRequest) => ({
    service: request.service,
    requestOptions: requestOptionsOf(request, options),
    target: targetOf(request, route),
    listQuery: request.address.listQuery!,
    variant: cacheVariant(request, options),
  });
  const formOf = ({ listQuery: { fields }, variant }: Asked): string =>
    `${variant} ${route.path} ${fields?.map(({ name }) => name).join() ?? ''}`;
  const keep = (form: string, id: Value, text: string, after: number): string => {
    const dependencies = { all: [embedded], records: [recordKey(resource.name, String(id))] };
    caches.records.set(`${form} ${id}`, text, dependencies, after);
    return text;
  };
  const keepMembers = (form: string, request: FastifyRequest, { ids, total }: Members, after: number): void => {
    const dependencies = { all: [decides(request.address.listQuery!)] };
    caches.members.set(`${form} ${request.url}`, { ids, total }, dependencies, after);
  };
  const render = (request: FastifyRequest, total: number, body: string): Rendered => {
    const { service, url, requestContext } = request;
    return renderPage(
      total,
      request.address.listQuery!,
      url,
      requestContext.language,
      service.environment.baseUrl,
      body,
    );
  };

  /** A page's records, as they are kept or, of a page that is known, looked for. */
  const find = async (
    request: FastifyRequest,
    asked: Asked,
    form: string,
    isKnown: boolean,
  ): Promise<Found | undefined> => {
    const members = caches.members.get(`${form} ${request.url}`);
    if (members) return { ...members, after: cacheValidator.taken, isProved: true };
    const listed = await lists?.page(asked);
    if (listed) return { ...listed, after: listed.look, isProved: true };
    if (!isKnown) return undefined;
    const after = cacheValidator.taken;
    const startedAt = performance.now();
    const page = await listIds(asked.service, asked.requestOptions, asked.target, asked.listQuery);
    if (isProblem(page)) return undefined;
    lists?.missed(asked, page.total, performance.now() - startedAt);
    keepMembers(form, request, page, after);
    return { ...page, after, isProved: false };
  };

  return {
    async read(request) {
      const asked = askedOf(request);
      const { service, requestOptions, target, listQuery } = asked;
      const after = cacheValidator.taken;
      const startedAt = performance.now();
      const page = await list(service, requestOptions, target, listQuery);
      if (isProblem(page)) return page;
      const { total, ids } = page;
      if (request.answerType !== JSON_TYPE || !isComposable) {
        const body = JSON.stringify(shownPage(request, route, page, listQuery));
        return { rendered: render(request, total, body), dependencies: { all: [anyReached] }, after };
      }
      lists?.missed(asked, total, performance.now() - startedAt);
      const form = formOf(asked);
      keepMembers(form, request, page, after);
      const texts = page.records.map((record, index) => keep(form, ids[index]!, textOf(record, listQuery), after));
      return {
        rendered: render(request, total, `[${texts.join()}]`),
        dependencies: dependenciesOf(listQuery, ids),
        after,
      };
    },
    async compose(request, isKnown) {
      if (!isComposable || request.answerType !== JSON_TYPE) return undefined;
      const asked = askedOf(request);
      const { service, requestOptions, listQuery } = asked;
      const form = formOf(asked);
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const page = await find(request, asked, form, isKnown);
        if (!page) return undefined;
        const { after } = page;
        const texts = new Map(page.ids.map((id) => [id, caches.records.get(`${form} ${id}`)]));
        const missing = page.ids.filter((id) => texts.get(id) === undefined);
        if (missing.length > 0) {
          const target = { ...asked.target, fields: listQuery.fields };
          for (const [id, record] of await readAll(service, requestOptions, target, missing))
            texts.set(id, keep(form, id, textOf(record, listQuery), after));
        }
        const shown = page.ids.map((id) => texts.get(id));
        const dependencies = dependenciesOf(listQuery, page.ids);
        // All that is kept holds at one look; what was just read has to be proved.
        if (!page.isProved || missing.length > 0) await cacheValidator.look();
        if (!cacheValidator.isUnchangedSince(after, dependencies) || shown.includes(undefined)) continue;
        return { rendered: render(request, page.total, `[${shown.join()}]`), dependencies, after };
      }
      return undefined;
    },
  };
}

/** The resources that decide which records are at this place, or what they show. */
export function reachedFrom(route: ModelRoute, cacheValidator: CacheValidator): CacheTag {
  const reached = dependencyResources(route);
  return cacheValidator.cacheTag(({ resource }) => reached.has(resource));
}

/** The resources of which a record of this place shows something: a new record is shown by no other before that changes. */
export function embeddedIn(route: ModelRoute, cacheValidator: CacheValidator): CacheTag {
  const { records, identifiers } = shownResources(route);
  return cacheValidator.cacheTag(
    ({ resource, kind }) =>
      (kind !== 'created' && records.has(resource)) || (kind === 'deleted' && identifiers.has(resource)),
  );
}

function textOf(record: ShownRecord, { fields }: Pick<ListQuery, 'fields'>): string {
  return JSON.stringify(fields ? onlyFields(record, fields) : record);
}
