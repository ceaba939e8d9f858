/**
 * Parses a WooCommerce product export. A simple or external product is one product row. A variable product is described by
 * its own row and sold as variations: each variation is a product row that includes data of its parent. Grouped products
 * only refer to others and are skipped. `run.ts` writes the result to the store.
 *
 * The whole file is in memory, because a variation need not follow its parent.
 */
import { type CsvRow, readCsvRows } from '../csv-rows.ts';
import {
  type ImportRows,
  type OwnerRow,
  ownerSkuTaken,
  type ProductRow,
  type SkippedRow,
  type Unreadable,
} from '../import-row.ts';
import type { Sha256 } from '../variant-sku.ts';
import type { WeightUnit } from '../weight.ts';
import { splitCell, withoutGuard } from './cells.ts';
import { ATTRIBUTE_COLUMN, WEIGHT_COLUMN, WOOCOMMERCE_COLUMNS } from './columns.ts';
import { readOwner, readProduct } from './product.ts';

/** A file without these columns is not a product export. */
const REQUIRED_COLUMNS = ['Type', 'SKU', 'Name', 'Regular price'];

interface WooCommerceOptions {
  /** The store's unit, to which weights are converted. */
  readonly weightUnit: WeightUnit;
  readonly sha256: Sha256;
  /** Whether variations are variants, to be merged by `merge-variants.ts`; otherwise each is a product. */
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
  const parents = byReference(rows);
  const variations = Map.groupBy(rows.filter(isVariation), (row) => parentOf(row, parents));
  const owners = asVariants ? ownersOf(variations, sha256) : undefined;
  const rowOfSku = rowsByOwnerSku([...(owners?.values() ?? [])]);
  const weightColumn = file.columns.find((column) => WEIGHT_COLUMN.test(column));
  const form = { weightUnit, weightColumn, columns: file.columns, owners, sha256 };
  /** By parent: how many products were given its stock. */
  const sharing = new Map<CsvRow, number>();

  for (const row of rows) {
    const parent = isVariation(row) ? parentOf(row, parents) : row;
    // A variable product with variations is sold only as those.
    if (typesOf(row).includes('variable') && !typesOf(row).includes('grouped') && variations.has(row)) continue;
    const read = readRow(row, parent, form, rowOfSku);
    if ('reason' in read) {
      const { reason } = read;
      const [handle, sku] = [row.cell('Name') ?? '', row.cell('SKU') ?? ''];
      skipped.push({ ...skip(row.line, handle, sku, reason), isVariant: asVariants && isVariation(row) });
      continue;
    }
    productRows.push(read);
    if (parent && !owners && row.cell('Stock') === 'parent' && parent.cell('Stock'))
      sharing.set(parent, (sharing.get(parent) ?? 0) + 1);
  }
  const notes = [...file.notes, ...sharedStockNotes(sharing), ...ignoredColumnsNotes(file.columns)];
  return { readable: true, productRows, skipped, failures: [], notes };
}

/**
 * @param parent the row that describes the product, if the file contains it
 * @param rowOfSku the row that first used each SKU; receives the one of this row
 */
function readRow(
  row: CsvRow,
  parent: CsvRow | undefined,
  form: Parameters<typeof readProduct>[2],
  rowOfSku: Map<string, number>,
): ProductRow | { readonly reason: string } {
  if (typesOf(row).includes('grouped')) return { reason: GROUPED };
  if (!parent)
    return { reason: `The file has no row for the parent "${row.cell('Parent') ?? ''}". Export the parent too.` };
  const problems: string[] = [];
  const productRow = readProduct(parent, row, form, problems);
  const owner = productRow.variantOf?.owner;
  const ownerSkuUsedBy = owner && rowOfSku.get(owner.sku);
  if (owner && ownerSkuUsedBy !== owner.row) problems.push(ownerSkuTaken(ownerSkuUsedBy!, owner.sku));
  // A row without options may have the SKU of the product itself: then it is the product.
  const isOwner = productRow.sku === owner?.sku && productRow.options.length === 0;
  const skuUsedBy = isOwner ? undefined : rowOfSku.get(productRow.sku);
  if (skuUsedBy !== undefined)
    problems.push(`Row ${skuUsedBy} already has the SKU "${productRow.sku}". Give each product its own SKU.`);
  if (problems.length > 0) return { reason: problems.join(' ') };
  if (!isOwner) rowOfSku.set(productRow.sku, row.line);
  return productRow;
}

const GROUPED = 'Grouped products are not supported: they only refer to other products. Import those.';

function ownersOf(
  variations: ReadonlyMap<CsvRow | undefined, readonly CsvRow[]>,
  sha256: Sha256,
): Map<CsvRow, OwnerRow> {
  return new Map(
    [...variations].flatMap(([parent, rows]) => (parent ? [[parent, readOwner(parent, rows, sha256)]] : [])),
  );
}

/** Reserves the SKUs of products with variants for the rows that describe those. */
function rowsByOwnerSku(owners: readonly OwnerRow[]): Map<string, number> {
  const rowOfSku = new Map<string, number>();
  for (const { sku, row } of owners) if (!rowOfSku.has(sku)) rowOfSku.set(sku, row);
  return rowOfSku;
}

function sharedStockNotes(sharing: ReadonlyMap<CsvRow, number>): string[] {
  return [...sharing].flatMap(([parent, count]) => (count > 1 ? [sharedStockNote(parent, count)] : []));
}

function sharedStockNote(parent: CsvRow, count: number): string {
  const stock = parent.cell('Stock');
  return `Row ${parent.line}, ${parent.cell('Name')}: ${count} variations share its stock of ${stock}. Each of them is now a product with a stock of ${stock}. Set their stock.`;
}

function ignoredColumnsNotes(columns: readonly string[]): string[] {
  const ignored = [...new Set(columns)].filter((column) => column !== '' && !isImported(column));
  return ignored.length > 0 ? [`These columns were not imported: ${ignored.join(', ')}.`] : [];
}

function isImported(column: string): boolean {
  return (
    (WOOCOMMERCE_COLUMNS as readonly string[]).includes(column) ||
    WEIGHT_COLUMN.test(column) ||
    ATTRIBUTE_COLUMN.test(column)
  );
}

function typesOf(row: CsvRow): string[] {
  return splitCell((row.cell('Type') ?? '').toLowerCase());
}

function isVariation(row: CsvRow): boolean {
  return typesOf(row).includes('variation');
}

/** Indexes possible parents by the values of `Parent` that refer to them: `id:12` or a SKU. */
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
