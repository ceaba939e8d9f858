/** Commands that import and export all records of a collection as JSON Lines, and products as CSV. */
import { type Command, Option } from 'commander';
import { type RemoteOptions, remoteStore, withRemoteOptions } from './remote-store.ts';
import { interruption, run } from './run.ts';

/** Collections that a JSON Lines file can fill, and the field that identifies their records. */
const COLLECTIONS = [
  { collection: 'products', key: 'sku' },
  { collection: 'categories', key: 'clean_url' },
  { collection: 'tags', key: 'name' },
  { collection: 'memberships', key: 'name' },
  { collection: 'tax_classes', key: 'name' },
  { collection: 'product_classes', key: 'name' },
  { collection: 'stickers', key: 'name' },
  { collection: 'wholesale_prices', key: 'sku' },
  { collection: 'sale_discounts', key: 'clean_url' },
  { collection: 'volume_discounts', key: 'id' },
  { collection: 'coupons', key: 'code' },
  { collection: 'zones', key: 'name' },
  { collection: 'tax_rates', key: 'id' },
  { collection: 'shipping_methods', key: 'id' },
] as const;

interface BulkChoices {
  readonly dryRun?: boolean;
  readonly by?: string;
  readonly mode?: 'upsert' | 'create' | 'update';
  readonly write?: 'patch' | 'put';
}

/** Adds `import products` and the like. */
export function addCollectionImports(imports: Command): void {
  for (const { collection, key } of COLLECTIONS) {
    withRemoteOptions(imports.command(collection))
      .description(`import ${collection.replaceAll('_', ' ')} (JSON Lines, as for bulk requests), identified by ${key}`)
      .argument('<file>')
      .option('--dry-run', 'report what the import would do, without changes')
      .addOption(
        new Option('--by <field>', 'field that identifies records').choices([...new Set([key, 'id'])]).default(key),
      )
      .addOption(new Option('--mode <mode>', 'which changes are allowed').choices(['upsert', 'create', 'update']))
      .addOption(new Option('--write <write>', 'how existing records are changed').choices(['patch', 'put']))
      .addHelpText('after', '\nExit codes: 0 everything imported, 2 some lines skipped, 1 failed')
      .action(
        run(
          async (config, file: string, { dryRun = false, by, mode, write, ...remote }: RemoteOptions & BulkChoices) => {
            const { importRecords } = await import('../../transfer/import/records.ts');
            const options = { dryRun, by, mode, write, store: remoteStore(remote), interrupted: interruption() };
            process.exitCode = await importRecords(config, collection, key, file, options, process);
          },
        ),
      );
  }
}

export function addExportCommands(program: Command): void {
  const exports = program
    .command('export')
    .description('export all records of a collection to a file (JSON Lines), from one snapshot');

  for (const collection of [...COLLECTIONS.map((each) => each.collection), 'orders'])
    withRemoteOptions(exports.command(collection))
      .description(`export all ${collection.replaceAll('_', ' ')}`)
      .argument('<file>', 'output file, written atomically; - for stdout')
      .addOption(formatOption(collection))
      .action(
        run(async (config, file: string, { format, ...remote }: RemoteOptions & { format: 'jsonl' | 'csv' }) => {
          const { exportRecords } = await import('../../transfer/export/export.ts');
          const options = { format, store: remoteStore(remote), interrupted: interruption() };
          process.exitCode = await exportRecords(config, collection, file, options, process);
        }),
      );
}

/** Only products can be exported for spreadsheets. */
function formatOption(collection: string): Option {
  const formats = collection === 'products' ? ['jsonl', 'csv'] : ['jsonl'];
  return new Option('--format <format>', 'format of the file').choices(formats).default('jsonl');
}
