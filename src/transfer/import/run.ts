/**
 * The import itself: brings drafts into a catalog, product by product, and reports what became of every row.
 * The same drafts a second time change nothing; what failed is tried again. Products and images that the file no
 * longer names stay as they are, and so do position and alternative text of images once added.
 */
import { type Problems, sentenceOf } from '../api/store-api.ts';
import type { Catalog, Saved, SavedProduct, StoredProduct } from './catalog.ts';
import { dryRun } from './dry-run.ts';
import type { ImageRow, ImportRows, Part, PartFailure, ProductInput, ProductRow } from './import-row.ts';
import { type Names, namesOf } from './names.ts';
import { chooseOption, assignCategory } from './placement.ts';
import { type ImportReport, NOTHING_ADDED, type PartsAdded, type RowReport } from './report.ts';
import { addVariants, findConflictingProduct, skippedRow } from './variants.ts';

interface RunOptions {
  /** Reports what would be done; writes and downloads nothing. */
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
  /** Drafts that have their outcome, and the one that was asked for last. */
  let [done, asked] = [0, 0];
  const underway: { draft: ProductRow; classId: number | undefined }[] = [];

  /** Nothing of the draft is taken. */
  const refuse = ({ row, handle, sku, variants = [] }: ProductRow, reason: string): void => {
    rows.push({ row, handle, sku, outcome: 'skipped', reason, ...NOTHING_ADDED });
    rows.push(...variants.map((variant) => skippedRow(handle, variant, 'its product was skipped')));
  };

  async function* inputs(): AsyncGenerator<ProductInput> {
    for (const [index, draft] of file.productRows.entries()) {
      asked = index;
      const { input, inputOnCreate, variants } = draft;
      const knows = !variants && input.product_class !== undefined && Object.keys(inputOnCreate).length === 0;
      const stored = knows ? undefined : await catalog.findProduct(draft.sku);
      const reason = variants && !stored ? await findConflictingProduct(catalog, draft) : undefined;
      if (reason !== undefined) {
        refuse(draft, reason);
        done += 1;
        continue;
      }
      underway.push({ draft, classId: await findClass(names, draft, stored) });
      yield stored ? draft.input : { ...draft.input, ...draft.inputOnCreate };
    }
  }

  const take = async (draft: ProductRow, saved: SavedProduct, classId: number | undefined): Promise<void> => {
    const { row, handle, sku } = draft;
    const fail = (part: Part, name: string, problems: Problems) =>
      void failures.push({ row, handle, sku, part, name, reason: sentenceOf(problems) });
    if (!saved.ok) {
      refuse(draft, sentenceOf(saved.problems));
      return;
    }
    const { outcome } = saved;
    const target = { productId: saved.id, classId };
    const categoriesAdded = await addCategories(catalog, names, target, draft, fail);
    const optionsSet = await setOptions(catalog, names, target, draft, fail);
    const images = await addImages(catalog, target, draft, outcome === 'created' ? unreachable : undefined, fail);
    for (const [address, reason] of images.unreachable) unreachable.set(address, reason);
    const variants = await addVariants(catalog, names, saved.id, draft, unreachable);
    failures.push(...variants.failures);
    const parts = { ...images.counts, categoriesAdded, optionsSet: optionsSet + variants.valuesAdded };
    rows.push({ row, handle, sku, outcome, ...parts }, ...variants.rows);
  };

  let stopped: ImportReport['stopped'];
  try {
    for await (const saved of catalog.saveProducts(inputs())) {
      const { draft, classId } = underway[0]!;
      await take(draft, saved, classId);
      underway.shift();
      done += 1;
      options.onProgress?.({ productsDone: done, productsTotal: file.productRows.length, sku: draft.sku });
    }
  } catch (error) {
    // The store cannot answer. The report tells the work done so far, and a further run goes on from here.
    const { row } = underway[0]?.draft ?? file.productRows[asked]!;
    stopped = { row, reason: (error as Error).message };
  }
  return {
    dryRun: options.dryRun,
    stopped,
    notes: file.notes,
    rows: rows.sort(byRow),
    failures: failures.sort(byRow),
    made: {
      categories: names.made('categories'),
      attributes: names.made('attributes of class', 'attributes of product'),
      options: names.made('options of class attribute', 'options of product attribute'),
    },
  };
}

/** Takes the problems of a part; the product stays. */
type Fail = (part: Part, name: string, problems: Problems) => void;

interface Target {
  readonly productId: number;
  readonly classId: number | undefined;
}

/** The class that the file names, made where it is missing; where it says nothing, the one that the product has. */
async function findClass(
  names: Names,
  { input }: ProductRow,
  stored: StoredProduct | undefined,
): Promise<number | undefined> {
  if (input.product_class === null) return undefined;
  if (input.product_class === undefined) return (stored?.record.product_class as { id: number } | null | undefined)?.id;
  const found = await names.findOrMake({ kind: 'classes', parents: [] }, input.product_class);
  // The refusal of the product that links to it will say what is wrong with the name.
  return found.ok ? found.id : undefined;
}

/** @returns in how many categories the product is now and was not before */
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

/** @returns of how many attributes the product has another option than before */
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

/** How many images of one product are downloaded at the same time. */
const DOWNLOADS_AT_ONCE = 4;

/** @param failedBefore addresses that are not asked again: variants share images, and a dead host answers late */
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
    const mergeVariants = images.slice(start, start + DOWNLOADS_AT_ONCE);
    const results = await Promise.all(
      mergeVariants.map((image) => addImage(catalog, productId, image, failedBefore)),
    );
    for (const [index, result] of results.entries()) {
      const { externalUrl } = mergeVariants[index]!;
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
  /** Addresses that have no image, with the reason. */
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
