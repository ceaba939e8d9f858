/**
 * The import itself: brings drafts into a catalogue, product by product, and reports what became of every row.
 * The same drafts a second time change nothing; what failed is tried again. Products and images that the file no
 * longer names stay as they are, and so do position and alternative text of images once added.
 */
import type { Catalogue, Problems, Saved, StoredProduct } from './catalogue.ts';
import type { Drafts, ImageDraft, Part, PartFailure, ProductDraft } from './draft.ts';
import { dryRun } from './dry-run.ts';
import { type Names, namesOf } from './names.ts';
import { chooseOption, placeInCategory } from './placement.ts';
import { type ImportReport, NOTHING_ADDED, type PartsAdded, type RowReport, sentenceOf } from './report.ts';

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

export async function runImport(file: Drafts, store: Catalogue, options: RunOptions): Promise<ImportReport> {
  const catalogue = options.dryRun ? dryRun(store) : store;
  const names = namesOf(catalogue);
  const rows: RowReport[] = file.skipped.map((row) => ({ ...row, ...NOTHING_ADDED }));
  const failures: PartFailure[] = [...file.failures];
  const unreachable = new Map<string, string>();

  const take = async (draft: ProductDraft): Promise<void> => {
    const { row, handle, sku } = draft;
    const fail = (part: Part, name: string, problems: Problems) =>
      void failures.push({ row, handle, sku, part, name, reason: sentenceOf(problems) });
    const { outcome, target, problems } = await saveProduct(catalogue, names, draft);
    if (outcome === 'skipped') {
      rows.push({ row, handle, sku, outcome, reason: sentenceOf(problems), ...NOTHING_ADDED });
      return;
    }
    const categoriesAdded = await addCategory(catalogue, names, target, draft, fail);
    const optionsSet = await setOptions(catalogue, names, target, draft, fail);
    const images = await addImages(catalogue, target, draft, unreachable, fail);
    rows.push({ row, handle, sku, outcome, ...images, categoriesAdded, optionsSet });
  };

  let stopped: ImportReport['stopped'];
  for (const [index, draft] of file.drafts.entries()) {
    try {
      await take(draft);
    } catch (error) {
      // The store cannot answer. The report tells the work done so far, and a further run goes on from here.
      stopped = { row: draft.row, reason: (error as Error).message };
      break;
    }
    options.onProgress?.({ productsDone: index + 1, productsTotal: file.drafts.length, sku: draft.sku });
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

type SavedProduct =
  | { outcome: 'created' | 'updated' | 'unchanged'; target: Target; problems?: undefined }
  | { outcome: 'skipped'; target?: undefined; problems: Problems };

async function saveProduct(catalogue: Catalogue, names: Names, draft: ProductDraft): Promise<SavedProduct> {
  const stored = await catalogue.findProduct(draft.sku);
  const classId = await findClass(names, draft, stored);
  const saved = stored
    ? await catalogue.updateProduct(stored.id, draft.input)
    : await catalogue.createProduct({ ...draft.input, ...draft.inputOnCreate });
  if (!saved.ok) return { outcome: 'skipped', problems: saved.problems };
  const outcome = stored ? (saved.changed ? 'updated' : 'unchanged') : 'created';
  return { outcome, target: { productId: saved.id, classId } };
}

/** The class that the file names, made where it is missing; where it says nothing, the one that the product has. */
async function findClass(
  names: Names,
  { input }: ProductDraft,
  stored: StoredProduct | undefined,
): Promise<number | undefined> {
  if (input.product_class === null) return undefined;
  if (input.product_class === undefined) return (stored?.record.product_class as { id: number } | null | undefined)?.id;
  const found = await names.findOrMake({ kind: 'classes', parents: [] }, input.product_class);
  // The refusal of the product that links to it will say what is wrong with the name.
  return found.ok ? found.id : undefined;
}

/** @returns in how many categories the product is now and was not before */
async function addCategory(
  catalogue: Catalogue,
  names: Names,
  { productId }: Target,
  { categoryPath }: ProductDraft,
  fail: Fail,
): Promise<number> {
  if (categoryPath.length === 0) return 0;
  const placed = await placeInCategory(catalogue, names, productId, categoryPath);
  if (!placed.ok) fail('category', categoryPath.join(' > '), placed.problems);
  return countChanged(placed);
}

/** @returns of how many attributes the product has another option than before */
async function setOptions(
  catalogue: Catalogue,
  names: Names,
  target: Target,
  { options }: ProductDraft,
  fail: Fail,
): Promise<number> {
  let set = 0;
  for (const option of options) {
    const chosen = await chooseOption(catalogue, names, target, option);
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

async function addImages(
  catalogue: Catalogue,
  { productId }: Target,
  { images }: ProductDraft,
  unreachable: Map<string, string>,
  fail: Fail,
): Promise<Pick<PartsAdded, 'imagesAdded' | 'imagesKnown'>> {
  let imagesAdded = 0;
  let imagesKnown = 0;
  for (let start = 0; start < images.length; start += DOWNLOADS_AT_ONCE) {
    const together = images.slice(start, start + DOWNLOADS_AT_ONCE);
    const results = await Promise.all(together.map((image) => addImage(catalogue, productId, image, unreachable)));
    for (const [index, result] of results.entries()) {
      if (result === 'known') imagesKnown += 1;
      else if (result.ok) imagesAdded += 1;
      else fail('image', together[index]!.externalUrl, result.problems);
    }
  }
  return { imagesAdded, imagesKnown };
}

/** An address that failed once is not asked again in the same run: variants share images, and a dead host answers late. */
async function addImage(
  catalogue: Catalogue,
  productId: number,
  image: ImageDraft,
  unreachable: Map<string, string>,
): Promise<Saved | 'known'> {
  if (await catalogue.imageKnown(productId, image.externalUrl)) return 'known';
  const failedBefore = unreachable.get(image.externalUrl);
  if (failedBefore !== undefined) return { ok: false, problems: [{ path: '', message: failedBefore }] };
  const saved = await catalogue.addImage(productId, image);
  if (!saved.ok && saved.problems.some((problem) => problem.path === 'externalUrl'))
    unreachable.set(image.externalUrl, sentenceOf(saved.problems));
  return saved;
}

function byRow(a: { row: number }, b: { row: number }): number {
  return a.row - b.row;
}
