/**
 * Identifiers of complete lists that are requested repeatedly. A list is read once, in the background. After changes, only the
 * changed records are evaluated, with the list's own statement. A page at any depth and its total then need no search
 * through all records.
 */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import {
  type Deciding,
  hasPositions,
  isSortedById,
  type ListFieldValues,
  type ListPosition,
  type ListQuery,
  listAll,
  listAmong,
  listAmongValued,
  listDependencies,
  listFieldResources,
  listPositions,
  type ModelRoute,
  type RequestOptions,
  type Service,
  type Target,
  type Value,
} from '../../engine/index.ts';
import type { CacheTag, CacheValidator, ChangedRecords } from './cache-validator.ts';
import { ListReadQueue } from './list-read-queue.ts';
import { OrderedIds, type OrderQuery } from './ordered-ids.ts';

/** The lists of all routes. They have their own memory, so that lists and responses cannot evict each other. */
export interface ListIdStore {
  readonly lists: LRUCache<string, CachedIds>;
  readonly queue: ListReadQueue;
}

/** A page of a cached list. */
interface CachedPage {
  readonly ids: readonly number[];
  /** The length of the whole list. */
  readonly total: number;
  readonly hasNext: boolean;
  /** The position of the last record, if records follow and the list has positions. */
  readonly end: ListPosition | undefined;
  /** The last check at which the list was valid. */
  readonly check: number;
  /** Whether everything is as of that check. Otherwise the page is valid only if a later check reports no change. */
  readonly isValidated: boolean;
}

interface ListRequest {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ListQuery;
  /** Each language has its own list. */
  readonly variant: string;
  /** Values of the list field, if it decides the list. */
  readonly values?: ListFieldValues | undefined;
}

interface CachedIds {
  readonly ids: OrderedIds;
  /** Seconds since 1970: when the order may change without a change of a record. */
  readonly endsAt: number | undefined;
  /** The last check at which the identifiers were valid. */
  check: number;
  /** An update in progress. */
  update: Promise<UpdateResult> | undefined;
}

/** `behind`: too many concurrent changes to update the list now. `invalid`: the list has to be read again. */
type UpdateResult = 'valid' | 'behind' | 'invalid';

/** If more records have changed, the list is read again. */
const CHANGED_MAX = 500;

/** Attempts to update a list while other records change. */
const UPDATE_ATTEMPTS_MAX = 3;

const ENTRY_BYTES = 1024;

/** A list that has more records, or a page of which took longer, is read in the background process. */
const SHORT_MAX = 5_000;
const SHORT_MILLISECONDS = 20;

export function createListIdStore(bytesMax: number): ListIdStore {
  const sizeOf = ({ ids }: CachedIds, key: string): number => bytesOf(key, ids.length);
  return { lists: new LRUCache({ maxSize: Math.ceil(bytesMax), sizeCalculation: sizeOf }), queue: new ListReadQueue() };
}

export class ListIdCache {
  readonly #cacheValidator: CacheValidator;
  readonly #store: ListIdStore;
  readonly #route: ModelRoute;
  readonly #changed: ChangedRecords;
  readonly #tags = new Map<string, CacheTag>();

  constructor(cacheValidator: CacheValidator, store: ListIdStore, route: ModelRoute) {
    this.#cacheValidator = cacheValidator;
    this.#store = store;
    this.#route = route;
    this.#changed = cacheValidator.changedRecords(route.resource.name);
  }

  /** Returns a page as of the last check, or undefined if the list is not cached. */
  async page(asked: ListRequest): Promise<CachedPage | undefined> {
    const { lists, queue } = this.#store;
    const deciding = this.#decidingOf(asked);
    const key = this.#keyOf(asked);
    const list = deciding && lists.get(key);
    if (!list) return undefined;
    if (list.endsAt !== undefined && asked.service.clock.now() >= list.endsAt) {
      lists.delete(key);
      return undefined;
    }
    const result = await this.#update(list, asked, this.#tagOf(deciding));
    if (result === 'invalid') lists.delete(key);
    if (result !== 'valid') return undefined;
    // Its size may have changed.
    lists.set(key, list);
    queue.used(key);
    return this.#pageOf(list, asked);
  }

