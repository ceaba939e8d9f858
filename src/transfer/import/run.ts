/**
 * Writes product rows to a catalog and reports the outcome of every row. Running the same import again changes nothing and
 * retries what failed. Products and images that are no longer in the file are not deleted; position and alternative text of
 * images are not updated once added.
 */
import { type Problems, sentenceOf } from '../api/store-api.ts';
import type { Catalog, Saved, SavedProduct, StoredProduct } from './catalog.ts';
import { dryRun } from './dry-run.ts';
import type { ImageRow, ImportRows, Part, PartFailure, ProductInput, ProductRow } from './import-row.ts';
import { type Names, namesOf } from './names.ts';
import { assignCategory, chooseOption } from './placement.ts';
import { type ImportReport, NOTHING_ADDED, type PartsAdded, type RowReport } from './report.ts';
import { addVariants, findConflictingProduct, skippedRow } from './variants.ts';

interface RunOptions {
  /** Reports what would be done, without writing or downloading. */
  readonly dryRun: boolean;
  /** Called after every product. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly productsDone: number;
  readonly productsTotal: number;
  readonly sku: string;
}

export async function runImport(file: ImportRows, store: Catalog, options: RunOptions): Promise<ImportReport> {
  const catalog = options.dryRun ? dryRun(store) : store;
  const names = namesOf(catalog);
  const rows: RowReport[] = file.skipped.map((row) => ({ ...row, ...NOTHING_ADDED }));
  const failures: PartFailure[] = [...file.failures];
  const unreachable = new Map<string, string>();
  /** Count of rows with an outcome, and index of the row read last. */
  let [done, lastRead] = [0, 0];
  const pending: { productRow: ProductRow; classId: number | undefined }[] = [];

  /** Skips a product with its variants. */
  const skip = ({ row, handle, sku, variants = [] }: ProductRow, reason: string): void => {
    rows.push({ row, handle, sku, outcome: 'skipped', reason, ...NOTHING_ADDED });
    rows.push(...variants.map((variant) => skippedRow(handle, variant, `Its product was skipped (row ${row}).`)));
  };

  async function* inputs(): AsyncGenerator<ProductInput> {
    for (const [index, productRow] of file.productRows.entries()) {
      lastRead = index;
      const { input, inputOnCreate, variants } = productRow;
      const needsNoLookup = !variants && input.product_class !== undefined && Object.keys(inputOnCreate).length === 0;
      const stored = needsNoLookup ? undefined : await catalog.findProduct(productRow.sku);
      const reason = variants && !stored ? await findConflictingProduct(catalog, productRow) : undefined;
      if (reason !== undefined) {
        skip(productRow, reason);
        done += 1;
        continue;
      }
      pending.push({ productRow, classId: await findClass(names, productRow, stored) });
      yield stored ? productRow.input : { ...productRow.input, ...productRow.inputOnCreate };
    }
  }

  const addParts = async (productRow: ProductRow, saved: SavedProduct, classId: number | undefined): Promise<void> => {
    const { row, handle, sku } = productRow;
    const fail = (part: Part, name: string, problems: Problems) =>
      void failures.push({ row, handle, sku, part, name, reason: sentenceOf(problems) });
    if (!saved.ok) {
      skip(productRow, sentenceOf(saved.problems));
      return;
    }
    const { outcome } = saved;
    const target = { productId: saved.id, classId };
    const categoriesAdded = await addCategories(catalog, names, target, productRow, fail);
    const optionsSet = await setOptions(catalog, names, target, productRow, fail);
    const images = await addImages(catalog, target, productRow, outcome === 'created' ? unreachable : undefined, fail);
    for (const [address, reason] of images.unreachable) unreachable.set(address, reason);
    const variants = await addVariants(catalog, names, saved.id, productRow, unreachable);
    failures.push(...variants.failures);
    const parts = { ...images.counts, categoriesAdded, optionsSet: optionsSet + variants.valuesAdded };
    rows.push({ row, handle, sku, outcome, ...parts }, ...variants.rows);
  };

