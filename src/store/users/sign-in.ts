/** Signing in as a user of the store, and setting passwords (access.md §3). */
import { looseMatch, type Service, type Transaction } from '../../engine/index.ts';
import { insertSession, type NewSession } from '../sessions.ts';
import { type Accounts, changeAccounts, readAccounts, scopesOf, type User } from './accounts.ts';
import { type SignInAttempt, succeedSignIn } from './failed-sign-ins.ts';
import { useLink } from './links.ts';
import { type SessionUser, userHash } from './session-user.ts';
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

/** Where a session begins, and the one of the same browser that it replaces. */
export interface SignInClient extends Pick<NewSession, 'host' | 'address' | 'userAgent'> {
  readonly former: string | undefined;
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
): Promise<SignedIn | undefined> {
  const { users } = await readAccounts(service);
  const found = users.find(({ email }) => looseMatch(email) === looseMatch(sent.email));
  const hash = found?.password ?? undefined;
  const isMatch = await slowly(() => service.secrets.matches(sent.password, hash));
  if (!found || !isMatch || found.status !== 'active') return undefined;
  return changeAccounts(service, async (accounts, transaction) => {
    const user = accounts.users.find(({ id }) => id === found.id);
    // The user may have been disabled, or the password changed, during the comparison.
    if (user?.status !== 'active' || user.password !== hash) return undefined;
    await succeedSignIn(service, transaction, sent.attempt);
    return begin(service, transaction, accounts, user, client);
  });
}

/**
 * Signs in with an invitation or a reset link, and sets the password. It ends all other sessions of the user.
 * @returns undefined if the link is unknown, expired or already used
 */
export async function signInWithLink(
  service: Service,
  sent: { readonly token: string; readonly password: string },
  client: SignInClient,
  slowly: Slowly,
): Promise<SignedIn | undefined> {
  const password = await slowly(() => service.secrets.hash(sent.password));
  return changeAccounts(service, async (accounts, transaction) => {
    const id = await useLink(service, transaction, sent.token);
    const user = accounts.users.find((each) => each.id === id);
    if (!user || user.status === 'disabled') return undefined;
    await endSessionsOf(service, transaction, user.id);
    return begin(service, transaction, accounts, { ...user, status: 'active', password }, client);
  });
}

async function begin(
  service: Service,
  transaction: Transaction,
  { roles }: Accounts,
  user: User,
  { former, ...client }: SignInClient,
): Promise<SignedIn> {
  await writeUser(service, transaction, { ...user, lastSignIn: service.clock.now() });
  const begun = { ...client, keyHash: userHash(user.id), userId: user.id };
  const session = await insertSession(service, transaction, begun, former);
  const { id, email, name } = user;
  return { ...session, user: { id, email, name, scopes: scopesOf(user.roleIds, roles) } };
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
  slowly: Slowly,
): Promise<boolean> {
  const before = (await readAccounts(service)).users.find((user) => user.id === id);
  const hash = before?.password ?? undefined;
  const isMatch = await slowly(() => service.secrets.matches(sent.current, hash));
  if (!isMatch) return false;
  const password = await slowly(() => service.secrets.hash(sent.password));
  return changeAccounts(service, async ({ users }, transaction) => {
    const user = users.find((each) => each.id === id);
    if (!user || user.password !== hash) return false;
    await writeUser(service, transaction, { ...user, password });
    await endSessionsOf(service, transaction, id, session);
    return true;
  });
}
