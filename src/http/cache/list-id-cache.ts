/**
 * Whole lists that are asked for again and again: the identifiers of their records, in order. A list is read once, beside
 * other work. After changes only the changed records are judged anew, with the list's own statement. So a page at any depth and
 * its total need no search through all records.
 */
import { LRUCache } from 'lru-cache';
import {
  type Caller,
  type Deciding,
  decidingResources,
  type ListIntent,
  listAll,
  listAmong,
  type ModelPlace,
  type Service,
  type Target,
} from '../../engine/index.ts';
import type { ChangedRecords, Dependence, Freshness } from './cache-validator.ts';
import { ListQueue } from './list-read-queue.ts';
import { type Among, OrderedIds } from './ordered-ids.ts';

/** The lists of a server, in a memory of their own: neither they nor answers push each other out. */
export interface ListMemory {
  readonly lists: LRUCache<string, KeptList>;
  readonly queue: ListQueue;
}

/** A page of a list that is kept. */
interface KeptPage {
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
  readonly caller: Caller;
  readonly target: Target;
  readonly intent: ListIntent;
  /** In other languages it is another list. */
  readonly wording: string;
}

interface KeptList {
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

export function listMemory(bytesMax: number): ListMemory {
  const sizeOf = ({ ids }: KeptList, key: string): number => bytesOf(key, ids.length);
  return { lists: new LRUCache({ maxSize: Math.ceil(bytesMax), sizeCalculation: sizeOf }), queue: new ListQueue() };
}

export class KeptLists {
  readonly #freshness: Freshness;
  readonly #memory: ListMemory;
  readonly #place: ModelPlace;
  readonly #changed: ChangedRecords;
  readonly #dependences = new Map<string, Dependence>();

  constructor(freshness: Freshness, memory: ListMemory, place: ModelPlace) {
    this.#freshness = freshness;
    this.#memory = memory;
    this.#place = place;
    this.#changed = freshness.changedRecords(place.resource.name);
  }

  /** A page at the newest look at the store; undefined where the list is not kept. */
  async page(asked: AskedList): Promise<KeptPage | undefined> {
    const { lists, queue } = this.#memory;
    const deciding = decidingResources(this.#place, asked.intent);
    const key = this.#keyOf(asked);
    const list = deciding && lists.get(key);
    if (!list) return undefined;
    const renewed = await this.#renewed(list, asked, this.#dependenceOn(deciding));
    if (renewed === 'useless') lists.delete(key);
    if (renewed !== 'right') return undefined;
    // With its new size.
    lists.set(key, list);
    queue.used(key);
    const { page, itemsPerPage } = asked.intent;
    const from = (page - 1) * itemsPerPage;
    return { ids: list.ids.slice(from, from + itemsPerPage), total: list.ids.length, look: list.look };
  }

  /**
   * A page had to be looked for: the list is read and kept, if that happens again.
   * @param milliseconds that the search for the page took
   */
  missed(asked: AskedList, total: number, milliseconds: number): void {
    const { lists, queue } = this.#memory;
    const deciding = decidingResources(this.#place, asked.intent);
    const key = this.#keyOf(asked);
    if (!deciding || bytesOf(key, total) > lists.maxSize) return;
    const isLong = total > SHORT_MAX || milliseconds > SHORT_MILLISECONDS;
    queue.ask(key, () => this.#read(key, asked, this.#dependenceOn(deciding), isLong));
  }

  async #read(key: string, asked: AskedList, others: Dependence, isLong: boolean): Promise<void> {
    const { service, caller, target, intent } = asked;
    const look = this.#freshness.taken;
    const ids = await listAll(service, caller, target, intent, isLong);
    if (!OrderedIds.fits(ids)) return;
    const list = { ids: new OrderedIds(ids), look, renewal: undefined };
    // Whatever was committed before the reading is told from now on.
    await this.#freshness.look();
    if (this.#freshness.isUnchangedSince(look, { all: [others] })) this.#memory.lists.set(key, list);
  }

  #keyOf({ wording, intent: { shape, values } }: AskedList): string {
    return `${this.#place.path} ${wording} ${shape} ${JSON.stringify(values)}`;
  }

  async #renewed(list: KeptList, asked: AskedList, dependence: Dependence): Promise<Renewed> {
    const look = this.#freshness.taken;
    while (list.look < look) {
      list.renewal ??= this.#renew(list, asked, dependence).finally(() => {
        list.renewal = undefined;
      });
      const renewed = await list.renewal;
      if (renewed !== 'right') return renewed;
    }
    return 'right';
  }

  async #renew(list: KeptList, { service, caller, target, intent }: AskedList, others: Dependence): Promise<Renewed> {
    const among: Among = async (ids) => (await listAmong(service, caller, target, intent, ids)) as number[];
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const look = this.#freshness.taken;
      if (!this.#freshness.isUnchangedSince(list.look, { all: [others] })) return 'useless';
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
      await this.#freshness.look();
      const isProved =
        this.#changed.since(look)?.size === 0 && this.#freshness.isUnchangedSince(look, { all: [others] });
      if (!edits || !isProved) continue;
      list.ids.apply(edits);
      list.look = this.#freshness.taken;
      return 'right';
    }
    return 'late';
  }

  #dependenceOn(deciding: Deciding): Dependence {
    const key = JSON.stringify([...deciding].sort());
    const known =
      this.#dependences.get(key) ??
      this.#freshness.dependence(({ resource, kind }) => {
        const counts = deciding.get(resource);
        return counts === 'every change' || (counts === 'deletion' && kind === 'deleted');
      });
    this.#dependences.set(key, known);
    return known;
  }
}

function bytesOf(key: string, length: number): number {
  return ENTRY_BYTES + 2 * key.length + Uint32Array.BYTES_PER_ELEMENT * length;
}
