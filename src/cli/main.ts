/** Command-line interface. Each command imports its implementation only when it runs. */
import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { isProblem } from '../engine/index.ts';
import type { ListedKey } from '../store/keys.ts';
import type { RemoteStore } from '../transfer/api/remote-store.ts';
import { describeSettings, readConfig } from '../wiring/config.ts';
import type { OpenStore } from '../wiring/open.ts';
import type { Config } from '../wiring/settings.ts';
import { version } from '../wiring/version.ts';
import type { RunningServer } from './serve.ts';
import { WORKER_VARIABLE } from './workers/messages.ts';

const EXIT_FAILURE = 1;

/** Environment variable with the API key of a remote store. */
const KEY_VARIABLE = 'PURVEYOR_KEY';
/** Environment variable with the API key of the remote store that `import store` writes to. */
const TARGET_KEY_VARIABLE = 'PURVEYOR_STORE_KEY';

/** Collections that a JSON Lines file can fill, and the field that identifies their records. */
const COLLECTIONS = [
  { collection: 'products', key: 'sku' },
  { collection: 'categories', key: 'clean_url' },
  { collection: 'tags', key: 'name' },
  { collection: 'memberships', key: 'name' },
  { collection: 'tax_classes', key: 'name' },
  { collection: 'product_classes', key: 'name' },
  { collection: 'stickers', key: 'name' },
] as const;

// The reader of the output may stop early (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT_FAILURE));

const program = new Command('purveyor')
  .description('A self-hosted store REST API')
  .version(version)
  .showHelpAfterError('(run with --help for usage)');

program
  .command('serve')
  .description('start the server')
  .addHelpText('after', `\n${describeSettings()}`)
  .action(
    run(async (config) => {
      const number = process.env[WORKER_VARIABLE];
      if (number !== undefined) {
        const { runWorker } = await import('./workers/worker.ts');
        return runWorker(config, Number(number));
      }
      const { runUntilSignal } = await import('./run-until-signal.ts');
      const until = (starting: Promise<RunningServer>) => runUntilSignal(starting, config, process.stdout.isTTY);
      if (config.workers === 1) {
        const { serve } = await import('./serve.ts');
        await until(serve(config, process.env, process.stdout));
      } else {
        const { serveByWorkers } = await import('./workers/primary.ts');
        await until(serveByWorkers(config, process.env, process.stdout));
      }
    }),
  );

program
  .command('health')
  .description('check whether the server at HOST and PORT is ready; exit code 1 if it is not')
  .action(
    run(async (config) => {
      const { checkHealth } = await import('./health.ts');
      console.log(await checkHealth(config));
    }),
  );

const keys = program.command('keys').description('create, list, rotate and revoke API keys');

keys
  .command('create')
  .description('create a key and print it once')
  .argument('<name>', 'purpose of the key; shown in histories')
  .option('--read-only', 'allow reads only')
  .option('--expires <date>', 'date or timestamp after which the key is rejected')
  .action(
    run(
      withStore(async ({ service }, name: string, options: { readOnly?: boolean; expires?: string }) => {
        const { createKey } = await import('../store/keys.ts');
        const { readNewKey } = await import('../store/new-key.ts');
        const kind = options.readOnly ? 'read-only' : 'read-write';
        const made = readNewKey({ name, kind, expires_at: options.expires }, service);
        if (isProblem(made)) throw new Error(made.detail);
        const created = await createKey(service, made);
        if ('taken' in created)
          throw new Error(`A key “${name}” already exists. Choose another name, or revoke that key first.`);
        console.log(created.key);
      }),
    ),
  );

keys
  .command('list')
  .description('list the keys by name; keys from the environment are not included')
  .action(
    run(
      withStore(async ({ service }) => {
        const { listKeys } = await import('../store/keys.ts');
        for (const key of await listKeys(service)) console.log(formatKey(key));
      }),
    ),
  );

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
        const { rotateKey } = await import('../store/keys.ts');
        const key = await rotateKey(service, name, Number(hours) * 3600);
        if (key === undefined)
          throw new Error(`There is no valid key “${name}”. Run “purveyor keys list” to see all keys.`);
        console.log(key);
      }),
    ),
  );

