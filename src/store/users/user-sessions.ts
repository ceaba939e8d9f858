/** The sessions of a user, who can list and end them (access.md §3). */
import { sql } from 'kysely';
import { type Actor, BindParam, type Service } from '../../engine/index.ts';
import { type AuditedTransaction, auditedTransaction } from '../audit/audited-transaction.ts';
import { hashOf } from '../keys.ts';
import { endOf } from '../sessions.ts';

/** Times are seconds since 1970. */
export interface UserSession {
  /** The beginning of the session’s hash. It contains no information about the session’s own id. */
  readonly id: string;
  readonly created: number;
  readonly lastUsed: number;
  readonly address: string | null;
  readonly userAgent: string | null;
}

const ID_LENGTH = 32;
const ID = /^[0-9a-f]{32}$/;

const TABLE = sql.table('admin_session');
const USER_ID = new BindParam('user_id', 'integer');

/** Returns the sessions of a user that have not ended, the last used one first. */
export async function sessionsOf({ database, statements, clock }: Service, userId: number): Promise<UserSession[]> {
  const list = statements.get(
    'sessions of user',
    ({ placeholder }) => sql`select hash, created, used, address, user_agent from ${TABLE}
      where user_id = ${placeholder(USER_ID)} order by used desc, created desc, hash`,
  );
  const now = clock.now();
  const rows = await database.query(list, { user_id: userId });
  return rows.flatMap(([hash, created, used, address, userAgent]) => {
    const times = { created: Number(created), lastUsed: Number(used) };
    if (endOf(times.created, times.lastUsed) <= now) return [];
    const client = { address: address as string | null, userAgent: userAgent as string | null };
    return [{ id: (hash as string).slice(0, ID_LENGTH), ...times, ...client }];
  });
}

/** Returns the id under which a session is listed. @param secret of the cookie */
export function listedSessionId(secret: string): string {
  return hashOf(secret).slice(0, ID_LENGTH);
}

/** Ends a session of a user. @param id as listed. @returns whether it existed */
export async function endSessionOf(service: Service, userId: number, id: string, by: Actor): Promise<boolean> {
  // PostgreSQL rejects texts with U+0000.
  if (!ID.test(id)) return false;
  const end = service.statements.get(
    'end session of user',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)}
      and substr(hash, 1, ${sql.lit(ID_LENGTH)}) = ${placeholder(new BindParam('id', 'text'))} returning 1`,
  );
  return auditedTransaction(service, by, async (transaction) => {
    const { length } = await transaction.run(end, { user_id: userId, id });
    recordEnd(transaction, userId, length);
    return length > 0;
  });
}

function recordEnd(transaction: AuditedTransaction, userId: number, count: number): void {
  if (count > 0) transaction.record('sign_out', 'User', userId, { count });
}

/** Ends all sessions of a user, or all but one. @param except the secret of the session that remains */
export async function endSessionsOf(
  { statements }: Pick<Service, 'statements'>,
  transaction: AuditedTransaction,
  userId: number,
  except?: string,
): Promise<void> {
  const end = statements.get(
    'end sessions of user',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)}
      and hash <> ${placeholder(new BindParam('except', 'text'))} returning 1`,
  );
  const ended = await transaction.run(end, { user_id: userId, except: except === undefined ? '' : hashOf(except) });
  recordEnd(transaction, userId, ended.length);
}
