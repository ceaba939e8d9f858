/** Finds a user whom a request changes, if the caller may do so (access.md §3). */
import type { RoleGrant } from '../../access/combined-roles.ts';
import { type Actor, type Model, type Problem, problem, type Service } from '../../engine/index.ts';
import type { AuditedTransaction } from '../audit/audited-transaction.ts';
import { type Accounts, grantOf, type User } from './accounts.ts';
import { changeAccounts } from './change-accounts.ts';

/**
 * Decides whether the caller may change a user, or give someone these rights.
 * @param user the user before the change; undefined if only the new rights are checked
 */
export type UserGuard = (user: User | undefined, rights: RoleGrant) => Problem | undefined;

export function guardedUser(id: number, accounts: Accounts, model: Model, guard: UserGuard): User | Problem {
  const user = accounts.users.find((each) => each.id === id);
  if (!user) return unknownUser();
  return guard(user, grantOf(user.roleIds, accounts.roles, model)) ?? user;
}

export function unknownUser(): Problem {
  return problem('not-found', 'There is no user with this id. /users lists all users.');
}

/** Runs a change of one’s own account in a transaction, alone. @param by who changes it */
export function changeOwnUser<T>(
  service: Service,
  id: number,
  by: Actor,
  change: (user: User, transaction: AuditedTransaction) => Promise<T>,
): Promise<T | Problem> {
  return changeAccounts(service, by, async ({ users }, transaction) => {
    const user = users.find((each) => each.id === id);
    return user ? change(user, transaction) : unknownUser();
  });
}
