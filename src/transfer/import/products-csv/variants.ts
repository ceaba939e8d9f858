/** Imports the variant rows of one product. A variant is found by its SKU, or by its options if the row has no SKU. */
import { type ApiRecord, type Problems, type Saved, type StoreApi, sentenceOf } from '../../api/store-api.ts';
import { type CsvChange, changeOfImages, changesOfFields } from './changes.ts';
import { optionColumn, VARIANT_COLUMNS } from './columns.ts';
import { isSameImage } from './images.ts';
import { type AttributeLists, type Options, optionsKey, ProductOptions } from './options.ts';
import type { CsvProductRow } from './read.ts';

const PATH = '/products/{product_id}/variants';

export type VariantOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly changes?: readonly CsvChange[] }
  | { readonly outcome: 'failed'; readonly problems: Problems };

/** Imports rows of one product, one after the other. */
export class VariantImport {
  readonly #api: StoreApi;
  readonly #product: ApiRecord;
  readonly #options: ProductOptions;
  readonly #isDryRun: boolean;
  #stored: readonly ApiRecord[] | undefined;

  constructor(api: StoreApi, lists: AttributeLists, product: ApiRecord, isDryRun: boolean) {
    this.#api = api;
    this.#product = product;
    this.#options = new ProductOptions(api, lists, product);
    this.#isDryRun = isDryRun;
  }

  async import(row: CsvProductRow): Promise<VariantOutcome> {
    const stored = await this.#find(row);
    if (!stored) return this.#create(row);
    if (row.options.size > 0 && row.sku !== '') {
      const current = await this.#options.textsOf(stored);
      if (optionsKey(current) !== optionsKey(row.options))
        return failed([{ path: firstOption(row.options), code: 'other_options', message: OTHER_OPTIONS }]);
    }
    const changes = changesOf(stored, row);
    if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
    if (this.#isDryRun) return { outcome: 'updated', changes: shownChanges(stored, changes, row) };
    return outcomeOf('updated', await this.#api.patch(`${PATH}/{id}`, [this.#id, stored.id as number], changes));
  }

  async #find({ sku, options }: CsvProductRow): Promise<ApiRecord | undefined> {
    this.#stored ??= await Array.fromAsync(this.#api.list(PATH, [this.#id]));
    if (sku !== '') return this.#stored.find((variant) => variant.sku === sku);
    const key = optionsKey(options);
    for (const variant of this.#stored) if (optionsKey(await this.#options.textsOf(variant)) === key) return variant;
    return undefined;
  }

  async #create(row: CsvProductRow): Promise<VariantOutcome> {
    if (row.options.size === 0)
      return failed([
        {
          path: 'sku',
          code: 'new_variant',
          message: 'The product has no such variant. A new one needs its options, in columns such as option.Size.',
        },
      ]);
    if (this.#isDryRun) return { outcome: 'created', changes: changesOfNewVariant(row) };
    const values = await this.#options.valuesOf(row.options);
    if (!('attribute_select_values' in values)) return failed(values);
    const [externalUrl] = row.images ?? [];
    const input = {
      ...row.input,
      ...values,
      ...(row.sku === '' ? {} : { sku: row.sku }),
      ...(externalUrl === undefined ? {} : { image: { externalUrl } }),
    };
    return outcomeOf('created', await this.#api.post(PATH, [this.#id], input));
  }

  get #id(): number {
    return this.#product.id as number;
  }
}

const OTHER_OPTIONS =
  'The variant with this SKU has other options. To change them, delete it and import it as a new one.';

function firstOption(options: Options): string {
  return optionColumn([...options.keys()][0]!);
}

/** The input that differs from the stored variant. */
function changesOf(stored: ApiRecord, { input, images }: CsvProductRow): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(input))
    if (stored[VARIANT_COLUMNS[field]!] !== false || stored[field] !== value) changes[field] = value;
  if (images === undefined) return changes;
  const image = stored.image as { readonly url: string } | null;
  const [wanted] = images;
  if (wanted === undefined) return image ? { ...changes, image: null } : changes;
  return image && isSameImage(image.url, wanted) ? changes : { ...changes, image: { externalUrl: wanted } };
}

/** The changes of a stored variant. A value that is inherited from its product is empty, as in a file. */
function shownChanges(stored: ApiRecord, changes: Readonly<Record<string, unknown>>, row: CsvProductRow): CsvChange[] {
  const { image: _, ...input } = changes;
  const own = Object.fromEntries(
    Object.keys(input).map((field) => [field, stored[VARIANT_COLUMNS[field]!] === false ? stored[field] : null]),
  );
  const fields = changesOfFields(own, input);
  if (!('image' in changes)) return fields;
  const image = stored.image as { readonly url: string } | null;
  return [...fields, changeOfImages(image ? [image.url] : [], row.images ?? [])];
}

export function changesOfNewVariant({ input, images = [], options }: CsvProductRow): CsvChange[] {
  const own = [...options].map(([name, after]) => ({ column: optionColumn(name), before: '', after }));
  return [...own, ...changesOfFields(undefined, input), ...(images.length > 0 ? [changeOfImages([], images)] : [])];
}

function outcomeOf(outcome: 'created' | 'updated', saved: Saved): VariantOutcome {
  if (saved.ok) return { outcome };
  return failed(
    saved.problems.map(({ path, message }) => ({
      path: path.replace(/^image\..*/, 'images'),
      message: path.startsWith('image.') ? sentenceOf([{ path, message }]) : message,
    })),
  );
}

function failed(problems: Problems): VariantOutcome {
  return { outcome: 'failed', problems };
}