  /** @returns undefined if the page begins after a record that is not in the list, or no longer at this position */
  async #pageOf({ ids, check }: CachedIds, asked: ListRequest): Promise<CachedPage | undefined> {
    const { service, requestOptions, target, listQuery } = asked;
    const { page, itemsPerPage, after } = listQuery;
    const previous = after?.at(-1) as number | undefined;
    const index = previous === undefined ? (page - 1) * itemsPerPage - 1 : ids.indexOf(previous);
    if (after && index < 0) return undefined;
    // The list may change during the query below.
    const shown = ids.slice(index + 1, index + 1 + itemsPerPage);
    const total = ids.length;
    const hasNext = index + 1 + itemsPerPage < total;
    const last = hasNext && hasPositions(this.#route, listQuery) ? shown.at(-1) : undefined;
    const needed = [...(previous === undefined ? [] : [previous]), ...(last === undefined ? [] : [last])];
    const isValidated = needed.length === 0 || isSortedById(this.#route, listQuery);
    const positions =
      needed.length === 0 ? undefined : await listPositions(service, requestOptions, target, listQuery, needed);
    if (after && !isDeepStrictEqual(positions?.get(previous!), after)) return undefined;
    const end = last === undefined ? undefined : positions?.get(last);
    if (last !== undefined && !end) return undefined;
    return { ids: shown, total, hasNext, end, check, isValidated };
  }

  /**
   * Counts a page that had to be queried. If that happens often enough, the list is read.
   * @param milliseconds duration of the query
   */
  missed(asked: ListRequest, total: number, milliseconds: number): void {
    const { lists, queue } = this.#store;
    const deciding = listDependencies(this.#route, asked.listQuery);
    const key = this.#keyOf(asked);
    if (!deciding || bytesOf(key, total) > lists.maxSize) return;
    const isLong = total > SHORT_MAX || milliseconds > SHORT_MILLISECONDS;
    queue.request(key, () => this.#read(key, asked, this.#tagOf(deciding), isLong));
  }

  async #read(key: string, asked: ListRequest, others: CacheTag, isLong: boolean): Promise<void> {
    const { service, requestOptions, target, listQuery } = asked;
    const check = this.#cacheValidator.lastCheck;
    const ids = await listAll(service, requestOptions, target, listQuery, isLong);
    await this.#add(key, ids, { check, endsAt: undefined }, others);
  }

  /**
   * Caches a list that its list field decides.
   * @param read the last check that was complete when the read started, and when the order may change
   */
  async put(asked: ListRequest, ids: readonly number[], read: Pick<CachedIds, 'check' | 'endsAt'>): Promise<void> {
    const deciding = this.#decidingOf(asked);
    const key = this.#keyOf(asked);
    if (!deciding || bytesOf(key, ids.length) > this.#store.lists.maxSize) return;
    await this.#add(key, ids, read, this.#tagOf(deciding));
  }

  async #add(
    key: string,
    ids: readonly Value[],
    { check, endsAt }: Pick<CachedIds, 'check' | 'endsAt'>,
    others: CacheTag,
  ): Promise<void> {
    if (!OrderedIds.fits(ids)) return;
    const list = { ids: new OrderedIds(ids), endsAt, check, update: undefined };
    // After this check, every change committed before the read has been reported.
    await this.#cacheValidator.check();
    if (this.#cacheValidator.isUnchangedSince(check, { all: [others] })) this.#store.lists.set(key, list);
  }

  #keyOf({ variant, listQuery: { shape, values, listField } }: ListRequest): string {
    return `${this.#route.path} ${variant} ${shape} ${JSON.stringify(values)} ${listField?.membersKey ?? ''}`;
  }

  /** The other resources that decide the list, those of its list field included. */
  #decidingOf({ service, listQuery }: ListRequest): Deciding | undefined {
    const deciding = listDependencies(this.#route, listQuery);
    const { listField: use } = listQuery;
    if (!deciding || use?.membersKey === undefined) return deciding;
    const { all } = listFieldResources(service.model, use.listField);
    const others = [...all].filter((name) => name !== this.#route.resource.name);
    return new Map([...deciding, ...others.map((name) => [name, 'every change'] as const)]);
  }

  /** Updates the list to the last check. Concurrent requests share an update. */
  async #update(list: CachedIds, asked: ListRequest, others: CacheTag): Promise<UpdateResult> {
    const check = this.#cacheValidator.lastCheck;
    while (list.check < check) {
      list.update ??= this.#applyChanges(list, asked, others).finally(() => {
        list.update = undefined;
      });
      const result = await list.update;
      if (result !== 'valid') return result;
    }
    return 'valid';
  }

  async #applyChanges(list: CachedIds, asked: ListRequest, others: CacheTag): Promise<UpdateResult> {
    const order: OrderQuery = (ids) => orderOf(asked, ids);
    for (let attempt = 0; attempt < UPDATE_ATTEMPTS_MAX; attempt += 1) {
      const check = this.#cacheValidator.lastCheck;
      if (!this.#cacheValidator.isUnchangedSince(list.check, { all: [others] })) return 'invalid';
      const changed = this.#changed.since(list.check);
      if (changed === undefined || changed.size > CHANGED_MAX) return 'invalid';
      if (changed.size === 0) {
        list.check = check;
        return 'valid';
      }
      const ids = [...changed].map(Number);
      if (!OrderedIds.fits(ids)) return 'invalid';
      const edits = await list.ids.editsFor(new Set(ids), order);
      // The query results are valid only without changes in the meantime.
      await this.#cacheValidator.check();
      const isUnchanged =
        this.#changed.since(check)?.size === 0 && this.#cacheValidator.isUnchangedSince(check, { all: [others] });
      if (!edits || !isUnchanged) continue;
      list.ids.apply(edits);
      list.check = this.#cacheValidator.lastCheck;
      return 'valid';
    }
    return 'behind';
  }

  /** The tag of changes in other resources that decide the list. Lists with the same dependencies share it. */
  #tagOf(deciding: Deciding): CacheTag {
    const key = JSON.stringify([...deciding].sort());
    const known =
      this.#tags.get(key) ??
      this.#cacheValidator.createTag(({ resource, kind }) => {
        const counts = deciding.get(resource);
        return counts === 'every change' || (counts === 'deletion' && kind === 'deleted');
      });
    this.#tags.set(key, known);
    return known;
  }
}

/** Returns those of the records that are in the list, in its order. */
async function orderOf(
  { service, requestOptions, target, listQuery, values }: ListRequest,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { listField } = listQuery;
  if (values && listField?.membersKey !== undefined)
    return listAmongValued(service, requestOptions, target, { ...listQuery, listField }, ids, values);
  return (await listAmong(service, requestOptions, target, listQuery, ids)) as number[];
}

function bytesOf(key: string, length: number): number {
  return ENTRY_BYTES + 2 * key.length + Uint32Array.BYTES_PER_ELEMENT * length;
}
