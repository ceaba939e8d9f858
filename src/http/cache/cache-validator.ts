/**
 * Says whether what was read earlier is what the store holds now. Each look at the store tells what changed since the look
 * before. One look serves all requests that came before it began, so it is at least as new as each of them. Of what was read
 * and kept two things are asked:
 *
 * 1. A look that began after the reading has been taken: whatever was committed before the reading is told by then.
 * 2. No look since the one before the reading has told a change that concerns it.
 *
 * Then the store holds at the newest look what it held when that was read, and at every moment between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeenChange, Service } from '../../engine/index.ts';
import { type StoreState, stateReader } from '../../store/state.ts';

/** The origin of an answer, as far as changes can concern it. */
export interface CacheDependencies {
  /** Changes of whole resources that concern it. */
  readonly all: readonly CacheTag[];
  /** Single records whose changes concern it, as `recordKey` names them. */
  readonly records?: readonly string[];
}

/** A set of resources of which many answers are made. It knows when one of them changed last. */
export interface CacheTag {
  readonly concerns: (change: SeenChange) => boolean;
  /** The number of the look that told of it. */
  changed: number;
}

/** The records of one resource that changed, each with the look that told of it, in the order of looks. */
export class ChangedRecords {
  #entries: { readonly record: string; readonly look: number }[] = [];
  /** The newest look of which something is forgotten. */
  #forgotten = 0;

