/** Changes of roles (access.md §3). A preset role cannot be changed, and a role that a user has cannot be deleted. */
import { sql } from 'kysely';
import {
  isProblem,
  messages,
  nameMatch,
  type Problem,
  problem,
  type Service,
  type Transaction,
  Violations,
  validationFailed,
} from '../../engine/index.ts';
import { type Accounts, changeAccounts, param, type Role, roleIdOf, rowOfRole } from './accounts.ts';

export interface RoleInput {
  readonly name: string;
  /** In code point order. */
  readonly scopes: readonly string[];
}

/** Decides whether the caller may change a role. */
type RoleGuard = (role: Role) => Problem | undefined;

export function createRole(service: Service, input: RoleInput): Promise<Role | Problem> {
  return changeAccounts(service, async ({ roles }, transaction) => {
    const taken = rejectName(input.name, roles);
    if (taken) return taken;
    const insert = service.statements.get(
      'insert role',
      ({ placeholder }) => sql`insert into ${sql.table('staff_role')} (name, scopes)
        values (${placeholder(param('name', 'text'))}, ${placeholder(param('scopes', 'text'))}) returning id`,
    );
    const [row] = await transaction.run(insert, valuesOf(input));
    return { ...input, id: roleIdOf(Number(row![0])), isPreset: false };
  });
}

export function updateRole(
  service: Service,
  id: number,
  input: Partial<RoleInput>,
  guard: RoleGuard,
): Promise<Role | Problem> {
  return changeAccounts(service, async ({ roles }, transaction) => {
    const role = changeable(id, roles, guard);
    if (isProblem(role)) return role;
    const changed = { ...role, ...input };
    const others = roles.filter((other) => other.id !== id);
    const taken = rejectName(changed.name, others);
    if (taken) return taken;
    const update = service.statements.get(
      'update role',
      ({
        placeholder,
      }) => sql`update ${sql.table('staff_role')} set name = ${placeholder(param('name', 'text'))}, scopes = ${placeholder(param('scopes', 'text'))}
        where id = ${placeholder(param('id', 'integer'))} returning id`,
    );
    await transaction.run(update, { ...valuesOf(changed), id: rowOfRole(id) });
    return changed;
  });
}

export function deleteRole(service: Service, id: number, guard: RoleGuard): Promise<Problem | undefined> {
  return changeAccounts(service, async (accounts, transaction) => {
    const role = changeable(id, accounts.roles, guard);
    if (isProblem(role)) return role;
    if (accounts.users.some(({ roleIds }) => roleIds.includes(id)))
      return problem('conflict', `Users have the role “${role.name}”. Give them other roles first.`);
    await removeRow(service, transaction, rowOfRole(id));
    return undefined;
  });
}

async function removeRow({ statements }: Service, transaction: Transaction, id: number): Promise<void> {
  const remove = statements.get(
    'delete role',
    ({ placeholder }) =>
      sql`delete from ${sql.table('staff_role')} where id = ${placeholder(param('id', 'integer'))} returning id`,
  );
  await transaction.run(remove, { id });
}

function changeable(id: number, roles: Accounts['roles'], guard: RoleGuard): Role | Problem {
  const role = roles.find((each) => each.id === id);
  if (!role) return unknownRole();
  const rejected = guard(role);
  if (rejected) return rejected;
  return role.isPreset
    ? problem('conflict', `The role “${role.name}” is part of every store and cannot be changed. Create another one.`)
    : role;
}

export function unknownRole(): Problem {
  return problem('not-found', 'There is no role with this id. /roles lists all roles.');
}

function rejectName(name: string, roles: readonly Role[]): Problem | undefined {
  if (!roles.some((role) => nameMatch(role.name) === nameMatch(name))) return undefined;
  const violations = new Violations();
  violations.add('name', 'not_unique', messages.notUnique);
  return validationFailed(violations.list);
}

function valuesOf({ name, scopes }: RoleInput): { name: string; scopes: string } {
  return { name, scopes: JSON.stringify(scopes) };
}
