/** The command line: each command in a line, its work in a file of its own, which is loaded when the command runs. */
import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { isProblem } from '../engine/index.ts';
import type { ListedKey } from '../store/keys.ts';
import type { RemoteStore } from '../transfer/api/remote-store.ts';
import { type Config, describeSettings, readConfig } from '../wiring/config.ts';
import type { OpenStore } from '../wiring/open.ts';
import { version } from '../wiring/version.ts';
import type { RunningServer } from './serve.ts';
import { WORKER_VARIABLE } from './workers/messages.ts';

const EXIT_FAILURE = 1;

/** The API key of a store elsewhere. */
const KEY_VARIABLE = 'PURVEYOR_KEY';
/** That of the store which takes another one’s records. */
const TARGET_KEY_VARIABLE = 'PURVEYOR_STORE_KEY';

/** Collections that a file of lines fills, and the field that names their records. */
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
  .showHelpAfterError('(add --help for what is possible)');

program
  .command('serve')
  .description('serve the store')
  .addHelpText('after', `\n${describeSettings()}`)
  .action(
    run(async (config) => {
      const number = process.env[WORKER_VARIABLE];
      if (number !== undefined) {
        const { runWorker } = await import('./workers/worker.ts');
        return runWorker(config, Number(number));
      }
      const { runUntilDue } = await import('./run-until-signal.ts');
      const until = (starting: Promise<RunningServer>) => runUntilDue(starting, config, process.stdout.isTTY);
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
  .description('ask the server of these settings (HOST, PORT) whether it is ready; exit code 1 when it is not')
  .action(
    run(async (config) => {
      const { askHealth } = await import('./health.ts');
      console.log(await askHealth(config));
    }),
  );

const keys = program.command('keys').description('make, list, rotate and revoke API keys');

keys
  .command('create')
  .description('make a key and show it this once')
  .argument('<name>', 'what the key is for; it appears in histories')
  .option('--read-only', 'the key may only read')
  .option('--expires <date>', 'from then on it is refused: a date, or a date and a time')
  .action(
    run(
      withStore(async ({ service }, name: string, options: { readOnly?: boolean; expires?: string }) => {
        const { createKey } = await import('../store/keys.ts');
        const { readNewKey } = await import('../store/new-key.ts');
        const kind = options.readOnly ? 'read-only' : 'read-write';
        const made = readNewKey({ name, kind, expires_at: options.expires }, service);
        if (isProblem(made)) throw new Error(made.detail);
        const key = await createKey(service, made);
        if (key === undefined)
          throw new Error(`There is a key “${name}” already; choose another name, or revoke it first.`);
        console.log(key);
      }),
    ),
  );

keys
  .command('list')
  .description('list the keys by name; keys from the environment are not in the store')
  .action(
    run(
      withStore(async ({ service }) => {
        const { listKeys } = await import('../store/keys.ts');
        for (const key of await listKeys(service)) console.log(lineOf(key));
      }),
    ),
  );

keys
  .command('rotate')
  .description('make a new key under the name of one, and show it this once; the old one goes on for a while')
  .argument('<name>')
  .option('--hours <hours>', 'so long the old key is still right; 0 ends it at once', '24')
  .action(
    run(
      withStore(async ({ service }, name: string, { hours }: { hours: string }) => {
        if (!/^\d{1,4}$/.test(hours))
          throw new Error(`--hours should be a whole number from 0 to 9999; it is “${hours}”.`);
        const { rotateKey } = await import('../store/keys.ts');
        const key = await rotateKey(service, name, Number(hours) * 3600);
        if (key === undefined)
          throw new Error(`There is no key “${name}” that is right; “purveyor keys list” shows those there are.`);
        console.log(key);
      }),
    ),
  );

keys
  .command('revoke')
  .description('revoke a key; a running server refuses it from then on')
  .argument('<name>')
  .action(
    run(
      withStore(async ({ service }, name: string) => {
        const { revokeKey } = await import('../store/keys.ts');
        if (!(await revokeKey(service, name)))
          throw new Error(`There is no key “${name}”; “purveyor keys list” shows those there are.`);
        console.log(`Revoked “${name}”.`);
      }),
    ),
  );

program
  .command('admin')
  .description('the admin page')
  .command('link')
  .description('print an address that signs in to the admin page once, within 10 minutes')
  .option('--key <name>', 'the key whose rights it has; a read/write key when not said')
  .action(
    run(async (config, { key }: { key?: string }) => {
      const { adminLink } = await import('./admin-link.ts');
      console.log(await adminLink(config, key));
    }),
  );

program
  .command('migrate')
  .description('bring the database to the newest schema; “serve” does so by itself')
  .action(
    run(
      withStore(async ({ service, migrated }) => {
        const { noticesAfter } = await import('./post-migration-notices.ts');
        console.log(migrated.length === 0 ? 'The schema is the newest.' : `Applied ${migrated.join(', ')}.`);
        for (const notice of await noticesAfter(migrated, service.database)) console.log(notice);
      }),
    ),
  );

program
  .command('openapi')
  .description('write the OpenAPI document of the interface')
  .option('--spec-version <version>', '3.1.0 or 3.0.3', '3.1.0')
  .option('--output <file>', 'a file instead of standard output')
  .action(
    run(async ({ baseUrl, host, port }, { specVersion, output }: { specVersion: string; output?: string }) => {
      const { openApiText } = await import('./openapi.ts');
      const text = openApiText(specVersion, baseUrl || `http://${host}:${port}`);
      if (output === undefined) process.stdout.write(text);
      else writeFileSync(output, text);
    }),
  );

const imports = program
  .command('import')
  .description('bring a catalogue or past orders in from elsewhere; a server may run meanwhile');

interface ProductsFile {
  dryRun?: boolean;
  variants: 'together' | 'products';
}

function variantsOption(): Option {
  return new Option('--variants <way>', 'several rows of a product: one product with variants, or a product each')
    .choices(['together', 'products'])
    .default('together');
}

withElsewhere(imports.command('shopify'))
  .description('a product export of Shopify (CSV); the same file again changes nothing')
  .argument('<file>')
  .option('--dry-run', 'tell what would be done; change and download nothing')
  .addOption(variantsOption())
  .option('--categories-from <column>', 'the column that names categories; else Product Category, Google’s or Type')
  .addHelpText(
    'after',
    '\nExit codes: 0 all done, 2 some rows, images, categories or options were not taken, 1 nothing was done.',
  )
  .action(
    run(
      async (
        config,
        file: string,
        { dryRun = false, variants, categoriesFrom, ...where }: Elsewhere & ProductsFile & { categoriesFrom?: string },
      ) => {
        const { importShopify } = await import('../transfer/import/shopify/shopify.ts');
        const options = { dryRun, variants, categoriesFrom, store: storeOf(where) };
        process.exitCode = await importShopify(config, file, options, process);
      },
    ),
  );

withElsewhere(imports.command('woocommerce'))
  .description('a product export of WooCommerce (CSV); the same file again changes nothing')
  .argument('<file>')
  .option('--dry-run', 'tell what would be done; change and download nothing')
  .addOption(variantsOption())
  .addHelpText(
    'after',
    '\nExit codes: 0 all done, 2 some rows, images, categories or options were not taken, 1 nothing was done.',
  )
  .action(
    run(async (config, file: string, { dryRun = false, variants, ...where }: Elsewhere & ProductsFile) => {
      const { importWooCommerce } = await import('../transfer/import/woocommerce/woocommerce.ts');
      process.exitCode = await importWooCommerce(config, file, { dryRun, variants, store: storeOf(where) }, process);
    }),
  );

withElsewhere(imports.command('orders'))
  .description('past orders, one JSON object a line; no stock moves, and the same file again changes nothing')
  .argument('<file>')
  .option('--dry-run', 'tell what would be done; change nothing')
  .addHelpText('after', '\nExit codes: 0 all done, 2 some lines were not taken, 1 nothing was done.')
  .action(
    run(async (config, file: string, { dryRun = false, ...where }: Elsewhere & { dryRun?: boolean }) => {
      const { importOrders } = await import('../transfer/import/orders.ts');
      const options = { dryRun, store: storeOf(where), interrupted: interruption() };
      process.exitCode = await importOrders(config, file, options, process);
    }),
  );

imports
  .command('store')
  .description(
    'a whole catalogue and its orders from another store of this program, or of release 5.5; again it goes on',
  )
  .argument('<address>', 'of the other store, with or without /api')
  .option('--key <key>', `its API key, which may be one that only reads; better set ${KEY_VARIABLE}`)
  .option('--store <address>', 'a store elsewhere that takes it, over HTTP, instead of the one of the settings')
  .option('--store-key <key>', `the API key of that; better set ${TARGET_KEY_VARIABLE}`)
  .addHelpText('after', '\nExit codes: 0 all done, 2 some records were not taken, 1 nothing was done.')
  .action(
    run(
      async (
        config,
        address: string,
        { key, store, storeKey }: { key?: string; store?: string; storeKey?: string },
      ) => {
        const { importStore } = await import('../transfer/import/from-store/store.ts');
        const from = storeOf({ store: address, key })!;
        const to = storeOf({ store, key: storeKey }, TARGET_KEY_VARIABLE);
        process.exitCode = await importStore(config, from, { store: to, interrupted: interruption() }, process);
      },
    ),
  );

const exports = program
  .command('export')
  .description('write all records of a collection to a file, of one moment, one JSON object a line');

for (const { collection, key } of COLLECTIONS) {
  withElsewhere(imports.command(collection))
    .description(`${collection.replaceAll('_', ' ')}, one JSON object a line, as a bulk takes them, known by ${key}`)
    .argument('<file>')
    .option('--dry-run', 'tell what would be done; change nothing')
    .addOption(new Option('--by <field>', 'the field that names records').choices([key, 'id']).default(key))
    .addOption(new Option('--mode <mode>', 'what may become of a record').choices(['upsert', 'create', 'update']))
    .addOption(new Option('--write <write>', 'how a record that is there is changed').choices(['patch', 'put']))
    .addHelpText('after', '\nExit codes: 0 all done, 2 some lines were not taken, 1 nothing was done.')
    .action(
      run(async (config, file: string, { dryRun = false, by, mode, write, ...where }: Elsewhere & BulkChoices) => {
        const { importRecords } = await import('../transfer/import/records.ts');
        const options = { dryRun, by, mode, write, store: storeOf(where), interrupted: interruption() };
        process.exitCode = await importRecords(config, collection, key, file, options, process);
      }),
    );
}

for (const collection of [...COLLECTIONS.map((each) => each.collection), 'orders'])
  withElsewhere(exports.command(collection))
    .description(`all ${collection.replaceAll('_', ' ')}`)
    .argument('<file>', 'it has its name once it is whole; - is the standard output')
    .action(
      run(async (config, file: string, where: Elsewhere) => {
        const { exportRecords } = await import('../transfer/export/export.ts');
        const options = { store: storeOf(where), interrupted: interruption() };
        process.exitCode = await exportRecords(config, collection, file, options, process);
      }),
    );

program
  .command('backup')
  .description('copy the store, rows and images as of one moment, into a new folder; a server may run meanwhile')
  .argument('<folder>', 'made by the backup; its name tells that the backup is whole')
  .addHelpText(
    'after',
    '\nExit codes: 0 all done, 2 done without images that the store itself had lost, 1 nothing was done.',
  )
  .action(
    run(async (config, folder: string) => {
      const { backUp } = await import('../transfer/backup/backup.ts');
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => stopping.abort(new Error('Stopped; there is no backup.')));
      process.exitCode = await backUp(config, folder, process, stopping.signal);
    }),
  );

program
  .command('restore')
  .description('bring a backup back, on either database, where there is no store')
  .argument('<folder>', 'of a backup; all of it is checked before anything is touched')
  .option('--dry-run', 'only check the backup')
  .option(
    '--erasures <file>',
    'erase again who was erased after the backup, as this file of the lost store says; once for each server that it had',
    (file: string, others: string[] = []) => [...others, file],
  )
  .addHelpText(
    'after',
    '\nExit codes: 0 all done, 2 done without images that the backup was made without, 1 nothing was done.',
  )
  .action(
    run(async (config, folder: string, { dryRun = false, erasures }: { dryRun?: boolean; erasures?: string[] }) => {
      const { restore } = await import('../transfer/backup/restore.ts');
      process.exitCode = await restore(config, folder, { dryRun, erasures }, process);
    }),
  );

program
  .command('check')
  .description('read the whole store, rows and images, and say what is wrong; a server may run meanwhile')
  .addHelpText('after', '\nExit codes: 0 nothing is wrong, 2 something is, 1 the store could not be checked.')
  .action(
    run(async (config) => {
      const { check } = await import('./check.ts');
      process.exitCode = await check(config, process);
    }),
  );

program
  .command('images')
  .description('pictures')
  .command('copy')
  .description('copy the pictures of one place to another; a server may run meanwhile, and the same again goes on')
  .argument('<from>', 'an address as IMAGES_URL has it, of a folder or an S3 store; nothing changes there')
  .argument('<to>', 'another one, which belongs to nobody or to the same store')
  .option('--verify', 'also read the pictures that are there already')
  .addHelpText(
    'after',
    '\nExit codes: 0 all done, 2 some pictures of FROM are damaged, 1 not all was done; run it again.' +
      '\nThen start the store with the new IMAGES_URL, and run this once more for pictures that came meanwhile.',
  )
  .action(
    run(async (config, from: string, to: string, { verify = false }: { verify?: boolean }) => {
      const { copyImages } = await import('../transfer/images/copy.ts');
      process.exitCode = await copyImages(config, from, to, { verify, stop: interruption() }, process);
    }),
  );

await program.parseAsync();

/** A second signal ends the program as it would without this. */
function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Error('Stopped.')));
  return stopping.signal;
}

