/**
 * The report of an import of products: its outcome row by row, how that is printed, and the exit status that sums it
 * up. The parts that all reports share are here too.
 */
import type { Part, PartFailure } from './import-row.ts';

/** Where the report goes, and where failures and progress: as `process` has them. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

export interface RowReport extends PartsAdded {
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  /** The outcome for the product's own fields; its parts are counted apart. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** The outcome for a variant, which is counted apart from products. */
  readonly isVariant?: boolean;
}

/** The parts that a product has got beside its own fields. */
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
  /** Where the store could not answer, so that the rows from there on were not tried. */
  readonly stopped: { readonly row: number; readonly reason: string } | undefined;
  /** Of the file as a whole; sentences. */
  readonly notes: readonly string[];
  /** In the order of the file. */
  readonly rows: readonly RowReport[];
  readonly failures: readonly PartFailure[];
  /** Records that were missing on the way. */
  readonly made: { readonly categories: number; readonly attributes: number; readonly options: number };
}

/** Everything was done · nothing could be done · something was skipped or failed. */
const EXIT_DONE = 0;
export const EXIT_FAILURE = 1;
const EXIT_PARTIAL = 2;

export function exitStatus({ rows, failures, stopped }: ImportReport): number {
  const skipped = rows.filter((row) => row.outcome === 'skipped').length;
  return exitStatusOf(rows.length - skipped, skipped + failures.length, stopped !== undefined);
}

/** @param taken what is in the store now, @param left what is not */
export function exitStatusOf(taken: number, left: number, isStopped: boolean): number {
  if (taken === 0) return EXIT_FAILURE;
  return left > 0 || isStopped ? EXIT_PARTIAL : EXIT_DONE;
}

/** Why a file cannot be read, in words. */
const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

export function unreadableLine(path: string, { code = '', message }: NodeJS.ErrnoException): string {
  return `${path} cannot be read: ${READING[code] ?? message}.`;
}

/** One line for each row, one for each part that failed, what is to be said of the whole file, and the totals. */
export function printReport(report: ImportReport, writeLine: (line: string) => void): void {
  for (const row of report.rows) writeLine(oneLine(rowLine(row, report.dryRun)));
  for (const failure of report.failures) writeLine(oneLine(failureLine(failure)));
  for (const note of report.notes) writeLine(oneLine(note));
  for (const line of summaryLines(report)) writeLine(line);
  if (!report.dryRun && !report.stopped && report.failures.some(({ part }) => part === 'image'))
    writeLine('Run the import again to try the failed images again.');
  if (report.stopped) writeLine(stoppedLine(`row ${report.stopped.row}`, report.stopped.reason));
  else if (report.rows.length === 0) writeLine('The file has no rows below its header: nothing to import.');
  if (report.dryRun) writeLine('This was a dry run: nothing was written and nothing downloaded.');
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

/** `row 2: would be created clay-plant-pot-regular` */
export function outcomeLine(where: string, dryRun: boolean, outcome: string, what: string, reason?: string): string {
  const verb = dryRun && (outcome === 'created' || outcome === 'updated') ? `would be ${outcome}` : outcome;
  return `${where}: ${[verb, what].filter((word) => word !== '').join(' ')}${reason ? `: ${reason}` : ''}`;
}

/** @param reason a sentence */
export function stoppedLine(where: string, reason: string): string {
  return `Stopped at ${where}: ${reason} Run the import again to go on from there.`;
}

function failureLine({ row, sku, handle, part, name, reason }: PartFailure): string {
  return `row ${row}: ${part} ${name} of ${sku || handle} failed: ${reason}`;
}

/** How many rows had which outcome, and how many parts were added or failed. */
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

/** A file's text must not break the line or steer the terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
}
