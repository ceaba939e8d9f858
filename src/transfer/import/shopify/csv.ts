/**
 * Parses a Shopify product export. Rows are grouped by handle, and every variant becomes one product row. Rows that cannot
 * be imported are returned with a reason. `run.ts` writes the result to the store.
 *
 * The whole file is in memory, because the rows of a handle need not be adjacent.
 */
import { hintOf, withoutSynonyms } from '../../../engine/hints.ts';
import { nameMatch } from '../../../engine/text-forms.ts';
import { type CsvRow, readCsvRows } from '../csv-rows.ts';
import {
  type ImportRows,
  type OwnerRow,
  ownerSkuTaken,
  type PartFailure,
  type ProductRow,
  type SkippedRow,
  type Unreadable,
} from '../import-row.ts';
import { type Sha256, variantSku } from '../variant-sku.ts';
import type { WeightUnit } from '../weight.ts';
import { readCategory, TAXONOMY_COLUMNS } from './category.ts';
import { SHOPIFY_COLUMNS } from './columns.ts';
import { type HandleImages, imageOfVariant, imagesOfProduct, imagesOfVariant, readHandleImages } from './images.ts';
import { optionValuesOf, readOptions } from './options.ts';
import { readVariant } from './variant.ts';

export interface ShopifyOptions {
  /** The store's unit, to which grams are converted. */
  readonly weightUnit: WeightUnit;
  readonly sha256: Sha256;
  /** The column with category names, if it is not one of the default ones. */
  readonly categoriesFrom?: string | undefined;
  /** Whether the rows of a handle are variants, to be merged by `merge-variants.ts`; otherwise each is a product. */
  readonly asVariants?: boolean | undefined;
}

/** What has been read so far, across handles. */
interface Results {
  readonly productRows: ProductRow[];
  readonly failures: PartFailure[];
  readonly skipped: SkippedRow[];
  /** The row that first used each SKU. */
  readonly rowOfSku: Map<string, number>;
}

export function readShopifyExport(bytes: Uint8Array, options: ShopifyOptions): ImportRows | Unreadable {
  const { categoriesFrom } = options;
  const known = categoriesFrom === undefined ? SHOPIFY_COLUMNS : [...SHOPIFY_COLUMNS, categoriesFrom];
  const file = readCsvRows(bytes, REQUIRED_COLUMNS, known);
  if (!file.readable) return file;
  if (categoriesFrom !== undefined && !file.columns.includes(categoriesFrom)) {
    const hint = hintOf(categoriesFrom, withoutSynonyms([...file.columns]), 'columns');
    return { readable: false, reason: `The file has no column "${categoriesFrom}" to read categories from.${hint}` };
  }
  const results: Results = {
    productRows: [],
    failures: [],
    skipped: file.uneven.map((row) => skip(row.line, row.firstCell, '', row.reason)),
    rowOfSku: new Map(),
  };
  const givenSkus = new Set(file.rows.map((row) => nameMatch(row.cell('Variant SKU') ?? '')));
  for (const [handle, rows] of groupByHandle(file.rows)) {
    const product = rows.find((row) => row.cell('Title'));
    if (handle !== '' && product) readHandle({ handle, rows, product }, givenSkus, options, results);
    else {
      const reason = handle === '' ? NO_HANDLE : NO_TITLE;
      for (const row of rows) results.skipped.push(skip(row.line, handle, row.cell('Variant SKU') ?? '', reason));
    }
  }
  const ignored = ignoredColumns(file.columns, categoriesFrom);
  const notes = [...file.notes, ...(ignored.length > 0 ? [`${IGNORED_COLUMNS}: ${ignored.join(', ')}.`] : [])];
  const { productRows, skipped, failures } = results;
  return { readable: true, productRows, skipped, failures, notes };
}

const NO_HANDLE = 'The Handle is empty. Fill it in.';
const NO_TITLE = 'No valid row with this Handle has a Title. Add a Title to its first row.';

interface HandleRows {
  readonly handle: string;
  readonly rows: readonly CsvRow[];
  /** The row that describes the product. */
  readonly product: CsvRow;
}

