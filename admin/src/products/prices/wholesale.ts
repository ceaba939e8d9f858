/** Wholesale prices of a product or variant as cells of a grid, and how to save them (docs/contract/pricing.md §1). */
import type { WholesalePriceOutput } from 'purveyor/client';
import {
  createRecord,
  deleteRecord,
  type PathParameters,
  readAll,
  readRecord,
  updateRecord,
} from '../../api/runtime-requests.ts';
import { parseNumber } from '../../utils/format.ts';

/** What has the prices: a product, or one of its variants. */
export interface Owner {
  readonly product_id: number;
  readonly variant_id: number | null;
}

/** A cell by the quantity from which its price applies and the buyers: a membership, or null for everyone. */
export interface CellName {
  readonly quantity: number;
  readonly membership: number | null;
}

/** What a cell has: a price, or a percentage off. A text that is not a number is sent as it is, so that the store explains what is wrong. */
interface CellValue {
  readonly type: 'price' | 'percent';
  readonly price: number | string;
}

/** The smallest quantity of a price for everyone. A price for a membership can begin at 1. */
export const QUANTITY_MIN = 2;

export const cellKey = ({ quantity, membership }: CellName): string => `${quantity}:${membership ?? ''}`;

const OF_PRODUCT = {
  all: '/products/{product_id}/wholesale_prices',
  one: '/products/{product_id}/wholesale_prices/{id}',
} as const;
const OF_VARIANT = {
  all: '/products/{product_id}/variants/{variant_id}/wholesale_prices',
  one: '/products/{product_id}/variants/{variant_id}/wholesale_prices/{id}',
} as const;

function pathsOf({ product_id, variant_id }: Owner) {
  const parameters: PathParameters = variant_id === null ? { product_id } : { product_id, variant_id };
  return { ...(variant_id === null ? OF_PRODUCT : OF_VARIANT), parameters };
}

/** Reads the rows of a product and of all its variants. */
export const readRows = (product_id: number): Promise<WholesalePriceOutput[]> =>
  readAll('/wholesale_prices', {}, { product_id });

export const isOf = (owner: Owner, row: WholesalePriceOutput): boolean => row.variant_id === owner.variant_id;

/** Reads `10%` as a percentage off and other numbers as a price. @returns undefined for an empty text */
export function parseCell(text: string): CellValue | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const isPercent = typed.endsWith('%');
  const number = isPercent ? typed.slice(0, -1).trim() : typed;
  return { type: isPercent ? 'percent' : 'price', price: parseNumber(number) ?? number };
}

const isSameValue = (one: CellValue | undefined, other: CellValue | undefined): boolean =>
  one?.type === other?.type && one?.price === other?.price;

/** Whether a typed text changes what a row has. */
export const isCellChange = (row: WholesalePriceOutput | undefined, text: string): boolean =>
  !isSameValue(row, parseCell(text));

/** Someone else has changed, deleted or created the price in the meantime. Nothing was saved. */
export class CellConflict extends Error {}

/** Returns the ETag of a row that still is what the user saw. @throws {CellConflict} if it is not */
async function etagOf(owner: Owner, row: WholesalePriceOutput): Promise<string> {
  const { one, parameters } = pathsOf(owner);
  const { data, etag } = await readRecord(one, { ...parameters, id: row.id });
  if (!isSameValue(data, row) || data.quantity_range_begin !== row.quantity_range_begin) throw new CellConflict();
  return etag!;
}

/** Creates, changes or deletes the price of a cell. @param row what the user saw @throws {CellConflict} @throws {StoreProblem} */
export async function saveCell(
  owner: Owner,
  { quantity, membership }: CellName,
  row: WholesalePriceOutput | undefined,
  text: string,
): Promise<void> {
  const { all, one, parameters } = pathsOf(owner);
  const value = parseCell(text);
  if (!row) {
    const created = { ...value, quantity_range_begin: quantity, membership };
    if (value) await createRecord(all, parameters, created as never);
    return;
  }
  const ifMatch = await etagOf(owner, row);
  if (value) await updateRecord(one, { ...parameters, id: row.id }, value as never, { ifMatch });
  else await deleteRecord(one, { ...parameters, id: row.id }, { ifMatch });
}

/** Changes the quantity of several rows. @throws {CellConflict} @throws {StoreProblem} the rows before it are saved */
export async function moveRows(
  owner: Owner,
  rows: readonly WholesalePriceOutput[],
  quantity: number | string,
): Promise<void> {
  const { one, parameters } = pathsOf(owner);
  const etags = await Promise.all(rows.map((row) => etagOf(owner, row)));
  for (const [at, { id }] of rows.entries())
    await updateRecord(one, { ...parameters, id }, { quantity_range_begin: quantity } as never, {
      ifMatch: etags[at],
    });
}

/** @throws {CellConflict} @throws {StoreProblem} the rows before it are deleted */
export async function deleteRows(owner: Owner, rows: readonly WholesalePriceOutput[]): Promise<void> {
  const { one, parameters } = pathsOf(owner);
  const etags = await Promise.all(rows.map((row) => etagOf(owner, row)));
  for (const [at, { id }] of rows.entries()) await deleteRecord(one, { ...parameters, id }, { ifMatch: etags[at] });
}
