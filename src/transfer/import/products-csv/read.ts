/** Reads a product CSV file (sync.md §5). Rows whose cells cannot be read are reported; the others can be imported. */
import type { Problems } from '../../api/store-api.ts';
import { readCsvRows } from '../csv-rows.ts';
import type { Unreadable } from '../import-row.ts';
import {
  BadCell,
  cellValue,
  IMAGES_COLUMN,
  listOf,
  numberOf,
  OPTIONAL_COLUMNS,
  optionIn,
  PARENT_COLUMN,
  PRODUCT_COLUMNS,
  textOf,
  VARIANT_COLUMNS,
} from './columns.ts';
import type { Options } from './options.ts';

/** A row of a product or of a variant. */
export interface CsvProductRow {
  /** Its number in the file; the first row, with the column names, is 1. */
  readonly row: number;
  /** Empty for a variant without a SKU. */
  readonly sku: string;
  /** The SKU of the variant's product; undefined for a product. */
  readonly parentSku: string | undefined;
  /** Values by field. Fields that the row leaves are missing. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Addresses of images; undefined if the file has no such column. */
  readonly images: readonly string[] | undefined;
  readonly options: Options;
  /** What is wrong with the cells; the row is not imported if there is anything. */
  readonly problems: Problems;
}

export interface ProductsCsv {
  readonly readable: true;
  /** In file order. */
  readonly rows: readonly CsvProductRow[];
  /** The columns of the file that an import can leave out, including those that this import leaves out. */
  readonly optionalColumns: readonly string[];
  /** Names of columns that are ignored. */
  readonly unknownColumns: readonly string[];
  /** Sentences about the detected format. */
  readonly notes: readonly string[];
}

const KNOWN = [...Object.keys(PRODUCT_COLUMNS), IMAGES_COLUMN, PARENT_COLUMN];

/** @param without columns of `OPTIONAL_COLUMNS` to read as if the file did not have them */
export function readProductsCsv(bytes: Uint8Array, without: readonly string[] = []): ProductsCsv | Unreadable {
  const file = readCsvRows(bytes, ['sku'], KNOWN);
  if (!file.readable) return file;
  const named = file.columns.filter((name) => name !== '');
  const options = named.filter((name) => optionIn(name) !== undefined);
  const duplicate = options.find((name, index) => options.indexOf(name) !== index);
  if (duplicate !== undefined)
    return { readable: false, reason: `The file has the column "${duplicate}" twice. Remove one of them.` };
  const imported = named.filter((name) => !without.includes(name));
  const rows = file.rows.map(({ row, text }) =>
    readRow(row, (column) => (without.includes(column) ? undefined : text(column)), imported),
  );
  const uneven = file.uneven.map(({ row, firstCell, reason }) => ({
    ...{ row, sku: firstCell, parentSku: undefined, input: {}, images: undefined, options: new Map() },
    problems: [{ path: '', message: reason }],
  }));
  return {
    readable: true,
    rows: withoutDuplicates([...rows, ...uneven].sort((one, other) => one.row - other.row)),
    optionalColumns: named.filter((name) => OPTIONAL_COLUMNS.includes(name)),
    unknownColumns: named.filter((name) => !KNOWN.includes(name) && !options.includes(name)),
    // Numbers must have a decimal point, whatever separates the cells.
    notes: file.notes.filter((note) => !note.startsWith('The cells of the file')),
  };
}

function readRow(row: number, text: (column: string) => string | undefined, columns: readonly string[]): CsvProductRow {
  const parent = textOf((text(PARENT_COLUMN) ?? '').trim());
  const images = text(IMAGES_COLUMN);
  const common = {
    row,
    sku: textOf((text('sku') ?? '').trim()),
    images: images === undefined ? undefined : listOf(images),
    options: optionsIn(text, columns),
  };
  const read = parent === '' ? readProduct(text, columns) : readVariant(text, columns);
  const problems = [...read.problems, ...otherProblems(common, parent)];
  return { ...common, parentSku: parent === '' ? undefined : parent, input: read.input, problems };
}

interface ReadCells {
  readonly input: Record<string, unknown>;
  readonly problems: Problems[number][];
}

function readProduct(text: (column: string) => string | undefined, columns: readonly string[]): ReadCells {
  const read: ReadCells = { input: {}, problems: [] };
  for (const column of columns.filter((name) => name in PRODUCT_COLUMNS && name !== 'sku'))
    add(read, column, cellValue(column, text(column)!));
  return read;
}

function readVariant(text: (column: string) => string | undefined, columns: readonly string[]): ReadCells {
  const read: ReadCells = { input: {}, problems: [] };
  for (const column of columns.filter((name) => name in PRODUCT_COLUMNS && name !== 'sku')) {
    const cell = text(column)!;
    if (cell.trim() === '') continue;
    if (column in VARIANT_COLUMNS) add(read, column, numberOf(cell));
    else
      add(read, column, new BadCell('variant_cell', 'A variant has the value of its product. Leave the cell empty.'));
  }
  return read;
}

function add({ input, problems }: ReadCells, column: string, value: unknown): void {
  if (value instanceof BadCell) problems.push({ path: column, code: value.code, message: value.message });
  else if (value !== undefined) input[column] = value;
}

function optionsIn(text: (column: string) => string | undefined, columns: readonly string[]): Options {
  return new Map(
    columns.flatMap((column): [string, string][] => {
      const name = optionIn(column);
      const cell = name === undefined ? '' : textOf(text(column)!);
      return name === undefined || cell.trim() === '' ? [] : [[name, cell]];
    }),
  );
}

function otherProblems(
  { sku, images, options }: Pick<CsvProductRow, 'sku' | 'images' | 'options'>,
  parent: string,
): Problems {
  const isVariant = parent !== '';
  const problems: Problems[number][] = [];
  if (sku === '' && (!isVariant || options.size === 0))
    problems.push({
      path: 'sku',
      code: isVariant ? 'no_options' : 'no_sku',
      message: isVariant ? 'A variant without SKU needs its options.' : 'The SKU is missing.',
    });
  if (!isVariant && options.size > 0)
    problems.push({
      path: [...options.keys()].map((name) => `option.${name}`)[0]!,
      code: 'not_variant',
      message: 'Only variants have options. Fill in parent_sku, or leave the cell empty.',
    });
  if (isVariant && (images?.length ?? 0) > 1)
    problems.push({ path: IMAGES_COLUMN, code: 'one_image', message: 'A variant has at most one image.' });
  return problems;
}

/** Rejects rows with the SKU of an earlier row. */
function withoutDuplicates(rows: readonly CsvProductRow[]): CsvProductRow[] {
  const first = new Map<string, number>();
  return rows.map((each) => {
    const { row, sku, problems } = each;
    const earlier = first.get(sku);
    if (sku === '' || earlier === undefined) {
      if (sku !== '') first.set(sku, row);
      return each;
    }
    const duplicate = {
      path: 'sku',
      code: 'same_sku',
      value: `${earlier}`,
      message: `Row ${earlier} has the same SKU.`,
    };
    return { ...each, problems: [...problems, duplicate] };
  });
}
