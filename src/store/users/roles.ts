/** Changes of roles (access.md §3). A preset role cannot be changed, and a role that a user has cannot be deleted. */
import { sql } from 'kysely';
import type { RoleGrant } from '../../access/combined-roles.ts';
import {
  type Actor,
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
import { type Accounts, grantOf, param, type Role, roleIdOf, rowOfRole } from './accounts.ts';
import { changeAccounts } from './change-accounts.ts';
import { deleteLinks } from './links.ts';

export interface RoleInput extends RoleGrant {
  readonly name: string;
}

/** Decides whether the caller may change a role. @param changed what the role would grant; undefined for a deletion */
type RoleGuard = (role: Role, changed?: RoleGrant) => Problem | undefined;

/** Decides whether the caller may change the rights of a user with the role. */
type RightsGuard = (before: RoleGrant, after: RoleGrant) => Problem | undefined;

export function createRole(service: Service, input: RoleInput, by: Actor): Promise<Role | Problem> {
  return changeAccounts(service, by, async ({ roles }, transaction) => {
    const taken = rejectName(input.name, roles);
    if (taken) return taken;
    const insert = service.statements.get(
      'insert role',
      ({ placeholder }) => sql`insert into ${sql.table('staff_role')} (name, scopes, masks)
        values (${placeholder(param('name', 'text'))}, ${placeholder(param('scopes', 'text'))},
          ${placeholder(param('masks', 'text'))}) returning id`,
    );
    const [row] = await transaction.run(insert, valuesOf(input));
    return { ...input, id: roleIdOf(Number(row![0])), isPreset: false };
  });
}

export function updateRole(
  service: Service,
  id: number,
  input: Partial<RoleInput>,
  guard: { readonly role: RoleGuard; readonly rights: RightsGuard },
  by: Actor,
): Promise<Role | Problem> {
  return changeAccounts(service, by, async ({ roles, users }, transaction) => {
    const role = changeable(id, roles, (found) => guard.role(found, { ...found, ...input }));
    if (isProblem(role)) return role;
    const changed = { ...role, ...input };
    const others = roles.filter((other) => other.id !== id);
    const holders = users.filter(({ roleIds }) => roleIds.includes(id));
    const rejected = rejectName(changed.name, others) ?? rejectRightsOf(holders, roles, changed, service, guard.rights);
    if (rejected) return rejected;
    const update = service.statements.get(
      'update role',
      ({ placeholder }) => sql`update ${sql.table('staff_role')} set name = ${placeholder(param('name', 'text'))},
        scopes = ${placeholder(param('scopes', 'text'))}, masks = ${placeholder(param('masks', 'text'))}
        where id = ${placeholder(param('id', 'integer'))} returning id`,
    );
    await transaction.run(update, { ...valuesOf(changed), id: rowOfRole(id) });
    // Who created a link for such a user may not have the new rights.
    for (const user of holders) await deleteLinks(service, transaction, user.id);
    return changed;
  });
}

/** A role with fewer rights can show a field that it hid from users who also have other roles. */
function rejectRightsOf(
  users: Accounts['users'],
  roles: Accounts['roles'],
  changed: Role,
  { model }: Service,
  guard: RightsGuard,
): Problem | undefined {
  const after = roles.map((role) => (role.id === changed.id ? changed : role));
  for (const { roleIds } of users) {
    const rejected = guard(grantOf(roleIds, roles, model), grantOf(roleIds, after, model));
    if (rejected) return rejected;
  }
  return undefined;
}

export function deleteRole(service: Service, id: number, guard: RoleGuard, by: Actor): Promise<Problem | undefined> {
  return changeAccounts(service, by, async (accounts, transaction) => {
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

function changeable(id: number, roles: Accounts['roles'], guard: (role: Role) => Problem | undefined): Role | Problem {
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

function valuesOf({ name, scopes, masks }: RoleInput) {
  return { name, scopes: JSON.stringify(scopes), masks: JSON.stringify(masks) };
}
