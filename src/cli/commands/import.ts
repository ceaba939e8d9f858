/** Commands that import the files and stores of other shops. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { OPTIONAL_COLUMNS } from '../../transfer/import/products-csv/columns.ts';
import { addCollectionImports } from './collections.ts';
import {
  KEY_VARIABLE,
  type RemoteOptions,
  remoteStore,
  TARGET_KEY_VARIABLE,
  withRemoteOptions,
} from './remote-store.ts';
import { interruption, run } from './run.ts';

export function addImportCommands(program: Command): void {
  const imports = program.command('import').description('import a catalog or past orders; a server may be running');
  addShopify(imports);
  addWooCommerce(imports);
  addCsv(imports);
  addWholesalePrices(imports);
  addOrders(imports);
  addStore(imports);
  addCollectionImports(imports);
}

interface ProductsFile {
  dryRun?: boolean;
  variants: 'together' | 'products';
}

function variantsOption(): Option {
  return new Option('--variants <mode>', 'rows of the same product: one product with variants, or separate products')
    .choices(['together', 'products'])
    .default('together');
}

function addShopify(imports: Command): void {
  withRemoteOptions(imports.command('shopify'))
    .description('import a Shopify product export (CSV); repeating an import has no effect')
    .argument('<file>')
    .option('--dry-run', 'report what the import would do, without changes or downloads')
    .addOption(variantsOption())
    .option(
      '--categories-from <column>',
      'column of categories; default: the first of Product Category, Google’s category and Type',
    )
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
          const { importShopify } = await import('../../transfer/import/shopify/shopify.ts');
          const options = { dryRun, variants, categoriesFrom, store: remoteStore(remote) };
          process.exitCode = await importShopify(config, file, options, process);
        },
      ),
    );
}

function addWooCommerce(imports: Command): void {
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
        const { importWooCommerce } = await import('../../transfer/import/woocommerce/woocommerce.ts');
        process.exitCode = await importWooCommerce(
          config,
          file,
          { dryRun, variants, store: remoteStore(remote) },
          process,
        );
      }),
    );
}

function addCsv(imports: Command): void {
  withRemoteOptions(imports.command('csv'))
    .description('import products and variants from a CSV file, as “export products --format csv” writes it')
    .argument('<file>')
    .option('--dry-run', 'report what the import would do, without changes or downloads')
    .option('--without <columns>', 'columns not to import, separated by commas, such as amount,images', columnNames, [])
    .addHelpText('after', '\nExit codes: 0 everything imported, 1 some rows or the import failed')
    .action(
      run(async (config, file: string, { dryRun = false, without, ...remote }: RemoteOptions & CsvFile) => {
        const { importCsv } = await import('../../transfer/import/products-csv/command.ts');
        const options = { dryRun, without, store: remoteStore(remote), interrupted: interruption() };
        process.exitCode = await importCsv(config, file, options, process);
      }),
    );
}

interface CsvFile {
  dryRun?: boolean;
  without: readonly string[];
}

function columnNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !OPTIONAL_COLUMNS.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`“${unknown}” is not a column that can be left out. Use names such as amount,images.`);
}

function addWholesalePrices(imports: Command): void {
  withRemoteOptions(imports.command('wholesale-prices'))
    .description('import wholesale prices (CSV) with the columns sku, membership, quantity, type and price')
    .argument('<file>')
    .option('--dry-run', 'report what the import would do, without changes')
    .addHelpText('after', '\nExit codes: 0 everything imported, 2 some rows failed, 1 failed')
    .action(
      run(async (config, file: string, { dryRun = false, ...remote }: RemoteOptions & { dryRun?: boolean }) => {
        const { importWholesalePrices } = await import('../../transfer/import/prices-csv/wholesale.ts');
        const options = { dryRun, store: remoteStore(remote), interrupted: interruption() };
        process.exitCode = await importWholesalePrices(config, file, options, process);
      }),
    );
}

function addOrders(imports: Command): void {
  withRemoteOptions(imports.command('orders'))
    .description('import past orders (JSON Lines) without moving stock; repeating an import has no effect')
    .argument('<file>')
    .option('--dry-run', 'report what the import would do, without changes')
    .addHelpText('after', '\nExit codes: 0 everything imported, 2 some lines skipped, 1 failed')
    .action(
      run(async (config, file: string, { dryRun = false, ...remote }: RemoteOptions & { dryRun?: boolean }) => {
        const { importOrders } = await import('../../transfer/import/orders.ts');
        const options = { dryRun, store: remoteStore(remote), interrupted: interruption() };
        process.exitCode = await importOrders(config, file, options, process);
      }),
    );
}

function addStore(imports: Command): void {
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
          const { importStore } = await import('../../transfer/import/from-store/store.ts');
          const from = remoteStore({ store: address, key })!;
          const to = remoteStore({ store, key: storeKey }, TARGET_KEY_VARIABLE);
          process.exitCode = await importStore(config, from, { store: to, interrupted: interruption() }, process);
        },
      ),
    );
}
