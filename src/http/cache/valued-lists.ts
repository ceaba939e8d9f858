/** Pages, for shoppers, of lists filtered or sorted by their list field. `README.md` explains the layers. */
import {
  isProblem,
  type ListFieldUse,
  type ListQuery,
  listValued,
  type ModelRoute,
  type Problem,
  type RequestOptions,
  readAll,
  type Service,
  type Target,
  type ValuedPage,
} from '../../engine/index.ts';
import type { CacheValidator } from './cache-validator.ts';
import { ListFieldCache } from './list-field-cache.ts';
import { ListIdCache, type ListIdStore } from './list-id-cache.ts';
import type { WholeListReads } from './whole-list-reads.ts';

type ValuedQuery = ListQuery & { readonly listField: ListFieldUse };

interface ListRequest {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ValuedQuery;
  readonly variant: string;
}

export class ValuedLists {
  readonly #cacheValidator: CacheValidator;
  readonly #values: ListFieldCache | undefined;
  readonly #lists: ListIdCache | undefined;
  readonly #reads: WholeListReads;

  constructor(
    route: ModelRoute,
    { service, cacheValidator }: { readonly service: Service; readonly cacheValidator: CacheValidator },
    { lists, wholeListReads }: { readonly lists: ListIdStore | undefined; readonly wholeListReads: WholeListReads },
  ) {
    this.#cacheValidator = cacheValidator;
    this.#values = route.listField && new ListFieldCache(route.listField, route, service, cacheValidator);
    this.#lists = this.#values && lists && new ListIdCache(cacheValidator, lists, route);
    this.#reads = wholeListReads;
  }

  /**
   * Reads a page from the cached list, or reads and caches the list. The page is consistent only if nothing has changed
   * meanwhile.
   * @throws SearchGivenUp
   */
  async page(
    service: Service,
    requestOptions: RequestOptions,
    target: Target,
    listQuery: ValuedQuery,
  ): Promise<ValuedPage | Problem> {
    const { language, defaultLanguage } = requestOptions;
    const variant = `${language} ${defaultLanguage}`;
    const asked: ListRequest = { service, requestOptions, target, listQuery, variant };
    const listed = await this.#listedPage(asked);
    if (listed) return listed;
    // Another request may have read the list meanwhile.
    return this.#reads.run(async (pause) => {
      const known = await this.#listedPage(asked);
      if (known) return known;
      const check = this.#cacheValidator.lastCheck;
      const page = await listValued(service, requestOptions, target, listQuery, pause);
      if (isProblem(page)) return page;
      const { whole, endsAt } = page;
      if (whole) await this.#lists?.put(asked, whole, { check, endsAt });
      return page;
    });
  }

  /** @returns undefined if the list is not cached, or has changed meanwhile */
  async #listedPage(asked: ListRequest): Promise<ValuedPage | Problem | undefined> {
    const { service, requestOptions, target, listQuery } = asked;
    if (!this.#lists || !this.#values) return undefined;
    const values = await this.#values.valuesFor(service, requestOptions, listQuery.listField);
    if (isProblem(values)) return values;
    if (!this.#values.areCurrent(values)) return undefined;
    const listed = await this.#lists.page({ ...asked, values });
    if (!listed) return undefined;
    const { ids } = listed;
    const found = await readAll(service, requestOptions, { ...target, fields: listQuery.fields }, ids);
    if (found.size < ids.length) return undefined;
    const records = ids.map((id) => found.get(id)!);
    return { ...listed, records, values: await values.of(ids), endsAt: values.endsAt };
  }
}
