/**
 * What an import did, row by row, how that is printed, and the exit status that sums it up.
 */
import type { Part, PartFailure } from './draft.ts';

export interface RowReport extends PartsAdded {
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  /** What became of the product's own fields; its parts are counted apart. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
}

/** What a product has now beside its own fields, and had not before. */
export interface PartsAdded {
  readonly imagesAdded: number;
  /** Images that an earlier run added. */
  readonly imagesKnown: number;
  readonly categoriesAdded: number;
  readonly optionsSet: number;
}

export const NOTHING_ADDED: PartsAdded = { imagesAdded: 0, imagesKnown: 0, categoriesAdded: 0, optionsSet: 0 };

export interface ImportReport {
  readonly dryRun: boolean;
  /** In the order of the file. */
  /** Where the store could not answer, so that the rows from there on were not tried. */
  readonly stopped: { readonly row: number; readonly reason: string } | undefined;
  readonly rows: readonly RowReport[];
  readonly failures: readonly PartFailure[];
  /** Records that were missing on the way. */
  readonly made: { readonly categories: number; readonly attributes: number; readonly options: number };
}

/** Everything was done · nothing could be done · something was skipped or a part of a product failed. */
export const EXIT_DONE = 0;
export const EXIT_FAILURE = 1;
export const EXIT_PARTIAL = 2;

export function exitStatus({ rows, failures, stopped }: ImportReport): number {
  const skipped = rows.filter((row) => row.outcome === 'skipped').length;
  if (skipped === rows.length) return EXIT_FAILURE;
  return skipped > 0 || failures.length > 0 || stopped ? EXIT_PARTIAL : EXIT_DONE;
}

/** One line for each row, one for each part that failed, and the totals. */
export function printReport(report: ImportReport, writeLine: (line: string) => void): void {
  for (const row of report.rows) writeLine(oneLine(rowLine(row, report.dryRun)));
  for (const failure of report.failures) writeLine(oneLine(failureLine(failure)));
  for (const line of summaryLines(report)) writeLine(line);
  if (report.stopped)
    writeLine(
      `Stopped at row ${report.stopped.row}: ${report.stopped.reason} Run the import again to go on from there.`,
    );
  else if (report.rows.length === 0) writeLine('The file has no rows below its header: nothing to import.');
  if (report.dryRun) writeLine('This was a dry run: nothing was written and nothing downloaded.');
}

function rowLine(report: RowReport, dryRun: boolean): string {
  const { row, sku, handle, outcome, reason, imagesAdded, categoriesAdded, optionsSet } = report;
  const verb = dryRun && (outcome === 'created' || outcome === 'updated') ? `would be ${outcome}` : outcome;
  const parts = [
    counted(imagesAdded, 'image', 'images'),
    counted(categoriesAdded, 'category', 'categories'),
    counted(optionsSet, 'option', 'options'),
  ].filter((part) => !part.startsWith('0 '));
  const what = [sku || handle || '(no handle)', ...parts].join(', ');
  return `row ${row}: ${verb} ${what}${reason ? `: ${reason}` : ''}`;
}

function failureLine({ row, sku, handle, part, name, reason }: PartFailure): string {
  return `row ${row}: ${part} ${name} of ${sku || handle} failed: ${reason}`;
}

function summaryLines({ rows, failures, made, dryRun }: ImportReport): string[] {
  const count = (outcome: RowReport['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const sum = (part: keyof PartsAdded) => rows.reduce((total, row) => total + row[part], 0);
  const failed = (part: Part) => failures.filter((failure) => failure.part === part).length;
  const created = dryRun ? 'to create' : 'created';
  const added = dryRun ? 'to add' : 'added';
  const products = [
    `Products: ${count('created')} ${created}`,
    `${count('updated')} ${dryRun ? 'to update' : 'updated'}`,
    `${count('unchanged')} unchanged`,
    `${count('skipped')} skipped. Images: ${sum('imagesAdded')} ${added}`,
    `${sum('imagesKnown')} added before`,
    `${failed('image')} failed.`,
  ];
  const placement = [
    `Categories: ${made.categories} ${created}`,
    `${counted(sum('categoriesAdded'), 'product', 'products')} ${added}`,
    `${failed('category')} failed. Options: ${made.options} ${created}`,
    `${counted(made.attributes, 'attribute', 'attributes')} ${created}`,
    `${sum('optionsSet')} ${dryRun ? 'to set' : 'set'}`,
    `${failed('option')} failed.`,
  ];
  return [products.join(', '), placement.join(', ')];
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A file's text must not break the line or steer the terminal. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
}
