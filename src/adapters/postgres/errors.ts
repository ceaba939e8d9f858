/** Classifies PostgreSQL's errors: temporarily unavailable, or worth another attempt. Other errors remain unchanged. */
import pg from 'pg';
import { DatabaseUnavailable, LockedTooLong } from '../../engine/ports.ts';

/** Translates errors of the driver. Any error that does not come from the server means that it was not reached. */
export function unavailableOr(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  if (error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')) return error;
  const isLocked = error instanceof pg.DatabaseError && error.code === LOCKED;
  const Unavailable = isLocked ? LockedTooLong : DatabaseUnavailable;
  return new Unavailable(`The database is not available at present: ${error.message}.`, { cause: error });
}

/** A lock was not free in time. */
const LOCKED = '55P03';

/** Whether a `DatabaseUnavailable` was caused by a statement timeout or an operator's cancellation. */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable && error.cause instanceof pg.DatabaseError && error.cause.code === '57014'
  );
}

/** Returns the error after the last attempt of a conflicting transaction. A later request may succeed. */
export function afterLastAttempt(error: unknown): unknown {
  return new DatabaseUnavailable(`Too many concurrent changes of the same records: ${(error as Error).message}.`, {
    cause: error,
  });
}

/** Whether another transaction interfered; a new attempt sees its changes. */
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
    '^57', // intervention of an operator, or a timeout
    '^58', // the system under the server
    '^25006', // read-only: a standby
    '^55000', // recovery is in progress: a standby has no timeline of its own
    '^25P03', // the transaction was idle for too long
    `^${LOCKED}`,
    '^XX00[12]', // damaged data
  ].join('|'),
);
