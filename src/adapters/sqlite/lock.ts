/**
 * One server for each embedded database, and one process of it at a time for some work. A lock is a transaction held open on a
 * file beside the store, so the kernel lets go of it when the process ends, however it ends.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makeFolderOf, makePrivate } from './files.ts';

/** @returns what releases the lock. @throws {Error} when another server has it */
export function lockStore(file: string): () => void {
  const database = openLock(file);
  try {
    database.exec('begin exclusive');
  } catch {
    database.close();
    throw new Error(`Another Purveyor already serves ${file}; stop it, or set DATABASE_URL to another file.`);
  }
  return () => database.close();
}

/** Makes nothing. @throws {Error} when a server has the store now */
export function refuseLocked(file: string): void {
  if (existsSync(lockOf(file))) lockStore(file)();
}

/** Work that one process does at a time; the others need not wait for it. */
export interface Turn {
  /** @returns whether nobody else has it now */
  take(): boolean;
  leave(): void;
  close(): void;
}

/** @param path of a file that is there for this alone */
export function openTurn(path: string): Turn {
  makePrivate(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  return {
    take() {
      try {
        database.exec('begin exclusive');
        return true;
      } catch {
        return false;
      }
    },
    leave: () => database.exec('rollback'),
    close: () => database.close(),
  };
}

function lockOf(file: string): string {
  return `${file}.lock`;
}

function openLock(file: string): DatabaseSync {
  try {
    makeFolderOf(file);
    makePrivate(lockOf(file));
    return new DatabaseSync(lockOf(file), { timeout: 0 });
  } catch (error) {
    throw new Error(`The database of DATABASE_URL, ${file}, cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
