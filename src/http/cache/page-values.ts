/** Values of a route's list field: the tags of their changes, and what the values for all parameters have in common. */
import {
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
import type { CacheDependencies, CacheTag, CacheValidator, ReadInterval } from './cache-validator.ts';

export class PageValues {
  readonly #listField: ModelListField;
  readonly #cacheValidator: CacheValidator;
  readonly #basisTag: CacheTag;
  /** Changes of other resources than the list's own. */
  readonly #tag: CacheTag;
  #basis: { readonly value: unknown; readonly interval: ReadInterval } | undefined;

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
  ): Promise<ListFieldValues | Problem> {
    return listFieldValues(service, requestOptions, use, await this.#currentBasis(service, requestOptions));
  }

  /** Adds what the values depend on, besides the shown records. */
  dependencies({ all, records }: CacheDependencies, endsAt: number | undefined): CacheDependencies {
    return { all: [...all, this.#tag], ...(records && { records }), endsAt };
  }

  async #currentBasis(service: Service, requestOptions: RequestOptions): Promise<unknown> {
    const cacheValidator = this.#cacheValidator;
    const known = this.#basis;
    if (known && cacheValidator.isValid(known.interval, { all: [this.#basisTag] })) return known.value;
    const after = cacheValidator.lastCheck;
    const value = await readListFieldBasis(service, requestOptions, this.#listField);
    this.#basis = { value, interval: { after, until: cacheValidator.lastStarted } };
    return value;
  }
}
