/**
 * Invitations and reset links (access.md §3). Each lets one user set a password, once. Only the hash of its token is stored, and
 * a user has at most one link.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isProblem, type Problem, problem, type Service, type Transaction } from '../../engine/index.ts';
import { changeAccounts, param, type User } from './accounts.ts';
import { guardedUser, type UserGuard } from './guarded-user.ts';

/** Seconds for which a link is valid. */
const VALID_SECONDS = { invite: 72 * 3600, reset_link: 3600 } as const;

export type LinkKind = keyof typeof VALID_SECONDS;

interface Link {
  readonly token: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const TOKEN = /^[\w-]{43}$/;
const TOKEN_BYTES = 32;
const TABLE = sql.table('staff_link');

/** Creates a link, which replaces the previous one of the user. */
export function createLink(service: Service, id: number, kind: LinkKind, guard: UserGuard): Promise<Link | Problem> {
  return changeAccounts(service, async (accounts, transaction) => {
    const user = guardedUser(id, accounts, guard);
    if (isProblem(user)) return user;
    return rejectKind(user, kind) ?? insertLink(service, transaction, id, kind);
  });
}

function rejectKind({ email, status }: User, kind: LinkKind): Problem | undefined {
  if (status === 'disabled') return problem('conflict', `“${email}” is disabled. Set the status to “active” first.`);
  if (kind === 'invite' && status === 'active')
    return problem('conflict', `“${email}” has already signed in. Create a reset link instead.`);
  if (kind === 'reset_link' && status === 'invited')
    return problem('conflict', `“${email}” has never signed in. Create an invitation instead.`);
  return undefined;
}

async function insertLink(service: Service, transaction: Transaction, id: number, kind: LinkKind): Promise<Link> {
  const { statements, clock } = service;
  await deleteLinks(service, transaction, id);
  const insert = statements.get(
    'insert link of user',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, user_id, expires)
      values (${placeholder(param('hash', 'text'))}, ${placeholder(param('user_id', 'integer'))}, ${placeholder(param('expires', 'timestamp'))})
      returning 1`,
  );
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expires = clock.now() + VALID_SECONDS[kind];
  await transaction.run(insert, { hash: hashOfToken(token), user_id: id, expires });
  return { token, expires };
}

/** Whether a link can be used. It remains usable. */
export async function isLinkValid({ database, statements, clock }: Service, token: string): Promise<boolean> {
  if (!TOKEN.test(token)) return false;
  const find = statements.get(
    'find link of user',
    ({ placeholder }) => sql`select 1 from ${TABLE} where hash = ${placeholder(param('hash', 'text'))}
      and expires > ${placeholder(param('now', 'timestamp'))}`,
  );
  return (await database.query(find, { hash: hashOfToken(token), now: clock.now() })).length > 0;
}

/** Uses a link up. @returns the id of its user; undefined if it is unknown, expired or already used */
export async function useLink(
  { statements, clock }: Service,
  transaction: Transaction,
  token: string,
): Promise<number | undefined> {
  const remove = statements.get(
    'use link of user',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(param('hash', 'text'))}
      and expires > ${placeholder(param('now', 'timestamp'))} returning user_id`,
  );
  const [row] = await transaction.run(remove, { hash: hashOfToken(token), now: clock.now() });
  return row === undefined ? undefined : Number(row[0]);
}

export async function deleteLinks({ statements }: Service, transaction: Transaction, userId: number): Promise<void> {
  const remove = statements.get(
    'delete links of user',
    ({ placeholder }) =>
      sql`delete from ${TABLE} where user_id = ${placeholder(param('user_id', 'integer'))} returning 1`,
  );
  await transaction.run(remove, { user_id: userId });
}

function hashOfToken(token: string): string {
  return hash('sha256', token, 'hex');
}
