/** Commands that manage API keys and access to the admin page. */
import type { Command } from 'commander';
import { isProblem } from '../../engine/index.ts';
import type { ListedKey } from '../../store/keys.ts';
import { run, withStore } from './run.ts';

export function addAccessCommands(program: Command): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys');
  addCreate(keys);
  addList(keys);
  addScopes(keys);
  addRotate(keys);
  addRevoke(keys);
  addAdminLink(program);
}

/** The options of a new key that have several values. */
const LISTS = ['scopes', 'masks', 'networks', 'origins'] as const;

interface NewKeyOptions {
  readonly readOnly?: boolean;
  readonly kind?: string;
  readonly expires?: string;
  readonly scopes?: string[];
  readonly masks?: string[];
  readonly networks?: string[];
  readonly origins?: string[];
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('create a key and print it once')
    .argument('<name>', 'purpose of the key; shown in histories')
    .option('--read-only', 'allow reads only')
    .option('--kind <kind>', 'read-write, read-only, scoped, or publishable for shops; default: read-write')
    .option('--scopes <scopes...>', 'allow only these, such as products:read; “keys scopes” lists them')
    .option('--masks <fields...>', 'hide these fields, such as Product.cost_price; needs --scopes')
    .option('--networks <ranges...>', 'accept the key only from these CIDR ranges')
    .option(
      '--origins <origins...>',
      'origins of the shop’s pages, such as https://shop.example; needs --kind publishable',
    )
    .option('--expires <date>', 'date or timestamp after which the key is rejected')
    .action(
      run(
        withStore(async ({ service }, name: string, options: NewKeyOptions) => {
          const { createKey } = await import('../../store/keys.ts');
          const { commandActor } = await import('../../store/own-requests.ts');
          const { readNewKey } = await import('../../store/new-key.ts');
          const [scopes, masks, networks, origins] = LISTS.map((list) => separated(options[list]));
          if (masks && !scopes) throw new Error('--masks needs --scopes.');
          const kind = kindOf(options);
          const made = readNewKey(
            { name, kind, scopes, masks, networks, origins, expires_at: options.expires },
            service,
          );
          if (isProblem(made)) throw new Error(made.detail);
          const created = await createKey(service, made, commandActor('keys create'));
          if ('taken' in created)
            throw new Error(`A key “${name}” already exists. Choose another name, or revoke that key first.`);
          console.log(created.key);
        }),
      ),
    );
}

/** Splits values at commas, which none of them contains. */
function separated(values: readonly string[] | undefined): string[] | undefined {
  return values?.flatMap((value) => value.split(',').filter((each) => each !== ''));
}

/** The kind that the options name. `--read-only` and `--scopes` are short forms. */
function kindOf({ kind, readOnly, scopes }: NewKeyOptions): string {
  const named = [kind, readOnly && 'read-only', scopes && 'scoped'].filter((each) => typeof each === 'string');
  const [first = 'read-write', ...others] = new Set(named);
  if (others.length > 0) throw new Error('Use only one of --kind, --read-only and --scopes.');
  return first;
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('list the keys by name; keys from the environment are not included')
    .action(
      run(
        withStore(async ({ service }) => {
          const { listKeys } = await import('../../store/keys.ts');
          for (const key of await listKeys(service)) console.log(formatKey(key));
        }),
      ),
    );
}

function addScopes(keys: Command): void {
  keys
    .command('scopes')
    .description('list the scopes and the masks that a key or a role can have')
    .action(
      run(async () => {
        const { maskableFields } = await import('../../access/masks.ts');
        const { allScopes } = await import('../../access/scopes.ts');
        const { storeModel } = await import('../../wiring/open.ts');
        const model = storeModel();
        console.log('Scopes (“*” stands for any family or any operation: products:*, *:read):');
        for (const [scope, description] of allScopes(model)) console.log(`  ${scope.padEnd(26)}  ${description}`);
        console.log('Masks (fields that can be hidden):');
        for (const mask of maskableFields(model).keys()) console.log(`  ${mask}`);
      }),
    );
}

function addRotate(keys: Command): void {
  keys
    .command('rotate')
    .description('create a new key with the same name and print it once; the old key stays valid for a while')
    .argument('<name>')
    .option('--hours <hours>', 'hours for which the old key stays valid; 0 ends it immediately', '24')
    .action(
      run(
        withStore(async ({ service }, name: string, { hours }: { hours: string }) => {
          if (!/^\d{1,4}$/.test(hours))
            throw new Error(`--hours must be a whole number from 0 to 9999; it is “${hours}”.`);
          const { rotateKey } = await import('../../store/keys.ts');
          const { commandActor } = await import('../../store/own-requests.ts');
          const key = await rotateKey(service, name, Number(hours) * 3600, commandActor('keys rotate'));
          if (key === undefined)
            throw new Error(`There is no valid key “${name}”. Run “purveyor keys list” to see all keys.`);
          console.log(key);
        }),
      ),
    );
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key; a running server rejects it immediately')
    .argument('<name>')
    .action(
      run(
        withStore(async ({ service }, name: string) => {
          const { revokeKey } = await import('../../store/keys.ts');
          const { commandActor } = await import('../../store/own-requests.ts');
          if (!(await revokeKey(service, name, commandActor('keys revoke'))))
            throw new Error(`There is no key “${name}”. Run “purveyor keys list” to see all keys.`);
          console.log(`Revoked “${name}”.`);
        }),
      ),
    );
}

function addAdminLink(program: Command): void {
  program
    .command('admin')
    .description('manage access to the admin page')
    .command('link')
    .description('print an address that signs in to the admin page once, within 10 minutes')
    .option('--key <name>', 'key whose permissions the session gets; default: any read/write key')
    .action(
      run(async (config, { key }: { key?: string }) => {
        const { adminLink } = await import('../admin-link.ts');
        console.log(await adminLink(config, key));
      }),
    );
}

/** Longer lists are abbreviated. */
const LISTED_MAX = 8;

function formatKey({ name, kind, created, expires, oldExpires, lastUsed, ...limits }: ListedKey): string {
  const formatTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
  const day = (seconds: number): string => formatTime(seconds).slice(0, 10);
  const more = [
    ...(expires === undefined ? [] : [`expires ${formatTime(expires)}`]),
    ...(oldExpires === undefined ? [] : [`previous key valid until ${formatTime(oldExpires)}`]),
    lastUsed === undefined ? 'never used' : `last used ${day(lastUsed)}`,
  ];
  const listed = LISTS.flatMap((list) => {
    const values = limits[list];
    const others = values.length > LISTED_MAX ? ` and ${values.length - LISTED_MAX} more` : '';
    return values.length === 0 ? [] : `${list} ${values.slice(0, LISTED_MAX).join(' ')}${others}`;
  });
  return `${day(created)}  ${kind.padEnd(11)}  ${name} (${[more.join(', '), ...listed].join('; ')})`;
}
