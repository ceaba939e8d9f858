/**
 * `purveyor restore DIR`: restores a backup to a database without a store. The whole backup is verified first. Then one
 * transaction writes the rows; it commits after the last image is on disk. An interrupted restore therefore leaves no store
 * behind and can be run again.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { lockStore, rejectLocked } from '../../adapters/sqlite/lock.ts';
import { fillTable, forEachConcurrently, type Reads, StoreExists, type Table, type Value } from '../../engine/index.ts';
import { PENDING_ERASURES_SETTING } from '../../store/erase-data-subject.ts';
import { type ErasedIds, erasedSince } from '../../store/erasures.ts';
import { IDENTITY_SETTING, writeSetting } from '../../store/settings.ts';
import { claimForRestore, rejectForeignImages } from '../../wiring/image-owner.ts';
import {
  erasuresFile,
  imagesFolder,
  openDatabase,
  openImages,
  openStore,
  readMigrations,
  sqliteFile,
} from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';
import type { Terminal } from '../import/report.ts';
import { isStoreSpecific } from './backup.ts';
import { type CheckedBackup, checkBackup, readImage, rowsOf } from './check.ts';
import { counted, FileCounts, fileNamed } from './format.ts';
import type { ManifestTable } from './manifest.ts';
import { showProgress } from './progress.ts';

/** Exit codes; 1 (failed) is the same for every command. 2: done, but the backup was made without some images. */
const EXIT_DONE = 0;
const EXIT_IMAGES_MISSING = 2;

const FILES_PER_LINE = 1000;

/** @returns the exit code */
export async function restore(
  config: Config,
  source: string,
  { dryRun, erasures }: { readonly dryRun: boolean; readonly erasures?: readonly string[] | undefined },
  { stdout, stderr }: Terminal,
): Promise<number> {
  // Fails early, before the long verification. The transaction checks again.
  if (!dryRun) await assertNoStore(config);
  const checking = showProgress(stderr, 'files checked', FILES_PER_LINE);
  const backup = await checkBackup(resolve(source), readMigrations(), checking.show).finally(checking.end);
  const { manifest } = backup;
  const files = erasures ?? [erasuresFile(config)];
  const missing = files.find((file) => !existsSync(file));
  if (erasures && missing !== undefined) throw new Error(`The erasure log ${missing} does not exist.`);
  const erased = erasedSince(files, Math.floor(Date.parse(manifest.moment) / 1000) - CLOCK_SECONDS);
  if (!dryRun) await write(config, backup, erased ?? {}, stderr);
  const rowCount = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  const counts = new FileCounts(manifest.images.map(({ name }) => name));
  for (const name of manifest.imagesMissing)
    stdout.write(`The ${fileNamed(name)} is not in the backup: it was missing when the backup was made.\n`);
  stdout.write(
    `${dryRun ? 'This backup can be restored:' : 'Restored'} ${counts.counted(counted(rowCount, 'row'))} as of ${manifest.moment}.\n`,
  );
  const summary = erasuresSummary(erased, dryRun);
  if (summary !== undefined) stdout.write(`${summary}\n`);
  else if (!erased && manifest.hasErasures !== false)
    stderr.write(
      `warning: The erasure log was not found at ${files[0]}, so people who were erased after this backup are restored; to erase them again, restore with --erasures FILE.\n`,
    );
  return manifest.imagesMissing.length === 0 ? EXIT_DONE : EXIT_IMAGES_MISSING;
}

/** Tolerated difference between clocks. Erasing records that the backup does not contain has no effect. */
const CLOCK_SECONDS = 60;

function erasuresSummary(erased: ErasedIds | undefined, dryRun: boolean): string | undefined {
  const count = Object.values(erased ?? {}).reduce((sum, ids) => sum + ids.length, 0);
  if (count === 0) return undefined;
  const verb = count === 1 ? 'was' : 'were';
  return `${dryRun ? 'To be erased again' : 'Erased again'}: ${counted(count, 'record')} that ${verb} erased after the backup.`;
}

async function assertNoStore(config: Config): Promise<void> {
  const file = sqliteFile(config);
  // Opening would create a missing database or folder.
  if (file === undefined || existsSync(file)) await assertNoTables(config);
  if (file !== undefined) rejectLocked(file);
  const folder = imagesFolder(config);
  if (folder === undefined || existsSync(folder)) await rejectForeignImages(await openImages(config), config);
}

async function assertNoTables(config: Config): Promise<void> {
  const database = await openDatabase(config);
  try {
    if ((await database.applied()).length > 0) throw new StoreExists(STORE_EXISTS);
  } finally {
    await database.close();
  }
}

const STORE_EXISTS =
  'The database of DATABASE_URL already contains a store. Set DATABASE_URL and IMAGES_URL to a new database and a new image store.';

async function write(
  config: Config,
  backup: CheckedBackup,
  erased: ErasedIds,
  stderr: Terminal['stderr'],
): Promise<void> {
  const { folder, manifest, migrations, tables } = backup;
  const file = sqliteFile(config);
  const unlock = file === undefined ? () => {} : lockStore(file);
  const progress = showProgress(stderr, 'files restored', FILES_PER_LINE);
  const total = tables.length + manifest.images.length;
  let done = 0;
  try {
    const database = await openDatabase(config);
    // A new identity: two restores of one backup are two stores.
    const id = randomUUID();
    let finishClaim = async (): Promise<unknown> => undefined;
    try {
      await database.found(migrations, async (store) => {
        for (const { table, described, lastNumber } of tables) {
          const rows = rowsToRestore(folder, table, described);
          await fillTable(database.dialect, table, { rows, lastNumber }, store.run);
          progress.show(++done, total);
        }
        const { dialect } = database;
        const query: Reads['query'] = (_, build, values) => store.run(dialect.compile(build(dialect)), values);
        await writeSetting({ query }, IDENTITY_SETTING, id);
        // The next process that opens the store erases these data subjects again.
        if (Object.keys(erased).length > 0)
          await writeSetting({ query }, PENDING_ERASURES_SETTING, JSON.stringify(erased));
        await store.checkReferences();
        // After the rows, which may still fail, and before the commit makes them visible.
        const images = await openImages(config);
        finishClaim = await claimForRestore(images, id, config);
        await forEachConcurrently(manifest.images, async ({ name, bytes }) => {
          await images.put(name, await readImage(folder, name, bytes));
          progress.show(++done, total);
        });
      });
      // If this fails, the first start of the store retries it.
      await finishClaim().catch(() => {});
    } finally {
      await database.close();
    }
    if (Object.keys(erased).length > 0) await (await openStore(config)).close();
  } catch (error) {
    throw error instanceof StoreExists ? new StoreExists(STORE_EXISTS) : error;
  } finally {
    progress.end();
    unlock();
  }
}

/** Skips rows that belong to the original installation; backups of older programs contain them. */
async function* rowsToRestore(folder: string, table: Table, described: ManifestTable): AsyncGenerator<Value[]> {
  for await (const row of rowsOf(folder, table, described)) if (!isStoreSpecific(table, row)) yield row;
}
