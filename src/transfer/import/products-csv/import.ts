/** Imports the rows of a product CSV file (sync.md §5): products in batches, then the images and the variants of each. */
import type { ApiRecord, Problems, StoreApi } from '../../api/store-api.ts';
import { type CsvChange, changeOfImages, changesOfFields } from './changes.ts';
import { setImages } from './images.ts';
import { AttributeLists } from './options.ts';
import type { CsvProductRow, ProductsCsv } from './read.ts';
import { changesOfNewVariant, VariantImport, type VariantOutcome } from './variants.ts';

export interface CsvRowReport {
  /** Its number in the file; the first row, with the column names, is 1. */
  readonly row: number;
  readonly sku: string;
  readonly isVariant: boolean;
  /** The SKU of the variant's product; undefined for a product. */
  readonly parentSku: string | undefined;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  /** Why it failed. `path` is a column, or empty. */
  readonly problems: Problems;
  /** What a dry run would change; empty after an import, and for rows that fail. */
  readonly changes: readonly CsvChange[];
}

export interface CsvImportReport {
  readonly dryRun: boolean;
  /** In file order. */
  readonly rows: readonly CsvRowReport[];
  readonly unknownColumns: readonly string[];
  readonly notes: readonly string[];
  /** Set if the store became unavailable: this row and later ones may not have been imported. */
  readonly stopped: { readonly row: number; readonly reason: string } | undefined;
}

export interface CsvImportOptions {
  readonly dryRun: boolean;
  /** Called after each row. Throwing from it stops the import and is reported. */
  readonly onProgress?: (progress: { readonly rowsDone: number; readonly rowsTotal: number }) => void;
}

/** Products whose stored state is read at once. More would not fit into a URL. */
const PRODUCTS_AT_ONCE = 50;

/** @param api whose texts are in the store's default language */
export async function importProductsCsv(
  api: StoreApi,
  { rows, unknownColumns, notes }: ProductsCsv,
  { dryRun, onProgress }: CsvImportOptions,
): Promise<CsvImportReport> {
  const reports: CsvRowReport[] = [];
  const report = (row: CsvProductRow, result: VariantOutcome): void => {
    const problems = result.outcome === 'failed' ? result.problems : [];
    const changes = (dryRun && result.outcome !== 'failed' && result.changes) || [];
    const { row: number, sku, parentSku } = row;
    const { outcome } = result;
    reports.push({ row: number, sku, parentSku, isVariant: parentSku !== undefined, outcome, problems, changes });
    onProgress?.({ rowsDone: reports.length, rowsTotal: rows.length });
  };
  const lists = new AttributeLists(api);
  let stopped: CsvImportReport['stopped'];
  try {
    for (const products of batches(rows)) await importBatch({ api, lists, dryRun, report }, products);
  } catch (error) {
    const done = new Set(reports.map(({ row }) => row));
    const next = rows.find(({ row }) => !done.has(row));
    stopped = { row: next?.row ?? rows.at(-1)?.row ?? 1, reason: (error as Error).message };
  }
  reports.sort((one, other) => one.row - other.row);
  return { dryRun, rows: reports, unknownColumns, notes, stopped };
}

/** The rows of one product: its own, if the file has it, and those of its variants. */
interface ProductRows {
  readonly sku: string;
  own: CsvProductRow | undefined;
  readonly variants: CsvProductRow[];
}

/** Groups rows by product, in the order of the first row of each. */
function* batches(rows: readonly CsvProductRow[]): Generator<ProductRows[]> {
  const products = new Map<string, ProductRows>();
  for (const row of rows) {
    // A row without a usable SKU is a product of its own, so that it is reported.
    const sku = row.parentSku ?? (row.sku === '' || products.get(row.sku)?.own ? ` ${row.row}` : row.sku);
    const known = products.get(sku) ?? { sku, own: undefined, variants: [] };
    products.set(sku, known);
    if (row.parentSku === undefined) known.own = row;
    else known.variants.push(row);
  }
  const all = [...products.values()];
  for (let start = 0; start < all.length; start += PRODUCTS_AT_ONCE) yield all.slice(start, start + PRODUCTS_AT_ONCE);
}