/** Reads the rows of one handle and adds them to the results. */
function readHandle(
  { handle, rows, product }: HandleRows,
  givenSkus: ReadonlySet<string>,
  { sha256, weightUnit, categoriesFrom, asVariants = false }: ShopifyOptions,
  { productRows, failures, skipped, rowOfSku }: Results,
): void {
  const images = readHandleImages(handle, rows);
  failures.push(...images.failures);
  const categoryPaths = readCategoryPaths(product, handle, categoriesFrom, failures);
  const variants = rows.filter((row) => row === product || isVariant(row));
  const owner = asVariants && variants.some(hasOption) ? ownerOf(product, rows, images, givenSkus, sha256) : undefined;
  const ownerSkuUsedBy = owner && rowOfSku.get(owner.sku);
  for (const variant of variants) {
    const sku = variantSku(variant.cell('Variant SKU') ?? '', handle, optionValuesOf(variant), sha256);
    const row = variant.line;
    const problems: string[] = [];
    const form = { sku, weightUnit, isNamedByOptions: !owner };
    const { input, inputOnCreate } = readVariant(product, variant, form, problems);
    if (owner && ownerSkuUsedBy !== undefined) problems.push(ownerSkuTaken(ownerSkuUsedBy, owner.sku));
    const skuUsedBy = rowOfSku.get(sku);
    if (skuUsedBy !== undefined)
      problems.push(`Row ${skuUsedBy} already has the SKU "${sku}". Give each variant its own Variant SKU.`);
    if (problems.length > 0) {
      skipped.push({ ...skip(row, handle, sku, problems.join(' ')), isVariant: owner !== undefined });
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
      categoryPaths,
      options,
      ...(owner
        ? { variantOf: { owner, image: imageOfVariant(variant, images), sharesStock: false, ignoredFields: [] } }
        : {}),
    });
  }
  // A row without options may have this SKU itself: then it is the product.
  if (owner && !rowOfSku.has(owner.sku)) rowOfSku.set(owner.sku, owner.row);
}

/** @returns at most one path @param failures receives the failure for a taxonomy code */
function readCategoryPaths(
  product: CsvRow,
  handle: string,
  categoriesFrom: string | undefined,
  failures: PartFailure[],
): (readonly string[])[] {
  const { path, code } = readCategory(product, categoriesFrom);
  if (code !== undefined)
    failures.push({ row: product.line, handle, sku: '', part: 'category', name: code, reason: CODE_REASON });
  return path.length === 0 ? [] : [path];
}

/** A file without these columns is not a product export. */
const REQUIRED_COLUMNS = ['Handle', 'Title', 'Variant Price'];

const CODE_REASON = 'This is a taxonomy code. Write the category path, as in "Apparel > Clothing".';

const IGNORED_COLUMNS = 'These columns were not imported';

/** If another column names the categories, the taxonomy columns are ignored too. */
function ignoredColumns(columns: readonly string[], categoriesFrom: string | undefined): string[] {
  const imported = new Set<string>(SHOPIFY_COLUMNS);
  if (categoriesFrom !== undefined) {
    for (const column of TAXONOMY_COLUMNS) imported.delete(column);
    imported.add(categoriesFrom);
  }
  return [...new Set(columns)].filter((column) => column !== '' && !imported.has(column));
}

function groupByHandle(rows: readonly CsvRow[]): Map<string, CsvRow[]> {
  return Map.groupBy(rows, (row) => row.cell('Handle') ?? '');
}

/** A further row without options is read as a variant too, so that `merge-variants.ts` reports the duplicate. */
function hasOption(row: CsvRow, index: number): boolean {
  return index > 0 || optionValuesOf(row).length > 0;
}

/** The SKU of the product is its handle, unless a variant already has that SKU. */
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

/** Whether a further row of a handle is a variant. Otherwise it only adds an image. */
function isVariant(row: CsvRow): boolean {
  return VARIANT_COLUMNS.some((column) => row.cell(column));
}

const VARIANT_COLUMNS = ['Option1 Value', 'Option2 Value', 'Option3 Value', 'Variant SKU', 'Variant Price'];

function skip(row: number, handle: string, sku: string, reason: string): SkippedRow {
  return { row, handle, sku, outcome: 'skipped', reason };
}
