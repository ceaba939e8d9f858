/**
 * Whole lists that are asked for again and again: the identifiers of their records, in order. A list is read once, beside
 * other work. After changes only the changed records are judged anew, with the list's own statement. So a page at any depth and
 * its total need no search through all records.
 */
import { LRUCache } from 'lru-cache';
import {
  type Deciding,
  type ListQuery,
  listAll,
  listAmong,
  listDependencies,
  type ModelRoute,
  type RequestOptions,
  type Service,
  type Target,
} from '../../engine/index.ts';
import type { CacheTag, CacheValidator, ChangedRecords } from './cache-validator.ts';
import { ListQueue } from './list-read-queue.ts';
import { type Among, OrderedIds } from './ordered-ids.ts';

/** The lists of a server, in a memory of their own: neither they nor answers push each other out. */
export interface ListIdStore {
  readonly lists: LRUCache<string, CachedIds>;
  readonly queue: ListQueue;
}

/** A page of a list that is kept. */
interface CachedPage {
  /** The identifiers of its records. */
  readonly ids: readonly number[];
  /** How many the whole list has. */
  readonly total: number;
  /** The look at the store at which this is right. */
  readonly look: number;
}

/** A list that somebody asks for. */
interface AskedList {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ListQuery;
  /** In other languages it is another list. */
  readonly variant: string;
}

interface CachedIds {
  readonly ids: OrderedIds;
  /** The look at the store at which they are right. */
  look: number;
  /** Brings them to a newer look. */
  renewal: Promise<Renewed> | undefined;
}

/** `late`: too much changes just now to say what the list is. `useless`: it has to be read anew. */
type Renewed = 'right' | 'late' | 'useless';

/** With more changed records the list is read anew. */
const CHANGED_MAX = 500;

/** Judging begins anew where something changes meanwhile, so often. */
const TRIES_MAX = 3;

const ENTRY_BYTES = 1024;

/** A list with more records, or one of which a page took longer, is read where nobody waits for it. */
const SHORT_MAX = 5_000;
const SHORT_MILLISECONDS = 20;

export function createListIdStore(bytesMax: number): ListIdStore {
  const sizeOf = ({ ids }: CachedIds, key: string): number => bytesOf(key, ids.length);
  return { lists: new LRUCache({ maxSize: Math.ceil(bytesMax), sizeCalculation: sizeOf }), queue: new ListQueue() };
}

export class ListIdCache {
  readonly #cacheValidator: CacheValidator;
  readonly #idStore: ListIdStore;
  readonly #route: ModelRoute;
  readonly #changed: ChangedRecords;
  readonly #cacheTags = new Map<string, CacheTag>();

  constructor(cacheValidator: CacheValidator, memory: ListIdStore, route: ModelRoute) {
    this.#cacheValidator = cacheValidator;
    this.#idStore = memory;
    this.#route = route;
    this.#changed = cacheValidator.changedRecords(route.resource.name);
  }

  /** A page at the newest look at the store; undefined where the list is not kept. */
  async page(asked: AskedList): Promise<CachedPage | undefined> {
    const { lists, queue } = this.#idStore;
    const deciding = listDependencies(this.#route, asked.listQuery);
    const key = this.#keyOf(asked);
    const list = deciding && lists.get(key);
    if (!list) return undefined;
    const renewed = await this.#renewed(list, asked, this.#tagOn(deciding));
    if (renewed === 'useless') lists.delete(key);
    if (renewed !== 'right') return undefined;
    // With its new size.
    lists.set(key, list);
    queue.used(key);
    const { page, itemsPerPage } = asked.listQuery;
    const from = (page - 1) * itemsPerPage;
    return { ids: list.ids.slice(from, from + itemsPerPage), total: list.ids.length, look: list.look };
  }

  /**
   * A page had to be looked for: the list is read and kept, if that happens again.
   * @param milliseconds that the search for the page took
   */
  missed(asked: AskedList, total: number, milliseconds: number): void {
    const { lists, queue } = this.#idStore;
    const deciding = listDependencies(this.#route, asked.listQuery);
    const key = this.#keyOf(asked);
    if (!deciding || bytesOf(key, total) > lists.maxSize) return;
    const isLong = total > SHORT_MAX || milliseconds > SHORT_MILLISECONDS;
    queue.ask(key, () => this.#read(key, asked, this.#tagOn(deciding), isLong));
  }

  async #read(key: string, asked: AskedList, others: CacheTag, isLong: boolean): Promise<void> {
    const { service, requestOptions, target, listQuery } = asked;
    const look = this.#cacheValidator.taken;
    const ids = await listAll(service, requestOptions, target, listQuery, isLong);
    if (!OrderedIds.fits(ids)) return;
    const list = { ids: new OrderedIds(ids), look, renewal: undefined };
    // Whatever was committed before the reading is told from now on.
    await this.#cacheValidator.look();
    if (this.#cacheValidator.isUnchangedSince(look, { all: [others] })) this.#idStore.lists.set(key, list);
  }

  #keyOf({ variant, listQuery: { shape, values } }: AskedList): string {
    return `${this.#route.path} ${variant} ${shape} ${JSON.stringify(values)}`;
  }

  async #renewed(list: CachedIds, asked: AskedList, cacheTag: CacheTag): Promise<Renewed> {
    const look = this.#cacheValidator.taken;
    while (list.look < look) {
      list.renewal ??= this.#renew(list, asked, cacheTag).finally(() => {
        list.renewal = undefined;
      });
      const renewed = await list.renewal;
      if (renewed !== 'right') return renewed;
    }
    return 'right';
  }

  async #renew(
    list: CachedIds,
    { service, requestOptions, target, listQuery }: AskedList,
    others: CacheTag,
  ): Promise<Renewed> {
    const among: Among = async (ids) => (await listAmong(service, requestOptions, target, listQuery, ids)) as number[];
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const look = this.#cacheValidator.taken;
      if (!this.#cacheValidator.isUnchangedSince(list.look, { all: [others] })) return 'useless';
      const changed = this.#changed.since(list.look);
      if (changed === undefined || changed.size > CHANGED_MAX) return 'useless';
      if (changed.size === 0) {
        list.look = look;
        return 'right';
      }
      const ids = [...changed].map(Number);
      if (!OrderedIds.fits(ids)) return 'useless';
      const edits = await list.ids.editsFor(new Set(ids), among);
      // The answers just read have to be proved.
      await this.#cacheValidator.look();
      const isProved =
        this.#changed.since(look)?.size === 0 && this.#cacheValidator.isUnchangedSince(look, { all: [others] });
      if (!edits || !isProved) continue;
      list.ids.apply(edits);
      list.look = this.#cacheValidator.taken;
      return 'right';
    }
    return 'late';
  }

  #tagOn(deciding: Deciding): CacheTag {
    const key = JSON.stringify([...deciding].sort());
    const known =
      this.#cacheTags.get(key) ??
      this.#cacheValidator.cacheTag(({ resource, kind }) => {
        const counts = deciding.get(resource);
        return counts === 'every change' || (counts === 'deletion' && kind === 'deleted');
      });
    this.#cacheTags.set(key, known);
    return known;
  }
}

function bytesOf(key: string, length: number): number {
  return ENTRY_BYTES + 2 * key.length + Uint32Array.BYTES_PER_ELEMENT * length;
}
