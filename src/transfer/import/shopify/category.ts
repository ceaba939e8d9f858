/**
 * The category that an export puts a product in, as a path of names: `Apparel & Accessories > Clothing > Shirts`. A
 * number or code of a taxonomy names nothing, and the taxonomies themselves are not known here.
 */
import type { CsvRow } from '../csv-rows.ts';

/** Columns that hold a place in a taxonomy, the better one first; both may hold its code instead of its path. */
export const TAXONOMY_COLUMNS: readonly string[] = ['Product Category', 'Google Shopping / Google Product Category'];

const COLUMNS: readonly string[] = [...TAXONOMY_COLUMNS, 'Type'];

interface RowCategory {
  readonly path: readonly string[];
  /** A code that the row has in place of a path. */
  readonly code?: string;
}

/** @param column the only one to look at; without it the first of the usual ones that has a path */
export function readCategory(product: CsvRow, column: string | undefined): RowCategory {
  let code: string | undefined;
  for (const each of column === undefined ? COLUMNS : [column]) {
    const cell = product.cell(each) ?? '';
    if (TAXONOMY_COLUMNS.includes(each) && TAXONOMY_CODE.test(cell)) {
      code ??= cell;
      continue;
    }
    const path = splitPath(cell);
    if (path.length > 0) return { path };
  }
  return code === undefined ? { path: [] } : { path: [], code };
}

/** Google's `1604`; Shopify's `aa-1-13-8`, alone or at the end of `gid://shopify/TaxonomyCategory/`. */
const TAXONOMY_CODE = /^(\d+|(gid:\/\/\S+\/)?[a-z]{2}(-\d+)*)$/;

function splitPath(cell: string): string[] {
  return cell
    .split('>')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
