/** Which of SQLite's errors mean that the database cannot answer now. Every other error is left as it is. */
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

const SQLITE_BUSY = 5;

/** https://sqlite.org/rescode.html */
const UNAVAILABLE: ReadonlySet<number> = new Set([
  SQLITE_BUSY,
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL: locks of the write-ahead log could not be had
  26, // NOTADB
]);

/** Extended codes carry what went wrong in detail above the low byte. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
