/** Signing in as a user of the store, and setting passwords (access.md §3). */
import { type Actor, looseMatch, type Service } from '../../engine/index.ts';
import type { AuditedTransaction } from '../audit/audited-transaction.ts';
import { confirmSession, insertSession, type NewSession } from '../sessions.ts';
import { type Accounts, factorsOf, grantOf, readAccounts, type User } from './accounts.ts';
import { changeAccounts } from './change-accounts.ts';
import { resetFailures, type SignInAttempt, succeedSignIn, uncount } from './failed-sign-ins.ts';
import { deleteLinks, useLink } from './links.ts';
import { useCode } from './second-factor.ts';
import { type SessionUser, userHash } from './session-user.ts';
import { deleteTickets, failTicket, insertTicket, type Ticket, useTicket } from './tickets.ts';
import { endSessionsOf } from './user-sessions.ts';
import { writeUser } from './users.ts';

/** A session that has just begun. */
export interface SignedIn {
  /** The secret of the cookie. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly endsAt: number;
  readonly user: SessionUser;
}

/** A sign-in that needs a code of the second factor. */
export interface HalfSignedIn extends Ticket {
  /** The user’s second factors. */
  readonly factors: readonly string[];
}

/** Where a session begins, and the one of the same browser that it replaces. */
export interface SignInClient extends Pick<NewSession, 'host' | 'userAgent' | 'byProvider' | 'confirmedAt'> {
  readonly address: string;
  readonly former: string | undefined;
  /** Of the request that signs in. */
  readonly requestId: string;
}

/** Returns who signs in. @param user undefined: not known yet */
export function actorOf({ address, requestId }: Pick<SignInClient, 'address' | 'requestId'>, user?: User): Actor {
  return { type: 'user', id: user ? String(user.id) : '', keyName: user?.name ?? '', address, requestId };
}

/** Runs slow work without an admission slot. */
export type Slowly = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Signs in with a password. A hash is always compared, so that the time does not reveal whether the user exists.
 * @returns undefined if there is no active user with this e-mail address and password
 */
export async function signInWithPassword(
  service: Service,
  sent: { readonly email: string; readonly password: string; readonly attempt: SignInAttempt },
  client: SignInClient,
  slowly: Slowly,
): Promise<SignedIn | HalfSignedIn | undefined> {
  const { users } = await readAccounts(service);
  const found = users.find(({ email }) => looseMatch(email) === looseMatch(sent.email));
  const hash = found?.password ?? undefined;
  const isMatch = await slowly(() => service.secrets.matches(sent.password, hash));
  if (!found || !isMatch || found.status !== 'active') return undefined;
  return changeAccounts(service, actorOf(client, found), async (accounts, transaction) => {
    const user = accounts.users.find(({ id }) => id === found.id);
    // The user may have been disabled, or the password changed, during the comparison.
    if (user?.status !== 'active' || user.password !== hash) return undefined;
    if (factorsOf(user).length > 0) {
      // The password alone does not reset the count, or it would allow any number of codes.
      await uncount(service, transaction, sent.attempt);
      return halfBegin(service, transaction, user);
    }
    await succeedSignIn(service, transaction, sent.attempt);
    return begin(service, transaction, accounts, user, client);
  });
}

/**
 * Signs in with a code of the second factor. Concurrent uses of a ticket run one after another.
 * @returns `used` if the ticket can no longer be used; undefined if the code is wrong
 */
export function signInWithCode(
  service: Service,
  sent: { readonly ticket: string; readonly code: string; readonly attempt: SignInAttempt },
  client: SignInClient,
): Promise<SignedIn | 'used' | undefined> {
  return changeAccounts(service, actorOf(client), async (accounts, transaction) => {
    const ticket = await useTicket(service, transaction, sent.ticket);
    const user = accounts.users.find(({ id }) => id === ticket?.userId);
    if (!ticket || user?.status !== 'active') return 'used';
    transaction.actAs(actorOf(client, user));
    const after = await useCode(service, transaction, user, sent.code);
    if (!after) {
      await failTicket(service, transaction, ticket);
      return undefined;
    }
    await succeedSignIn(service, transaction, sent.attempt);
    return begin(service, transaction, accounts, after, client);
  });
}

async function halfBegin(service: Service, transaction: AuditedTransaction, user: User): Promise<HalfSignedIn> {
  return { ...(await insertTicket(service, transaction, user.id)), factors: factorsOf(user) };
}

/**
 * Signs in with an invitation or a reset link, and sets the password. It ends all other sessions of the user.
 * The second factor remains.
 * @returns undefined if the link is unknown, expired or already used
 */
export async function signInWithLink(
  service: Service,
  sent: { readonly token: string; readonly password: string },
  client: SignInClient,
  slowly: Slowly,
): Promise<SignedIn | HalfSignedIn | undefined> {
  const password = await slowly(() => service.secrets.hash(sent.password));
  return changeAccounts(service, actorOf(client), async (accounts, transaction) => {
    const id = await useLink(service, transaction, sent.token);
    const user = accounts.users.find((each) => each.id === id);
    if (!user || user.status === 'disabled') return undefined;
    transaction.actAs(actorOf(client, user));
    // Mails can contain further links.
    await deleteLinks(service, transaction, user.id);
    await endSessionsOf(service, transaction, user.id);
    await deleteTickets(service, transaction, user.id);
    const changed: User = { ...user, status: 'active', password };
    if (factorsOf(user).length === 0) {
      await resetFailures(service, transaction, user.email);
      return begin(service, transaction, accounts, changed, client);
    }
    await writeUser(service, transaction, changed);
    return halfBegin(service, transaction, changed);
  });
}

/** Begins a session of a user who has proved the identity. */
export async function begin(
  service: Service,
  transaction: AuditedTransaction,
  { roles }: Accounts,
  user: User,
  { former, requestId: _, ...client }: SignInClient,
): Promise<SignedIn> {
  await writeUser(service, transaction, { ...user, lastSignIn: service.clock.now() });
  const begun = { ...client, keyHash: userHash(user.id), userId: user.id };
  const session = await insertSession(service, transaction, begun, former);
  const { id, email, name } = user;
  const rights = grantOf(user.roleIds, roles, service.model);
  const proof = { factors: factorsOf(user), byProvider: client.byProvider ?? false };
  return { ...session, user: { id, email, name, ...rights, ...proof } };
}

/**
 * Changes the password of a signed-in user, and ends the other sessions.
 * @param session the secret of the session that remains
 * @returns whether the current password was right
 */
export async function changePassword(
  service: Service,
  id: number,
  sent: { readonly current: string; readonly password: string },
  session: string,
  { slowly, by }: { readonly slowly: Slowly; readonly by: Actor },
): Promise<boolean> {
  const before = (await readAccounts(service)).users.find((user) => user.id === id);
  const hash = before?.password ?? undefined;
  const isMatch = await slowly(() => service.secrets.matches(sent.current, hash));
  if (!isMatch) return false;
  const password = await slowly(() => service.secrets.hash(sent.password));
  return changeAccounts(service, by, async ({ users }, transaction) => {
    const user = users.find((each) => each.id === id);
    if (!user || user.password !== hash) return false;
    await writeUser(service, transaction, { ...user, password });
    await endSessionsOf(service, transaction, id, session);
    await deleteTickets(service, transaction, id);
    await deleteLinks(service, transaction, id);
    return true;
  });
}

/**
 * Confirms a session with the password of its user.
 * @param session its secret
 * @returns whether the password was right
 */
export async function confirmWithPassword(
  service: Service,
  id: number,
  sent: { readonly password: string; readonly session: string },
  slowly: Slowly,
): Promise<boolean> {
  const user = (await readAccounts(service)).users.find((each) => each.id === id);
  const isMatch = await slowly(() => service.secrets.matches(sent.password, user?.password ?? undefined));
  if (!isMatch) return false;
  // A change of the password has ended the session meanwhile.
  return service.database.transaction((transaction) => confirmSession(service, transaction, sent.session));
}

/** Confirms a session with a code of its user. @returns whether the code was right */
export function confirmWithCode(
  service: Service,
  id: number,
  sent: { readonly code: string; readonly session: string },
  by: Actor,
): Promise<boolean> {
  return changeAccounts(service, by, async ({ users }, transaction) => {
    const user = users.find((each) => each.id === id);
    if (!user || !(await useCode(service, transaction, user, sent.code))) return false;
    return confirmSession(service, transaction, sent.session);
  });
}
