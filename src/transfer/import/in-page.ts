/**
 * The product import for browsers (decision 22): the same parsing, dry run, writes and report as the command, through the
 * HTTP client. Nothing imported here may depend on Node; `test/architecture.test.ts` checks this.
 */
import type { Client } from '../../client/index.ts';
import { PATIENCE, remoteStoreApi } from '../api/remote-store.ts';
import type { Filter } from '../api/store-api.ts';
import type { ImportRows, Unreadable } from './import-row.ts';
import { mergeVariants } from './merge-variants.ts';
import { shortChange } from './products-csv/changes.ts';
import { type CsvImportOptions, type CsvImportReport, importProductsCsv } from './products-csv/import.ts';
import { type ProductsCsv, readProductsCsv } from './products-csv/read.ts';
import { csvEffects, csvTotals, reportLines } from './products-csv/report.ts';
import { type CsvExport, exportProductsCsv } from './products-csv/write.ts';
import { type ImportReport, printReport, totalsOf } from './report.ts';
import { type Progress, runImport } from './run.ts';
import { readShopifyExport, type ShopifyOptions } from './shopify/csv.ts';
import { storeCatalog } from './store-catalog.ts';
import { readWooCommerceExport } from './woocommerce/csv.ts';

export type { CsvExport, CsvImportReport, ImportReport, ProductsCsv, Progress };
export { csvEffects, csvTotals, PATIENCE, readProductsCsv, shortChange, totalsOf };

export interface FileOptions extends Pick<ShopifyOptions, 'weightUnit' | 'sha256'> {
  /** `together`: rows of one product become its variants. `products`: every row becomes a product. */
  readonly variants: 'together' | 'products';
}

type FileKind = 'shopify' | 'woocommerce';

export type ProductFile =
  | { readonly readable: true; readonly kind: FileKind; readonly importRows: ImportRows }
  | { readonly readable: false; readonly reasons: readonly { readonly kind: FileKind; readonly reason: string }[] };

type Reader = (bytes: Uint8Array, options: ShopifyOptions) => ImportRows | Unreadable;

const READERS: Readonly<Record<FileKind, Reader>> = { shopify: readShopifyExport, woocommerce: readWooCommerceExport };

/** Detects the kind of a file by its columns and parses it. @returns the reasons of each parser if none accepts the file */
export function readProductFile(bytes: Uint8Array, { variants, ...options }: FileOptions): ProductFile {
  const asVariants = variants === 'together';
  const reasons: { kind: FileKind; reason: string }[] = [];
  for (const kind of ['shopify', 'woocommerce'] as const) {
    const read = READERS[kind](bytes, { ...options, asVariants });
    if (read.readable) return { readable: true, kind, importRows: asVariants ? mergeVariants(read) : read };
    // Every parser rejects a file that is not text with the same reason.
    if (!reasons.some(({ reason }) => reason === read.reason)) reasons.push({ kind, reason: read.reason });
  }
  return { readable: false, reasons };
}

/**
 * Imports a parsed file.
 * @param client must use the store's default language, in which names are compared
 * @param address of the store, for error messages
 * @param options `onProgress` is called after every product; throwing from it stops the import and is reported
 */
export function importProductFile(
  client: Client,
  address: string,
  importRows: ImportRows,
  options: { readonly dryRun: boolean; readonly onProgress?: (progress: Progress) => void },
): Promise<ImportReport> {
  return runImport(importRows, storeCatalog(remoteStoreApi(client, address)), options);
}

/** Formats the report as the command prints it. */
export function reportText(report: ImportReport): string {
  const lines: string[] = [];
  printReport(report, (line) => lines.push(`${line}\n`));
  return lines.join('');
}

/**
 * Exports products as CSV (sync.md §5).
 * @param client must use the store's default language
 * @param address of the store, for error messages
 */
export function exportCsv(client: Client, address: string, filter: Filter = {}): Promise<CsvExport> {
  return exportProductsCsv(remoteStoreApi(client, address), filter);
}

/**
 * Imports a file that `readProductsCsv` has parsed.
 * @param client must use the store's default language
 * @param address of the store, for error messages
 */
export function importCsv(
  client: Client,
  address: string,
  file: ProductsCsv,
  options: CsvImportOptions,
): Promise<CsvImportReport> {
  return importProductsCsv(remoteStoreApi(client, address), file, options);
}

/** Formats the report of a CSV import as the command prints it. */
export function csvReportText(report: CsvImportReport): string {
  return reportLines(report)
    .map((line) => `${line}\n`)
    .join('');
}
