/**
 * Reads a Shopify product export: rows are grouped by handle, every variant becomes the draft of one product, and every
 * row that gives none is told with its reason. It reads only; `run.ts` brings the drafts into the store.
 *
 * The whole file is held: nothing promises that the rows of a handle stand together.
 */
import { closest } from 'fastest-levenshtein';
import { nameMatch } from '../../../engine/text-forms.ts';
import { type CsvRow, readCsvRows } from '../csv-rows.ts';
import type { ImportRows, OwnerRow, PartFailure, ProductRow, SkippedRow, Unreadable } from '../import-row.ts';
import { type Sha256, variantSku } from '../variant-sku.ts';
import type { WeightUnit } from '../weight.ts';
import { readCategory, TAXONOMY_COLUMNS } from './category.ts';
import { SHOPIFY_COLUMNS } from './columns.ts';
import { type HandleImages, imageOfVariant, imagesOfProduct, imagesOfVariant, readHandleImages } from './images.ts';
import { optionValuesOf, readOptions } from './options.ts';
import { readVariant } from './variant.ts';

export interface ShopifyOptions {
  /** The store's unit, which grams are turned into. */
  readonly weightUnit: WeightUnit;
  readonly sha256: Sha256;
  /** The column that names categories, where it is not one of the usual ones. */
  readonly categoriesFrom?: string | undefined;
  /** Rows of a handle are read as variants of one product, for `together.ts`; else each as a product of its own. */
  readonly asVariants?: boolean | undefined;
}

export function readShopifyExport(
  bytes: Uint8Array,
  { weightUnit, sha256, categoriesFrom, asVariants = false }: ShopifyOptions,
): ImportRows | Unreadable {
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

  const productRows: ProductRow[] = [];
  const failures: PartFailure[] = [];
  const skipped: SkippedRow[] = file.uneven.map((row) => skip(row.line, row.firstCell, '', row.reason));
  const rowOfSku = new Map<string, number>();
  const givenSkus = new Set(file.rows.map((row) => nameMatch(row.cell('Variant SKU') ?? '')));

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

    const variants = rows.filter((row) => row === product || isVariant(row));
    const owner =
      asVariants && variants.some(hasOption) ? ownerOf(product, rows, images, givenSkus, sha256) : undefined;
    const ofOwner = owner && rowOfSku.get(owner.sku);
    for (const variant of variants) {
      const sku = variantSku(variant.cell('Variant SKU') ?? '', handle, optionValuesOf(variant), sha256);
      const row = variant.line;
      const problems: string[] = [];
      const { input, inputOnCreate } = readVariant(
        product,
        variant,
        { sku, weightUnit, isNamedByOptions: !owner },
        problems,
      );
      if (ofOwner !== undefined) problems.push(`row ${ofOwner} has the SKU "${owner!.sku}" of its product already`);
      const earlierRow = rowOfSku.get(sku);
      if (earlierRow !== undefined) {
        problems.push(`row ${earlierRow} has the SKU "${sku}" already; give each variant its own Variant SKU`);
      }
      if (problems.length > 0) {
        skipped.push({ ...skip(row, handle, sku, problems.join('; ')), isVariant: owner !== undefined });
        continue;
      }
      rowOfSku.set(sku, row);
      const { options, unnamed } = readOptions(product, variant);
      for (const { value, reason } of unnamed) failures.push({ row, handle, sku, part: 'option', name: value, reason });
      productRows.push({
        row,
        handle,
        sku,
        input,
        inputOnCreate,
        images: imagesOfVariant(variant, images),
        categoryPaths: category.path.length === 0 ? [] : [category.path],
        options,
        ...(owner
          ? { variantOf: { owner, image: imageOfVariant(variant, images), sharesStock: false, notKept: [] } }
          : {}),
      });
    }
    // A row that no option tells apart may have this SKU itself: it is the product then.
    if (owner && !rowOfSku.has(owner.sku)) rowOfSku.set(owner.sku, owner.row);
  }
  const untaken = untakenColumns(file.columns, categoriesFrom);
  const notes = [...file.notes, ...(untaken.length > 0 ? [`${UNTAKEN}: ${untaken.join(', ')}.`] : [])];
  return { readable: true, productRows, skipped, failures, notes };
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

/** Several rows without options are told apart by nothing, and are read as variants too: `together.ts` says so. */
function hasOption(row: CsvRow, index: number): boolean {
  return index > 0 || optionValuesOf(row).length > 0;
}

/** The handle is the SKU of the product, unless a row has it as its own. */
function ownerOf(
  product: CsvRow,
  rows: readonly CsvRow[],
  images: HandleImages,
  given: ReadonlySet<string>,
  sha256: Sha256,
): OwnerRow {
  const handle = product.cell('Handle')!;
  const sku = variantSku('', handle, [], sha256);
  return {
    row: product.line,
    sku: given.has(nameMatch(sku)) ? variantSku('', handle, ['product'], sha256) : sku,
    images: imagesOfProduct(rows, images),
  };
}

/** A further row of a handle is a variant, an image, or both. */
function isVariant(row: CsvRow): boolean {
  return VARIANT_MARKS.some((column) => row.cell(column));
}

const VARIANT_MARKS = ['Option1 Value', 'Option2 Value', 'Option3 Value', 'Variant SKU', 'Variant Price'];

function skip(row: number, handle: string, sku: string, reason: string): SkippedRow {
  return { row, handle, sku, outcome: 'skipped', reason };
}
