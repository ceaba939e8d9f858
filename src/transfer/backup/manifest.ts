/**
 * The format of a backup: a folder with `manifest.json`, which lists every other file with its hash, and a file with the
 * manifest's own hash in the format of `sha256sum --check`. Rows contain engine values, so that a backup of one kind of
 * database can be restored to another.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAttachment, type Migration, replay, type Table } from '../../engine/index.ts';
import { type FileMark, hashOf } from './durable-files.ts';

/** Incremented when older programs cannot read what this one writes. */
export const FORMAT = 1;

export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';

export interface Manifest {
  readonly format: number;
  /** Version of the program that made the backup. */
  readonly program: string;
  /** Time of the snapshot, ISO 8601. */
  readonly moment: string;
  /** The kind of database that was backed up. The backup can be restored to every kind. */
  readonly database: string;
  /** Names of the migrations that define the schema of the rows, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly ManifestTable[];
  readonly images: readonly ManifestImage[];
  /** Images that rows name but that were missing or damaged when the backup was made. */
  readonly imagesMissing: readonly string[];
  /** Whether people were erased from the store before the backup. Absent in backups of 0.1.0. */
  readonly hasErasures?: boolean;
}

/** `tables/<name>.jsonl`: one line per row, its values in column order. */
export interface ManifestTable extends FileMark {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** The highest identifier that the table has assigned, since none may be reused; null if it assigns none. */
  readonly lastNumber: number | null;
}

/**
 * `images/<first two characters>/<name>` or `files/<first two characters>/<name>`; the name of an attachment begins with
 * `files/`. The rest is the file's hash.
 */
export interface ManifestImage {
  readonly name: string;
  readonly bytes: number;
}

export const tablePath = (folder: string, name: string): string => join(folder, 'tables', `${name}.jsonl`);
export const imagePath = (folder: string, name: string): string => {
  const file = name.slice(name.indexOf('/') + 1);
  return join(folder, isAttachment(name) ? 'files' : 'images', file.slice(0, 2), file);
};

/** Returns the content of the manifest and of its hash file. */
export function manifestText(manifest: Manifest): { text: string; hashLine: string } {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  return { text, hashLine: `${hashOf(Buffer.from(text))}  ${MANIFEST}\n` };
}

/**
 * Reads the manifest of a backup, with the migrations and tables of its schema.
 * @param known the migrations of this program
 * @throws {Error} with a message for the user, if this program cannot restore the backup
 */
export async function readManifest(
  folder: string,
  known: readonly Migration[],
): Promise<{ manifest: Manifest; migrations: Migration[]; tables: readonly Table[] }> {
  const text = await readPart(folder, MANIFEST);
  const hashLine = await readPart(folder, MANIFEST_HASH);
  const manifest = parsed(text);
  // Before the hash is checked: a newer format may store it elsewhere.
  if (Number.isInteger(manifest?.format) && manifest!.format! > FORMAT)
    throw new Error(
      `${folder} was made by a newer Purveyor (${manifest!.program}, format ${manifest!.format}). This program reads formats up to ${FORMAT}. Restore it with the newer program.`,
    );
  if (hashLine !== `${hashOf(Buffer.from(text))}  ${MANIFEST}\n`)
    throw new Error(
      `${folder} is damaged: ${MANIFEST} does not match the hash in ${MANIFEST_HASH}. Restore another one.`,
    );
  if (!isManifest(manifest)) throw new Error(`${folder} is not a backup: ${MANIFEST} is not a backup manifest.`);
  const migrations = sameMigrations(folder, manifest, known);
  const { tables } = replay(migrations);
  const described = (each: readonly { name: string; columns: readonly string[] }[]): string =>
    JSON.stringify(each.map(({ name, columns }) => [name, columns]));
  const expected = tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
  if (described(manifest.tables) !== described(expected))
    throw new Error(`${folder} is not a Purveyor backup: its tables do not match its migrations.`);
  return { manifest, migrations, tables };
}

async function readPart(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' || code === 'ENOTDIR' ? `there is no ${name} in it` : message;
    throw new Error(`${folder} is not a complete backup: ${reason}.`, { cause: error });
  }
}

function parsed(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sameMigrations(folder: string, { migrations, program }: Manifest, known: readonly Migration[]): Migration[] {
  const names = new Set(known.map(({ name }) => name));
  const foreign = migrations.find((name) => !names.has(name));
  if (foreign !== undefined)
    throw new Error(
      `${folder} was made by a newer Purveyor (${program}, migration ${foreign}). The newest migration of this program is ${[...names].at(-1)}. Restore it with the newer program.`,
    );
  const first = known.slice(0, migrations.length);
  if (migrations.length === 0 || first.some(({ name }, index) => name !== migrations[index]))
    throw new Error(
      `${folder} is not a Purveyor backup: its migrations are ${migrations.join(', ') || 'none'}, which differ from those of this program.`,
    );
  return first;
}

const IMAGE_NAME = /^(?:[0-9a-f]{64}\.[a-z0-9]{1,5}|files\/[0-9a-f]{64})$/;
const HASH = /^[0-9a-f]{64}$/;

function isManifest(value: Partial<Manifest> | undefined): value is Manifest {
  const { format, program, moment, database, migrations, tables, images, imagesMissing } = value ?? {};
  return (
    format === FORMAT &&
    [program, moment, database].every((text) => typeof text === 'string') &&
    areTexts(migrations) &&
    areAll(
      tables,
      (table: ManifestTable) =>
        typeof table.name === 'string' &&
        areTexts(table.columns) &&
        isCount(table.rows) &&
        isCount(table.bytes) &&
        HASH.test(table.sha256) &&
        (table.lastNumber === null || Number.isSafeInteger(table.lastNumber)),
    ) &&
    areAll(images, ({ name, bytes }: ManifestImage) => IMAGE_NAME.test(name) && isCount(bytes)) &&
    areAll(imagesMissing, (name: string) => IMAGE_NAME.test(name))
  );
}

function areAll<T>(value: unknown, test: (each: T) => boolean): boolean {
  return Array.isArray(value) && value.every((each) => each !== null && each !== undefined && test(each as T));
}

function areTexts(value: unknown): boolean {
  return areAll(value, (text) => typeof text === 'string');
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