  let stopped: ImportReport['stopped'];
  try {
    for await (const saved of catalog.saveProducts(inputs())) {
      const { productRow, classId } = pending[0]!;
      await addParts(productRow, saved, classId);
      pending.shift();
      done += 1;
      options.onProgress?.({ productsDone: done, productsTotal: file.productRows.length, sku: productRow.sku });
    }
  } catch (error) {
    // The store is unavailable. The report covers the work done so far; another run continues from here.
    const { row } = pending[0]?.productRow ?? file.productRows[lastRead]!;
    stopped = { row, reason: (error as Error).message };
  }
  return {
    dryRun: options.dryRun,
    stopped,
    notes: file.notes,
    rows: rows.sort(byRow),
    failures: failures.sort(byRow),
    made: {
      categories: names.created('categories'),
      attributes: names.created('attributes of class', 'attributes of product'),
      options: names.created('options of class attribute', 'options of product attribute'),
    },
  };
}

/** Reports that a part of an imported product failed. */
type Fail = (part: Part, name: string, problems: Problems) => void;

interface Target {
  readonly productId: number;
  readonly classId: number | undefined;
}

/** Finds or creates the class that the file names. If the file names none, returns the product's current class. */
async function findClass(
  names: Names,
  { input }: ProductRow,
  stored: StoredProduct | undefined,
): Promise<number | undefined> {
  if (input.product_class === null) return undefined;
  if (input.product_class === undefined) return (stored?.record.product_class as { id: number } | null | undefined)?.id;
  const found = await names.findOrCreate({ kind: 'classes', parents: [] }, input.product_class);
  // Saving the product will report what is wrong with the name.
  return found.ok ? found.id : undefined;
}

/** @returns the number of categories to which the product was added */
async function addCategories(
  catalog: Catalog,
  names: Names,
  { productId }: Target,
  { categoryPaths }: ProductRow,
  fail: Fail,
): Promise<number> {
  let added = 0;
  for (const path of categoryPaths) {
    const placed = await assignCategory(catalog, names, productId, path);
    if (!placed.ok) fail('category', path.join(' > '), placed.problems);
    added += countChanged(placed);
  }
  return added;
}

/** @returns the number of attributes whose option changed */
async function setOptions(
  catalog: Catalog,
  names: Names,
  target: Target,
  { options }: ProductRow,
  fail: Fail,
): Promise<number> {
  let set = 0;
  for (const option of options) {
    const chosen = await chooseOption(catalog, names, target, option);
    if (!chosen.ok) fail('option', `${option.name} ${option.value}`, chosen.problems);
    set += countChanged(chosen);
  }
  return set;
}

function countChanged(saved: Saved): number {
  return saved.ok && saved.changed ? 1 : 0;
}

/** Concurrent downloads per product. */
const DOWNLOADS_AT_ONCE = 4;

/** @param failedBefore addresses that are not retried, with the reasons: variants share images, and timeouts are slow */
async function addImages(
  catalog: Catalog,
  { productId }: Target,
  { images }: ProductRow,
  failedBefore: ReadonlyMap<string, string> | undefined,
  fail: Fail,
): Promise<AddedImages> {
  const counts = { imagesAdded: 0, imagesKnown: 0 };
  const unreachable = new Map<string, string>();
  for (let start = 0; start < images.length; start += DOWNLOADS_AT_ONCE) {
    const batch = images.slice(start, start + DOWNLOADS_AT_ONCE);
    const results = await Promise.all(batch.map((image) => addImage(catalog, productId, image, failedBefore)));
    for (const [index, result] of results.entries()) {
      const { externalUrl } = batch[index]!;
      if (result.ok) counts[result.changed ? 'imagesAdded' : 'imagesKnown'] += 1;
      else {
        fail('image', externalUrl, result.problems);
        if (result.problems.some(({ path }) => path === 'externalUrl'))
          unreachable.set(externalUrl, sentenceOf(result.problems));
      }
    }
  }
  return { counts, unreachable };
}

interface AddedImages {
  readonly counts: Pick<PartsAdded, 'imagesAdded' | 'imagesKnown'>;
  /** Addresses that failed, with the reasons. */
  readonly unreachable: ReadonlyMap<string, string>;
}

async function addImage(
  catalog: Catalog,
  productId: number,
  image: ImageRow,
  failedBefore: ReadonlyMap<string, string> | undefined,
): Promise<Saved> {
  const reason = failedBefore?.get(image.externalUrl);
  if (reason !== undefined) return { ok: false, problems: [{ path: '', message: reason }] };
  return catalog.addImage(productId, image);
}

function byRow(a: { row: number }, b: { row: number }): number {
  return a.row - b.row;
}