/** Options of a command that works with another store too. */
interface Elsewhere {
  readonly store?: string | undefined;
  readonly key?: string | undefined;
}

interface BulkChoices {
  readonly dryRun?: boolean;
  readonly by?: string;
  readonly mode?: 'upsert' | 'create' | 'update';
  readonly write?: 'patch' | 'put';
}

function withElsewhere(command: Command): Command {
  return command
    .option('--store <address>', 'a store elsewhere, over HTTP, instead of the one of the settings')
    .option('--key <key>', `its API key; others see it in the list of processes, so better set ${KEY_VARIABLE}`);
}

/** @throws {Error} one sentence */
function storeOf({ store, key }: Elsewhere, variable = KEY_VARIABLE): RemoteStore | undefined {
  if (store === undefined) return undefined;
  const given = key ?? process.env[variable];
  if (!given) throw new Error(`Set ${variable} to an API key of ${store}, or give it as an option.`);
  return { address: store, key: given };
}

function lineOf({ name, kind, created, expires, oldExpires, lastUsed }: ListedKey): string {
  const formatTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
  const day = (seconds: number): string => formatTime(seconds).slice(0, 10);
  const more = [
    ...(expires === undefined ? [] : [`expires ${formatTime(expires)}`]),
    ...(oldExpires === undefined ? [] : [`the one before until ${formatTime(oldExpires)}`]),
    lastUsed === undefined ? 'never used' : `last used ${day(lastUsed)}`,
  ];
  return `${day(created)}  ${kind.padEnd(10)}  ${name} (${more.join(', ')})`;
}

type Work = (config: Config, ...rest: never[]) => Promise<void>;

/** Reads the settings first, and tells every failure in one line with exit code 1. */
function run(work: Work): (...rest: unknown[]) => Promise<void> {
  return async (...rest) => {
    try {
      await work(readConfig(process.env), ...(rest as never[]));
    } catch (error) {
      console.error((error as Error).message);
      if (process.env.LOG_LEVEL === 'debug') console.error(error);
      process.exit(EXIT_FAILURE);
    }
  };
}

function withStore<A extends unknown[]>(
  work: (store: OpenStore, ...rest: A) => Promise<void>,
): (config: Config, ...rest: A) => Promise<void> {
  return async (config, ...rest) => {
    const { openStore } = await import('../wiring/open.ts');
    const store = await openStore(config);
    try {
      await work(store, ...rest);
    } finally {
      await store.close();
    }
  };
}
