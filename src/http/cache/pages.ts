/**
 * Reads pages of collections. A page in plain JSON is composed of the cached texts of its records: after a change, the
 * server queries only the identifiers and the records that are not cached. `README.md` explains the layers.
 */
import type { FastifyRequest } from 'fastify';
import { redacted } from '../../access/redaction.ts';
import {
  hasEvaluated,
  isProblem,
  type ListFieldUse,
  type ListQuery,
  list,
  listIds,
  listValued,
  type ModelRoute,
  onlyFields,
  type Page,
  type Pause,
  type Problem,
  type RequestOptions,
  readAll,
  type Service,
  type ShownRecord,
  type Target,
  type Value,
  type ValuedPage,
  withListField,
} from '../../engine/index.ts';
import { requestOptionsOf, targetOf } from '../resources/address.ts';
import { pageExtent } from '../resources/cursors.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import type { PageExtent } from '../responses/headers.ts';
import { shownPage } from '../responses/representations.ts';
import { renderPage } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { type CacheDependencies, type CacheTag, type CacheValidator, recordKey } from './cache-validator.ts';
import { embeddedTag, routeTag, summarizesOthers } from './dependencies.ts';
import { ListFieldCache, type RequestValues } from './list-field-cache.ts';
import { ListIdCache, type ListIdStore } from './list-id-cache.ts';
import { cacheVariant, type Rendered, ResponseCache } from './response-cache.ts';
import type { SegmentedLru } from './segmented-lru.ts';
import { WholeListReads } from './whole-list-reads.ts';

/** A response with the dependencies of its cache entry. */
export interface CacheableResponse {
  readonly rendered: Rendered;
  readonly dependencies: CacheDependencies;
  /** The last check that was complete when its data was read. */
  readonly after: number;
}

export interface PageCaches {
  /** Texts of records. */
  readonly records: ResponseCache<string>;
  /** Identifiers of pages. */
  readonly members: ResponseCache<PageMembers>;
  /** Identifiers of whole lists, if caching is enabled. */
  readonly lists: ListIdStore | undefined;
  readonly wholeListReads: WholeListReads;
}

type PageMembers = Omit<Page, 'records'>;

export function createPageCaches(
  cacheValidator: CacheValidator,
  lru: SegmentedLru | undefined,
  lists: ListIdStore | undefined,
): PageCaches {
  return {
    records: new ResponseCache(cacheValidator, lru, 'record ', (text) => [text]),
    members: new ResponseCache(cacheValidator, lru, 'members ', ({ ids, end = [] }) => [...ids, ...end].map(String)),
    lists,
    wholeListReads: new WholeListReads(),
  };
}

interface PageRequest {
  readonly request: FastifyRequest;
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ListQuery;
  readonly variant: string;
  /** Cache key of a record's text, without the identifier. */
  readonly recordForm: string;
  /** Values of the list field, once they are known. */
  readonly values?: RequestValues;
}

type ValuedQuery = ListQuery & { readonly listField: ListFieldUse };

interface FoundMembers extends PageMembers {
  /** The last check that was complete when they were read, or a later one at which they are valid. */
  readonly after: number;
  readonly isValidated: boolean;
}

/** During continuous writes no composed page would be consistent. After this many attempts it is read as a whole. */
const COMPOSE_ATTEMPTS_MAX = 2;

export class PageReader {
  readonly #route: ModelRoute;
  readonly #options: HttpOptions;
  readonly #cacheValidator: CacheValidator;
  readonly #caches: PageCaches;
  readonly #routeTag: CacheTag;
  /** Records of the resource that were created or deleted. */
  readonly #existenceTag: CacheTag;
  readonly #embeddedTag: CacheTag;
  readonly #isComposable: boolean;
  readonly #lists: ListIdCache | undefined;
  readonly #values: ListFieldCache | undefined;

