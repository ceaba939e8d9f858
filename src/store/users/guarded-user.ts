/** Finds a user whom a request changes, if the caller may do so (access.md §3). */
import { type Problem, problem } from '../../engine/index.ts';
import { type Accounts, scopesOf, type User } from './accounts.ts';

/**
 * Decides whether the caller may change a user, or give someone these rights.
 * @param user the user before the change; undefined if only the new rights are checked
 */
export type UserGuard = (user: User | undefined, scopes: readonly string[]) => Problem | undefined;

export function guardedUser(id: number, accounts: Accounts, guard: UserGuard): User | Problem {
  const user = accounts.users.find((each) => each.id === id);
  if (!user) return unknownUser();
  return guard(user, rightsOf(user, accounts)) ?? user;
}

export function unknownUser(): Problem {
  return problem('not-found', 'There is no user with this id. /users lists all users.');
}

/** Returns the scopes of a user. */
export function rightsOf({ roleIds }: Pick<User, 'roleIds'>, { roles }: Accounts): readonly string[] {
  return scopesOf(roleIds, roles);
}
