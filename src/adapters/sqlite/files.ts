/**
 * The files of an embedded database as the file system sees them: made so that a power cut does not lose them, and
 * watched, because SQLite goes on writing into a file that was deleted or exchanged under its name.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the folder of a file, parents too. A name is lost in a power cut until the folder that holds it is synced. */
export function makeFolderOf(path: string): void {
  const firstMade = mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = dirname(path); made.length >= firstMade.length; made = dirname(made)) syncFolderOf(made);
}

/**
 * Makes the file, where it is not there, for its owner alone. SQLite gives its log the same rights. One that is there is not
 * opened: closing it would end the locks that connections of this process have on it.
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

/** The database file and its write-ahead log as they were when this was made, with connections open. */
export class StoreFiles {
  readonly #opened: ReadonlyMap<string, string | undefined>;

  constructor(path: string) {
    this.#opened = new Map([path, `${path}-wal`].map((file) => [file, identityOf(file)]));
  }

  /** A sentence when a name leads to another file than the open one, or to none. */
  exchange(): string | undefined {
    for (const [file, opened] of this.#opened)
      if (identityOf(file) !== opened) return `${file} was deleted or exchanged while it was open.`;
    return undefined;
  }
}

/** A file that cannot be looked at is as good as gone. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
