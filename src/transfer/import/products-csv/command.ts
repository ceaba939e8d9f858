/** `purveyor import csv FILE`: imports a product CSV file and reports each changed or failed row (sync.md §5). */
import { readFile } from 'node:fs/promises';
import type { Config } from '../../../wiring/settings/index.ts';
import { openApi } from '../../api/open.ts';
import type { RemoteStore } from '../../api/remote-store.ts';
import { measuredDisplay } from '../progress.ts';
import { EXIT_FAILURE, type Terminal, unreadableLine } from '../report.ts';
import { importProductsCsv } from './import.ts';
import { readProductsCsv } from './read.ts';
import { reportLines } from './report.ts';

interface CsvOptions {
  readonly dryRun: boolean;
  /** Columns of the file that are not imported. */
  readonly without: readonly string[];
  /** Stops the import after the row that is being written. */
  readonly interrupted: AbortSignal;
  /** The store to import into, if not the one in the settings. */
  readonly store?: RemoteStore | undefined;
}

interface Progress {
  readonly rowsDone: number;
  readonly rowsTotal: number;
}

const ROWS_PER_LINE = 500;

/** @returns the exit code: 0 if every row was imported, else 1 */
export async function importCsv(
  config: Config,
  path: string,
  { dryRun, without, interrupted, store }: CsvOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error);
  if (bytes instanceof Error) {
    stderr.write(`${unreadableLine(path, bytes)}\n`);
    return EXIT_FAILURE;
  }
  const file = readProductsCsv(bytes, without);
  if (!file.readable) {
    stderr.write(`${path}: ${file.reason}\n`);
    return EXIT_FAILURE;
  }
  const display = measuredDisplay<Progress>(stderr, {
    done: ({ rowsDone }) => rowsDone,
    total: ({ rowsTotal }) => rowsTotal,
    bar: '{bar} {value} of {total} rows, {eta_formatted} left',
    line: ({ rowsDone, rowsTotal }) =>
      rowsDone % ROWS_PER_LINE === 0 || rowsDone === rowsTotal ? `${rowsDone} of ${rowsTotal} rows` : undefined,
  });
  const { api, close } = await openApi(config, store, { type: 'import', id: 'products' });
  try {
    const report = await importProductsCsv(api, file, {
      dryRun,
      onProgress(progress) {
        display.show(progress);
        if (interrupted.aborted) throw new Error('The import was interrupted.');
      },
    });
    display.end();
    for (const line of reportLines(report)) stdout.write(`${line}\n`);
    const isComplete = !report.stopped && report.rows.every(({ outcome }) => outcome !== 'failed');
    return isComplete ? 0 : EXIT_FAILURE;
  } finally {
    display.end();
    await close();
  }
}
