/** The report of a product import: outcomes by row, their output, and the exit code. Also the helpers of all reports. */
import type { Part, PartFailure } from './import-row.ts';

/** Output streams, as in `process`: stdout for the report, stderr for errors and progress. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

export interface RowReport extends PartsAdded {
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  /** The outcome for the product's own fields; its parts are counted separately. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** Why the row was skipped: sentences. */
  readonly reason?: string;
  /** Whether the row is a variant, which is counted separately from products. */
  readonly isVariant?: boolean;
}

/** Counts of the parts that were added to a product. */
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
  /** Set if the store was unavailable: this row and the following ones were not imported. */
  readonly stopped: { readonly row: number; readonly reason: string } | undefined;
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
  /** In file order. */
  readonly rows: readonly RowReport[];
  readonly failures: readonly PartFailure[];
  /** Counts of records that were created because products refer to them. */
  readonly made: { readonly categories: number; readonly attributes: number; readonly options: number };
}

/** Exit codes: everything was imported; nothing was imported; some rows or parts were skipped or failed. */
const EXIT_DONE = 0;
export const EXIT_FAILURE = 1;
const EXIT_PARTIAL = 2;

export function exitStatus({ rows, failures, stopped }: ImportReport): number {
  const skipped = rows.filter((row) => row.outcome === 'skipped').length;
  return exitStatusOf(rows.length - skipped, skipped + failures.length, stopped !== undefined);
}

/** Computes the exit code. @param imported count of rows @param notImported count of skipped or failed rows and parts */
export function exitStatusOf(imported: number, notImported: number, isStopped: boolean): number {
  if (imported === 0) return EXIT_FAILURE;
  return notImported > 0 || isStopped ? EXIT_PARTIAL : EXIT_DONE;
}

/** What to tell the user for common error codes. */
const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

export function unreadableLine(path: string, { code = '', message }: NodeJS.ErrnoException): string {
  return `Cannot read ${path}: ${READ_ERRORS[code] ?? message}.`;
}

/** Writes a line per row, a line per failed part, the notes about the file, and the totals. */
export function printReport(report: ImportReport, writeLine: (line: string) => void): void {
  for (const row of report.rows) writeLine(oneLine(rowLine(row, report.dryRun)));
  for (const failure of report.failures) writeLine(oneLine(failureLine(failure)));
  for (const note of report.notes) writeLine(oneLine(note));
  for (const line of summaryLines(report)) writeLine(line);
  if (!report.dryRun && !report.stopped && report.failures.some(({ part }) => part === 'image'))
    writeLine('Run the import again to retry the failed images.');
  if (report.stopped) writeLine(stoppedLine(`row ${report.stopped.row}`, report.stopped.reason));
  else if (report.rows.length === 0) writeLine('The file contains no rows below its header.');
  if (report.dryRun) writeLine('Dry run: no changes were made and no images were downloaded.');
}

function rowLine(report: RowReport, dryRun: boolean): string {
  const { row, sku, handle, isVariant, outcome, reason, imagesAdded, categoriesAdded, optionsSet } = report;
  const parts = [
    counted(imagesAdded, 'image', 'images'),
    counted(categoriesAdded, 'category', 'categories'),
    counted(optionsSet, 'option', 'options'),
  ].filter((part) => !part.startsWith('0 '));
  const name = `${isVariant ? 'variant ' : ''}${sku || handle || '(no handle)'}`;
  const what = [name, ...parts].join(', ');
  return outcomeLine(`row ${row}`, dryRun, outcome, what, reason);
}

/** Formats an outcome: `row 2: would be created clay-plant-pot-regular`. */
export function outcomeLine(where: string, dryRun: boolean, outcome: string, what: string, reason?: string): string {
  const verb = dryRun && (outcome === 'created' || outcome === 'updated') ? `would be ${outcome}` : outcome;
  return `${where}: ${[verb, what].filter((word) => word !== '').join(' ')}${reason ? `: ${reason}` : ''}`;
}

/** @param reason a sentence with a full stop */
export function stoppedLine(where: string, reason: string): string {
  return `Stopped at ${where}: ${reason} Run the import again to continue.`;
}

function failureLine({ row, sku, handle, part, name, reason }: PartFailure): string {
  return `row ${row}: ${part} ${name} of ${sku || handle} failed: ${reason}`;
}

/** Counts of rows by outcome, and of parts added and failed. */
interface Totals {
  readonly products: Readonly<Record<RowReport['outcome'], number>>;
  readonly variants: Readonly<Record<RowReport['outcome'], number>>;
  readonly added: PartsAdded;
  readonly failed: Readonly<Record<Part, number>>;
}

export function totalsOf({ rows, failures }: ImportReport): Totals {
  const outcomes = (some: readonly RowReport[]) => {
    const count = (outcome: RowReport['outcome']) => some.filter((row) => row.outcome === outcome).length;
    return {
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      skipped: count('skipped'),
    };
  };
  const sum = (part: keyof PartsAdded) => rows.reduce((total, row) => total + row[part], 0);
  const failed = (part: Part) => failures.filter((failure) => failure.part === part).length;
  return {
    products: outcomes(rows.filter(({ isVariant }) => !isVariant)),
    variants: outcomes(rows.filter(({ isVariant }) => isVariant)),
    added: {
      imagesAdded: sum('imagesAdded'),
      imagesKnown: sum('imagesKnown'),
      categoriesAdded: sum('categoriesAdded'),
      optionsSet: sum('optionsSet'),
    },
    failed: { image: failed('image'), category: failed('category'), option: failed('option') },
  };
}

function summaryLines(report: ImportReport): string[] {
  const { rows, made, dryRun } = report;
  const { products, variants, added, failed } = totalsOf(report);
  const created = dryRun ? 'to create' : 'created';
  const toAdd = dryRun ? 'to add' : 'added';
  const outcomes = (of: Totals['products']) =>
    `${of.created} ${created}, ${of.updated} ${dryRun ? 'to update' : 'updated'}, ${of.unchanged} unchanged, ${of.skipped} skipped.`;
  const images = `Images: ${added.imagesAdded} ${toAdd}, ${added.imagesKnown} added before, ${failed.image} failed.`;
  const placement = [
    `Categories: ${made.categories} ${created}`,
    `${counted(added.categoriesAdded, 'product', 'products')} ${toAdd}`,
    `${failed.category} failed. Options: ${made.options} ${created}`,
    `${counted(made.attributes, 'attribute', 'attributes')} ${created}`,
    `${added.optionsSet} ${dryRun ? 'to set' : 'set'}`,
    `${failed.option} failed.`,
  ];
  return [
    `Products: ${outcomes(products)} ${images}`,
    ...(rows.some(({ isVariant }) => isVariant) ? [`Variants: ${outcomes(variants)}`] : []),
    placement.join(', '),
  ];
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Replaces control characters, so that text from a file cannot break the line or control the terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
}
