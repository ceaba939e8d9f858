/** Commands that back up, restore and check a store, and copy its images. */
import { type Command, InvalidArgumentError } from 'commander';
import type { AuditEnd } from '../../engine/index.ts';
import { interruption, run } from './run.ts';

export function addMaintenanceCommands(program: Command): void {
  program
    .command('backup')
    .description('back up database and images from one snapshot into a new folder; a server may be running')
    .argument('<folder>', 'folder to create; it has its final name only when the backup is complete')
    .addHelpText('after', '\nExit codes: 0 complete, 2 complete except for images that the store had lost, 1 no backup')
    .action(
      run(async (config, folder: string) => {
        const { backUp } = await import('../../transfer/backup/backup.ts');
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
        const { restore } = await import('../../transfer/backup/restore.ts');
        process.exitCode = await restore(config, folder, { dryRun, erasures }, process);
      }),
    );

  addCheckCommand(program);

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
        const { copyImages } = await import('../../transfer/images/copy.ts');
        process.exitCode = await copyImages(config, from, to, { verify, stop: interruption() }, process);
      }),
    );
}

function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('check all rows, images, the change feed and the audit for damage; a server may be running')
    .option(
      '--audit-head <id:hash>',
      'id and hash from GET /api/audit/head: report if that entry was changed or removed',
      auditHead,
    )
    .addHelpText('after', '\nExit codes: 0 no faults, 2 faults found, 1 the store could not be checked')
    .action(
      run(async (config, { auditHead: head }: { auditHead?: AuditEnd }) => {
        const { check } = await import('../check.ts');
        process.exitCode = await check(config, process, head);
      }),
    );
}

function auditHead(text: string): AuditEnd {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError('It should be the id and the hash, such as 1234:9f86….');
  return { id: Number(id), hash: hash! };
}