keys
  .command('revoke')
  .description('revoke a key; a running server rejects it immediately')
  .argument('<name>')
  .action(
    run(
      withStore(async ({ service }, name: string) => {
        const { revokeKey } = await import('../store/keys.ts');
        if (!(await revokeKey(service, name)))
          throw new Error(`There is no key “${name}”. Run “purveyor keys list” to see all keys.`);
        console.log(`Revoked “${name}”.`);
      }),
    ),
  );

program
  .command('admin')
  .description('manage access to the admin page')
  .command('link')
  .description('print an address that signs in to the admin page once, within 10 minutes')
  .option('--key <name>', 'key whose permissions the session gets; default: any read/write key')
  .action(
    run(async (config, { key }: { key?: string }) => {
      const { adminLink } = await import('./admin-link.ts');
      console.log(await adminLink(config, key));
    }),
  );

program
  .command('migrate')
  .description('migrate the database to the current schema; “serve” does this automatically')
  .action(
    run(
      withStore(async ({ service, migrated }) => {
        const { noticesAfter } = await import('./post-migration-notices.ts');
        console.log(migrated.length === 0 ? 'The schema is up to date.' : `Applied ${migrated.join(', ')}.`);
        for (const notice of await noticesAfter(migrated, service.database)) console.log(notice);
      }),
    ),
  );

program
  .command('openapi')
  .description('write the OpenAPI document')
  .option('--spec-version <version>', '3.1.0 or 3.0.3', '3.1.0')
  .option('--output <file>', 'output file; default: standard output')
  .action(
    run(async ({ baseUrl, host, port }, { specVersion, output }: { specVersion: string; output?: string }) => {
      const { openApiText } = await import('./openapi.ts');
      const text = openApiText(specVersion, baseUrl || `http://${host}:${port}`);
      if (output === undefined) process.stdout.write(text);
      else writeFileSync(output, text);
    }),
  );

const imports = program.command('import').description('import a catalog or past orders; a server may be running');

interface ProductsFile {
  dryRun?: boolean;
  variants: 'together' | 'products';
}

function variantsOption(): Option {
  return new Option('--variants <mode>', 'rows of the same product: one product with variants, or separate products')
    .choices(['together', 'products'])
    .default('together');
}

withRemoteOptions(imports.command('shopify'))
  .description('import a Shopify product export (CSV); repeating an import has no effect')
  .argument('<file>')
  .option('--dry-run', 'report what the import would do, without changes or downloads')
  .addOption(variantsOption())
  .option('--categories-from <column>', 'column of categories; default: Product Category, Google’s or Type')
  .addHelpText(
    'after',
    '\nExit codes: 0 everything imported, 2 some rows, images, categories or options skipped, 1 failed',
  )
  .action(
    run(
      async (
        config,
        file: string,
        {
          dryRun = false,
          variants,
          categoriesFrom,
          ...remote
        }: RemoteOptions & ProductsFile & { categoriesFrom?: string },
      ) => {
        const { importShopify } = await import('../transfer/import/shopify/shopify.ts');
        const options = { dryRun, variants, categoriesFrom, store: remoteStore(remote) };
        process.exitCode = await importShopify(config, file, options, process);
      },
    ),
  );

withRemoteOptions(imports.command('woocommerce'))
  .description('import a WooCommerce product export (CSV); repeating an import has no effect')
  .argument('<file>')
  .option('--dry-run', 'report what the import would do, without changes or downloads')
  .addOption(variantsOption())
  .addHelpText(
    'after',
    '\nExit codes: 0 everything imported, 2 some rows, images, categories or options skipped, 1 failed',
  )
  .action(
    run(async (config, file: string, { dryRun = false, variants, ...remote }: RemoteOptions & ProductsFile) => {
      const { importWooCommerce } = await import('../transfer/import/woocommerce/woocommerce.ts');
      process.exitCode = await importWooCommerce(
        config,
        file,
        { dryRun, variants, store: remoteStore(remote) },
        process,
      );
    }),
  );

