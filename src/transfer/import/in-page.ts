/**
 * The import of products as a page in a browser runs it (decision 22): the same reading, dry run, writing and report as the
 * command's, over the client. No file that this one takes along needs Node; `test/architecture.test.ts` looks at each.
 */
import type { Client } from '../../client/index.ts';
import { PATIENCE, remoteStoreApi } from '../api/remote-store.ts';
import type { ImportRows, Unreadable } from './import-row.ts';
import { mergeVariants } from './merge-variants.ts';
import { type ImportReport, printReport, totalsOf } from './report.ts';
import { type Progress, runImport } from './run.ts';
import { readShopifyExport, type ShopifyOptions } from './shopify/csv.ts';
import { storeCatalog } from './store-catalog.ts';
import { readWooCommerceExport } from './woocommerce/csv.ts';

export type { ImportReport, Progress };
export { PATIENCE, totalsOf };

export interface FileOptions extends Pick<ShopifyOptions, 'weightUnit' | 'sha256'> {
  /** Rows that are variants of one product become that product with its variants, or a product each. */
  readonly variants: 'together' | 'products';
}

type FileKind = 'shopify' | 'woocommerce';

export type ProductFile =
  | { readonly readable: true; readonly kind: FileKind; readonly importRows: ImportRows }
  | { readonly readable: false; readonly reasons: readonly { readonly kind: FileKind; readonly reason: string }[] };

type Reader = (bytes: Uint8Array, options: ShopifyOptions) => ImportRows | Unreadable;

const READERS: Readonly<Record<FileKind, Reader>> = { shopify: readShopifyExport, woocommerce: readWooCommerceExport };

/** Reads the file as what its columns make it. Where they make it nothing, each reader says why. */
export function readProductFile(bytes: Uint8Array, { variants, ...options }: FileOptions): ProductFile {
  const asVariants = variants === 'together';
  const reasons: { kind: FileKind; reason: string }[] = [];
  for (const kind of ['shopify', 'woocommerce'] as const) {
    const read = READERS[kind](bytes, { ...options, asVariants });
    if (read.readable) return { readable: true, kind, importRows: asVariants ? mergeVariants(read) : read };
    // A file that is no text is none for every reader.
    if (!reasons.some(({ reason }) => reason === read.reason)) reasons.push({ kind, reason: read.reason });
  }
  return { readable: false, reasons };
}

/**
 * @param client asks in the store's default language, which names are compared in
 * @param address of the store, for its name in what the report says
 * @param onProgress is called after every product; what it throws stops the import there, and the report says so
 */
export function importProductFile(
  client: Client,
  address: string,
  importRows: ImportRows,
  options: { readonly dryRun: boolean; readonly onProgress?: (progress: Progress) => void },
): Promise<ImportReport> {
  return runImport(importRows, storeCatalog(remoteStoreApi(client, address)), options);
}

/** The report as the command prints it. */
export function reportText(report: ImportReport): string {
  const lines: string[] = [];
  printReport(report, (line) => lines.push(`${line}\n`));
  return lines.join('');
}
