/** Reads and parses the file that a command imports. */
import { readFile } from 'node:fs/promises';
import type { Unreadable } from './import-row.ts';
import { type Terminal, unreadableLine } from './report.ts';

/** @returns undefined if the file is unreadable, after a line about the reason */
export async function readImportFile<T extends { readonly readable: true }>(
  path: string,
  parse: (bytes: Uint8Array) => T | Unreadable,
  { stderr }: Terminal,
): Promise<T | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error);
  const file = bytes instanceof Error ? bytes : parse(bytes);
  if ('readable' in file && file.readable) return file;
  stderr.write(`${file instanceof Error ? unreadableLine(path, file) : `${path}: ${file.reason}`}\n`);
  return undefined;
}
