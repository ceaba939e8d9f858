/** The report of an import of orders: each line as it goes, and the totals at the end. */
import { sentenceOf } from '../api/store-api.ts';
import type { Taken } from './orders-store.ts';
import { exitStatusOf, oneLine, outcomeLine, stoppedLine } from './report.ts';

export type LineReport = {
  /** Counted from 1. */
  readonly line: number;
  /** The order_number, or as much as there is of it. */
  readonly order: string;
} & Taken;

export interface Stopped {
  readonly line: number;
  readonly reason: string;
}

/** Keeps counts only: a file may have any number of lines. */
export class OrdersReport {
  readonly #dryRun: boolean;
  readonly #writeLine: (line: string) => void;
  readonly #counts: Record<Taken['outcome'], number> = { created: 0, unchanged: 0, skipped: 0, failed: 0 };

  constructor(dryRun: boolean, writeLine: (line: string) => void) {
    this.#dryRun = dryRun;
    this.#writeLine = writeLine;
  }

  add(report: LineReport): void {
    this.#counts[report.outcome] += 1;
    const { line, order, outcome } = report;
    this.#writeLine(oneLine(outcomeLine(`line ${line}`, this.#dryRun, outcome, order, reasonOf(report))));
  }

  /** The totals. @returns the exit status */
  end(stopped: Stopped | undefined): number {
    const { created, unchanged, skipped, failed } = this.#counts;
    const verb = this.#dryRun ? 'to create' : 'created';
    this.#writeLine(`Orders: ${created} ${verb}, ${unchanged} unchanged, ${skipped} skipped, ${failed} failed.`);
    if (stopped) this.#writeLine(oneLine(stoppedLine(`line ${stopped.line}`, stopped.reason)));
    else if (created + unchanged + skipped + failed === 0)
      this.#writeLine('The file has no orders: nothing to import.');
    if (this.#dryRun) this.#writeLine('This was a dry run: nothing was written.');
    return exitStatusOf(created + unchanged, skipped + failed, stopped !== undefined);
  }
}

function reasonOf(taken: Taken): string | undefined {
  if (taken.outcome === 'skipped') return taken.reason;
  return taken.outcome === 'failed' ? sentenceOf(taken.problems) : undefined;
}

export const failed = (message: string): Taken => ({ outcome: 'failed', problems: [{ path: '', message }] });
