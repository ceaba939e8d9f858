/** Commands that manage staff accounts (access.md §3). Running commands on the store is enough to use them. */
import type { Command } from 'commander';
import { type Actor, isProblem, looseMatch, nameMatch, type Service } from '../../engine/index.ts';
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
        withUsers(config, 'user create', async (service, by) => {
          const { readAccounts } = await import('../../store/users/accounts.ts');
          const { readNewUser } = await import('../../store/users/user-input.ts');
          const { createUser } = await import('../../store/users/users.ts');
          const { roles } = await readAccounts(service);
          const roleIds = role.map((each) => findRole(roles, each));
          const input = readNewUser({ email, name, role_ids: roleIds }, service.model, false);
          const made = isProblem(input) ? input : await createUser(service, input, mayDoAnything, by);
          if (isProblem(made)) throw new Error(made.detail);
          console.log(await linkFor(config, service, made, 'invite', by));
        }),
      ),
    );
}

interface ResetOptions {
  readonly dropSecondFactor?: boolean;
  readonly dropIdentity?: boolean;
}

function addReset(users: Command): void {
  users
    .command('reset')
    .description('print a link for setting a new password (valid for 60 minutes)')
    .argument('<email>')
    .option(
      '--drop-second-factor',
      'also turn off two-step sign-in and delete the passkeys, for example after the loss of a phone',
    )
    .option('--drop-identity', 'also forget the account at the identity provider, and end all sessions')
    .action(
      run(async (config, email: string, { dropSecondFactor, dropIdentity }: ResetOptions) =>
        withUsers(config, 'user reset', async (service, by) => {
          const user = await findUser(service, email);
          const link = await linkFor(config, service, user, user.status === 'invited' ? 'invite' : 'reset_link', by);
          if (dropSecondFactor) await dropFactorsOf(service, user, by);
          if (dropIdentity) await dropIdentityOf(service, user, by);
          console.log(link);
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
        withUsers(config, 'user list', async (service) => {
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
        withUsers(config, 'user disable', async (service, by) => {
          const { updateUser } = await import('../../store/users/users.ts');
          const { id } = await findUser(service, email);
          const changed = await updateUser(service, id, { status: 'disabled' }, mayDoAnything, by);
          if (isProblem(changed)) throw new Error(changed.detail);
          console.log(`Disabled “${changed.email}”.`);
        }),
      ),
    );
}

/** @param command its name, for the audit */
async function withUsers(
  config: Config,
  command: string,
  action: (service: Service, by: Actor) => Promise<void>,
): Promise<void> {
  const { openStore } = await import('../../wiring/open.ts');
  const { commandActor } = await import('../../store/own-requests.ts');
  const { service, close } = await openStore(config);
  try {
    await action(service, commandActor(command));
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

async function dropFactorsOf(service: Service, { id }: User, by: Actor): Promise<void> {
  const { dropFactors } = await import('../../store/users/second-factor.ts');
  const rejected = await dropFactors(service, id, by);
  if (rejected) throw new Error(rejected.detail);
}

async function dropIdentityOf(service: Service, { id }: User, by: Actor): Promise<void> {
  const { dropIdentities } = await import('../../store/users/identities.ts');
  const rejected = await dropIdentities(service, id, by);
  if (rejected) throw new Error(rejected.detail);
}

async function linkFor(config: Config, service: Service, { id }: User, kind: LinkKind, by: Actor): Promise<string> {
  const { createLink } = await import('../../store/users/links.ts');
  const { callableAddress, signInAddress } = await import('../own-address.ts');
  const link = await createLink(service, id, kind, { guard: mayDoAnything, by });
  if (isProblem(link)) throw new Error(link.detail);
  return signInAddress(`${config.baseUrl || callableAddress(config.host, config.port)}/admin`, link.token);
}

function formatUser({ email, name, status, roleIds, lastSignIn }: User, { roles }: Accounts): string {
  const names = roles.flatMap((role) => (roleIds.includes(role.id) ? [role.name] : []));
  const used = lastSignIn === null ? 'never' : new Date(lastSignIn * 1000).toISOString().slice(0, 10);
  return `${status.padEnd(8)}  ${email}  ${name} (${names.join(', ')}; last sign-in ${used})`;
}
