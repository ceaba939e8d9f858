/**
 * Decides whether a cached value is what the store contains now. A *check* reads the journal entries committed since the
 * previous check, together with the store's keys and languages. One check serves all requests that arrived before it
 * started. `README.md` explains how the caches use it.
 *
 * A cached value is valid if
 *
 * 1. a check has completed that started after the value was read, so that every change committed before the read has been
 *    reported, and
 * 2. since the last check before the read, no check has reported a change of the value's dependencies, and
 * 3. the time at which it ends, if it has one, has not come.
 *
 * At the last check, the store then contained what was read, and did so at every time in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeenChange, Service } from '../../engine/index.ts';
import { type StoreState, stateReader } from '../../store/state.ts';

/** The changes that invalidate a cached value. */
export interface CacheDependencies {
  readonly all: readonly CacheTag[];
  /** Single records, as `recordKey` names them. */
  readonly records?: readonly string[];
  /** Seconds since 1970: when the value ends without a change. */
  readonly endsAt?: number | undefined;
}

/** A set of changes that many cached values depend on, with the last check that reported one of them. */
export interface CacheTag {
  readonly matches: (change: SeenChange) => boolean;
  /** The number of that check. */
  changed: number;
}

/** The changed records of one resource, each with the check that reported it, in the order of checks. */
export class ChangedRecords {
  #entries: { readonly record: string; readonly check: number }[] = [];
  /** The last check whose entry was discarded. */
  #discardedUntil = 0;

