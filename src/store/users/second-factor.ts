/** The second factor of a user: an authenticator app, and recovery codes for the loss of a factor (access.md §3). */
import { type Actor, type Problem, problem, type Service, type Transaction } from '../../engine/index.ts';
import { factorsOf, type User } from './accounts.ts';
import { changeOwnUser } from './guarded-user.ts';
import { deletePasskeysOf } from './passkeys.ts';
import { deleteRecoveryCodes, insertRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { deleteTickets } from './tickets.ts';
import { newBase32, stepOfCode } from './totp.ts';
import { endSessionsOf } from './user-sessions.ts';
import { writeUser } from './users.ts';

const SEPARATORS = /[\s-]/g;

/** Creates a secret, which a code has to confirm. It replaces an earlier one that was not confirmed. */
export async function setUpTotp(service: Service, id: number, by: Actor): Promise<string | Problem> {
  const secret = await newBase32();
  return changeOwnUser(service, id, by, async (user, transaction) => {
    if (user.totp !== null)
      return problem('conflict', 'Two-step sign-in is already on. To use another app, turn it off first.');
    await writeUser(service, transaction, { ...user, totpSetup: secret });
    return secret;
  });
}

/**
 * Enables the secret of `setUpTotp`, and ends the other sessions of the user, which began without it.
 * @param session the secret of the session that remains
 * @returns the recovery codes; undefined if the code is wrong
 */
export function enableTotp(
  service: Service,
  id: number,
  { code, session }: { readonly code: string; readonly session: string },
  by: Actor,
): Promise<readonly string[] | Problem | undefined> {
  return changeOwnUser(service, id, by, async (user, transaction) => {
    const { totp, totpSetup } = user;
    if (totp !== null)
      return problem(
        'conflict',
        'Two-step sign-in is already on. To use another app, turn it off with DELETE /users/me/totp first.',
      );
    if (totpSetup === null) return problem('conflict', 'There is no secret yet. Create one with POST /users/me/totp.');
    const totpStep = await stepOfCode(totpSetup, code.replace(SEPARATORS, ''), service.clock.now());
    if (totpStep === undefined) return undefined;
    await writeUser(service, transaction, { ...user, totp: totpSetup, totpSetup: null, totpStep });
    await endSessionsOf(service, transaction, id, session);
    await deleteTickets(service, transaction, id);
    return insertRecoveryCodes(service, transaction, id);
  });
}

/** Turns the second factor off. */
export function disableTotp(service: Service, id: number, by: Actor): Promise<Problem | undefined> {
  return changeOwnUser(service, id, by, async (user, transaction) => {
    if (user.totp === null) return problem('not-found', 'Two-step sign-in is already off.');
    await removeTotp(service, transaction, user);
    return undefined;
  });
}

/** Removes all second factors, for someone who has lost them. */
export function dropFactors(service: Service, id: number, by: Actor): Promise<Problem | undefined> {
  return changeOwnUser(service, id, by, async (user, transaction) => {
    await deletePasskeysOf(service, transaction, id);
    await removeTotp(service, transaction, { ...user, passkeys: 0 });
    return undefined;
  });
}

async function removeTotp(service: Service, transaction: Transaction, user: User): Promise<void> {
  await writeUser(service, transaction, { ...user, totp: null, totpSetup: null, totpStep: null });
  // They also replace a passkey.
  if (user.passkeys === 0) await deleteRecoveryCodes(service, transaction, user.id);
  await deleteTickets(service, transaction, user.id);
}

/** Creates recovery codes, instead of earlier ones. */
export function renewRecoveryCodes(service: Service, id: number, by: Actor): Promise<readonly string[] | Problem> {
  return changeOwnUser(service, id, by, async (user, transaction) => {
    if (factorsOf(user).length === 0)
      return problem(
        'conflict',
        'Two-step sign-in is off, so there are no recovery codes. Turn it on with /users/me/totp, or add a passkey first.',
      );
    return insertRecoveryCodes(service, transaction, id);
  });
}

/**
 * Uses up a code of the authenticator app, or a recovery code. A code of the app is accepted once, and none before it.
 * @returns the user after this use; undefined if the code is wrong
 */
export async function useCode(
  service: Service,
  transaction: Transaction,
  user: User,
  sent: string,
): Promise<User | undefined> {
  const code = sent.replace(SEPARATORS, '').toUpperCase();
  const totpStep = user.totp === null ? undefined : await stepOfCode(user.totp, code, service.clock.now());
  if (totpStep === undefined) return (await useRecoveryCode(service, transaction, user.id, code)) ? user : undefined;
  if (user.totpStep !== null && totpStep <= user.totpStep) return undefined;
  const after = { ...user, totpStep };
  await writeUser(service, transaction, after);
  return after;
}
