/**
 * Reads a product export of WooCommerce. A simple or external product is the draft of one product. A variable one is described
 * by its row and sold by its variations: each of those is a draft, with what the row of its parent says beside it. Grouped
 * products only show others, and are skipped. It reads only; `run.ts` brings the drafts into the store.
 *
 * The whole file is held: nothing promises that a variation stands behind its parent.
 */
import { type CsvRow, readCsvRows } from '../csv-rows.ts';
import type { ImportRows, OwnerRow, ProductRow, SkippedRow, Unreadable } from '../import-row.ts';
import type { Sha256 } from '../variant-sku.ts';
import type { WeightUnit } from '../weight.ts';
import { splitCell, withoutGuard } from './cells.ts';
import { ATTRIBUTE_COLUMN, WEIGHT_COLUMN, WOOCOMMERCE_COLUMNS } from './columns.ts';
import { readOwner, readProduct } from './product.ts';

/** Without these a file is no product export. */
const REQUIRED_COLUMNS = ['Type', 'SKU', 'Name', 'Regular price'];

interface WooCommerceOptions {
  /** The store's unit, which weights are turned into. */
  readonly weightUnit: WeightUnit;
  readonly sha256: Sha256;
  /** Variations are read as variants of their product, for `together.ts`; else each as a product of its own. */
  readonly asVariants?: boolean | undefined;
}

export function readWooCommerceExport(
  bytes: Uint8Array,
  { weightUnit, sha256, asVariants = false }: WooCommerceOptions,
): ImportRows | Unreadable {
  const file = readCsvRows(bytes, REQUIRED_COLUMNS, WOOCOMMERCE_COLUMNS);
  if (!file.readable) return file;
  const rows = file.rows.map(withoutGuard);
  const productRows: ProductRow[] = [];
  const skipped: SkippedRow[] = file.uneven.map(({ line, firstCell, reason }) => skip(line, firstCell, '', reason));
  const rowOfSku = new Map<string, number>();
  /** Of each parent, how many products have its pieces. */
  const sharing = new Map<CsvRow, number>();
  const parents = byReference(rows);
  const variations = Map.groupBy(rows.filter(isVariation), (row) => parentOf(row, parents));
  const sold = new Set(variations.keys());
  const owners = asVariants ? ownersOf(variations, sha256) : undefined;
  for (const { sku, row } of owners?.values() ?? []) if (!rowOfSku.has(sku)) rowOfSku.set(sku, row);
  const weightColumn = file.columns.find((column) => WEIGHT_COLUMN.test(column));
  const form = { weightUnit, weightColumn, columns: file.columns, owners, sha256 };

  for (const row of rows) {
    const types = splitCell((row.cell('Type') ?? '').toLowerCase());
    const handle = row.cell('Name') ?? '';
    const given = row.cell('SKU') ?? '';
    const refuse = (reason: string): void =>
      void skipped.push({ ...skip(row.line, handle, given, reason), isVariant: asVariants && isVariation(row) });
    if (types.includes('grouped')) {
      refuse('a grouped product is no product of its own: it shows others');
      continue;
    }
    const parent = isVariation(row) ? parentOf(row, parents) : row;
    if (!parent) {
      refuse(`there is no row of its parent, "${row.cell('Parent') ?? ''}"`);
      continue;
    }
    // Its variations are sold.
    if (types.includes('variable') && sold.has(row)) continue;
    const problems: string[] = [];
    const draft = readProduct(parent, row, form, problems);
    const owner = draft.variantOf?.owner;
    const ofOwner = owner && rowOfSku.get(owner.sku);
    if (owner && ofOwner !== owner.row)
      problems.push(`row ${ofOwner} has the SKU "${owner.sku}" of its product already`);
    // One that no option tells apart may have this SKU itself: it is the product then.
    const isItself = draft.sku === owner?.sku && draft.options.length === 0;
    const earlier = isItself ? undefined : rowOfSku.get(draft.sku);
    if (earlier !== undefined) problems.push(`row ${earlier} has the SKU "${draft.sku}" already`);
    if (problems.length > 0) {
      refuse(problems.join('; '));
      continue;
    }
    if (!isItself) rowOfSku.set(draft.sku, row.line);
    productRows.push(draft);
    if (!owners && row.cell('Stock') === 'parent' && parent.cell('Stock'))
      sharing.set(parent, (sharing.get(parent) ?? 0) + 1);
  }
  const untaken = [...new Set(file.columns)].filter((column) => column !== '' && !isTaken(column));
  const shared = [...sharing].flatMap(([parent, count]) => (count > 1 ? [sharedNote(parent, count)] : []));
  const notes = [...file.notes, ...shared, ...(untaken.length > 0 ? [`${UNTAKEN}: ${untaken.join(', ')}.`] : [])];
  return { readable: true, productRows, skipped, failures: [], notes };
}

function ownersOf(
  variations: ReadonlyMap<CsvRow | undefined, readonly CsvRow[]>,
  sha256: Sha256,
): Map<CsvRow, OwnerRow> {
  return new Map(
    [...variations].flatMap(([parent, rows]) => (parent ? [[parent, readOwner(parent, rows, sha256)]] : [])),
  );
}

function sharedNote(parent: CsvRow, count: number): string {
  const chunks = parent.cell('Stock');
  return `Row ${parent.line}, ${parent.cell('Name')}: ${count} variations share its stock of ${chunks}. Each is a product that has all ${chunks} now; set their stock.`;
}

const UNTAKEN = 'These columns were not taken, and what is in them is not kept';

function isTaken(column: string): boolean {
  return (
    (WOOCOMMERCE_COLUMNS as readonly string[]).includes(column) ||
    WEIGHT_COLUMN.test(column) ||
    ATTRIBUTE_COLUMN.test(column)
  );
}

function isVariation(row: CsvRow): boolean {
  return splitCell((row.cell('Type') ?? '').toLowerCase()).includes('variation');
}

/** Rows that may be parents, by what `Parent` says of them: `id:12`, or a SKU. */
function byReference(rows: readonly CsvRow[]): ReadonlyMap<string, CsvRow> {
  const found = new Map<string, CsvRow>();
  for (const row of rows) {
    if (isVariation(row)) continue;
    const [id, sku] = [row.cell('ID'), row.cell('SKU')];
    if (id && !found.has(`id:${id}`)) found.set(`id:${id}`, row);
    if (sku && !found.has(sku)) found.set(sku, row);
  }
  return found;
}

function parentOf(row: CsvRow, parents: ReadonlyMap<string, CsvRow>): CsvRow | undefined {
  return parents.get((row.cell('Parent') ?? '').replace(/^id:\s+/, 'id:'));
}

function skip(row: number, handle: string, sku: string, reason: string): SkippedRow {
  return { row, handle, sku, outcome: 'skipped', reason };
}
