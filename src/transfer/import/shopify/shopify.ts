/** `purveyor import shopify FILE`: imports a Shopify product export. */
import type { Config } from '../../../wiring/settings/index.ts';
import { type ImportOptions, importProducts } from '../products-import.ts';
import type { Terminal } from '../report.ts';
import { sha256 } from '../sha256.ts';
import { readShopifyExport } from './csv.ts';

export interface ShopifyImport extends ImportOptions {
  /** The column with category names, if it is not one of the default ones. */
  readonly categoriesFrom?: string | undefined;
}

export function importShopify(
  config: Config,
  path: string,
  { categoriesFrom, ...options }: ShopifyImport,
  terminal: Terminal,
): Promise<number> {
  const asVariants = options.variants === 'together';
  const read = (bytes: Uint8Array) =>
    readShopifyExport(bytes, { weightUnit: config.weightUnit, sha256, categoriesFrom, asVariants });
  return importProducts(config, path, read, options, terminal);
}
