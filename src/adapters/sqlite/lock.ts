/**
 * One server for each embedded database. The lock is a transaction held open on a file beside the store, so the kernel
 * lets go of it when the process ends, however it ends.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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

function openLock(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return new DatabaseSync(`${file}.lock`, { timeout: 0 });
  } catch (error) {
    throw new Error(`The database of DATABASE_URL, ${file}, cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
