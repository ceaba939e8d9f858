/**
 * Maps the cells of one variant in a Shopify export to product fields. Reports cells that cannot be parsed; all other rules
 * are checked by the store.
 */
import {
  isShort,
  readDecimal,
  readFlag,
  readInteger,
  readPlainNumber,
  readShortText,
  SHORT_TEXT_LENGTH_MAX,
} from '../cells.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { ProductInput } from '../import-row.ts';
import { type WeightUnit, weightFromGrams } from '../weight.ts';
import { optionValuesOf } from './options.ts';

interface VariantForm {
  readonly sku: string;
  readonly weightUnit: WeightUnit;
  /** Whether the variant becomes a product, whose name then includes the option values. */
  readonly isNamedByOptions: boolean;
}

/**
 * Reads a variant from its own row and the row that describes its product.
 * @param problems receives sentences about cells that cannot be parsed
 */
export function readVariant(
  product: CsvRow,
  variant: CsvRow,
  { sku, weightUnit, isNamedByOptions }: VariantForm,
  problems: string[],
): { input: ProductInput; inputOnCreate: Partial<ProductInput> } {
  const { amount, traceable } = readStock(variant, problems);
  const input = {
    sku,
    name: readName(product, isNamedByOptions ? optionValuesOf(variant) : [], problems),
    description: product.text('Body (HTML)'),
    meta_title: readShortText(product, 'SEO Title', problems),
    meta_description: product.cell('SEO Description'),
    ...readPrices(variant, problems),
    weight: readWeight(variant, weightUnit, problems),
    amount,
    inventory_traceable: traceable,
    available_for_backorder: continuesWhenSoldOut(variant),
    taxable: readFlag(variant, 'Variant Taxable', problems),
    enabled: readEnabled(product, problems),
    tags: readTags(product, problems),
    product_class: readProductClass(product, problems),
  };
  return {
    input: withoutUndefined(input),
    // Stock is counted but the quantity is unknown: a new product starts with 0 units instead of the default amount.
    inputOnCreate: traceable && amount === undefined ? { amount: 0 } : {},
  };
}

function readName(product: CsvRow, values: readonly string[], problems: string[]): string {
  const name = [product.cell('Title'), ...(values.length > 0 ? [values.join(' / ')] : [])].join(' – ');
  if (!isShort(name))
    problems.push(
      `The name (Title${values.length > 0 ? ' and options' : ''}) is too long. Shorten it to at most ${SHORT_TEXT_LENGTH_MAX} characters.`,
    );
  return name;
}

/** A compare-at price is a former price, which is used only if it is higher than the price. */
function readPrices(variant: CsvRow, problems: string[]) {
  if (!variant.cell('Variant Price')) problems.push(`Variant Price in row ${variant.line} is empty. Fill it in.`);
  const price = readDecimal(variant, 'Variant Price', problems) ?? 0;
  const compareAt = readDecimal(variant, 'Variant Compare At Price', problems) ?? 0;
  const knowsCompareAt = variant.cell('Variant Compare At Price') !== undefined;
  return {
    price,
    market_price: knowsCompareAt ? (compareAt > price ? compareAt : 0) : undefined,
    cost_price: readDecimal(variant, 'Cost per item', problems),
  };
}

function readWeight(variant: CsvRow, unit: WeightUnit, problems: string[]): number | undefined {
  const grams = readPlainNumber(variant, 'Variant Grams', problems);
  return grams === undefined ? undefined : weightFromGrams(grams, unit);
}

/** Stock is counted if a tracker is named. Negative stock, oversold in the other shop, becomes 0. */
function readStock(variant: CsvRow, problems: string[]) {
  const quantity = readInteger(variant, 'Variant Inventory Qty', problems);
  const tracker = variant.cell('Variant Inventory Tracker');
  return {
    amount: quantity === undefined ? undefined : Math.max(0, quantity),
    traceable: tracker === undefined ? undefined : tracker !== '',
  };
}

function continuesWhenSoldOut(variant: CsvRow): boolean | undefined {
  const policy = variant.cell('Variant Inventory Policy');
  return policy === undefined ? undefined : policy.toLowerCase() === 'continue';
}

/** As in Shopify, an empty `Published` means true and an empty `Status` means active. */
function readEnabled(product: CsvRow, problems: string[]): boolean | undefined {
  const status = product.cell('Status');
  if (status === undefined && product.cell('Published') === undefined) return undefined;
  const published = readFlag(product, 'Published', problems) ?? true;
  return published && (!status || status.toLowerCase() === 'active');
}

/** Removes duplicates as the store compares names, in NFC and lower case. The first spelling is used. */
function readTags(product: CsvRow, problems: string[]): string[] | undefined {
  const cell = product.cell('Tags');
  if (cell === undefined) return undefined;
  const tags = new Map<string, string>();
  for (const tag of cell.split(',').map((part) => part.trim())) {
    const key = tag.normalize('NFC').toLowerCase();
    if (tag !== '' && !tags.has(key)) tags.set(key, tag);
  }
  const names = [...tags.values()];
  if (!names.every(isShort))
    problems.push(
      `A tag in row ${product.line} is too long. Shorten it to at most ${SHORT_TEXT_LENGTH_MAX} characters.`,
    );
  return names;
}

function readProductClass(product: CsvRow, problems: string[]): string | null | undefined {
  const type = readShortText(product, 'Type', problems);
  return type === '' ? null : type;
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
