/** The report of a JSON Lines import: every line as it is processed, then the totals. */
import { exitStatusOf, oneLine, outcomeLine, stoppedLine } from './report.ts';

export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'skipped' | 'failed';

export interface LineReport {
  /** From 1. */
  readonly line: number;
  /** The key of the record, possibly shortened; empty if unknown. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly reason: string | undefined;
}

export interface Stopped {
  readonly line: number;
  readonly reason: string;
}

const NOT_IMPORTED: readonly Outcome[] = ['skipped', 'failed'];

/** Labels in the totals of a dry run. */
const DRY_RUN_LABELS: Readonly<Partial<Record<Outcome, string>>> = {
  created: 'to create',
  updated: 'to update',
  deleted: 'to delete',
};

/** Stores counts only, since a file may have any number of lines. */
export class LinesReport {
  readonly #noun: string;
  readonly #outcomes: readonly Outcome[];
  readonly #dryRun: boolean;
  readonly #writeLine: (line: string) => void;
  readonly #counts = new Map<Outcome, number>();

  /** @param noun plural noun for the records @param outcomes possible outcomes, in the order of the totals */
  constructor(noun: string, outcomes: readonly Outcome[], dryRun: boolean, writeLine: (line: string) => void) {
    this.#noun = noun.replaceAll('_', ' ');
    this.#outcomes = outcomes;
    this.#dryRun = dryRun;
    this.#writeLine = writeLine;
  }

  add({ line, name, outcome, reason }: LineReport): void {
    this.#counts.set(outcome, this.#count(outcome) + 1);
    this.#writeLine(oneLine(outcomeLine(`line ${line}`, this.#dryRun, outcome, name, reason)));
  }

  /** Writes the totals. @returns the exit code */
  end(stopped: Stopped | undefined): number {
    const counts = this.#outcomes.map((outcome) => {
      const verb = this.#dryRun ? (DRY_RUN_LABELS[outcome] ?? outcome) : outcome;
      return `${this.#count(outcome)} ${verb}`;
    });
    this.#writeLine(`${this.#noun[0]!.toUpperCase()}${this.#noun.slice(1)}: ${counts.join(', ')}.`);
    const notImported = NOT_IMPORTED.reduce((sum, outcome) => sum + this.#count(outcome), 0);
    const imported = this.#counts.values().reduce((sum, count) => sum + count, 0) - notImported;
    if (stopped) this.#writeLine(oneLine(stoppedLine(`line ${stopped.line}`, stopped.reason)));
    else if (imported + notImported === 0) this.#writeLine(`The file contains no ${this.#noun}.`);
    if (this.#dryRun) this.#writeLine('Dry run: no changes were made.');
    return exitStatusOf(imported, notImported, stopped !== undefined);
  }

  #count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }
}
