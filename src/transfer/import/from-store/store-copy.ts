/** A copy from one store to another: access to both stores and the report. */
import type { ApiRecord, Rejection, StoreApi } from '../../api/store-api.ts';
import { sentenceOf } from '../../api/store-api.ts';
import { exitStatusOf, oneLine, type Terminal } from '../report.ts';

type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';

/** Identifiers in the source store, mapped to those of the same records in the target store. */
export type Ids = Map<number, number>;

export interface ProductIds {
  readonly sourceId: number;
  readonly targetId: number;
}

const ROWS_PER_LINE = 100;

/** One page of a list. */
const IDS_AT_ONCE = 100;

export class StoreCopy {
  readonly source: StoreApi;
  readonly target: StoreApi;
  readonly #terminal: Terminal;
  readonly #interrupted: AbortSignal | undefined;
  readonly #counts = new Map<string, Map<Outcome, number>>();
  #rows = 0;
  /** Whether the source store supports exports. */
  #hasExports: Promise<boolean> | undefined;

  constructor(source: StoreApi, target: StoreApi, terminal: Terminal, interrupted: AbortSignal | undefined) {
    this.source = source;
    this.target = target;
    this.#terminal = terminal;
    this.#interrupted = interrupted;
  }

  /**
   * Yields all records of a collection of the source store. If the store supports exports, the identifiers come from one
   * snapshot, because pages shift when records are deleted. The records are read afterwards, because a copy may take longer
   * than an export is allowed to.
   */
  async *records(path: string): AsyncGenerator<ApiRecord> {
    this.#hasExports ??= this.source.find('/changes', []).then((feed) => feed !== undefined);
    // An older release may lack the collection.
    if (!(await this.#hasExports) || (await this.source.find(path, [])) === undefined) {
      yield* this.source.list(path);
      return;
    }
    const { records } = await this.source.export(path, { fields: 'id' });
    const ids = (await Array.fromAsync(records)).map(({ id }) => String(id));
    for (let first = 0; first < ids.length; first += IDS_AT_ONCE)
      yield* this.source.list(path, [], { id: ids.slice(first, first + IDS_AT_ONCE) });
  }

  /** Writes a line of the report. @param kind plural noun */
  row(kind: string, name: string, outcome: Outcome, { parts = [], rejection }: RowDetails = {}): void {
    const counts = this.#counts.get(kind) ?? new Map<Outcome, number>();
    this.#counts.set(kind, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    const reason = rejection ? `: ${sentenceOf(rejection.problems)}` : '';
    this.#terminal.stdout.write(`${oneLine([`${kind} ${name}: ${outcome}`, ...parts].join(', ') + reason)}\n`);
    this.#rows += 1;
    if (this.#rows % ROWS_PER_LINE === 0) this.#terminal.stderr.write(`${this.#rows} records processed, now ${kind}\n`);
  }

  /** Reports that a record or a part of one was rejected. */
  failure(kind: string, name: string, rejection: Rejection): void {
    this.row(kind, name, 'failed', { rejection });
  }

  /** Creates a record, or updates the fields of the found one that differ, and writes a line of the report. */
  async save({ collection, kind, name }: Saving, input: ApiRecord, found: ApiRecord | undefined): Promise<void> {
    const changed = found && differing(found, input);
    if (changed?.length === 0) {
      this.row(kind, name, 'unchanged');
      return;
    }
    const saved = await (found
      ? this.target.patch(`${collection}/{id}`, [found.id as number], picked(input, changed!))
      : this.target.post(collection, [], input));
    if (saved.ok) this.row(kind, name, found ? 'updated' : 'created');
    else this.failure(kind, name, saved);
  }

  /** Called between records. @throws {Error} if the user has interrupted the copy */
  throwIfInterrupted(): void {
    if (this.#interrupted?.aborted) throw new Error('The import was interrupted.');
  }

  /** Writes the totals. @returns the exit code */
  end(stopped: Error | undefined): number {
    const { stdout } = this.#terminal;
    let [imported, notImported] = [0, 0];
    for (const [kind, counts] of this.#counts) {
      const totals = [...counts].map(([outcome, count]) => `${count} ${outcome}`);
      stdout.write(`${kind[0]!.toUpperCase()}${kind.slice(1)}: ${totals.join(', ')}.\n`);
      for (const [outcome, count] of counts)
        if (outcome === 'skipped' || outcome === 'failed') notImported += count;
        else imported += count;
    }
    if (stopped) stdout.write(`${oneLine(`Stopped: ${stopped.message} Run the import again to continue.`)}\n`);
    else if (imported + notImported === 0) stdout.write('The other store contains no records to import.\n');
    return exitStatusOf(imported, notImported, stopped !== undefined);
  }
}

interface Saving {
  /** A collection path without parents. */
  readonly collection: string;
  /** Plural noun. */
  readonly kind: string;
  readonly name: string;
}

interface RowDetails {
  /** Additions besides the record's own fields, such as `2 images`. */
  readonly parts?: readonly string[];
  readonly rejection?: Rejection;
}

/** Picks the given fields, except those that the record does not have because another release lacks them. */
export function picked(record: ApiRecord, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
}

/** Returns the identifier of a link, which is `{ id: 5, … }`, `5` or null. */
export function idOf(linked: unknown): number | undefined {
  const id = typeof linked === 'object' && linked !== null ? (linked as ApiRecord).id : linked;
  return typeof id === 'number' ? id : undefined;
}

/** Names the fields of the input whose values differ from those of the found record. */
export function differing(found: ApiRecord, input: ApiRecord): string[] {
  return Object.keys(input).filter((name) => comparable(name, found[name]) !== comparable(name, input[name]));
}

/** Stores write times with different offsets. */
function comparable(name: string, value: unknown): string {
  return name.includes('date') && typeof value === 'string' ? String(Date.parse(value)) : JSON.stringify(value);
}