withRemoteOptions(imports.command('orders'))
  .description('import past orders (JSON Lines) without moving stock; repeating an import has no effect')
  .argument('<file>')
  .option('--dry-run', 'report what the import would do, without changes')
  .addHelpText('after', '\nExit codes: 0 everything imported, 2 some lines skipped, 1 failed')
  .action(
    run(async (config, file: string, { dryRun = false, ...remote }: RemoteOptions & { dryRun?: boolean }) => {
      const { importOrders } = await import('../transfer/import/orders.ts');
      const options = { dryRun, store: remoteStore(remote), interrupted: interruption() };
      process.exitCode = await importOrders(config, file, options, process);
    }),
  );

imports
  .command('store')
  .description('import the catalog and orders of another Purveyor store, or of a release 5.5 store; repeat to resume')
  .argument('<address>', 'address of the other store, with or without /api')
  .option('--key <key>', `API key of the other store, may be read-only; prefer ${KEY_VARIABLE}`)
  .option('--store <address>', 'remote store to import into over HTTP; default: the configured store')
  .option('--store-key <key>', `API key of that remote store; prefer ${TARGET_KEY_VARIABLE}`)
  .addHelpText('after', '\nExit codes: 0 everything imported, 2 some records skipped, 1 failed')
  .action(
    run(
      async (
        config,
        address: string,
        { key, store, storeKey }: { key?: string; store?: string; storeKey?: string },
      ) => {
        const { importStore } = await import('../transfer/import/from-store/store.ts');
        const from = remoteStore({ store: address, key })!;
        const to = remoteStore({ store, key: storeKey }, TARGET_KEY_VARIABLE);
        process.exitCode = await importStore(config, from, { store: to, interrupted: interruption() }, process);
      },
    ),
  );

const exports = program
  .command('export')
  .description('export all records of a collection to a file (JSON Lines), from one snapshot');

for (const { collection, key } of COLLECTIONS) {
  withRemoteOptions(imports.command(collection))
    .description(`import ${collection.replaceAll('_', ' ')} (JSON Lines, as for bulk requests), identified by ${key}`)
    .argument('<file>')
    .option('--dry-run', 'report what the import would do, without changes')
    .addOption(new Option('--by <field>', 'field that identifies records').choices([key, 'id']).default(key))
    .addOption(new Option('--mode <mode>', 'which changes are allowed').choices(['upsert', 'create', 'update']))
    .addOption(new Option('--write <write>', 'how existing records are changed').choices(['patch', 'put']))
    .addHelpText('after', '\nExit codes: 0 everything imported, 2 some lines skipped, 1 failed')
    .action(
      run(async (config, file: string, { dryRun = false, by, mode, write, ...remote }: RemoteOptions & BulkChoices) => {
        const { importRecords } = await import('../transfer/import/records.ts');
        const options = { dryRun, by, mode, write, store: remoteStore(remote), interrupted: interruption() };
        process.exitCode = await importRecords(config, collection, key, file, options, process);
      }),
    );
}

for (const collection of [...COLLECTIONS.map((each) => each.collection), 'orders'])
  withRemoteOptions(exports.command(collection))
    .description(`export all ${collection.replaceAll('_', ' ')}`)
    .argument('<file>', 'output file, written atomically; - for stdout')
    .action(
      run(async (config, file: string, remote: RemoteOptions) => {
        const { exportRecords } = await import('../transfer/export/export.ts');
        const options = { store: remoteStore(remote), interrupted: interruption() };
        process.exitCode = await exportRecords(config, collection, file, options, process);
      }),
    );

program
  .command('backup')
  .description('back up database and images from one snapshot into a new folder; a server may be running')
  .argument('<folder>', 'folder to create; it has its final name only when the backup is complete')
  .addHelpText('after', '\nExit codes: 0 complete, 2 complete except for images that the store had lost, 1 no backup')
  .action(
    run(async (config, folder: string) => {
      const { backUp } = await import('../transfer/backup/backup.ts');
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => stopping.abort(new Error('Interrupted. No backup was made.')));
      process.exitCode = await backUp(config, folder, process, stopping.signal);
    }),
  );

program
  .command('restore')
  .description('restore a backup into a new store, on SQLite or PostgreSQL')
  .argument('<folder>', 'folder of the backup; it is verified completely before anything is written')
  .option('--dry-run', 'only verify the backup')
  .option(
    '--erasures <file>',
    'erasure log of the lost store: erase these people again; repeat for each server of that store',
    (file: string, others: string[] = []) => [...others, file],
  )
  .addHelpText('after', '\nExit codes: 0 complete, 2 complete except for images that the backup lacks, 1 failed')
  .action(
    run(async (config, folder: string, { dryRun = false, erasures }: { dryRun?: boolean; erasures?: string[] }) => {
      const { restore } = await import('../transfer/backup/restore.ts');
      process.exitCode = await restore(config, folder, { dryRun, erasures }, process);
    }),
  );

