/** Commands that manage staff accounts (access.md §3). Running commands on the store is enough to use them. */
import type { Command } from 'commander';
import { type Actor, isProblem, looseMatch, nameMatch, type Service } from '../../engine/index.ts';
import type { Accounts, User } from '../../store/users/accounts.ts';
import type { LinkKind } from '../../store/users/links.ts';
import type { UserInput } from '../../store/users/users.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { run, withStore } from './run.ts';

export function addUserCommands(program: Command): void {
  const users = program.command('user').description('manage staff accounts');
  addCreate(users);
  addReset(users);
  addList(users);
  addDisable(users);
  addEnable(users);
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
          if (isProblem(made)) throw new Error(await withResetHint(service, email, made.detail));
          const { url, until } = await linkFor(config, service, made, 'invite', by);
          const names = namesOf(made, roles);
          console.error(
            `Created “${made.email}” with the role${names.length === 1 ? '' : 's'} ${names.join(', ')}. ${INVITED(until)}`,
          );
          console.log(url);
        }),
      ),
    );
}

interface ResetOptions {
  readonly dropSecondFactor?: boolean;
  readonly dropIdentity?: boolean;
}

const INVITED = (until: string): string =>
  `Send this invitation to the person, who opens it and chooses a password. It works once, until ${until}.`;

const STILL_ASKED =
  'The sign-in still asks for the code of the authenticator app. If it is lost, repeat with --drop-second-factor.';

function describeReset({ status, totp }: User, until: string, dropped: ResetOptions): string {
  return [
    status === 'invited'
      ? INVITED(until)
      : `Whoever opens this link sets a new password. It works once, until ${until}.`,
    dropped.dropSecondFactor && 'Two-step sign-in is off now, and all passkeys are deleted.',
    dropped.dropIdentity && 'The account at the identity provider is forgotten, and all sessions have ended.',
    !dropped.dropSecondFactor && totp !== null && STILL_ASKED,
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

function addReset(users: Command): void {
  users
    .command('reset')
    .description('print a link for a new password (valid for 60 minutes), or a new invitation before the first sign-in')
    .argument('<email>')
    .option(
      '--drop-second-factor',
      'also turn off two-step sign-in and delete the passkeys, for example after the loss of a phone',
    )
    .option('--drop-identity', 'also forget the account at the identity provider, and end all sessions')
    .action(
      run(async (config, email: string, { dropSecondFactor, dropIdentity }: ResetOptions) =>
        withUsers(config, 'user reset', async (service, by) => {
          const user = await findUser(config, service, email);
          const kind = user.status === 'invited' ? 'invite' : 'reset_link';
          const { url, until } = await linkFor(config, service, user, kind, by);
          if (dropSecondFactor) await dropFactorsOf(service, user, by);
          if (dropIdentity) await dropIdentityOf(service, user, by);
          console.error(describeReset(user, until, { dropSecondFactor, dropIdentity }));
          console.log(url);
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
          if (accounts.users.length === 0) {
            const { databaseLocation } = await import('../../wiring/open.ts');
            console.error(
              `The store in ${databaseLocation(config)} has no users. Create one with “purveyor user create EMAIL”.`,
            );
          }
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
          const changed = await setStatus(config, service, email, 'disabled', by);
          console.log(`Disabled “${changed.email}”.`);
        }),
      ),
    );
}

function addEnable(users: Command): void {
  users
    .command('enable')
    .description('let a disabled user sign in again')
    .argument('<email>')
    .action(
      run(async (config, email: string) =>
        withUsers(config, 'user enable', async (service, by) => {
          const changed = await setStatus(config, service, email, 'active', by);
          console.log(`Enabled “${changed.email}”.`);
          if (changed.status === 'invited')
            console.error(
              `The user has never signed in. Run “purveyor user reset ${changed.email}” for an invitation.`,
            );
        }),
      ),
    );
}

async function setStatus(
  config: Config,
  service: Service,
  email: string,
  status: UserInput['status'],
  by: Actor,
): Promise<User> {
  const { updateUser } = await import('../../store/users/users.ts');
  const { id } = await findUser(config, service, email);
  const changed = await updateUser(service, id, { status }, mayDoAnything, by);
  if (isProblem(changed)) throw new Error(changed.detail);
  return changed;
}

/** @param command its name, for the audit */
async function withUsers(
  config: Config,
  command: string,
  action: (service: Service, by: Actor) => Promise<void>,
): Promise<void> {
  const { commandActor } = await import('../../store/own-requests.ts');
  await withStore(({ service }) => action(service, commandActor(command)))(config);
}

/** @returns the id of the role with this name, in any case */
function findRole(roles: Accounts['roles'], name: string): number {
  const found = roles.find((role) => nameMatch(role.name) === nameMatch(name));
  if (found) return found.id;
  throw new Error(`There is no role “${name}”. Use one of ${roles.map((role) => role.name).join(', ')}.`);
}

async function findUser(config: Config, service: Service, email: string): Promise<User> {
  const found = await userWith(service, email);
  if (found) return found;
  const { databaseLocation } = await import('../../wiring/open.ts');
  throw new Error(
    `There is no user “${email}” in ${databaseLocation(config)}. Run “purveyor user list” to see all users.`,
  );
}

async function userWith(service: Service, email: string): Promise<User | undefined> {
  const { readAccounts } = await import('../../store/users/accounts.ts');
  const { users } = await readAccounts(service);
  return users.find((user) => looseMatch(user.email) === looseMatch(email));
}

/** @param detail why no user was created */
async function withResetHint(service: Service, email: string, detail: string): Promise<string> {
  const found = await userWith(service, email);
  return found ? `${detail} Run “purveyor user reset ${found.email}” for a new link of this user.` : detail;
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

/** Creates a link. @returns its address, and until when it is valid */
async function linkFor(
  config: Config,
  service: Service,
  { id }: User,
  kind: LinkKind,
  by: Actor,
): Promise<{ readonly url: string; readonly until: string }> {
  const { createLink } = await import('../../store/users/links.ts');
  const { callableAddress, signInAddress } = await import('../own-address.ts');
  const link = await createLink(service, id, kind, { guard: mayDoAnything, by });
  if (isProblem(link)) throw new Error(link.detail);
  const page = `${config.baseUrl || callableAddress(config.host, config.port)}/admin`;
  const until = new Date(link.expires * 1000).toISOString().replace('T', ' ').slice(0, 'YYYY-MM-DD hh:mm'.length);
  return { url: signInAddress(page, link.token), until: `${until} UTC` };
}

function namesOf({ roleIds }: User, roles: Accounts['roles']): string[] {
  return roles.flatMap((role) => (roleIds.includes(role.id) ? [role.name] : []));
}

function formatUser(user: User, { roles }: Accounts): string {
  const { email, name, status, lastSignIn } = user;
  const names = namesOf(user, roles);
  const used = lastSignIn === null ? 'never' : new Date(lastSignIn * 1000).toISOString().slice(0, 10);
  return `${status.padEnd(8)}  ${email}  ${name} (${names.join(', ')}; last sign-in ${used})`;
}
