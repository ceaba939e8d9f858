/**
 * Maps the cells of one row of a WooCommerce export to product fields. A variation inherits texts, categories and tags from
 * its parent. It has its own price and stock, and its own weight and image if the row contains them.
 */
import { isShort, readDecimal, readInteger, readPlainNumber, SHORT_TEXT_LENGTH_MAX } from '../cells.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { ImageRow, OptionRow, OwnerRow, ProductInput, ProductRow } from '../import-row.ts';
import { type Sha256, variantSku } from '../variant-sku.ts';
import { convertWeight, type WeightUnit } from '../weight.ts';
import { isSaleNow, readYesNo, splitCell } from './cells.ts';
import { ATTRIBUTE_COLUMN, WEIGHT_COLUMN } from './columns.ts';

interface FileForm {
  /** Parents whose variations become variants of one product; undefined if each variation becomes a product. */
  readonly owners: ReadonlyMap<CsvRow, OwnerRow> | undefined;
  /** The unit of the store. */
  readonly weightUnit: WeightUnit;
  readonly weightColumn: string | undefined;
  readonly columns: readonly string[];
  readonly sha256: Sha256;
}

/** @param parent the row that describes the product: the row of the parent for a variation, otherwise the same row */
export function readProduct(parent: CsvRow, row: CsvRow, form: FileForm, problems: string[]): ProductRow {
  const isVariation = parent !== row;
  const options = isVariation ? readOptions(parent, row, form.columns) : [];
  const values = options.map(({ value }) => value);
  const owner = isVariation ? form.owners?.get(parent) : undefined;
  const ownText = isVariation ? readText(row, 'Description') : undefined;
  const handle = parent.cell('Name') ?? '';
  const sku = skuOf(parent, row, values, form.sha256);
  const input = {
    sku,
    name: readName(parent, owner ? [] : values, problems),
    description: readText(parent, 'Description'),
    brief_description: (owner ? undefined : ownText) || readText(parent, 'Short description'),
    ...readPrices(row, problems),
    weight: readWeight(row, form, problems) ?? readWeight(parent, form, problems),
    ...readStock(row, parent, problems),
    taxable: readTaxable(row) ?? readTaxable(parent),
    enabled: readEnabled(parent, problems) === false ? false : readEnabled(row, problems),
    tags: readTags(parent, problems),
  };
  if (owner && readEnabled(row, []) === false && readEnabled(parent, []) !== false)
    problems.push('The variation is not published, but a variant cannot be hidden. Publish it or remove the row.');
  return {
    row: row.line,
    handle,
    sku,
    input: withoutUndefined(input) as ProductInput,
    inputOnCreate: {},
    images: imagesOf(parent, row),
    categoryPaths: categoriesOf(parent),
    options,
    ...(owner ? { variantOf: variantOf(owner, row, parent, ownText) } : {}),
  };
}

function variantOf(owner: OwnerRow, row: CsvRow, parent: CsvRow, ownText: string | undefined) {
  const [image] = imagesOf(row, row);
  return {
    owner,
    image: image && { ...image, position: 1 },
    sharesStock: row.cell('Stock') === 'parent' && Boolean(parent.cell('Stock')),
    ignoredFields: ownText ? ['description'] : [],
  };
}

/** @param variations the rows of its variations */
export function readOwner(parent: CsvRow, variations: readonly CsvRow[], sha256: Sha256): OwnerRow {
  const images = [parent, ...variations].flatMap((row) => splitCell(row.cell('Images') ?? ''));
  return { row: parent.line, sku: skuOf(parent, parent, [], sha256), images: imagesAt(images) };
}

/** Returns the SKU; without one, a SKU derived from the identifier in the other shop, which is the same in every export. */
function skuOf(parent: CsvRow, row: CsvRow, values: readonly string[], sha256: Sha256): string {
  const own = row.cell('SKU') ?? '';
  // Some exports repeat the parent's SKU in each variation.
  const given = row !== parent && own === (parent.cell('SKU') ?? '') ? '' : own;
  if (given === '' && row === parent) return variantSku(`woo-${row.cell('ID') || row.cell('Name')}`, '', [], sha256);
  return variantSku(given, parent.cell('SKU') || `woo-${parent.cell('ID') || parent.cell('Name')}`, values, sha256);
}

function readName(parent: CsvRow, values: readonly string[], problems: string[]): string {
  const title = parent.cell('Name') ?? '';
  if (title === '') problems.push(`Name in row ${parent.line} is empty. Fill it in.`);
  const name = `${title}${values.length > 0 ? ` – ${values.join(' / ')}` : ''}`;
  if (!isShort(name)) problems.push(`The name is too long. Shorten it to at most ${SHORT_TEXT_LENGTH_MAX} characters.`);
  return name;
}

