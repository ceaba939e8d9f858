/** Classifies SQLite's errors: temporarily unavailable, or no longer safe to write. */
import { DatabaseUnavailable } from '../../engine/ports.ts';

export function unavailableOr(error: unknown): unknown {
  const code = primaryCode(error);
  if (code === undefined || !UNAVAILABLE.has(code)) return error;
  return new DatabaseUnavailable(`The database file cannot be used at present: ${(error as Error).message}.`, {
    cause: error,
  });
}

/** Whether another connection holds a required lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

export function isFull(error: unknown): boolean {
  return primaryCode(error) === SQLITE_FULL;
}

/**
 * Whether the content of the disk is no longer known: a read or write failed, or the file is not a valid database.
 * After a failed fsync the system discards the data, so a second attempt would succeed without having written it.
 */
export function isFatal(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && FATAL.has(code) && !NO_ROOM.has((error as { errcode: number }).errcode);
}

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

const FATAL: ReadonlySet<number> = new Set([SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB]);

/** Extended codes of IOERR for exhausted disk or memory. No data was written, and a later attempt may succeed. */
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

/** The low byte of an extended code is its primary code. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