interface Run {
  readonly api: StoreApi;
  readonly lists: AttributeLists;
  readonly dryRun: boolean;
  readonly report: (row: CsvProductRow, result: VariantOutcome) => void;
}

async function importBatch(run: Run, products: readonly ProductRows[]): Promise<void> {
  const saved = await saveProducts(run, products);
  const stored = await readProducts(run.api, products);
  for (const { sku, own, variants } of products) {
    const product = stored.get(sku);
    const result = own && saved.get(own);
    const described = own && result && run.dryRun ? withChanges(own, result, product) : result;
    if (own && described) run.report(own, await withImages(run, own, described, product));
    await importVariants(run, variants, product, own && result?.outcome === 'created');
  }
}

/** Saves the fields of the products. @returns the outcome of each row */
async function saveProducts(
  { api, dryRun }: Run,
  products: readonly ProductRows[],
): Promise<Map<CsvProductRow, VariantOutcome>> {
  const outcomes = new Map<CsvProductRow, VariantOutcome>();
  const writable: CsvProductRow[] = [];
  for (const { own } of products)
    if (own && own.problems.length > 0) outcomes.set(own, { outcome: 'failed', problems: own.problems });
    else if (own) writable.push(own);
  if (writable.length === 0) return outcomes;
  const lines = writable.map(({ sku, input }) => ({ sku, ...input }));
  let next = 0;
  for await (const { result, rejection } of api.bulk('/products', lines, { dryRun })) {
    const row = writable[next++]!;
    outcomes.set(
      row,
      rejection
        ? { outcome: 'failed', problems: rejection.problems }
        : { outcome: result as 'created' | 'updated' | 'unchanged' },
    );
  }
  return outcomes;
}

/** Reads the products by SKU. */
async function readProducts(api: StoreApi, products: readonly ProductRows[]): Promise<Map<string, ApiRecord>> {
  const skus = products.map(({ sku }) => sku).filter((sku) => !sku.startsWith(' '));
  const stored = new Map<string, ApiRecord>();
  if (skus.length === 0) return stored;
  for await (const product of api.list('/products', [], { sku: skus })) stored.set(product.sku as string, product);
  return stored;
}

/** Adds what a dry run would change. @param product as it is stored */
function withChanges({ input }: CsvProductRow, result: VariantOutcome, product: ApiRecord | undefined): VariantOutcome {
  const isChanged = result.outcome === 'created' || result.outcome === 'updated';
  return isChanged ? { ...result, changes: changesOfFields(product, input) } : result;
}

/** @param product undefined in a dry run, if it would be created */
async function withImages(
  { api, dryRun }: Run,
  { images }: CsvProductRow,
  result: VariantOutcome,
  product: ApiRecord | undefined,
): Promise<VariantOutcome> {
  if (result.outcome === 'failed' || images === undefined) return result;
  const stored = (product?.images ?? []) as readonly { readonly url: string }[];
  const changed = product ? await setImages(api, product, images, dryRun) : images.length > 0;
  if (typeof changed !== 'boolean') return { outcome: 'failed', problems: changed };
  if (!changed) return result;
  const change = changeOfImages(
    stored.map(({ url }) => url),
    images,
  );
  return {
    outcome: result.outcome === 'unchanged' ? 'updated' : result.outcome,
    changes: [...(result.changes ?? []), change],
  };
}

/** @param isNew the product would be created by this dry run */
async function importVariants(
  { api, lists, dryRun, report }: Run,
  rows: readonly CsvProductRow[],
  product: ApiRecord | undefined,
  isNew: boolean | undefined,
): Promise<void> {
  const variants = product && new VariantImport(api, lists, product, dryRun);
  for (const row of rows) {
    if (row.problems.length > 0) report(row, { outcome: 'failed', problems: row.problems });
    else if (variants) report(row, await variants.import(row));
    else if (isNew && row.options.size > 0) report(row, { outcome: 'created', changes: changesOfNewVariant(row) });
    else report(row, { outcome: 'failed', problems: [unknownParent(row)] });
  }
}

function unknownParent({ parentSku }: CsvProductRow): Problems[number] {
  const value = parentSku ?? '';
  const message = `There is no product with the SKU ${JSON.stringify(value)}.`;
  return { path: 'parent_sku', code: 'no_parent', value, message };
}
