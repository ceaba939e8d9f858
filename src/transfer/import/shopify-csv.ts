/**
 * Reads a Shopify product export: rows are grouped by handle, every variant becomes the draft of one product, and every
 * row that gives none is told with its reason. It reads only; `run.ts` brings the drafts into the store.
 *
 * The whole file is held: nothing promises that the rows of a handle stand together.
 */
import { closest } from 'fastest-levenshtein';
import { type CsvRow, readCsvRows } from './csv-rows.ts';
import type { Drafts, PartFailure, ProductDraft, SkippedRow, Unreadable } from './draft.ts';
import { readCategory, TAXONOMY_COLUMNS } from './shopify-category.ts';
import { SHOPIFY_COLUMNS } from './shopify-columns.ts';
import { imagesOfVariant, readHandleImages } from './shopify-images.ts';
import { optionValuesOf, readOptions } from './shopify-options.ts';
import { readVariant } from './shopify-variant.ts';
import { variantSku } from './variant-sku.ts';
import type { WeightUnit } from './weight.ts';

export interface ShopifyOptions {
  /** The store's unit, which grams are turned into. */
  readonly weightUnit: WeightUnit;
  /** The column that names categories, where it is not one of the usual ones. */
  readonly categoriesFrom?: string | undefined;
}

export function readShopifyExport(
  bytes: Uint8Array,
  { weightUnit, categoriesFrom }: ShopifyOptions,
): Drafts | Unreadable {
  const known = categoriesFrom === undefined ? SHOPIFY_COLUMNS : [...SHOPIFY_COLUMNS, categoriesFrom];
  const file = readCsvRows(bytes, REQUIRED_COLUMNS, known);
  if (!file.readable) return file;
  if (categoriesFrom !== undefined && !file.columns.includes(categoriesFrom)) {
    const near = closest(categoriesFrom, [...file.columns]);
    return {
      readable: false,
      reason: `The file has no column "${categoriesFrom}" to take categories from. Did you mean "${near}"?`,
    };
  }

  const drafts: ProductDraft[] = [];
  const failures: PartFailure[] = [];
  const skipped: SkippedRow[] = file.uneven.map((row) => skip(row.line, row.firstCell, '', row.reason));
  const rowOfSku = new Map<string, number>();

  for (const [handle, rows] of groupByHandle(file.rows)) {
    const product = rows.find((row) => row.cell('Title'));
    if (handle === '' || !product) {
      const reason = handle === '' ? 'Handle is empty' : 'no readable row of this handle has a Title';
      for (const row of rows) skipped.push(skip(row.line, handle, row.cell('Variant SKU') ?? '', reason));
      continue;
    }
    const images = readHandleImages(handle, rows);
    failures.push(...images.failures);
    const category = readCategory(product, categoriesFrom);
    if (category.code !== undefined)
      failures.push({ row: product.line, handle, sku: '', part: 'category', name: category.code, reason: CODE_REASON });

    for (const variant of rows.filter((row) => row === product || isVariant(row))) {
      const sku = variantSku(variant.cell('Variant SKU') ?? '', handle, optionValuesOf(variant));
      const row = variant.line;
      const problems: string[] = [];
      const { input, inputOnCreate } = readVariant(product, variant, sku, weightUnit, problems);
      const earlierRow = rowOfSku.get(sku);
      if (earlierRow !== undefined) {
        problems.push(`row ${earlierRow} has the SKU "${sku}" already; give each variant its own Variant SKU`);
      }
      if (problems.length > 0) {
        skipped.push(skip(row, handle, sku, problems.join('; ')));
        continue;
      }
      rowOfSku.set(sku, row);
      const { options, unnamed } = readOptions(product, variant);
      for (const { value, reason } of unnamed) failures.push({ row, handle, sku, part: 'option', name: value, reason });
      drafts.push({
        row,
        handle,
        sku,
        input,
        inputOnCreate,
        images: imagesOfVariant(variant, images),
        categoryPaths: category.path.length === 0 ? [] : [category.path],
        options,
      });
    }
  }
  const untaken = untakenColumns(file.columns, categoriesFrom);
  const notes = [...file.notes, ...(untaken.length > 0 ? [`${UNTAKEN}: ${untaken.join(', ')}.`] : [])];
  return { readable: true, drafts, skipped, failures, notes };
}

/** Without these a file is no product export. */
const REQUIRED_COLUMNS = ['Handle', 'Title', 'Variant Price'];

const CODE_REASON = 'it is the code of a taxonomy; write the path of names, as in "Apparel > Clothing"';

const UNTAKEN = 'These columns were not taken, and what is in them is not kept';

/** Those of a taxonomy are not looked at where another column names the categories. */
function untakenColumns(columns: readonly string[], categoriesFrom: string | undefined): string[] {
  const taken = new Set<string>(SHOPIFY_COLUMNS);
  if (categoriesFrom !== undefined) {
    for (const column of TAXONOMY_COLUMNS) taken.delete(column);
    taken.add(categoriesFrom);
  }
  return [...new Set(columns)].filter((column) => column !== '' && !taken.has(column));
}

function groupByHandle(rows: readonly CsvRow[]): Map<string, CsvRow[]> {
  return Map.groupBy(rows, (row) => row.cell('Handle') ?? '');
}

/** A further row of a handle is a variant, an image, or both. */
function isVariant(row: CsvRow): boolean {
  return VARIANT_MARKS.some((column) => row.cell(column));
}

const VARIANT_MARKS = ['Option1 Value', 'Option2 Value', 'Option3 Value', 'Variant SKU', 'Variant Price'];

function skip(row: number, handle: string, sku: string, reason: string): SkippedRow {
  return { row, handle, sku, outcome: 'skipped', reason };
}
