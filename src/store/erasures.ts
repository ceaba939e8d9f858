/**
 * A file beside the store that keeps which records were forgotten with a person, and when: by their identifiers alone. A backup
 * from before has those records whole, and whoever restores it has them forgotten again.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Roots, Value } from '../engine/index.ts';

/** Identifiers by the name of their resource. */
export type ErasedIds = Readonly<Record<string, readonly Value[]>>;

/**
 * Notes it for good, before it is done: an erasure that came to nothing is asked for again, and one that nobody noted is lost.
 * @param at seconds since 1970
 * @throws {Error} naming the file
 */
export function noteErasure(path: string, at: number, roots: Roots): void {
  // It begins a line itself: one that a crash or a full disk has cut off would take it along.
  const line = `\n${JSON.stringify({ at, records: Object.fromEntries(roots) })}\n`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !existsSync(path);
    write(openSync(path, 'a', 0o600), line);
    if (isNew) write(openSync(dirname(path), 'r'), '');
  } catch (error) {
    throw new Error(
      `The erasure cannot be noted in ${path}: ${(error as Error).message}. Set ERASURES_FILE to a file that can.`,
      {
        cause: error,
      },
    );
  }
}

function write(file: number, text: string): void {
  try {
    // Unlike writeSync, it goes on after a part.
    if (text !== '') writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * All that was forgotten from a moment on, together, as the files of all servers of a store say. A line that a crash has cut off was never acknowledged.
 * @param since seconds since 1970
 * @returns undefined where there is none of the files
 */
export function erasedSince(paths: readonly string[], since: number): ErasedIds | undefined {
  const there = paths.filter((path) => existsSync(path));
  if (there.length === 0) return undefined;
  const all: Record<string, Value[]> = {};
  for (const line of there.flatMap((path) => readFileSync(path, 'utf8').split('\n'))) {
    const note = readNote(line);
    if (note === undefined || note.at < since) continue;
    for (const [resource, ids] of Object.entries(note.records))
      all[resource] = [...new Set([...(all[resource] ?? []), ...ids])];
  }
  return all;
}

function readNote(line: string): { readonly at: number; readonly records: ErasedIds } | undefined {
  try {
    return line === '' ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
