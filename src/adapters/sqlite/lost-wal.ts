/**
 * Notices a write-ahead log that is gone. The log holds what was acknowledged since it was last folded into the database
 * file; without it SQLite opens the file as it was then, and says nothing.
 *
 * So the file carries a mark, SQLite's `user_version`, as long as there is a log: it is the last thing folded into the
 * file, and the first thing in the log after that takes it back. A process that folds all of the log (another program,
 * the last one to close) folds that too, so a file without a log has the mark only if its log was lost. It stands in
 * the file itself, so it tells as much of a copy of `store.db` alone.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** The value of `user_version` in the file while there is a log ("WAL"). */
export const LOG_EXPECTED = 0x57414c;
export const NO_LOG_EXPECTED = 0;

/** Before any connection is opened, as that makes a log. @throws {Error} when the log is gone */
export function refuseLostLog(path: string): void {
  const log = `${path}-wal`;
  if (existsSync(log) || !existsSync(path) || userVersionIn(path) !== LOG_EXPECTED) return;
  // Another process may have opened it in between.
  if (existsSync(log)) return;
  throw new Error(
    `its write-ahead log ${log} is missing, and with it what was written last. It was removed, or the database was ` +
      'copied without it. Put the log back beside the database; or move the database away and restore a backup; or ' +
      `accept what is in the file, older and perhaps incomplete, with “touch ${log}”.`,
  );
}

/** https://sqlite.org/fileformat2.html#database_header */
const USER_VERSION_OFFSET = 60;

/** Where there is no log, no connection of this process is open whose locks closing the file could end. */
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
