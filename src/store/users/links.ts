/**
 * Invitations and reset links (access.md §3). Each lets one user set a password, once. Only the hash of its token is stored. A
 * user has at most one link, and those that mails contain: each attempt to send a mail adds one.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Actor, isProblem, type Problem, problem, type Service, type Transaction } from '../../engine/index.ts';
import type { AuditedTransaction } from '../audit/audited-transaction.ts';
import { queueMail } from '../mails/outbox.ts';
import { param, readAccounts, type User } from './accounts.ts';
import { changeAccounts } from './change-accounts.ts';
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

interface Creation {
  readonly guard: UserGuard;
  readonly by: Actor;
  /** Also queues a mail with another link to the user. */
  readonly isMailed?: boolean;
}

/** Creates a link, which replaces the previous ones of the user. */
export function createLink(
  service: Service,
  id: number,
  kind: LinkKind,
  { guard, by, isMailed = false }: Creation,
): Promise<Link | Problem> {
  return changeAccounts(service, by, async (accounts, transaction) => {
    const user = guardedUser(id, accounts, service.model, guard);
    const rejected = isProblem(user) ? user : rejectKind(user, kind);
    if (isProblem(user) || rejected) return rejected as Problem;
    await deleteLinks(service, transaction, id);
    if (isMailed) await queueMail(service, transaction, { template: MAILS[kind], to: user.email, data: { user: id } });
    return insertLink(service, transaction, id, kind);
  });
}

/** The templates of mails with these links. */
export const MAILS = { invite: 'staff_invitation', reset_link: 'staff_reset' } as const;

/** A link for a mail, and whom it is for. */
interface MailedLink {
  readonly kind: LinkKind;
  readonly token: string;
  readonly user: User;
}

/**
 * Creates a link for one attempt to send a mail. Links of earlier attempts remain, because their mails may have arrived.
 * @param find the user to whom the mail is addressed
 * @returns undefined if the user cannot use such a link now
 */
export async function createMailedLink(
  service: Service,
  find: (users: readonly User[]) => User | undefined,
  kinds: readonly LinkKind[],
  by: Actor,
): Promise<MailedLink | undefined> {
  // Anyone can ask for mails to addresses of nobody, which should not delay changes of accounts.
  if (!find((await readAccounts(service)).users)) return undefined;
  return changeAccounts(service, by, async ({ users }, transaction) => {
    const user = find(users);
    const kind = user && kinds.find((each) => rejectKind(user, each) === undefined);
    if (!user || !kind) return undefined;
    const { token } = await insertLink(service, transaction, user.id, kind);
    return { kind, token, user };
  });
}

function rejectKind({ email, status }: User, kind: LinkKind): Problem | undefined {
  if (status === 'disabled')
    return problem(
      'conflict',
      `“${email}” is disabled. First set the status to “active”, or run “purveyor user enable” on the server.`,
    );
  if (kind === 'invite' && status === 'active')
    return problem('conflict', `“${email}” has already signed in. Create a reset link instead.`);
  if (kind === 'reset_link' && status === 'invited')
    return problem('conflict', `“${email}” has never signed in. Create an invitation instead.`);
  return undefined;
}

async function insertLink(
  service: Service,
  transaction: AuditedTransaction,
  id: number,
  kind: LinkKind,
): Promise<Link> {
  const { statements, clock } = service;
  const insert = statements.get(
    'insert link of user',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, user_id, expires)
      values (${placeholder(param('hash', 'text'))}, ${placeholder(param('user_id', 'integer'))}, ${placeholder(param('expires', 'timestamp'))})
      returning 1`,
  );
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expires = clock.now() + VALID_SECONDS[kind];
  await transaction.run(insert, { hash: hashOfToken(token), user_id: id, expires });
  transaction.addDetails('User', id, { link_kind: { before: null, after: kind } });
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
