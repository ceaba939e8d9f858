/**
 * The erasure log: a file next to the store with the identifiers of erased records and the time of erasure. A backup
 * from before an erasure still contains these records, so restoring it erases them again.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Roots, Value } from '../engine/index.ts';

/** Identifiers by the name of their resource. */
export type ErasedIds = Readonly<Record<string, readonly Value[]>>;

/**
 * Logs an erasure durably, before it happens: an erasure that then fails is requested again, but an unlogged one would
 * be lost.
 * @param at seconds since 1970
 * @throws {Error} with a message that names the file
 */
export function logErasure(path: string, at: number, roots: Roots): void {
  // Starts with a newline, so that a previous line cut off by a crash or a full disk cannot damage this one.
  const line = `\n${JSON.stringify({ at, records: Object.fromEntries(roots) })}\n`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !existsSync(path);
    write(openSync(path, 'a', 0o600), line);
    if (isNew) write(openSync(dirname(path), 'r'), '');
  } catch (error) {
    throw new Error(
      `The erasure cannot be recorded in ${path}: ${(error as Error).message}. Set ERASURES_FILE to a writable file.`,
      {
        cause: error,
      },
    );
  }
}

function write(file: number, text: string): void {
  try {
    // Unlike writeSync, writeFileSync continues after a partial write.
    if (text !== '') writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the erasures since a point in time from the logs of all servers of a store. A line cut off by a crash was never
 * acknowledged and is skipped.
 * @param since seconds since 1970
 * @returns undefined if none of the files exists
 */
export function erasedSince(paths: readonly string[], since: number): ErasedIds | undefined {
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length === 0) return undefined;
  const all: Record<string, Value[]> = {};
  for (const line of existing.flatMap((path) => readFileSync(path, 'utf8').split('\n'))) {
    const entry = parseEntry(line);
    if (entry === undefined || entry.at < since) continue;
    for (const [resource, ids] of Object.entries(entry.records))
      all[resource] = [...new Set([...(all[resource] ?? []), ...ids])];
  }
  return all;
}

function parseEntry(line: string): { readonly at: number; readonly records: ErasedIds } | undefined {
  try {
    return line === '' ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
