/**
 * Whole lists that are asked for again and again: the identifiers of their records, in order. A list is read once, beside
 * other work. After changes only the changed records are judged anew, with the list's own statement, so a page at any depth and its
 * total cost the same however long the list is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  type Caller,
  decidingResources,
  type ListIntent,
  listAll,
  listAmong,
  type ModelPlace,
  type Service,
  type Target,
} from '../engine/index.ts';
import type { ChangedRecords, Dependence, Freshness } from '../store/freshness.ts';
import type { Memory } from './memory.ts';
import { type Among, OrderedIds } from './ordered-ids.ts';

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

/** Lists that were asked for once. */
const ASKED_MAX = 1000;

/** Lists that wait to be read; more are not, and may be asked for again. */
const WAITING_MAX = 8;

const ENTRY_BYTES = 1024;

export class KeptLists {
  readonly #freshness: Freshness;
  readonly #memory: Memory;
  readonly #place: ModelPlace;
  readonly #changed: ChangedRecords;
  readonly #reading: Reading;
  readonly #dependences = new Map<string, Dependence>();

  /** @param reading shared by all lists of a server */
  constructor(freshness: Freshness, memory: Memory, place: ModelPlace, reading: Reading) {
    this.#freshness = freshness;
    this.#memory = memory;
    this.#place = place;
    this.#changed = freshness.changedRecords(place.resource.name);
    this.#reading = reading;
  }

  /**
   * A page at the newest look at the store; undefined where the list is not kept.
   * @param form what else tells this list from others: the place, the languages
   */
  async page(asked: AskedList, form: string): Promise<KeptPage | undefined> {
    const besides = decidingResources(this.#place, asked.intent);
    if (!besides) return undefined;
    const { shape, values, page, itemsPerPage } = asked.intent;
    const key = `list ${form} ${shape} ${JSON.stringify(values)}`;
    const dependence = this.#dependenceOn(besides);
    const list = this.#memory.get(key) as KeptList | undefined;
    if (!list) {
      this.#reading.ask(key, () => this.#read(key, asked));
      return undefined;
    }
    const renewed = await this.#renewed(list, asked, dependence);
    if (renewed === 'useless') this.#memory.delete(key);
    if (renewed !== 'right') return undefined;
    this.#memory.set(key, list, sizeOf(key, list), true);
    const from = (page - 1) * itemsPerPage;
    return { ids: list.ids.slice(from, from + itemsPerPage), total: list.ids.length, look: list.look };
  }

  async #read(key: string, { service, caller, target, intent }: AskedList): Promise<void> {
    const look = this.#freshness.taken;
    const ids = await listAll(service, caller, target, intent);
    if (!OrderedIds.fits(ids)) return;
    const list = { ids: new OrderedIds(ids), look, renewal: undefined };
    // Whatever was committed before the reading is told from now on.
    await this.#freshness.look();
    this.#memory.set(key, list, sizeOf(key, list), true);
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
      const edits = await list.ids.editsFor(new Set([...changed].map(Number)), among);
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

  #dependenceOn(resources: ReadonlySet<string>): Dependence {
    const key = [...resources].sort().join();
    const known = this.#dependences.get(key) ?? this.#freshness.dependence(({ resource }) => resources.has(resource));
    this.#dependences.set(key, known);
    return known;
  }
}

/**
 * Reads lists that were asked for twice, one at a time, and rests after each for as long as it took: however many different lists
 * are asked for, others get at least half of the time.
 */
export class Reading {
  readonly #asked = new LRUCache<string, true>({ max: ASKED_MAX });
  readonly #waiting = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  /** @param read its failures mean that the list is not kept; whoever asks for a page hears of them */
  ask(key: string, read: () => Promise<void>): void {
    const isFirst = !this.#asked.has(key);
    this.#asked.set(key, true);
    if (isFirst || this.#waiting.has(key) || this.#waiting.size >= WAITING_MAX) return;
    this.#waiting.add(key);
    this.#last = this.#last.then(async () => {
      const startedAt = performance.now();
      await read().catch(() => {});
      this.#waiting.delete(key);
      await sleep(performance.now() - startedAt, undefined, { ref: false });
    });
  }
}

function sizeOf(key: string, { ids }: KeptList): number {
  return ENTRY_BYTES + 2 * key.length + ids.bytes;
}
