/**
 * File locks: one server for each embedded database, and one process at a time for some work. A lock is an open
 * transaction on a separate file next to the store, so the kernel releases it however the process ends.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makeFolderOf, makePrivate } from './files.ts';

/** @returns function that releases the lock @throws {Error} if another server holds it */
export function lockStore(file: string): () => void {
  const database = openLock(file);
  try {
    database.exec('begin exclusive');
  } catch {
    database.close();
    throw new Error(`Another Purveyor already serves ${file}. Stop it, or set DATABASE_URL to another file.`);
  }
  return () => database.close();
}

/** Creates no files. @throws {Error} if a server is using the store */
export function rejectLocked(file: string): void {
  if (existsSync(lockOf(file))) lockStore(file)();
}

/** Lock for work that one process does at a time. The others skip it instead of waiting. */
export interface WorkLock {
  /** @returns whether the lock was acquired */
  tryAcquire(): boolean;
  release(): void;
  close(): void;
}

/** @param path of a file used only for this lock */
export function openWorkLock(path: string): WorkLock {
  makePrivate(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  return {
    tryAcquire() {
      try {
        database.exec('begin exclusive');
        return true;
      } catch {
        return false;
      }
    },
    release: () => database.exec('rollback'),
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
    throw new Error(`Cannot open the database ${file} (DATABASE_URL): ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
