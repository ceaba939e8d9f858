/**
 * Sign-ins at an identity provider (access.md §3). The browser has the only secret of a sign-in that has begun, and the store its
 * hash, so any server of the store can finish it, once.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Service, Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { confirmHashedSession, endHashedSession } from '../sessions.ts';
import { type Accounts, param, type User } from './accounts.ts';
import { changeAccounts } from './change-accounts.ts';
import { resetFailures } from './failed-sign-ins.ts';
import { type IdentityKey, linkIdentity, mailboxOf, userOfIdentity } from './identities.ts';
import { deleteLinks } from './links.ts';
import { actorOf, begin, type SignedIn, type SignInClient } from './sign-in.ts';

const VALID_SECONDS = 600;

/** Unfinished sign-ins of one client address. Beyond that, the oldest ones end. */
const PER_CLIENT_MAX = 100;

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

const TABLE = sql.table('staff_provider_sign_in');
const HASH = param('hash', 'text');
const SESSION = param('session', 'text');
const CLIENT = param('client', 'text');
const NOW = param('now', 'timestamp');

/** A sign-in that has begun at the provider. */
interface BegunSignIn {
  /** Hash of the session that it confirms, or else replaces. */
  readonly session: string | undefined;
  readonly isConfirmation: boolean;
  /** Seconds since 1970. */
  readonly begunAt: number;
}

export const PROVIDER_SIGN_IN_SECONDS = VALID_SECONDS;

export function newSignInSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function isSignInSecret(text: string): boolean {
  return SECRET.test(text);
}

/** Returns the texts that connect the provider's response with this sign-in. They reveal neither the secret nor each other. */
export function proofOf(secret: string): { readonly state: string; readonly nonce: string; readonly verifier: string } {
  const derive = (name: string): string => createHmac('sha256', secret).update(name).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/** @param client address of the client, or its group of addresses */
export async function beginProviderSignIn(
  { database, statements, clock }: Service,
  secret: string,
  { session, isConfirmation, client }: Omit<BegunSignIn, 'begunAt'> & { readonly client: string },
): Promise<void> {
  const shrink = statements.get(
    'end surplus sign-ins at provider',
    ({ placeholder }) => sql`delete from ${TABLE} where client = ${placeholder(CLIENT)} and hash not in
      (select hash from ${TABLE} where client = ${placeholder(CLIENT)} order by created desc, hash
        limit ${placeholder(param('others', 'integer'))}) returning 1`,
  );
  const insert = statements.get(
    'begin sign-in at provider',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, session, confirms, client, created, expires)
      values (${placeholder(HASH)}, ${placeholder(SESSION)}, ${placeholder(param('confirms', 'integer'))}, ${placeholder(CLIENT)},
        ${placeholder(NOW)}, ${placeholder(param('expires', 'timestamp'))}) returning 1`,
  );
  const now = clock.now();
  const of = { client: hashOf(`address ${client}`) };
  const begun = { session: session ?? null, confirms: isConfirmation ? 1 : 0, now, expires: now + VALID_SECONDS };
  await database.transaction(async (transaction) => {
    await transaction.run(shrink, { ...of, others: PER_CLIENT_MAX - 1 });
    await transaction.run(insert, { ...of, ...begun, hash: hashOf(secret) });
  });
}

/** Uses a sign-in up. @returns undefined if it is unknown, expired or used */
export async function useProviderSignIn(
  { database, statements, clock }: Service,
  secret: string,
): Promise<BegunSignIn | undefined> {
  const remove = statements.get(
    'use sign-in at provider',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)}
      and expires > ${placeholder(NOW)} returning session, confirms, created`,
  );
  const values = { hash: hashOf(secret), now: clock.now() };
  const [row] = await database.transaction((transaction) => transaction.run(remove, values));
  if (!row) return undefined;
  const [session, confirms, created] = row;
  return {
    session: (session as string | null) ?? undefined,
    isConfirmation: Number(confirms) > 0,
    begunAt: Number(created),
  };
}

/**
 * Begins a session of the user with this identity. The first sign-in of a user links the identity.
 * @param person `email` is verified by the provider
 * @param former hash of the session that this one replaces
 * @returns undefined if there is no such user, or the user is disabled
 */
export function signInWithIdentity(
  service: Service,
  person: IdentityKey & { readonly email: string | undefined },
  client: Omit<SignInClient, 'former' | 'byProvider'>,
  former: string | undefined,
): Promise<SignedIn | undefined> {
  const { issuer, subject, email } = person;
  return changeAccounts(service, actorOf(client), async (accounts, transaction) => {
    const user = await findUser(service, transaction, accounts, { issuer, subject, email });
    if (!user) return undefined;
    transaction.actAs(actorOf(client, user));
    if (user.status === 'invited') await deleteLinks(service, transaction, user.id);
    if (former !== undefined) await endHashedSession(service, transaction, former);
    await resetFailures(service, transaction, user.email);
    const active: User = { ...user, status: 'active' };
    return begin(service, transaction, accounts, active, { ...client, byProvider: true, former: undefined });
  });
}

async function findUser(
  service: Service,
  transaction: Transaction,
  { users }: Accounts,
  { email, ...key }: IdentityKey & { readonly email: string | undefined },
): Promise<User | undefined> {
  const known = await userOfIdentity(service, transaction, key);
  const user = users.find((each) =>
    known === undefined ? email !== undefined && mailboxOf(each.email) === mailboxOf(email) : each.id === known,
  );
  if (!user || user.status === 'disabled') return undefined;
  return known !== undefined || (await linkIdentity(service, transaction, key, user.id)) ? user : undefined;
}

/**
 * Confirms a session of the user with this identity.
 * @param session its hash
 * @returns whether the session has this user
 */
export function confirmWithIdentity(service: Service, key: IdentityKey, session: string): Promise<boolean> {
  return service.database.transaction(async (transaction) => {
    const userId = await userOfIdentity(service, transaction, key);
    return userId !== undefined && confirmHashedSession(service, transaction, { hash: session, userId });
  });
}
