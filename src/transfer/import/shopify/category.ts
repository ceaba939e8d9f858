/**
 * Reads the category of a product as a path of names: `Apparel & Accessories > Clothing > Shirts`. Taxonomy numbers and
 * codes cannot be translated to names, because the taxonomies are not included in this program.
 */
import type { CsvRow } from '../csv-rows.ts';

/** Columns with a taxonomy path or code, the preferred one first. */
export const TAXONOMY_COLUMNS: readonly string[] = ['Product Category', 'Google Shopping / Google Product Category'];

const COLUMNS: readonly string[] = [...TAXONOMY_COLUMNS, 'Type'];

interface RowCategory {
  readonly path: readonly string[];
  /** A taxonomy code, if the row has no path. */
  readonly code?: string;
}

/** @param column the only column to read; by default the first default column that contains a path */
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

/** Google's `1604`; Shopify's `aa-1-13-8`, optionally after `gid://shopify/TaxonomyCategory/`. */
const TAXONOMY_CODE = /^(\d+|(gid:\/\/\S+\/)?[a-z]{2}(-\d+)*)$/;

function splitPath(cell: string): string[] {
  return cell
    .split('>')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
