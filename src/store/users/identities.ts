/** The accounts of users at identity providers: an issuer and the person's identifier there (access.md §3). */
import { sql } from 'kysely';
import type { Actor, Problem, Row, Service, Transaction } from '../../engine/index.ts';
import { param } from './accounts.ts';
import { changeOwnUser } from './guarded-user.ts';
import { endSessionsOf } from './user-sessions.ts';

export interface IdentityKey {
  readonly issuer: string;
  /** Unique at the issuer, and never that of another person. */
  readonly subject: string;
}

const TABLE = sql.table('staff_identity');
const ISSUER = param('issuer', 'text');
const SUBJECT = param('subject', 'text');
const USER_ID = param('user_id', 'integer');

/** Returns the id of the user who has signed in with this identity before, outside of a change. */
export async function knownUserOf({ database, statements }: Service, key: IdentityKey): Promise<number | undefined> {
  const { issuer, subject } = key;
  return idIn(await database.query(findStatement(statements), { issuer, subject }));
}

/** Returns the id of the user who has this identity. */
export async function userOfIdentity(
  { statements }: Service,
  transaction: Transaction,
  key: IdentityKey,
): Promise<number | undefined> {
  return idIn(await transaction.run(findStatement(statements), { ...key }));
}

function idIn([row]: readonly Row[]): number | undefined {
  return row === undefined ? undefined : Number(row[0]);
}

function findStatement(statements: Service['statements']) {
  return statements.get(
    'find identity',
    ({ placeholder }) =>
      sql`select user_id from ${TABLE} where issuer = ${placeholder(ISSUER)} and subject = ${placeholder(SUBJECT)}`,
  );
}

/**
 * Links an identity to a user. A user has one identity of an issuer, because a second one would be another person, to whom the
 * provider has given the same e-mail address.
 * @returns whether the user had none
 */
export async function linkIdentity(
  { statements }: Service,
  transaction: Transaction,
  { issuer, subject }: IdentityKey,
  userId: number,
): Promise<boolean> {
  const others = statements.get(
    'identities of user',
    ({ placeholder }) =>
      sql`select 1 from ${TABLE} where issuer = ${placeholder(ISSUER)} and user_id = ${placeholder(USER_ID)}`,
  );
  const insert = statements.get(
    'link identity',
    ({ placeholder }) => sql`insert into ${TABLE} (issuer, subject, user_id)
      values (${placeholder(ISSUER)}, ${placeholder(SUBJECT)}, ${placeholder(USER_ID)}) returning 1`,
  );
  if ((await transaction.run(others, { issuer, user_id: userId })).length > 0) return false;
  await transaction.run(insert, { issuer, subject, user_id: userId });
  return true;
}

/** Forgets the identities of a user and ends the sessions, because another person may have begun them. */
export function dropIdentities(service: Service, id: number, by: Actor): Promise<Problem | undefined> {
  return changeOwnUser(service, id, by, async (_, transaction) => {
    await deleteIdentities(service, transaction, id);
    await endSessionsOf(service, transaction, id);
    return undefined;
  });
}

/** Forgets the identities of a user. The next sign-in links one again. */
export async function deleteIdentities(
  { statements }: Service,
  transaction: Transaction,
  userId: number,
): Promise<void> {
  const remove = statements.get(
    'delete identities of user',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)} returning 1`,
  );
  await transaction.run(remove, { user_id: userId });
}

/**
 * The form in which addresses of the same mailbox are equal. Sign-in with a password ignores more differences, but here the
 * address proves who signs in: `m\u0131ke@…` or an address with full-width letters may belong to another person.
 */
export function mailboxOf(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