  add(record: string, check: number): void {
    this.#entries.push({ record, check });
    if (this.#entries.length <= CHANGED_MAX) return;
    this.#discardedUntil = this.#entries[CHANGED_MAX / 2]!.check;
    this.#entries = this.#entries.filter((entry) => entry.check > this.#discardedUntil);
  }

  /** @returns the records that later checks reported; undefined if some of these entries were discarded */
  since(check: number): ReadonlySet<string> | undefined {
    if (check < this.#discardedUntil) return undefined;
    const records = new Set<string>();
    for (let index = this.#entries.length - 1; index >= 0 && this.#entries[index]!.check > check; index -= 1)
      records.add(this.#entries[index]!.record);
    return records;
  }
}

/** When a value was read, in numbers of checks. */
export interface ReadInterval {
  /** The last check that was complete when the read started. */
  readonly after: number;
  /** The last check that had started when the read ended. */
  readonly until: number;
}

/** A check that takes longer, on a connection that no longer responds, does not delay the next one. */
const CHECK_MS_MAX = 100;

/** Changed records that are stored for each resource. */
const CHANGED_MAX = 10_000;

/** Changed records that are stored in all. If there are more, every cached value is invalidated. */
const RECORDS_MAX = 50_000;

export class CacheValidator {
  readonly #database: Service['database'];
  readonly #clock: Service['clock'];
  readonly #read: ReturnType<typeof stateReader>;
  readonly #tags: CacheTag[] = [];
  readonly #changed = new Map<string, ChangedRecords>();
  /** The last check that reported each record. */
  readonly #records = new Map<string, number>();
  /** The last check that invalidated everything read before it. */
  #everything = 0;
  #lastStarted = 0;
  #lastCheck = 0;
  #state: StoreState | undefined;
  #generation: number | undefined;
  #generationOfOthers: number | undefined;
  /** Checks that were requested and have not ended. */
  #pending = 0;
  /** Settles when the last of them has ended or has taken too long. */
  #previous: Promise<unknown> = Promise.resolve();
  /** The check that has not started. */
  #next: Promise<StoreState> | undefined;

  constructor(service: Pick<Service, 'database' | 'statements' | 'clock'>) {
    this.#database = service.database;
    this.#clock = service.clock;
    this.#read = stateReader(service);
  }

  /** The number of the last completed check. Get it before a read, for `ReadInterval.after`. */
  get lastCheck(): number {
    return this.#lastCheck;
  }

  /** The number of the last started check. Get it after a read, for `ReadInterval.until`. */
  get lastStarted(): number {
    return this.#lastStarted;
  }

  /** The keys and languages at the last check: the same object as long as they are unchanged. */
  get state(): StoreState | undefined {
    return this.#state;
  }

  /** Checks the store if that needs no statement, because there was no commit. @returns whether it has checked */
  checkWithoutStatement(): boolean {
    if (this.#pending > 0 || !this.#isUnchanged()) return false;
    this.#lastStarted += 1;
    this.#lastCheck = this.#lastStarted;
    return true;
  }

  /** Checks the store. @returns its keys and languages at a time after this call */
  check(): Promise<StoreState> {
    if (this.checkWithoutStatement()) return Promise.resolve(this.#state!);
    // A check that has already started may have read the store before this call.
    this.#next ??= this.#enqueue();
    return this.#next;
  }

  /** Whether a value that was read in this interval is what the store contained at the last check. */
  isValid({ after, until }: ReadInterval, dependencies: CacheDependencies): boolean {
    return this.#lastCheck > until && this.isUnchangedSince(after, dependencies);
  }

  /** Whether no later check has reported a change of these dependencies, and they have not ended. */
  isUnchangedSince(check: number, { all, records = [], endsAt }: CacheDependencies): boolean {
    if (this.#everything > check) return false;
    if (endsAt !== undefined && this.#clock.now() >= endsAt) return false;
    for (const { changed } of all) if (changed > check) return false;
    for (const record of records) if ((this.#records.get(record) ?? 0) > check) return false;
    return true;
  }

  /** Creates a tag. Tags are never removed, so their number must be bounded by the declarations. */
  createTag(matches: CacheTag['matches']): CacheTag {
    const tag = { matches, changed: 0 };
    this.#tags.push(tag);
    return tag;
  }

  /** Starts to collect the changed records of a resource. */
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
      // The statement of the check reports what is wrong.
      return false;
    }
  }

  #enqueue(): Promise<StoreState> {
    this.#pending += 1;
    const started = Promise.withResolvers<void>();
    const check = this.#previous.then(() => {
      this.#next = undefined;
      started.resolve();
      return this.#run().finally(() => {
        this.#pending -= 1;
      });
    });
    this.#previous = endOrTimeout(started.promise, check);
    return check;
  }

  async #run(): Promise<StoreState> {
    this.#lastStarted += 1;
    const number = this.#lastStarted;
    const generation = this.#database.generation();
    const generationOfOthers = this.#database.generationOfOthers();
    const { state, changes: changesUntil } = await this.#read();
    // A later check has completed first and has reported everything that this one would.
    if (number < this.#lastCheck) return this.#state!;
    const changes = changesUntil();
    const isSameState = JSON.stringify(state) === JSON.stringify(this.#state);
    // A commit of another connection without a journal entry: bookkeeping of another process, or manual SQL.
    const isUnpublished = changes?.length === 0 && generationOfOthers !== this.#generationOfOthers;
    if (changes === undefined || isUnpublished || !isSameState) this.#everything = number;
    else for (const change of changes) this.#report(change, number);
    this.#lastCheck = number;
    if (!isSameState) this.#state = state;
    this.#generation = generation;
    this.#generationOfOthers = generationOfOthers;
    return this.#state!;
  }

  #report(change: SeenChange, check: number): void {
    for (const tag of this.#tags) if (tag.matches(change)) tag.changed = check;
    this.#changed.get(change.resource)?.add(change.record, check);
    const key = recordKey(change.resource, change.record);
    if (this.#records.size === RECORDS_MAX && !this.#records.has(key)) {
      this.#records.clear();
      this.#everything = check;
    }
    this.#records.set(key, check);
  }
}

/** Settles when the check has ended, or `CHECK_MS_MAX` after it has started. */
async function endOrTimeout(started: Promise<void>, check: Promise<unknown>): Promise<void> {
  await started;
  const ended = new AbortController();
  const timeout = sleep(CHECK_MS_MAX, undefined, { signal: ended.signal, ref: false });
  await Promise.race([check, timeout]).catch(() => {});
  ended.abort();
  timeout.catch(() => {});
}

export function recordKey(resource: string, record: string): string {
  return `${resource} ${record}`;
}
