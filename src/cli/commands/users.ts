/** Commands that manage staff accounts (access.md §3). Running commands on the store is enough to use them. */
import type { Command } from 'commander';
import { isProblem, looseMatch, nameMatch, type Service } from '../../engine/index.ts';
import type { Accounts, User } from '../../store/users/accounts.ts';
import type { LinkKind } from '../../store/users/links.ts';
import type { Config } from '../../wiring/settings.ts';
import { run } from './run.ts';

export function addUserCommands(program: Command): void {
  const users = program.command('user').description('manage staff accounts');
  addCreate(users);
  addReset(users);
  addList(users);
  addDisable(users);
}

/** No caller has fewer rights than this one. */
const mayDoAnything = (): undefined => undefined;

function addCreate(users: Command): void {
  users
    .command('create')
    .description('create a user and print an invitation, which is valid for 72 hours')
    .argument('<email>', 'e-mail address with which the user signs in')
    .option('--name <name>', 'name of the person; default: the e-mail address')
    .option('--role <names...>', 'roles of the user', ['Owner'])
    .action(
      run(async (config, email: string, { name = email, role }: { name?: string; role: string[] }) =>
        withUsers(config, async (service) => {
          const { readAccounts } = await import('../../store/users/accounts.ts');
          const { readNewUser } = await import('../../store/users/user-input.ts');
          const { createUser } = await import('../../store/users/users.ts');
          const { roles } = await readAccounts(service);
          const roleIds = role.map((each) => findRole(roles, each));
          const input = readNewUser({ email, name, role_ids: roleIds }, service.model, false);
          const made = isProblem(input) ? input : await createUser(service, input, mayDoAnything);
          if (isProblem(made)) throw new Error(made.detail);
          console.log(await linkFor(config, service, made, 'invite'));
        }),
      ),
    );
}

function addReset(users: Command): void {
  users
    .command('reset')
    .description('print a link that sets another password, which is valid for 60 minutes')
    .argument('<email>')
    .action(
      run(async (config, email: string) =>
        withUsers(config, async (service) => {
          const user = await findUser(service, email);
          console.log(await linkFor(config, service, user, user.status === 'invited' ? 'invite' : 'reset_link'));
        }),
      ),
    );
}

function addList(users: Command): void {
  users
    .command('list')
    .description('list the users with status, roles and the day of the last sign-in')
    .action(
      run(async (config) =>
        withUsers(config, async (service) => {
          const { readAccounts } = await import('../../store/users/accounts.ts');
          const accounts = await readAccounts(service);
          for (const user of accounts.users) console.log(formatUser(user, accounts));
        }),
      ),
    );
}

function addDisable(users: Command): void {
  users
    .command('disable')
    .description('end all sessions of a user, who cannot sign in any more')
    .argument('<email>')
    .action(
      run(async (config, email: string) =>
        withUsers(config, async (service) => {
          const { updateUser } = await import('../../store/users/users.ts');
          const { id } = await findUser(service, email);
          const changed = await updateUser(service, id, { status: 'disabled' }, mayDoAnything);
          if (isProblem(changed)) throw new Error(changed.detail);
          console.log(`Disabled “${changed.email}”.`);
        }),
      ),
    );
}

async function withUsers(config: Config, action: (service: Service) => Promise<void>): Promise<void> {
  const { openStore } = await import('../../wiring/open.ts');
  const { service, close } = await openStore(config);
  try {
    await action(service);
  } finally {
    await close();
  }
}

/** @returns the id of the role with this name, in any case */
function findRole(roles: Accounts['roles'], name: string): number {
  const found = roles.find((role) => nameMatch(role.name) === nameMatch(name));
  if (found) return found.id;
  throw new Error(`There is no role “${name}”. Use one of ${roles.map((role) => role.name).join(', ')}.`);
}

async function findUser(service: Service, email: string): Promise<User> {
  const { readAccounts } = await import('../../store/users/accounts.ts');
  const { users } = await readAccounts(service);
  const found = users.find((user) => looseMatch(user.email) === looseMatch(email));
  if (found) return found;
  throw new Error(`There is no user “${email}”. Run “purveyor user list” to see all users.`);
}

async function linkFor(config: Config, service: Service, { id }: User, kind: LinkKind): Promise<string> {
  const { createLink } = await import('../../store/users/links.ts');
  const { callableAddress, signInAddress } = await import('../own-address.ts');
  const link = await createLink(service, id, kind, mayDoAnything);
  if (isProblem(link)) throw new Error(link.detail);
  return signInAddress(`${config.baseUrl || callableAddress(config.host, config.port)}/admin`, link.token);
}

function formatUser({ email, name, status, roleIds, lastSignIn }: User, { roles }: Accounts): string {
  const names = roles.flatMap((role) => (roleIds.includes(role.id) ? [role.name] : []));
  const used = lastSignIn === null ? 'never' : new Date(lastSignIn * 1000).toISOString().slice(0, 10);
  return `${status.padEnd(8)}  ${email}  ${name} (${names.join(', ')}; last sign-in ${used})`;
}
