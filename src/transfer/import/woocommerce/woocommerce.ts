/** `purveyor import woocommerce FILE`: imports a WooCommerce product export. */
import type { Config } from '../../../wiring/settings/index.ts';
import { type ImportOptions, importProducts } from '../products-import.ts';
import type { Terminal } from '../report.ts';
import { sha256 } from '../sha256.ts';
import { readWooCommerceExport } from './csv.ts';

export function importWooCommerce(
  config: Config,
  path: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const asVariants = options.variants === 'together';
  const read = (bytes: Uint8Array) =>
    readWooCommerceExport(bytes, { weightUnit: config.weightUnit, sha256, asVariants });
  return importProducts(config, path, read, options, terminal);
}
