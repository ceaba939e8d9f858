/** Imports a product file that another program exported, and prints the report. */
import { readFile } from 'node:fs/promises';
import type { Config } from '../../wiring/settings/index.ts';
import { openApi } from '../api/open.ts';
import type { RemoteStore } from '../api/remote-store.ts';
import type { ImportRows, Unreadable } from './import-row.ts';
import { mergeVariants } from './merge-variants.ts';
import { progressDisplay } from './progress.ts';
import { EXIT_FAILURE, exitStatus, printReport, type Terminal, unreadableLine } from './report.ts';
import { runImport } from './run.ts';
import { storeCatalog } from './store-catalog.ts';

export interface ImportOptions {
  readonly dryRun: boolean;
  /** `together`: rows of one product become its variants. `products`: every row becomes a product. */
  readonly variants: 'together' | 'products';
  /** The store to import into, if not the one in the settings. */
  readonly store?: RemoteStore | undefined;
}

/** @param read parses the content of the file @returns the exit code */
export async function importProducts(
  config: Config,
  path: string,
  read: (bytes: Uint8Array) => ImportRows | Unreadable,
  { dryRun, variants, store }: ImportOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const fail = (reason: string): number => {
    stderr.write(`${reason}\n`);
    return EXIT_FAILURE;
  };
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error);
  if (bytes instanceof Error) return fail(unreadableLine(path, bytes));
  const file = read(bytes);
  if (!file.readable) return fail(`${path}: ${file.reason}`);
  const { api, close } = await openApi(config, store, { type: 'import', id: 'products' });
  const display = progressDisplay(stderr);
  try {
    const report = await runImport(variants === 'together' ? mergeVariants(file) : file, storeCatalog(api), {
      dryRun,
      onProgress: display.show,
    });
    display.end();
    printReport(report, (line) => stdout.write(`${line}\n`));
    return exitStatus(report);
  } finally {
    display.end();
    await close();
  }
}
