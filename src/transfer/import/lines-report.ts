/** The report of an import of lines: each line as it goes, and the totals at the end. */
import { exitStatusOf, oneLine, outcomeLine, stoppedLine } from './report.ts';

export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'skipped' | 'failed';

export interface LineReport {
  /** Counted from 1. */
  readonly line: number;
  /** The key of the record, or as much as there is of it. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly reason: string | undefined;
}

export interface Stopped {
  readonly line: number;
  readonly reason: string;
}

const LEFT: readonly Outcome[] = ['skipped', 'failed'];

/** In the totals of a dry run. */
const WOULD: Readonly<Partial<Record<Outcome, string>>> = {
  created: 'to create',
  updated: 'to update',
  deleted: 'to delete',
};

/** Keeps counts only: a file may have any number of lines. */
export class LinesReport {
  readonly #noun: string;
  readonly #outcomes: readonly Outcome[];
  readonly #dryRun: boolean;
  readonly #writeLine: (line: string) => void;
  readonly #counts = new Map<Outcome, number>();

  /** @param noun of the records, in the plural @param outcomes those that are counted, in their order */
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

  /** The totals. @returns the exit status */
  end(stopped: Stopped | undefined): number {
    const counts = this.#outcomes.map((outcome) => {
      const verb = this.#dryRun ? (WOULD[outcome] ?? outcome) : outcome;
      return `${this.#count(outcome)} ${verb}`;
    });
    this.#writeLine(`${this.#noun[0]!.toUpperCase()}${this.#noun.slice(1)}: ${counts.join(', ')}.`);
    const left = LEFT.reduce((sum, outcome) => sum + this.#count(outcome), 0);
    const taken = this.#counts.values().reduce((sum, count) => sum + count, 0) - left;
    if (stopped) this.#writeLine(oneLine(stoppedLine(`line ${stopped.line}`, stopped.reason)));
    else if (taken + left === 0) this.#writeLine(`The file has no ${this.#noun}: nothing to import.`);
    if (this.#dryRun) this.#writeLine('This was a dry run: nothing was written.');
    return exitStatusOf(taken, left, stopped !== undefined);
  }

  #count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }
}
