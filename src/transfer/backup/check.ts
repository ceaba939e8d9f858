/** Verifies a whole backup before anything is restored from it. */
import { readFile } from 'node:fs/promises';
import { forEachConcurrently, hashIn, type Migration, rowFault, type Table, type Value } from '../../engine/index.ts';
import { imageColumnsIn } from './backup.ts';
import { DAMAGED, hashOf, linesOf } from './durable-files.ts';
import { fileNamed } from './format.ts';
import { imagePath, type Manifest, type ManifestTable, readManifest, tablePath } from './manifest.ts';

export interface CheckedBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly migrations: readonly Migration[];
  readonly tables: readonly CheckedTable[];
}

interface CheckedTable {
  readonly table: Table;
  readonly described: ManifestTable;
  /** The highest identifier ever assigned, none may be reused; null if the table assigns none or has assigned none yet. */
  readonly lastNumber: number | null;
}

/**
 * Verifies manifest, rows and images.
 * @param known the migrations of this program
 * @throws {Error} with the first fault, for the user
 */
export async function checkBackup(
  folder: string,
  known: readonly Migration[],
  onProgress: (done: number, total: number) => void,
): Promise<CheckedBackup> {
  const { manifest, migrations, tables } = await readManifest(folder, known);
  const total = tables.length + manifest.images.length;
  let done = 0;
  const imagesKnown = new Set([...manifest.images.map(({ name }) => name), ...manifest.imagesMissing]);
  const checked: CheckedTable[] = [];
  for (const [index, table] of tables.entries()) {
    const described = manifest.tables[index]!;
    checked.push({ table, described, lastNumber: await checkRows(folder, table, described, imagesKnown) });
    onProgress(++done, total);
  }
  await forEachConcurrently(manifest.images, async ({ name, bytes }) => {
    await readImage(folder, name, bytes);
    onProgress(++done, total);
  });
  return { folder, manifest, migrations, tables: checked };
}

/** Yields the rows of a table. @throws {Error} if the file is not the one that was written */
export async function* rowsOf(folder: string, table: Table, described: ManifestTable): AsyncGenerator<Value[]> {
  const path = tablePath(folder, table.name);
  let line = 0;
  for await (const text of linesOf(path, described)) {
    line += 1;
    const row = parsed(text);
    const fault = rowFault(table, row);
    if (fault !== undefined) throw new Error(`${path}, line ${line}, ${fault}. ${DAMAGED}`);
    yield row as Value[];
  }
  if (line !== described.rows)
    throw new Error(`${path} has ${line} rows, but ${described.rows} were written. ${DAMAGED}`);
}

/** @throws {Error} if the file is not the one that was uploaded */
export async function readImage(folder: string, name: string, bytesExpected: number): Promise<Uint8Array> {
  const path = imagePath(folder, name);
  const bytes = await readFile(path).catch((error) => {
    throw new Error(`${path} cannot be read: ${error.message}.`, { cause: error });
  });
  if (bytes.byteLength !== bytesExpected || hashOf(bytes) !== hashIn(name))
    throw new Error(`${path} is not the file that was written. ${DAMAGED}`);
  return bytes;
}

/** @returns the highest identifier that the table has assigned, according to the manifest and its rows */
async function checkRows(
  folder: string,
  table: Table,
  described: ManifestTable,
  imagesKnown: ReadonlySet<string>,
): Promise<number | null> {
  const columns = imageColumnsIn([table]).map(({ column }) => table.columns.findIndex(({ name }) => name === column));
  const counter = table.counted ? table.columns.findIndex(({ name }) => name === table.primaryKey[0]) : -1;
  let { lastNumber } = described;
  for await (const row of rowsOf(folder, table, described)) {
    const lost = columns.map((index) => row[index]).find((name) => name !== null && !imagesKnown.has(name as string));
    if (lost !== undefined)
      throw new Error(`${folder} has no ${fileNamed(lost as string)}, which a row of ${table.name} names. ${DAMAGED}`);
    if (counter >= 0) lastNumber = Math.max(lastNumber ?? 0, row[counter] as number);
  }
  return lastNumber;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