  note(record: string, look: number): void {
    this.#entries.push({ record, look });
    if (this.#entries.length <= CHANGED_MAX) return;
    this.#forgotten = this.#entries[CHANGED_MAX / 2]!.look;
    this.#entries = this.#entries.filter((entry) => entry.look > this.#forgotten);
  }

  /** The identifiers of which looks after this one told; undefined where they are not known any more. */
  since(look: number): ReadonlySet<string> | undefined {
    if (look < this.#forgotten) return undefined;
    const records = new Set<string>();
    for (let index = this.#entries.length - 1; index >= 0 && this.#entries[index]!.look > look; index -= 1)
      records.add(this.#entries[index]!.record);
    return records;
  }
}

/** When something was read, by the numbers of looks. */
export interface Reading {
  /** The look that was taken before it began. */
  readonly after: number;
  /** The newest look that had begun when it had ended. */
  readonly until: number;
}

/** A look that takes longer, on a connection that has gone silent, holds the next one up no longer. */
const LOOK_MS_MAX = 100;

/** So many changes of a resource are remembered one by one. */
const CHANGED_MAX = 10_000;

/** So many records are known to have changed; with more, everything counts as changed. */
const RECORDS_MAX = 50_000;

export class CacheValidator {
  readonly #database: Service['database'];
  readonly #read: ReturnType<typeof stateReader>;
  readonly #cacheTags: CacheTag[] = [];
  readonly #changed = new Map<string, ChangedRecords>();
  /** For each record that changed, the look that told of it last. */
  readonly #records = new Map<string, number>();
  /** The last look after which nothing that was read before may be used. */
  #everything = 0;
  #begun = 0;
  #taken = 0;
  #state: StoreState | undefined;
  #generation: number | undefined;
  #generationOfOthers: number | undefined;
  /** Looks that are asked for and not ended. */
  #open = 0;
  /** Settles when the last of them has ended, or has taken too long. */
  #last: Promise<unknown> = Promise.resolve();
  /** The one that has not begun. */
  #next: Promise<StoreState> | undefined;

  constructor(service: Pick<Service, 'database' | 'statements'>) {
    this.#database = service.database;
    this.#read = stateReader(service);
  }

  /** The number of the newest look: a reading that begins now is after it. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of the newest look that has begun: a reading that ends now is until it. */
  get begun(): number {
    return this.#begun;
  }

  /** The store's state at the newest look: the same object as long as it says the same. */
  get state(): StoreState | undefined {
    return this.#state;
  }

  /** Looks at the store, where that needs no statement. @returns whether it does not */
  lookAtOnce(): boolean {
    if (this.#open > 0 || !this.#isUnchanged()) return false;
    this.#begun += 1;
    this.#taken = this.#begun;
    return true;
  }

  /** Looks at the store. @returns its state at a moment after this call */
  look(): Promise<StoreState> {
    if (this.lookAtOnce()) return Promise.resolve(this.#state!);
    // One that has begun may have seen the store before this call.
    this.#next ??= this.#inTurn();
    return this.#next;
  }

  /** Whether what was read and made of these sources is what the store holds at the newest look. */
  holds({ after, until }: Reading, dependencies: CacheDependencies): boolean {
    return this.#taken > until && this.isUnchangedSince(after, dependencies);
  }

  /** Whether no look after that one has told a change that concerns these sources. */
  isUnchangedSince(look: number, { all, records = [] }: CacheDependencies): boolean {
    if (this.#everything > look) return false;
    for (const { changed } of all) if (changed > look) return false;
    for (const record of records) if ((this.#records.get(record) ?? 0) > look) return false;
    return true;
  }

  /** A set of resources that lives as long as the program. */
  cacheTag(concerns: CacheTag['concerns']): CacheTag {
    const made = { concerns, changed: 0 };
    this.#cacheTags.push(made);
    return made;
  }

  /** The records of a resource that change from now on. */
  changedRecords(resource: string): ChangedRecords {
    const known = this.#changed.get(resource) ?? new ChangedRecords();
    this.#changed.set(resource, known);
    return known;
  }

  #isUnchanged(): boolean {
    if (this.#state === undefined || this.#generation === undefined) return false;
    try {
      return this.#database.generation() === this.#generation;
    } catch {
      // The statement of the look tells what is wrong.
      return false;
    }
  }

  #inTurn(): Promise<StoreState> {
    this.#open += 1;
    const begun = Promise.withResolvers<void>();
    const look = this.#last.then(() => {
      this.#next = undefined;
      begun.resolve();
      return this.#take().finally(() => {
        this.#open -= 1;
      });
    });
    this.#last = endOf(begun.promise, look);
    return look;
  }

  async #take(): Promise<StoreState> {
    this.#begun += 1;
    const number = this.#begun;
    const generation = this.#database.generation();
    const generationOfOthers = this.#database.generationOfOthers();
    const { state, changes: changesUntil } = await this.#read();
    // A later look was quicker, and has told all that this one would.
    if (number < this.#taken) return this.#state!;
    const changes = changesUntil();
    const isSameState = JSON.stringify(state) === JSON.stringify(this.#state);
    // Another's commit that the journal does not tell of: of what no record shows, or past the program.
    const isUnpublished = changes?.length === 0 && generationOfOthers !== this.#generationOfOthers;
    if (changes === undefined || isUnpublished || !isSameState) this.#everything = number;
    else for (const change of changes) this.#note(change, number);
    this.#taken = number;
    if (!isSameState) this.#state = state;
    this.#generation = generation;
    this.#generationOfOthers = generationOfOthers;
    return this.#state!;
  }

  #note(change: SeenChange, look: number): void {
    for (const cacheTag of this.#cacheTags) if (cacheTag.concerns(change)) cacheTag.changed = look;
    this.#changed.get(change.resource)?.note(change.record, look);
    const key = recordKey(change.resource, change.record);
    if (this.#records.size === RECORDS_MAX && !this.#records.has(key)) {
      this.#records.clear();
      this.#everything = look;
    }
    this.#records.set(key, look);
  }
}

/** Settles when the look has ended, or too long after it has begun. */
async function endOf(begun: Promise<void>, look: Promise<unknown>): Promise<void> {
  await begun;
  const ended = new AbortController();
  const late = sleep(LOOK_MS_MAX, undefined, { signal: ended.signal, ref: false });
  await Promise.race([look, late]).catch(() => {});
  ended.abort();
  late.catch(() => {});
}

export function recordKey(resource: string, record: string): string {
  return `${resource} ${record}`;
}