  constructor(route: ModelRoute, options: HttpOptions, caches: PageCaches) {
    const { cacheValidator } = options;
    const { resource } = route;
    this.#route = route;
    this.#options = options;
    this.#cacheValidator = cacheValidator;
    this.#caches = caches;
    this.#values = route.listField && new ListFieldCache(route.listField, route, options.service, cacheValidator);
    this.#routeTag = routeTag(route, cacheValidator);
    this.#existenceTag = cacheValidator.createTag(
      (change) => change.resource === resource.name && change.kind !== 'updated',
    );
    this.#embeddedTag = embeddedTag(route, cacheValidator);
    // Below a parent, a record may be shown differently, or its changes may be published as changes of its owner.
    this.#isComposable =
      route.parents.length === 0 &&
      route.fixed.size === 0 &&
      !resource.isPublishedByOwner &&
      !resource.changesUnpublished &&
      !caches.records.isDisabled;
    const hasListCache = this.#isComposable && resource.identifierType === 'integer';
    this.#lists = hasListCache && caches.lists ? new ListIdCache(cacheValidator, caches.lists, route) : undefined;
  }

  /** Reads a page from the database. */
  async read(request: FastifyRequest): Promise<CacheableResponse | Problem> {
    const asked = this.#pageRequest(request);
    const { service, requestOptions, target, listQuery } = asked;
    if (listQuery.listField) return this.#readValued(asked, { ...listQuery, listField: listQuery.listField });
    const after = this.#cacheValidator.lastCheck;
    const startedAt = performance.now();
    const page = await list(service, requestOptions, target, listQuery);
    if (isProblem(page)) return page;
    const { total, ids, records } = page;
    if (!this.#canCompose(request)) {
      const body = JSON.stringify(shownPage(request, this.#route, page, this.#extentOf(asked, page), listQuery));
      return { rendered: this.#render(asked, page, body), dependencies: { all: [this.#routeTag] }, after };
    }
    this.#lists?.missed(asked, total, performance.now() - startedAt);
    this.#cacheMembers(asked, page, after);
    const texts = records.map((record, index) => this.#cacheRecord(asked, ids[index]!, record, after));
    const dependencies = this.#dependenciesOf(asked, ids);
    return { rendered: this.#render(asked, page, `[${texts.join()}]`), dependencies, after };
  }

  /**
   * Composes a page of cached texts, and reads the records that are missing.
   * @param isKnown the page was requested before, so that most of its records are probably cached
   * @returns undefined if the page should be read as a whole
   */
  async compose(request: FastifyRequest, isKnown: boolean): Promise<CacheableResponse | undefined> {
    if (!this.#canCompose(request)) return undefined;
    for (let attempt = 0; attempt < COMPOSE_ATTEMPTS_MAX; attempt += 1) {
      const asked = await this.#withValues(this.#pageRequest(request));
      if (isProblem(asked)) return undefined;
      if (!this.#areCurrent(asked)) continue;
      const members = await this.#findMembers(asked, isKnown);
      if (!members) return undefined;
      const composed = await this.#composeOf(asked, members);
      if (composed) return composed;
    }
    return undefined;
  }

  async #withValues(asked: PageRequest): Promise<PageRequest | Problem> {
    const { service, requestOptions, listQuery } = asked;
    if (!listQuery.listField) return asked;
    const values = await this.#values!.valuesFor(service, requestOptions, listQuery.listField);
    return isProblem(values) ? values : { ...asked, values };
  }

  /** Whether the values of the list field can be combined with what the store contained at the last check. */
  #areCurrent({ values }: PageRequest): boolean {
    return values === undefined || this.#values!.areCurrent(values);
  }

  /** Reads a page with its list field. */
  async #readValued(asked: PageRequest, listQuery: ValuedQuery): Promise<CacheableResponse | Problem> {
    if (listQuery.listField.membersKey === undefined)
      return (await this.#readUnchanged(asked)) ?? this.#readInSnapshot(asked, listQuery);
    const listed = await this.#readListed(asked, listQuery);
    if (listed) return listed;
    return this.#caches.wholeListReads.run(
      // Another request may have read the list meanwhile.
      async (pause) => (await this.#readListed(asked, listQuery)) ?? this.#readInSnapshot(asked, listQuery, pause),
    );
  }

  /** Reads a page of a list that its list field decides. @returns undefined if the list is not cached, or has changed meanwhile */
  async #readListed(
    asked: PageRequest,
    { listField, fields }: ValuedQuery,
  ): Promise<CacheableResponse | Problem | undefined> {
    const { service, requestOptions, target } = asked;
    if (!this.#lists) return undefined;
    for (let attempt = 0; attempt < COMPOSE_ATTEMPTS_MAX; attempt += 1) {
      const valued = await this.#withValues(asked);
      if (isProblem(valued)) return valued;
      if (!this.#areCurrent(valued)) continue;
      const listed = await this.#lists.page(valued);
      if (!listed) return undefined;
      const { ids, check } = listed;
      const { of, endsAt } = valued.values!;
      const found = await readAll(service, requestOptions, { ...target, fields }, ids);
      const values = await of(ids);
      await this.#cacheValidator.check();
      if (found.size < ids.length || !this.#areCurrent(valued)) continue;
      const records = ids.map((id) => found.get(id)!);
      const response = this.#renderValued(valued, listField, { ...listed, records, values, endsAt }, check);
      if (this.#cacheValidator.isUnchangedSince(check, response.dependencies)) return response;
    }
    return undefined;
  }

  /** @param pause needed if the list field decides the list */
  async #readInSnapshot(
    asked: PageRequest,
    listQuery: ValuedQuery,
    pause?: Pause,
  ): Promise<CacheableResponse | Problem> {
    const { service, requestOptions, target } = asked;
    const after = this.#cacheValidator.lastCheck;
    const page = await listValued(service, requestOptions, target, listQuery, pause);
    if (isProblem(page)) return page;
    const { whole, endsAt } = page;
    if (whole) await this.#lists?.put(asked, whole, { check: after, endsAt });
    return this.#renderValued(asked, listQuery.listField, page, after);
  }

  /** @returns undefined if records or values changed during the read, so that the page might mix two states of the store */
  async #readUnchanged(asked: PageRequest): Promise<CacheableResponse | Problem | undefined> {
    const { service, requestOptions, target, listQuery } = asked;
    const after = this.#cacheValidator.lastCheck;
    const startedAt = performance.now();
    const valued = await this.#withValues(asked);
    if (isProblem(valued)) return valued;
    const page = await list(service, requestOptions, target, listQuery);
    if (isProblem(page)) return page;
    const milliseconds = performance.now() - startedAt;
    const values = await valued.values!.of(page.ids);
    const { endsAt } = valued.values!;
    await this.#cacheValidator.check();
    const response = this.#renderValued(asked, listQuery.listField!, { ...page, values, endsAt }, after);
    if (!this.#cacheValidator.isUnchangedSince(after, response.dependencies)) return undefined;
    if (this.#canCompose(asked.request)) {
      this.#lists?.missed(asked, page.total, milliseconds);
      this.#cacheMembers(asked, page, after);
    }
    return response;
  }

  #renderValued(asked: PageRequest, use: ListFieldUse, page: ValuedPage, after: number): CacheableResponse {
    const { request, listQuery } = asked;
    const { ids, values, endsAt } = page;
    if (this.#canCompose(request)) {
      const texts = page.records.map((record, index) => {
        const text = this.#cacheRecord(asked, ids[index]!, record, after);
        return withValue(text, use, values.get(ids[index]!));
      });
      const dependencies = this.#dependenciesOf(asked, ids, endsAt);
      return { rendered: this.#render(asked, page, `[${texts.join()}]`), dependencies, after };
    }
    const records = page.records.map((record, index) => withListField(record, use, values.get(ids[index]!)));
    const body = JSON.stringify(shownPage(request, this.#route, { records }, this.#extentOf(asked, page), listQuery));
    const dependencies = this.#values!.dependencies({ all: [this.#routeTag] }, endsAt);
    return { rendered: this.#render(asked, page, body), dependencies, after };
  }

  /** Whether the page consists of texts that are valid until their record changes. */
  #canCompose({ responseType, address }: FastifyRequest): boolean {
    const fields = address.listQuery?.fields;
    return this.#isComposable && responseType === JSON_TYPE && !summarizesOthers(fields) && !hasEvaluated(fields);
  }

  /** @returns undefined if the page has changed meanwhile */
  async #composeOf(asked: PageRequest, members: FoundMembers): Promise<CacheableResponse | undefined> {
    const { ids, after, isValidated } = members;
    const { service, requestOptions, target, listQuery, recordForm, values } = asked;
    const texts = new Map(ids.map((id) => [id, this.#caches.records.get(`${recordForm} ${id}`)]));
    const missing = ids.filter((id) => texts.get(id) === undefined);
    if (missing.length > 0) {
      const records = await readAll(service, requestOptions, { ...target, fields: listQuery.fields }, missing);
      for (const [id, record] of records) texts.set(id, this.#cacheRecord(asked, id, record, after));
    }
    const computed = await values?.of(ids);
    const shown = ids.map((id) => {
      const text = texts.get(id);
      return computed && text !== undefined ? withValue(text, listQuery.listField!, computed.get(id)) : text;
    });
    const dependencies = this.#dependenciesOf(asked, ids, values?.endsAt);
    // Cached values are all valid at one check. Values that were just read need another check.
    if (!isValidated || missing.length > 0 || computed) await this.#cacheValidator.check();
    if (!this.#cacheValidator.isUnchangedSince(after, dependencies) || shown.includes(undefined)) return undefined;
    if (!this.#areCurrent(asked)) return undefined;
    return { rendered: this.#render(asked, members, `[${shown.join()}]`), dependencies, after };
  }

  async #findMembers(asked: PageRequest, isKnown: boolean): Promise<FoundMembers | undefined> {
    const isDecided = asked.listQuery.listField?.membersKey !== undefined;
    const cached = isDecided ? undefined : this.#caches.members.get(membersKey(asked));
    if (cached) return { ...cached, after: this.#cacheValidator.lastCheck, isValidated: true };
    const listed = await this.#lists?.page(asked);
    if (listed) return { ...listed, after: listed.check, isValidated: listed.isValidated };
    if (!isKnown || isDecided) return undefined;
    const after = this.#cacheValidator.lastCheck;
    const startedAt = performance.now();
    const page = await listIds(asked.service, asked.requestOptions, asked.target, asked.listQuery);
    if (isProblem(page)) return undefined;
    this.#lists?.missed(asked, page.total, performance.now() - startedAt);
    this.#cacheMembers(asked, page, after);
    return { ...page, after, isValidated: false };
  }

  #cacheMembers(asked: PageRequest, { ids, total, hasNext, end }: PageMembers, after: number): void {
    const members = { ids, total, hasNext, end };
    this.#caches.members.set(membersKey(asked), members, { all: [this.#membersTag(asked.listQuery)] }, after);
  }

  #cacheRecord({ request, recordForm, listQuery }: PageRequest, id: Value, record: ShownRecord, after: number): string {
    const { fields } = listQuery;
    const { hidden } = request.requestContext.rights;
    const shown = hidden ? redacted(record, this.#route.resource, hidden) : record;
    const text = JSON.stringify(fields ? onlyFields(shown, fields) : shown);
    const dependencies = { all: [this.#embeddedTag], records: [this.#recordKey(id)] };
    this.#caches.records.set(`${recordForm} ${id}`, text, dependencies, after);
    return text;
  }

  /** @param endsAt when a value of the list field may change without a change of a record */
  #dependenciesOf({ listQuery }: PageRequest, ids: readonly Value[], endsAt?: number): CacheDependencies {
    const ofPage = {
      all: [this.#membersTag(listQuery), this.#embeddedTag],
      records: ids.map((id) => this.#recordKey(id)),
    };
    return listQuery.listField ? this.#values!.dependencies(ofPage, endsAt) : ofPage;
  }

  /** The changes that can change which records a page has. Without filter and order these are only new and deleted records. */
  #membersTag({ filters, search, orders, listField }: ListQuery): CacheTag {
    const isPlain = filters.length === 0 && !search && orders.length === 0 && listField?.membersKey === undefined;
    return isPlain && this.#route.resource.defaultOrder.length === 0 ? this.#existenceTag : this.#routeTag;
  }

  #extentOf({ request, listQuery }: PageRequest, page: Omit<PageMembers, 'ids'>): PageExtent {
    return pageExtent(request, this.#route, listQuery, page, this.#options);
  }

  #render(asked: PageRequest, page: Omit<PageMembers, 'ids'>, body: string): Rendered {
    const { request, service, listQuery } = asked;
    const { language } = request.requestContext;
    const extent = this.#extentOf(asked, page);
    return renderPage(extent, listQuery, request.url, language, service.environment.baseUrl, body);
  }

  #recordKey(id: Value): string {
    return recordKey(this.#route.resource.name, String(id));
  }

  #pageRequest(request: FastifyRequest): PageRequest {
    const listQuery = request.address.listQuery!;
    const variant = cacheVariant(request, this.#options);
    const fields = listQuery.fields?.map(({ name }) => name).join() ?? '';
    return {
      ...{ request, service: request.service, listQuery, variant },
      requestOptions: requestOptionsOf(request, this.#options),
      target: targetOf(request, this.#route),
      recordForm: `${variant} ${this.#route.path} ${fields}`,
    };
  }
}

/** Adds the value of the list field to the text of a record, which is a JSON object. */
function withValue(text: string, use: ListFieldUse, value: number | undefined): string {
  if (!use.isShown || value === undefined) return text;
  const member = `${JSON.stringify(use.listField.field.name)}:${value}`;
  return text === '{}' ? `{${member}}` : `${text.slice(0, -1)},${member}}`;
}

/** Lenient mode reads some queries differently. For example, it uses only the last of `sku[]=A&sku=B`. */
function membersKey({ request, recordForm, listQuery }: PageRequest): string {
  return `${recordForm} ${request.requestContext.lenient} ${listQuery.isEstimated === true} ${request.url}`;
}
