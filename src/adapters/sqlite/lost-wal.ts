/**
 * Detects a missing write-ahead log. The log contains everything acknowledged since the last checkpoint. Without it,
 * SQLite opens the older database file and reports no error.
 *
 * Therefore the file carries a mark, SQLite's `user_version`, while a log exists. Setting the mark is the last thing
 * copied into the file, and the first thing in the log after that resets it. A process that checkpoints the whole log
 * (another program, the last one to close) also copies the reset, so a file without a log has the mark only if its log
 * was lost. The mark is in the file itself, so it also detects a copy of `store.db` alone.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** The value of `user_version` in the file while there is a log ("WAL"). */
export const LOG_EXPECTED = 0x57414c;
export const NO_LOG_EXPECTED = 0;

/** Must be called before any connection is opened, because that creates a log. @throws {Error} if the log is missing */
export function rejectLostLog(path: string): void {
  const log = `${path}-wal`;
  if (existsSync(log) || !existsSync(path) || userVersionIn(path) !== LOG_EXPECTED) return;
  // Another process may have opened the database in between.
  if (existsSync(log)) return;
  throw new Error(
    `its write-ahead log ${log} is missing, and with it the most recent writes. It was removed, or the database was ` +
      'copied without it. Put the log back next to the database. Or move the database away and restore a backup. Or ' +
      `accept the older, possibly incomplete content of the file with “touch ${log}”`,
  );
}

/** https://sqlite.org/fileformat2.html#database_header */
const USER_VERSION_OFFSET = 60;

/** Without a log, this process has no connection whose locks closing the file could release. */
function userVersionIn(path: string): number {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, USER_VERSION_OFFSET);
  } finally {
    closeSync(file);
  }
  return bytes.readInt32BE();
}
