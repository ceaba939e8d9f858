/** Cache of a route's list field: what the values for all parameters have in common, and the tags of their changes. */
import {
  isProblem,
  type ListFieldUse,
  type ListFieldValues,
  listFieldResources,
  listFieldValues,
  type ModelListField,
  type ModelRoute,
  type Problem,
  type RequestOptions,
  readListFieldBasis,
  type Service,
} from '../../engine/index.ts';
import type { CacheDependencies, CacheTag, CacheValidator } from './cache-validator.ts';

/** The values for the parameters of one request. */
export interface RequestValues extends ListFieldValues {
  /** The last check that was complete when they were requested. */
  readonly check: number;
}

export class ListFieldCache {
  readonly #listField: ModelListField;
  readonly #cacheValidator: CacheValidator;
  readonly #basisTag: CacheTag;
  /** Changes of other resources than the list's own. */
  readonly #tag: CacheTag;
  #basis: { readonly value: Promise<unknown>; readonly after: number } | undefined;

  constructor(
    listField: ModelListField,
    { resource: own }: ModelRoute,
    { model }: Service,
    cacheValidator: CacheValidator,
  ) {
    const { basis, all } = listFieldResources(model, listField);
    this.#listField = listField;
    this.#cacheValidator = cacheValidator;
    this.#basisTag = cacheValidator.createTag(({ resource }) => basis.has(resource));
    this.#tag = cacheValidator.createTag(({ resource }) => resource !== own.name && all.has(resource));
  }

  async valuesFor(
    service: Service,
    requestOptions: RequestOptions,
    use: ListFieldUse,
  ): Promise<RequestValues | Problem> {
    const check = this.#cacheValidator.lastCheck;
    const basis = await this.#currentBasis(service, requestOptions);
    const values = await listFieldValues(service, requestOptions, use, basis);
    return isProblem(values) ? values : { ...values, check };
  }

  /** Whether the basis of the values was unchanged until the last check, and the values have not ended. */
  areCurrent({ check, endsAt }: RequestValues): boolean {
    return this.#cacheValidator.isUnchangedSince(check, { all: [this.#basisTag], endsAt });
  }

  /** Adds what the values depend on, besides the shown records. */
  dependencies({ all, records }: CacheDependencies, endsAt: number | undefined): CacheDependencies {
    return { all: [...all, this.#tag], ...(records && { records }), endsAt };
  }

  /** Concurrent requests share a read. A change that it misses or that is not reported yet is found by `areCurrent`. */
  #currentBasis(service: Service, requestOptions: RequestOptions): Promise<unknown> {
    const after = this.#cacheValidator.lastCheck;
    const known = this.#basis;
    if (known && this.#cacheValidator.isUnchangedSince(known.after, { all: [this.#basisTag] })) return known.value;
    const read = { value: readListFieldBasis(service, requestOptions, this.#listField), after };
    this.#basis = read;
    read.value.catch(() => {
      if (this.#basis === read) this.#basis = undefined;
    });
    return read.value;
  }
}
