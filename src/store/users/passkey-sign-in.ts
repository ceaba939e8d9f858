/** Signing in with a passkey, alone or after the password, and confirming a session with one (access.md §3). */
import type { Service } from '../../engine/index.ts';
import { confirmSession } from '../sessions.ts';
import { changeAccounts } from './change-accounts.ts';
import { resetFailures } from './failed-sign-ins.ts';
import { type ProvenPasskey, recordUse } from './passkeys.ts';
import { actorOf, begin, type SignedIn, type SignInClient } from './sign-in.ts';
import { failTicket, useTicket } from './tickets.ts';

/** Signs in with a passkey alone. @returns undefined if its user is not active */
export function signInWithPasskey(
  service: Service,
  proven: ProvenPasskey,
  client: SignInClient,
): Promise<SignedIn | undefined> {
  return changeAccounts(service, actorOf(client), async (accounts, transaction) => {
    const user = accounts.users.find(({ id }) => id === proven.userId);
    if (user?.status !== 'active' || !(await recordUse(service, transaction, proven))) return undefined;
    transaction.actAs(actorOf(client, user));
    await resetFailures(service, transaction, user.email);
    return begin(service, transaction, accounts, user, client);
  });
}

/**
 * Signs in with a passkey after the password. Concurrent uses of a ticket run one after another.
 * @param proven undefined if the passkey was wrong, which is an attempt of the ticket
 * @returns `used` if the ticket can no longer be used; undefined if the passkey is wrong
 */
export function signInWithTicketAndPasskey(
  service: Service,
  sent: { readonly ticket: string; readonly proven: ProvenPasskey | undefined },
  client: SignInClient,
): Promise<SignedIn | 'used' | undefined> {
  return changeAccounts(service, actorOf(client), async (accounts, transaction) => {
    const ticket = await useTicket(service, transaction, sent.ticket);
    const user = accounts.users.find(({ id }) => id === ticket?.userId);
    if (!ticket || user?.status !== 'active') return 'used';
    const { proven } = sent;
    if (proven?.userId !== user.id || !(await recordUse(service, transaction, proven))) {
      await failTicket(service, transaction, ticket);
      return undefined;
    }
    transaction.actAs(actorOf(client, user));
    await resetFailures(service, transaction, user.email);
    return begin(service, transaction, accounts, user, client);
  });
}

/** Confirms a session with a passkey of its user. @param session its secret @returns whether the session still exists */
export function confirmWithPasskey(service: Service, proven: ProvenPasskey, session: string): Promise<boolean> {
  return service.database.transaction(
    async (transaction) =>
      (await recordUse(service, transaction, proven)) && confirmSession(service, transaction, session),
  );
}
