/** Which of SQLite's errors mean that the database cannot answer now, and which that it must not be written any more. */
import { DatabaseUnavailable } from '../../engine/ports.ts';

export function unavailableOr(error: unknown): unknown {
  const code = primaryCode(error);
  if (code === undefined || !UNAVAILABLE.has(code)) return error;
  return new DatabaseUnavailable(`The database file cannot be used now: ${(error as Error).message}.`, {
    cause: error,
  });
}

/** Another connection holds a lock that this one needs. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

export function isFull(error: unknown): boolean {
  return primaryCode(error) === SQLITE_FULL;
}

/**
 * The content of the disk is no longer known: reading or writing failed, or the file is no sound database. After a
 * failed fsync the system forgets what it could not write, so a second try would succeed and mean nothing.
 */
export function isBreakage(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && BREAKAGES.has(code) && !NO_ROOM.has((error as { errcode: number }).errcode);
}

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

const BREAKAGES: ReadonlySet<number> = new Set([SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB]);

/** Extended codes under IOERR that tell of a full disk or memory: nothing was written, and there may be room later. */
const NO_ROOM: ReadonlySet<number> = new Set([
  SQLITE_IOERR | (12 << 8), // NOMEM
  SQLITE_IOERR | (19 << 8), // SHMSIZE: the index of the log could not grow
]);

/** https://sqlite.org/rescode.html */
const UNAVAILABLE: ReadonlySet<number> = new Set([
  SQLITE_BUSY,
  8, // READONLY
  SQLITE_IOERR,
  SQLITE_CORRUPT,
  SQLITE_FULL,
  14, // CANTOPEN
  15, // PROTOCOL: locks of the write-ahead log could not be had
  SQLITE_NOTADB,
]);

/** Extended codes carry what went wrong in detail above the low byte. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
