/**
 * Files of an embedded database at the level of the file system: created so that they survive a power failure, and
 * monitored, because SQLite continues to write to a file that was deleted or replaced.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder of a file and its parents. Syncs each containing folder, so that the names survive a power
 * failure.
 */
export function makeFolderOf(path: string): void {
  const firstMade = mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = dirname(path); made.length >= firstMade.length; made = dirname(made)) syncFolderOf(made);
}

/**
 * Creates the file for its owner only if it does not exist. SQLite gives its log the same permissions. An existing file
 * is not opened, because closing it would release the locks of this process's connections.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The database file and its write-ahead log at the time of construction, with connections open. */
export class StoreFiles {
  readonly #opened: ReadonlyMap<string, string | undefined>;

  constructor(path: string) {
    this.#opened = new Map([path, `${path}-wal`].map((file) => [file, identityOf(file)]));
  }

  /** Returns a message if a name no longer refers to the open file. */
  replaced(): string | undefined {
    for (const [file, opened] of this.#opened)
      if (identityOf(file) !== opened) return `${file} was deleted or replaced while it was open.`;
    return undefined;
  }
}

/** Returns undefined if the file cannot be read, as if it were missing. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
