/** Reads a whole backup and says what is wrong with it, before anything else is done with it. */
import { readFile } from 'node:fs/promises';
import { forEachConcurrently, type Migration, rowFault, type Table, type Value } from '../../engine/index.ts';
import { imageColumnsIn } from './backup.ts';
import { hashOf, linesOf } from './durable-files.ts';
import { imageHash, imagePath, type Manifest, type ManifestTable, readManifest, tablePath } from './manifest.ts';

export interface CheckedBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly migrations: readonly Migration[];
  readonly tables: readonly CheckedTable[];
}

interface CheckedTable {
  readonly table: Table;
  readonly described: ManifestTable;
  /** No number up to this one may be given again; null for a table that does not count or has not begun to. */
  readonly lastNumber: number | null;
}

/** @throws {Error} naming the first fault, in one line */
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

/** The rows of a table, each in the table's form; throws where the file is not what was written. */
export async function* rowsOf(folder: string, table: Table, described: ManifestTable): AsyncGenerator<Value[]> {
  const path = tablePath(folder, table.name);
  let line = 0;
  for await (const text of linesOf(path, described)) {
    line += 1;
    const row = parsed(text);
    const fault = rowFault(table, row);
    if (fault !== undefined) throw new Error(`${path}, line ${line}, ${fault}; the backup is damaged.`);
    yield row as Value[];
  }
  if (line !== described.rows) throw new Error(`${path} has ${line} rows; ${described.rows} were written.`);
}

/** @throws {Error} unless it is the very file that was uploaded */
export async function readImage(folder: string, name: string, bytesExpected: number): Promise<Uint8Array> {
  const path = imagePath(folder, name);
  const bytes = await readFile(path).catch((error) => {
    throw new Error(`${path} cannot be read: ${error.message}.`, { cause: error });
  });
  if (bytes.byteLength !== bytesExpected || hashOf(bytes) !== imageHash(name))
    throw new Error(`${path} holds other bytes than were written; the backup is damaged.`);
  return bytes;
}

/** @returns the last number that the table has given, as the table or its rows have it */
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
    if (lost !== undefined) throw new Error(`${folder} lacks the image ${lost}, which a row of ${table.name} names.`);
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
