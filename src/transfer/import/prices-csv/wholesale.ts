/** `purveyor import wholesale-prices FILE`: imports wholesale prices of products and variants from CSV (pricing.md §1). */
import { readFile } from 'node:fs/promises';
import type { Config } from '../../../wiring/settings/index.ts';
import { openApi } from '../../api/open.ts';
import type { RemoteStore } from '../../api/remote-store.ts';
import { type ApiRecord, type StoreApi, sentenceOf } from '../../api/store-api.ts';
import { readDecimal, readInteger } from '../cells.ts';
import { type CsvRow, readCsvRows } from '../csv-rows.ts';
import { LinesReport } from '../lines-report.ts';
import { EXIT_FAILURE, type Terminal, unreadableLine } from '../report.ts';

interface WholesaleOptions {
  readonly dryRun: boolean;
  /** Stops the import after the rows that are being written. */
  readonly interrupted: AbortSignal;
  /** The store to import into, if not the one in the settings. */
  readonly store?: RemoteStore | undefined;
}

const REQUIRED = ['sku', 'quantity', 'price'] as const;
const COLUMNS = [...REQUIRED, 'membership', 'type'] as const;

/** A row: the line of a bulk write, or the reason why the row is invalid. */
type Row = { readonly line: number; readonly name: string } & (
  | { readonly body: ApiRecord }
  | { readonly reason: string }
);

/** @returns the exit code */
export async function importWholesalePrices(
  config: Config,
  path: string,
  { dryRun, interrupted, store }: WholesaleOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error);
  if (bytes instanceof Error) {
    stderr.write(`${unreadableLine(path, bytes)}\n`);
    return EXIT_FAILURE;
  }
  const file = readCsvRows(bytes, REQUIRED, COLUMNS);
  if (!file.readable) {
    stderr.write(`${path}: ${file.reason}\n`);
    return EXIT_FAILURE;
  }
  for (const note of file.notes) stdout.write(`${note}\n`);
  const { api, close } = await openApi(config, store, { type: 'import', id: 'wholesale_prices' });
  try {
    const memberships = await membershipsOf(api);
    const rows: Row[] = [
      ...file.uneven.map(({ line, firstCell, reason }) => ({ line, name: firstCell, reason })),
      ...file.rows.map((row) => readRow(row, memberships)),
    ].sort((one, other) => one.line - other.line);
    const outcomes = ['created', 'updated', 'unchanged', 'failed'] as const;
    const report = new LinesReport('wholesale_prices', outcomes, dryRun, (line) => stdout.write(`${line}\n`));
    return report.end(await writeRows(api, rows, dryRun, interrupted, report));
  } finally {
    await close();
  }
}

/** The identifiers of memberships by name, in lower case. */
async function membershipsOf(api: StoreApi): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const { id, name } of api.list('/memberships')) found.set(String(name).toLowerCase(), id as number);
  return found;
}

function readRow(row: CsvRow, memberships: ReadonlyMap<string, number>): Row {
  const problems: string[] = [];
  const sku = row.cell('sku') ?? '';
  const quantity = readInteger(row, 'quantity', problems);
  const price = readDecimal(row, 'price', problems);
  const membership = readMembership(row.cell('membership') ?? '', memberships, problems);
  if (sku === '') problems.push('The row has no sku.');
  for (const [name, value] of Object.entries({ quantity, price }))
    if (value === undefined && !row.cell(name)) problems.push(`The row has no ${name}.`);
  const at = { line: row.line, name: sku };
  if (problems.length > 0) return { ...at, reason: problems.join(' ') };
  const type = row.cell('type') || 'price';
  return { ...at, body: { sku, membership, quantity_range_begin: quantity, type, price } };
}

/** @returns null for every buyer */
function readMembership(cell: string, memberships: ReadonlyMap<string, number>, problems: string[]): number | null {
  if (cell === '') return null;
  const id = memberships.get(cell.toLowerCase()) ?? (/^\d{1,15}$/.test(cell) ? Number(cell) : undefined);
  if (id === undefined) problems.push(`There is no membership "${cell}".`);
  return id ?? null;
}

/** @returns where and why the import stopped before the end of the file */
async function writeRows(
  api: StoreApi,
  rows: readonly Row[],
  dryRun: boolean,
  interrupted: AbortSignal,
  report: LinesReport,
): Promise<{ readonly line: number; readonly reason: string } | undefined> {
  let next = 0;
  /** Reports the invalid rows before the next valid one. */
  const reportInvalid = (): void => {
    for (let row = rows[next]; row && 'reason' in row; row = rows[next]) {
      report.add({ ...row, outcome: 'failed' });
      next += 1;
    }
  };
  function* bodies(): Generator<ApiRecord> {
    for (const row of rows) {
      if (interrupted.aborted) return;
      if ('body' in row) yield row.body;
    }
  }
  try {
    reportInvalid();
    for await (const { result, rejection } of api.bulk('/wholesale_prices', bodies(), { dryRun })) {
      const { line, name } = rows[next]!;
      report.add({ line, name, outcome: result, reason: rejection && sentenceOf(rejection.problems) });
      next += 1;
      reportInvalid();
    }
    const left = rows[next];
    return left && { line: left.line, reason: 'The import was interrupted.' };
  } catch (error) {
    // The store is unavailable. Another run continues from here.
    return { line: rows[next]?.line ?? 0, reason: (error as Error).message };
  }
}