/** Replaces the `\\n` that the export writes for a line break. */
function readText(row: CsvRow, column: string): string | undefined {
  return row.text(column)?.replace(/(?<!\\)\\n/g, '\n');
}

/** During a sale, the sale price is the price and the regular price is the former price. */
function readPrices(row: CsvRow, problems: string[]) {
  if (!row.cell('Regular price')) problems.push(`Regular price in row ${row.line} is empty. Fill it in.`);
  const regular = readDecimal(row, 'Regular price', problems) ?? 0;
  const sale = readDecimal(row, 'Sale price', problems);
  const isOnSale = isSaleNow(row, problems) && sale !== undefined && sale < regular;
  const knowsSale = row.cell('Sale price') !== undefined;
  return { price: isOnSale ? sale : regular, market_price: isOnSale ? regular : knowsSale ? 0 : undefined };
}

function readWeight(row: CsvRow, { weightUnit, weightColumn }: FileForm, problems: string[]): number | undefined {
  const digits = weightColumn && readPlainNumber(row, weightColumn, problems);
  if (!digits) return undefined;
  const [, unit] = WEIGHT_COLUMN.exec(weightColumn)!;
  return convertWeight(digits, unit === 'lbs' ? 'lb' : (unit as WeightUnit), weightUnit);
}

/**
 * Stock is counted if `Stock` is a number, or `parent` for the stock that variations share. Otherwise `In stock?` decides:
 * 0 means a counted stock of 0, and `backorder` can be ordered.
 */
function readStock(row: CsvRow, parent: CsvRow, problems: string[]) {
  const backorders = readYesNo(row, 'Backorders allowed?', problems);
  const cell = row.cell('Stock');
  if (cell === undefined) return { available_for_backorder: backorders };
  const counted = cell === 'parent' ? parent : row;
  const amount = readInteger(counted, 'Stock', problems);
  if (amount !== undefined)
    return { amount: Math.max(0, amount), inventory_traceable: true, available_for_backorder: backorders };
  if (row.cell('In stock?')?.toLowerCase() === 'backorder')
    return { inventory_traceable: false, available_for_backorder: true };
  const isInStock = readYesNo(row, 'In stock?', problems) ?? true;
  return isInStock
    ? { inventory_traceable: false, available_for_backorder: backorders }
    : { amount: 0, inventory_traceable: true, available_for_backorder: false };
}

function readTaxable(row: CsvRow): boolean | undefined {
  const status = row.cell('Tax status')?.toLowerCase();
  return status ? status === 'taxable' : undefined;
}

function readEnabled(row: CsvRow, problems: string[]): boolean | undefined {
  return readYesNo(row, 'Published', problems);
}

function readTags(row: CsvRow, problems: string[]): string[] | undefined {
  const cell = row.cell('Tags');
  if (cell === undefined) return undefined;
  const tags = new Map(splitCell(cell).map((tag) => [tag.normalize('NFC').toLowerCase(), tag]));
  if (![...tags.values()].every(isShort))
    problems.push(`A tag in row ${row.line} is too long. Shorten it to at most ${SHORT_TEXT_LENGTH_MAX} characters.`);
  return [...tags.values()];
}

/** Splits a list of category paths, such as `Clothing > Shirts, Sale`. */
function categoriesOf(parent: CsvRow): string[][] {
  return splitCell(parent.cell('Categories') ?? '').map((path) =>
    path
      .split('>')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

/** Returns the variation's own images first, then those of its parent, without duplicates. */
function imagesOf(parent: CsvRow, row: CsvRow): ImageRow[] {
  const addresses = [row, parent].flatMap((each) => splitCell(each.cell('Images') ?? ''));
  return imagesAt(addresses);
}

function imagesAt(addresses: readonly string[]): ImageRow[] {
  return [...new Set(addresses)].map((externalUrl, index) => ({ externalUrl, alt: '', position: index + 1 }));
}

/** Returns the attributes that distinguish a variation from its siblings: those with exactly one value. */
function readOptions(parent: CsvRow, row: CsvRow, columns: readonly string[]): OptionRow[] {
  const numbers = columns.flatMap((column) =>
    ATTRIBUTE_COLUMN.exec(column)?.[2] === 'name' ? [column.split(' ')[1]!] : [],
  );
  return numbers.flatMap((number) => {
    const name = row.cell(`Attribute ${number} name`) || parent.cell(`Attribute ${number} name`) || '';
    const [value, ...others] = splitCell(row.cell(`Attribute ${number} value(s)`) ?? '');
    return name === '' || value === undefined || others.length > 0 ? [] : [{ name, value }];
  });
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
