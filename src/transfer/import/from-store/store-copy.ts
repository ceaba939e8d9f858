/** The course of a copy from another store: both stores, what became of what, and which record there is which here. */
import type { Rejection, ApiRecord, StoreApi } from '../../api/store-api.ts';
import { sentenceOf } from '../../api/store-api.ts';
import { exitStatusOf, oneLine, type Terminal } from '../report.ts';

type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';

/** Identifiers of the other store, and those of the same records here. */
export type Ids = Map<number, number>;

const ROWS_PER_LINE = 100;

/** A page. */
const IDS_AT_ONCE = 100;

export class StoreCopy {
  readonly source: StoreApi;
  readonly target: StoreApi;
  readonly #terminal: Terminal;
  readonly #interrupted: AbortSignal | undefined;
  readonly #counts = new Map<string, Map<Outcome, number>>();
  #rows = 0;
  /** Whether the other store has exports. */
  #exports: Promise<boolean> | undefined;

  constructor(source: StoreApi, target: StoreApi, terminal: Terminal, interrupted: AbortSignal | undefined) {
    this.source = source;
    this.target = target;
    this.#terminal = terminal;
    this.#interrupted = interrupted;
  }

  /**
   * All records of a collection of the other store, those of one moment where it has exports: pages shift where a record is deleted
   * meanwhile. Only identifiers are taken at that moment, as a copy may take longer than an export.
   */
  async *records(path: string): AsyncGenerator<ApiRecord> {
    this.#exports ??= this.source.find('/changes', []).then((feed) => feed !== undefined);
    if (!(await this.#exports)) {
      yield* this.source.list(path);
      return;
    }
    const { records } = await this.source.export(path, { fields: 'id' });
    const ids = (await Array.fromAsync(records)).map(({ id }) => String(id));
    for (let first = 0; first < ids.length; first += IDS_AT_ONCE)
      yield* this.source.list(path, [], { id: ids.slice(first, first + IDS_AT_ONCE) });
  }

  /** One line of the report. @param kind in the plural @param parts beside its own fields, such as `2 images` */
  row(kind: string, name: string, outcome: Outcome, { parts = [], rejection }: RowMore = {}): void {
    const counts = this.#counts.get(kind) ?? new Map<Outcome, number>();
    this.#counts.set(kind, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    const reason = rejection ? `: ${sentenceOf(rejection.problems)}` : '';
    this.#terminal.stdout.write(`${oneLine([`${kind} ${name}: ${outcome}`, ...parts].join(', ') + reason)}\n`);
    this.#rows += 1;
    if (this.#rows % ROWS_PER_LINE === 0) this.#terminal.stderr.write(`${this.#rows} records; ${kind} now\n`);
  }

  /** Something that goes with a record and was rejection. */
  failure(kind: string, name: string, rejection: Rejection): void {
    this.row(kind, name, 'failed', { rejection });
  }

  /** Between records. @throws when the copy is to end */
  throwIfInterrupted(): void {
    if (this.#interrupted?.aborted) throw new Error('It was interrupted.');
  }

  /** The totals. @returns the exit status */
  end(stopped: Error | undefined): number {
    const { stdout } = this.#terminal;
    let [taken, left] = [0, 0];
    for (const [kind, counts] of this.#counts) {
      const told = [...counts].map(([outcome, count]) => `${count} ${outcome}`);
      stdout.write(`${kind[0]!.toUpperCase()}${kind.slice(1)}: ${told.join(', ')}.\n`);
      for (const [outcome, count] of counts)
        if (outcome === 'skipped' || outcome === 'failed') left += count;
        else taken += count;
    }
    if (stopped) stdout.write(`${oneLine(`Stopped: ${stopped.message} Run the import again to go on from there.`)}\n`);
    else if (taken + left === 0) stdout.write('The other store has nothing: nothing to import.\n');
    return exitStatusOf(taken, left, stopped !== undefined);
  }
}

interface RowMore {
  readonly parts?: readonly string[];
  readonly rejection?: Rejection;
}

/** The fields of these names that the record has; a release that lacks one says nothing of it. */
export function picked(record: ApiRecord, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
}

/** `{ id: 5, … }`, `5`, or nothing. */
export function idOf(linked: unknown): number | undefined {
  const id = typeof linked === 'object' && linked !== null ? (linked as ApiRecord).id : linked;
  return typeof id === 'number' ? id : undefined;
}
