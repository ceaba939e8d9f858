/** Changes of staff accounts (access.md §3). An active user with the role Owner always remains, once there is one. */
import { sql } from 'kysely';
import { OWNER_ROLE } from '../../access/preset-roles.ts';
import {
  type Actor,
  isProblem,
  looseMatch,
  messages,
  type Problem,
  problem,
  type Service,
  type Transaction,
  Violations,
  validationFailed,
} from '../../engine/index.ts';
import type { AuditedTransaction } from '../audit/audited-transaction.ts';
import { type Accounts, grantOf, param, type User, type UserStatus } from './accounts.ts';
import { changeAccounts } from './change-accounts.ts';
import { guardedUser, type UserGuard } from './guarded-user.ts';
import { deleteIdentities, mailboxOf } from './identities.ts';
import { deleteLinks } from './links.ts';
import { deletePasskeysOf } from './passkeys.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { deleteTickets } from './tickets.ts';
import { endSessionsOf } from './user-sessions.ts';
import { deleteViewsOf } from './views.ts';

/** What a request sets. */
export interface UserInput {
  readonly email: string;
  readonly name: string;
  readonly language: string;
  /** In ascending order. */
  readonly roleIds: readonly number[];
  readonly status: Exclude<UserStatus, 'invited'>;
}

export function createUser(
  service: Service,
  input: Omit<UserInput, 'status'>,
  guard: UserGuard,
  by: Actor,
): Promise<User | Problem> {
  return changeAccounts(service, by, async (accounts, transaction) => {
    const rejected =
      rejectInput(input, accounts, accounts.users) ??
      guard(undefined, grantOf(input.roleIds, accounts.roles, service.model));
    if (rejected) return rejected;
    const made = {
      ...input,
      status: 'invited',
      password: null,
      ...{ totp: null, totpSetup: null, totpStep: null, passkeys: 0 },
      lastSignIn: null,
      created: service.clock.now(),
    } as const;
    const insert = service.statements.get(
      'insert user',
      ({ placeholder }) => sql`insert into ${sql.table('staff_user')}
        (email, name, status, language, role_ids, created)
        values (${placeholder(param('email', 'text'))}, ${placeholder(param('name', 'text'))},
          ${placeholder(param('status', 'text'))}, ${placeholder(param('language', 'text'))},
          ${placeholder(param('role_ids', 'text'))}, ${placeholder(param('created', 'timestamp'))}) returning id`,
    );
    const [row] = await transaction.run(insert, { ...valuesOf(made), created: made.created });
    return { ...made, id: Number(row![0]) };
  });
}

/** @param input the fields to change */
export function updateUser(
  service: Service,
  id: number,
  input: Partial<UserInput>,
  guard: UserGuard,
  by: Actor,
): Promise<User | Problem> {
  return changeAccounts(service, by, async (accounts, transaction) => {
    const user = guardedUser(id, accounts, service.model, guard);
    if (isProblem(user)) return user;
    const others = accounts.users.filter((other) => other.id !== id);
    const changed: User = { ...user, ...input, status: statusAfter(user, input.status) };
    const rejected =
      rejectInput(changed, accounts, others) ??
      rejectStatus(user, input.status) ??
      (input.roleIds && guard(undefined, grantOf(changed.roleIds, accounts.roles, service.model))) ??
      rejectLastOwner(user, [...others, changed]);
    if (rejected) return rejected;
    await writeUser(service, transaction, changed);
    if (changed.status === 'disabled') await endAccess(service, transaction, id);
    // Who created a link may not have the new rights.
    if (input.roleIds !== undefined || input.email !== undefined) await deleteLinks(service, transaction, id);
    // The account may belong to someone else now.
    if (mailboxOf(changed.email) !== mailboxOf(user.email)) await deleteIdentities(service, transaction, id);
    return changed;
  });
}

