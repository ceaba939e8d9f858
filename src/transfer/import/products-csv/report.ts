/** The report of a product CSV import as text, for the command and for the admin page to save. */
import { sentenceOf } from '../../api/store-api.ts';
import { oneLine, outcomeLine, stoppedLine } from '../report.ts';
import { shortChange } from './changes.ts';
import { IMAGES_COLUMN } from './columns.ts';
import type { CsvImportReport, CsvRowReport } from './import.ts';

type Outcome = CsvRowReport['outcome'];

/** Counts of rows by outcome, of products and of variants. */
export function csvTotals({
  rows,
}: CsvImportReport): Readonly<Record<'products' | 'variants', Record<Outcome, number>>> {
  const count = (isVariant: boolean): Record<Outcome, number> => {
    const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    for (const row of rows) if (row.isVariant === isVariant) counts[row.outcome] += 1;
    return counts;
  };
  return { products: count(false), variants: count(true) };
}

interface CsvEffects {
  /** For each column, how many stored products change in it, or have a variant that does; highest number first. */
  readonly columns: ReadonlyMap<string, number>;
  /** How many products lose images, and how many images they lose. */
  readonly imagesRemoved: { readonly products: number; readonly images: number };
}

/** Summarizes by column what a dry run would change in stored products. */
export function csvEffects({ rows }: CsvImportReport): CsvEffects {
  const products = new Map<string, Set<string>>();
  const losing = new Set<string>();
  let images = 0;
  for (const { outcome, sku, parentSku, changes } of rows) {
    if (outcome !== 'updated') continue;
    for (const { column, imagesRemoved = 0 } of changes) {
      products.set(column, (products.get(column) ?? new Set()).add(parentSku ?? sku));
      if (imagesRemoved > 0) losing.add(parentSku ?? sku);
      images += imagesRemoved;
    }
  }
  const counts = [...products].map(([column, { size }]): [string, number] => [column, size]);
  return {
    columns: new Map(counts.sort(([, one], [, other]) => other - one)),
    imagesRemoved: { products: losing.size, images },
  };
}

/** Formats the effects: `Changed columns: amount (3 products), images (1 product, 2 images removed).` */
function effectsLines(report: CsvImportReport): string[] {
  const { columns, imagesRemoved } = csvEffects(report);
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const removed = imagesRemoved.images > 0 ? `, ${counted(imagesRemoved.images, 'image')} removed` : '';
  const parts = [...columns].map(
    ([column, count]) => `${column} (${counted(count, 'product')}${column === IMAGES_COLUMN ? removed : ''})`,
  );
  return parts.length === 0 ? [] : [oneLine(`Changed columns: ${parts.join(', ')}.`)];
}

/** Formats a line for each changed or failed row, notes, and the totals. */
export function reportLines(report: CsvImportReport): string[] {
  const { dryRun, rows, unknownColumns, notes, stopped } = report;
  const totals = csvTotals(report);
  const [created, updated] = dryRun ? ['to create', 'to update'] : ['created', 'updated'];
  const summary = (of: Record<Outcome, number>): string =>
    `${of.created} ${created}, ${of.updated} ${updated}, ${of.unchanged} unchanged, ${of.failed} failed.`;
  return [
    ...rows.flatMap((row) => (row.outcome === 'unchanged' ? [] : oneLine(rowLine(row, dryRun)))),
    ...notes.map(oneLine),
    ...(unknownColumns.length === 0 ? [] : [oneLine(`Ignored unknown columns: ${unknownColumns.join(', ')}.`)]),
    ...effectsLines(report),
    `Products: ${summary(totals.products)}`,
    ...(rows.some(({ isVariant }) => isVariant) ? [`Variants: ${summary(totals.variants)}`] : []),
    ...(stopped ? [stoppedLine(`row ${stopped.row}`, stopped.reason)] : []),
    ...(dryRun ? ['Dry run: no changes were made and no images were downloaded.'] : []),
  ];
}

function rowLine({ row, sku, isVariant, outcome, problems, changes }: CsvRowReport, dryRun: boolean): string {
  const name = `${isVariant ? 'variant ' : ''}${sku || '(no SKU)'}`;
  const reason = problems.length > 0 ? sentenceOf(problems) : outcome === 'updated' ? changesText(changes) : '';
  return outcomeLine(`row ${row}`, dryRun, outcome, name, reason);
}

/** Formats changes: `price 1 → 2; name "Mug" → "Cup"`. */
function changesText(changes: CsvRowReport['changes']): string {
  const quoted = (text: string): string => (/^-?\d+(\.\d+)?$|^(true|false)$/.test(text) ? text : JSON.stringify(text));
  return changes
    .map(shortChange)
    .map(({ column, before, after }) => `${column} ${quoted(before)} → ${quoted(after)}`)
    .join('; ');
}