program
  .command('check')
  .description('check all rows, images and the change feed for damage; a server may be running')
  .addHelpText('after', '\nExit codes: 0 no faults, 2 faults found, 1 the store could not be checked')
  .action(
    run(async (config) => {
      const { check } = await import('./check.ts');
      process.exitCode = await check(config, process);
    }),
  );

program
  .command('images')
  .description('manage image files')
  .command('copy')
  .description('copy images to another image store; a server may be running; repeat to resume')
  .argument('<from>', 'source address, as in IMAGES_URL; it is not changed')
  .argument('<to>', 'target address; must not belong to another store')
  .option('--verify', 'also read images that the target already has')
  .addHelpText(
    'after',
    '\nExit codes: 0 complete, 2 some images of FROM are damaged, 1 incomplete, run it again' +
      '\nThen start the store with the new IMAGES_URL, and run this once more to copy images added meanwhile.',
  )
  .action(
    run(async (config, from: string, to: string, { verify = false }: { verify?: boolean }) => {
      const { copyImages } = await import('../transfer/images/copy.ts');
      process.exitCode = await copyImages(config, from, to, { verify, stop: interruption() }, process);
    }),
  );

await program.parseAsync();

/** Aborts on the first signal. A second one ends the process as usual. */
function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Error('Stopped.')));
  return stopping.signal;
}

/** Options of commands that can also work on a remote store. */
interface RemoteOptions {
  readonly store?: string | undefined;
  readonly key?: string | undefined;
}

interface BulkChoices {
  readonly dryRun?: boolean;
  readonly by?: string;
  readonly mode?: 'upsert' | 'create' | 'update';
  readonly write?: 'patch' | 'put';
}

function withRemoteOptions(command: Command): Command {
  return command
    .option('--store <address>', 'remote store to use over HTTP; default: the configured store')
    .option('--key <key>', `API key of the remote store; visible in process lists, so prefer ${KEY_VARIABLE}`);
}

/** @throws {Error} with a message if the key is missing */
function remoteStore({ store, key }: RemoteOptions, variable = KEY_VARIABLE): RemoteStore | undefined {
  if (store === undefined) return undefined;
  const given = key ?? process.env[variable];
  if (!given) throw new Error(`The API key of the remote store is missing. Set ${variable}, or pass it as an option.`);
  return { address: store, key: given };
}

function formatKey({ name, kind, created, expires, oldExpires, lastUsed }: ListedKey): string {
  const formatTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
  const day = (seconds: number): string => formatTime(seconds).slice(0, 10);
  const more = [
    ...(expires === undefined ? [] : [`expires ${formatTime(expires)}`]),
    ...(oldExpires === undefined ? [] : [`previous key valid until ${formatTime(oldExpires)}`]),
    lastUsed === undefined ? 'never used' : `last used ${day(lastUsed)}`,
  ];
  return `${day(created)}  ${kind.padEnd(10)}  ${name} (${more.join(', ')})`;
}

type Action = (config: Config, ...rest: never[]) => Promise<void>;

/** Reads the settings first. Prints any error as one line and exits with code 1. */
function run(action: Action): (...rest: unknown[]) => Promise<void> {
  return async (...rest) => {
    try {
      await action(readConfig(process.env), ...(rest as never[]));
    } catch (error) {
      console.error((error as Error).message);
      if (process.env.LOG_LEVEL === 'debug') console.error(error);
      process.exit(EXIT_FAILURE);
    }
  };
}

function withStore<A extends unknown[]>(
  action: (store: OpenStore, ...rest: A) => Promise<void>,
): (config: Config, ...rest: A) => Promise<void> {
  return async (config, ...rest) => {
    const { openStore } = await import('../wiring/open.ts');
    const store = await openStore(config);
    try {
      await action(store, ...rest);
    } finally {
      await store.close();
    }
  };
}
