/**
 * The columns of a product CSV file (sync.md §5), and the conversion of their cells. A text that a spreadsheet could read as
 * a formula is written with an apostrophe in front. Nothing here depends on Node, because the admin page uses it too.
 */
import { isGenerated } from '../../../domain/rules/catalog/open-graph.ts';
import { escapeHtml } from '../../../engine/html.ts';
import type { ApiRecord } from '../../api/store-api.ts';

/** The kind of a cell: how a value is written, and what an empty cell means. */
type CellKind =
  | 'text'
  /** One of several texts. An empty cell leaves the field. */
  | 'choice'
  | 'number'
  | 'boolean'
  | 'date'
  /** Names of linked records. */
  | 'names'
  /** Identifiers of linked records. */
  | 'ids'
  /** The name of a linked record; empty for none. */
  | 'name';

/** Every input field of a product, in the order of the columns. */
export const PRODUCT_COLUMNS: Readonly<Record<string, CellKind>> = {
  sku: 'text',
  name: 'text',
  description: 'text',
  brief_description: 'text',
  meta_tags: 'text',
  meta_description: 'text',
  meta_description_type: 'choice',
  meta_title: 'text',
  og_meta_tags: 'text',
  og_meta_tags_type: 'choice',
  clean_url: 'text',
  price: 'number',
  market_price: 'number',
  cost_price: 'number',
  sale_price_value: 'number',
  participate_sale: 'boolean',
  discount_type: 'choice',
  apply_sale_to_wholesale: 'boolean',
  enabled: 'boolean',
  weight: 'number',
  free_shipping: 'boolean',
  taxable: 'boolean',
  inventory_traceable: 'boolean',
  amount: 'number',
  available_for_backorder: 'boolean',
  backorder_limit: 'number',
  pin_codes_enabled: 'boolean',
  auto_pin_codes: 'boolean',
  facebook_marketing_enabled: 'boolean',
  google_feed_enabled: 'boolean',
  arrival_date: 'date',
  stickers: 'ids',
  tags: 'names',
  memberships: 'names',
  product_class: 'name',
  tax_class: 'name',
  separate_box: 'boolean',
  width: 'number',
  length: 'number',
  height: 'number',
};

/** Product columns that a variant can have by itself, each with the flag that is true while it has the product's value. */
export const VARIANT_COLUMNS: Readonly<Record<string, string>> = {
  price: 'default_price',
  weight: 'default_weight',
  amount: 'default_amount',
};

export const IMAGES_COLUMN = 'images';
export const PARENT_COLUMN = 'parent_sku';
const OPTION_PREFIX = 'option.';

/** The columns that an import can leave out. The other columns identify the record of a row. */
export const OPTIONAL_COLUMNS: readonly string[] = [
  ...Object.keys(PRODUCT_COLUMNS).filter((column) => column !== 'sku'),
  IMAGES_COLUMN,
];

export function optionColumn(name: string): string {
  return `${OPTION_PREFIX}${name}`;
}

/** Returns the attribute of a column; undefined for every other column. */
export function optionIn(column: string): string | undefined {
  return column.startsWith(OPTION_PREFIX) && column !== OPTION_PREFIX ? column.slice(OPTION_PREFIX.length) : undefined;
}

/** Formats a text, guarded against evaluation as a formula. */
export function textCell(text: string): string {
  return /^[=+\-@']/.test(text) ? `'${text}` : text;
}

/** Reads a text, without the apostrophe in front. */
export function textOf(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell;
}

/** Formats a list. */
export function listCell(elements: readonly string[]): string {
  return textCell(elements.map((element) => element.replace(/[\\|]/g, '\\$&')).join('|'));
}

/** Reads a list; empty elements are left out. */
export function listOf(cell: string): string[] {
  const elements = [''];
  for (const [part] of textOf(cell).matchAll(/\\.|[^\\]|\\$/gsu))
    if (part === '|') elements.push('');
    else elements[elements.length - 1] += part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
  return elements.filter((element) => element !== '');
}

/**
 * Formats a field of a product for its column. A field that is not in output is an empty cell. A generated text is an empty cell
 * too, so that an import does not save it as the product's own.
 */
export function productCell(column: string, product: ApiRecord): string {
  const value = product[column];
  if (value === undefined || value === null) return '';
  if (column === 'og_meta_tags' && isGenerated(value as string, product, escapeHtml)) return '';
  switch (PRODUCT_COLUMNS[column]!) {
    case 'names':
      return listCell((value as readonly { readonly name: string }[]).map(({ name }) => name));
    case 'ids':
      return (value as readonly number[]).join('|');
    case 'name':
      return textCell((value as { readonly name: string }).name);
    case 'text':
    case 'choice':
      return textCell(value as string);
    case 'number':
    case 'boolean':
    case 'date':
      return String(value);
  }
}

/** A cell that cannot be read: a code, for translations, and a sentence for the user. */
export class BadCell {
  readonly code: string;
  readonly message: string;
  constructor(code: string, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** Reads a cell. @returns undefined if it leaves the field */
export function cellValue(column: string, cell: string): unknown {
  const kind = PRODUCT_COLUMNS[column]!;
  const isEmpty = cell === '';
  switch (kind) {
    case 'text':
      return textOf(cell);
    case 'names':
      return listOf(cell);
    case 'name':
      return isEmpty ? null : textOf(cell);
    case 'ids':
      return idsOf(cell);
    case 'choice':
    case 'date':
      return isEmpty ? undefined : textOf(cell);
    case 'number':
      return isEmpty ? undefined : numberOf(cell);
    case 'boolean':
      return isEmpty ? undefined : booleanOf(cell);
  }
}

function idsOf(cell: string): number[] | BadCell {
  const ids = listOf(cell);
  return ids.every((id) => /^\d+$/.test(id))
    ? ids.map(Number)
    : new BadCell('ids', 'The cell must be ids, separated by “|”.');
}

/** Reads a number with a decimal point. */
export function numberOf(cell: string): number | BadCell {
  const text = cell.trim();
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  return text.includes(',')
    ? new BadCell('comma', 'The cell has a comma. Write numbers with a decimal point and without thousands separators.')
    : new BadCell('number', 'The cell must be a number.');
}

function booleanOf(cell: string): boolean | BadCell {
  const text = cell.trim().toLowerCase();
  return text === 'true' || text === 'false'
    ? text === 'true'
    : new BadCell('boolean', 'The cell must be true or false.');
}
