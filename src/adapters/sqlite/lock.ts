/**
 * One server for each embedded database. The lock is a transaction held open on a file beside the store, so the kernel
 * lets go of it when the process ends, however it ends.
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