export function deleteUser(service: Service, id: number, guard: UserGuard, by: Actor): Promise<Problem | undefined> {
  return changeAccounts(service, by, async (accounts, transaction) => {
    const user = guardedUser(id, accounts, service.model, guard);
    if (isProblem(user)) return user;
    const rejected = rejectLastOwner(
      user,
      accounts.users.filter((other) => other.id !== id),
    );
    if (rejected) return rejected;
    const remove = service.statements.get(
      'delete user',
      ({ placeholder }) =>
        sql`delete from ${sql.table('staff_user')} where id = ${placeholder(param('id', 'integer'))} returning id`,
    );
    await transaction.run(remove, { id });
    await deleteRecoveryCodes(service, transaction, id);
    await deletePasskeysOf(service, transaction, id);
    await deleteIdentities(service, transaction, id);
    await endAccess(service, transaction, id);
    await deleteViewsOf(service, transaction, id);
    return undefined;
  });
}

/** Writes all fields of a user that change. */
export async function writeUser({ statements }: Service, transaction: Transaction, user: User): Promise<void> {
  const update = statements.get(
    'update user',
    ({ placeholder }) => sql`update ${sql.table('staff_user')} set
      email = ${placeholder(param('email', 'text'))}, name = ${placeholder(param('name', 'text'))},
      status = ${placeholder(param('status', 'text'))}, language = ${placeholder(param('language', 'text'))},
      role_ids = ${placeholder(param('role_ids', 'text'))}, password = ${placeholder(param('password', 'text'))},
      last_sign_in = ${placeholder(param('last_sign_in', 'timestamp'))}, totp = ${placeholder(param('totp', 'text'))},
      totp_setup = ${placeholder(param('totp_setup', 'text'))}, totp_step = ${placeholder(param('totp_step', 'integer'))}
      where id = ${placeholder(param('id', 'integer'))} returning id`,
  );
  const { id, password, lastSignIn, totp, totpSetup, totpStep } = user;
  const factor = { totp, totp_setup: totpSetup, totp_step: totpStep };
  await transaction.run(update, { ...valuesOf(user), id, password, last_sign_in: lastSignIn, ...factor });
}

async function endAccess(service: Service, transaction: AuditedTransaction, id: number): Promise<void> {
  await endSessionsOf(service, transaction, id);
  await deleteLinks(service, transaction, id);
  await deleteTickets(service, transaction, id);
}

/** @param others users who must have other e-mail addresses */
function rejectInput(
  { email, roleIds }: Pick<User, 'email' | 'roleIds'>,
  { roles }: Accounts,
  others: readonly User[],
): Problem | undefined {
  const violations = new Violations();
  if (others.some((other) => looseMatch(other.email) === looseMatch(email)))
    violations.add('email', 'not_unique', messages.notUnique);
  const unknown = roleIds.find((id) => !roles.some((role) => role.id === id));
  if (unknown !== undefined)
    violations.add('role_ids', 'unknown_link', `There is no role with the id ${unknown}. /roles lists all roles.`);
  return violations.list.length > 0 ? validationFailed(violations.list) : undefined;
}

/** A user who was disabled before the first sign-in is invited again. */
function statusAfter(user: User, status: UserInput['status'] | undefined): UserStatus {
  return status === 'active' && !hasSignedIn(user) ? 'invited' : (status ?? user.status);
}

/** Users of an identity provider may have no password. */
function hasSignedIn({ password, lastSignIn }: User): boolean {
  return password !== null || lastSignIn !== null;
}

function rejectStatus(user: User, status: UserInput['status'] | undefined): Problem | undefined {
  if (status !== 'active' || user.status !== 'invited') return undefined;
  const violations = new Violations();
  violations.add(
    'status',
    'conflict',
    'The user becomes active with the first sign-in. Create an invitation with POST /users/{id}/invite, or run “purveyor user reset”.',
  );
  return validationFailed(violations.list);
}

function isActiveOwner({ status, roleIds }: User): boolean {
  return status === 'active' && roleIds.includes(OWNER_ROLE);
}

/** @param left all users after the change */
function rejectLastOwner(user: User, left: readonly User[]): Problem | undefined {
  if (!isActiveOwner(user) || left.some(isActiveOwner)) return undefined;
  return problem('conflict', `“${user.email}” is the last active owner. Make another user an owner first.`);
}

function valuesOf({ email, name, status, language, roleIds }: Omit<User, 'id'>) {
  return { email, name, status, language, role_ids: JSON.stringify(roleIds) };
}
