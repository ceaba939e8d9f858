/**
 * One row of a WooCommerce export as the draft of a product: which cell becomes which field. A variation has the texts, the
 * categories and the tags of its parent, and its own price, stock, weight and picture where it has them.
 */
import { isShort, readDecimal, readInteger, readPlainNumber, SHORT_TEXT_LENGTH_MAX } from '../cells.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { ImageRow, OptionRow, OwnerRow, ProductInput, ProductRow } from '../import-row.ts';
import { type Sha256, variantSku } from '../variant-sku.ts';
import { convertWeight, type WeightUnit } from '../weight.ts';
import { isSaleNow, readYesNo, splitCell } from './cells.ts';
import { ATTRIBUTE_COLUMN, WEIGHT_COLUMN } from './columns.ts';

interface FileForm {
  /** The products whose variations are read as their variants; else each variation is a product of its own. */
  readonly owners: ReadonlyMap<CsvRow, OwnerRow> | undefined;
  /** The store's. */
  readonly weightUnit: WeightUnit;
  readonly weightColumn: string | undefined;
  readonly columns: readonly string[];
  readonly sha256: Sha256;
}

/** @param parent the row that describes it: its own, but of a variation */
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
    problems.push('it is not published, and a variant cannot be hidden; publish it, or leave it out');
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
    notKept: ownText ? ['description'] : [],
  };
}

/** @param variations rows whose parent it is */
export function readOwner(parent: CsvRow, variations: readonly CsvRow[], sha256: Sha256): OwnerRow {
  const images = [parent, ...variations].flatMap((row) => splitCell(row.cell('Images') ?? ''));
  return { row: parent.line, sku: skuOf(parent, parent, [], sha256), images: imagesAt(images) };
}

/** Without a SKU: the identifier in the other shop, which stays the same in every export. */
function skuOf(parent: CsvRow, row: CsvRow, values: readonly string[], sha256: Sha256): string {
  const own = row.cell('SKU') ?? '';
  // Some exports repeat the parent's SKU in each variation.
  const given = row !== parent && own === (parent.cell('SKU') ?? '') ? '' : own;
  if (given === '' && row === parent) return variantSku(`woo-${row.cell('ID') || row.cell('Name')}`, '', [], sha256);
  return variantSku(given, parent.cell('SKU') || `woo-${parent.cell('ID') || parent.cell('Name')}`, values, sha256);
}

function readName(parent: CsvRow, values: readonly string[], problems: string[]): string {
  const title = parent.cell('Name') ?? '';
  if (title === '') problems.push(`Name in row ${parent.line} is empty`);
  const name = `${title}${values.length > 0 ? ` – ${values.join(' / ')}` : ''}`;
  if (!isShort(name)) problems.push(`the name is longer than ${SHORT_TEXT_LENGTH_MAX} characters`);
  return name;
}

/** The export writes the end of a line as a backslash and an n. */
function readText(row: CsvRow, column: string): string | undefined {
  return row.text(column)?.replace(/(?<!\\)\\n/g, '\n');
}

/** A sale that is on now is a price below the regular one, which stays the price that was asked before. */
function readPrices(row: CsvRow, problems: string[]) {
  if (!row.cell('Regular price')) problems.push(`Regular price in row ${row.line} is empty`);
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
 * Pieces are counted where `Stock` has a number; a variation may share those of its parent (`parent`), which one product alone
 * cannot. Where nothing is counted, `In stock?` decides: sold out is none left, counted, and `backorder` can be ordered.
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
  const isThere = readYesNo(row, 'In stock?', problems) ?? true;
  return isThere
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
    problems.push(`a tag in row ${row.line} is longer than ${SHORT_TEXT_LENGTH_MAX} characters`);
  return [...tags.values()];
}

/** `Clothing > Shirts, Sale`: the product is in both. */
function categoriesOf(parent: CsvRow): string[][] {
  return splitCell(parent.cell('Categories') ?? '').map((path) =>
    path
      .split('>')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

/** The variation's own picture first, then those of its parent, each once. */
function imagesOf(parent: CsvRow, row: CsvRow): ImageRow[] {
  const addresses = [row, parent].flatMap((each) => splitCell(each.cell('Images') ?? ''));
  return imagesAt(addresses);
}

function imagesAt(addresses: readonly string[]): ImageRow[] {
  return [...new Set(addresses)].map((externalUrl, index) => ({ externalUrl, alt: '', position: index + 1 }));
}

/** The attributes that tell a variation from its sisters: those of which it names one value. */
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
