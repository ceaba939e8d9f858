/** Which of PostgreSQL's errors mean "not now", and which mean "again". Every other error is left as it is. */
import pg from 'pg';
import { DatabaseUnavailable, LockedTooLong } from '../../engine/ports.ts';

/** For errors that the driver raised; whatever does not come from the server tells that the server was not reached. */
export function unavailableOr(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) return error;
  const isLocked = error instanceof pg.DatabaseError && error.code === LOCKED;
  const Unavailable = isLocked ? LockedTooLong : DatabaseUnavailable;
  return new Unavailable(`The database cannot answer now: ${error.message}.`, { cause: error });
}

/** A lock was not free in time. */
const LOCKED = '55P03';

/** A statement, told as `DatabaseUnavailable`, that was ended by the limit of its time or by an operator. */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable && error.cause instanceof pg.DatabaseError && error.cause.code === '57014'
  );
}

/** The error of a conflict after the last attempt: the race was lost every time and may be won later. */
export function afterLastAttempt(error: unknown): unknown {
  return new DatabaseUnavailable(`Too many others are changing the same: ${(error as Error).message}.`, {
    cause: error,
  });
}

/** Another transaction got in the way; a new attempt sees what that one has done. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? '');
}

const CONFLICTS: ReadonlySet<string> = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '23505', // unique
  '23503', // foreign key
  '23001', // foreign key with RESTRICT, from PostgreSQL 18 on
]);

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNAVAILABLE = new RegExp(
  [
    '^08', // connection
    '^53', // disk, memory or connections used up
    '^57', // an administrator or a timeout stepped in
    '^58', // the system under the server
    '^25006', // read-only: a standby
    '^55000', // recovery is in progress: a standby has no timeline of its own
    '^25P03', // the transaction was idle for too long
    `^${LOCKED}`,
    '^XX00[12]', // damaged data
  ].join('|'),
);
