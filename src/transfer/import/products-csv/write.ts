/** Writes the products of a store as CSV (sync.md §5): RFC 4180 in UTF-8 with a byte order mark, variants below their product. */
import type { ApiRecord, Filter, StoreApi } from '../../api/store-api.ts';
import {
  IMAGES_COLUMN,
  listCell,
  optionColumn,
  PARENT_COLUMN,
  PRODUCT_COLUMNS,
  productCell,
  textCell,
  VARIANT_COLUMNS,
} from './columns.ts';
import { AttributeLists, type Options, ProductOptions } from './options.ts';

export interface CsvExport {
  /** How many products the store had at the beginning. */
  readonly total: number;
  /** The text of the file, in parts: the header with the byte order mark, then one part for each product. */
  readonly parts: AsyncIterable<string>;
}

const BYTE_ORDER_MARK = '\ufeff';

interface VariantWithOptions {
  readonly variant: ApiRecord;
  readonly options: Options;
}

/**
 * Exports the products that match the filter. Variants are read first and held in memory. Products and variants are two snapshots.
 *
 * @param api whose texts are in the store's default language
 */
export async function exportProductsCsv(api: StoreApi, filter: Filter = {}): Promise<CsvExport> {
  const variants = new Map<unknown, ApiRecord[]>();
  for await (const variant of (await api.export('/variants')).records)
    variants.set(variant.product_id, [...(variants.get(variant.product_id) ?? []), variant]);
  const withOptions = await readOptions(api, variants);
  const names = new Set([...withOptions.values()].flatMap((all) => all.flatMap(({ options }) => [...options.keys()])));
  const columns = [...Object.keys(PRODUCT_COLUMNS), IMAGES_COLUMN, PARENT_COLUMN, ...[...names].map(optionColumn)];
  const { total, records } = await api.export('/products', filter);
  async function* parts(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvRow(columns.map(textCell));
    for await (const product of records) {
      const rows = (withOptions.get(product.id) ?? []).map((variant) => variantCells(product, variant));
      yield [productCells(product), ...rows]
        .map((cells) => csvRow(columns.map((name) => cells.get(name) ?? '')))
        .join('');
    }
  }
  return { total, parts: parts() };
}

/** Reads the options of variants as texts, by product. */
async function readOptions(
  api: StoreApi,
  variants: ReadonlyMap<unknown, readonly ApiRecord[]>,
): Promise<Map<unknown, VariantWithOptions[]>> {
  const lists = new AttributeLists(api);
  const all = new Map<unknown, VariantWithOptions[]>();
  for (const [id, ofProduct] of variants) {
    const product = await api.find('/products/{id}', [id as number]);
    // Deleted since its variants were read.
    if (!product) continue;
    const productOptions = new ProductOptions(api, lists, product);
    const own: VariantWithOptions[] = [];
    for (const variant of ofProduct) own.push({ variant, options: await productOptions.textsOf(variant) });
    all.set(id, own);
  }
  return all;
}

function productCells(product: ApiRecord): Map<string, string> {
  const cells = new Map(Object.keys(PRODUCT_COLUMNS).map((column) => [column, productCell(column, product)]));
  const images = product.images as readonly { readonly url: string }[];
  return cells.set(IMAGES_COLUMN, listCell(images.map(({ url }) => url)));
}

/** The cells that a variant has by itself. */
function variantCells(product: ApiRecord, { variant, options }: VariantWithOptions): Map<string, string> {
  const cells = new Map([[PARENT_COLUMN, textCell(product.sku as string)]]);
  if (variant.sku !== null) cells.set('sku', textCell(variant.sku as string));
  for (const [column, flag] of Object.entries(VARIANT_COLUMNS))
    if (variant[flag] === false) cells.set(column, productCell(column, variant));
  const image = variant.image as { readonly url: string } | null;
  if (image) cells.set(IMAGES_COLUMN, listCell([image.url]));
  for (const [name, text] of options) cells.set(optionColumn(name), textCell(text));
  return cells;
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
