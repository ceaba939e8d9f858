/**
 * `purveyor restore DIR`: a backup back into a store, where there is none. The whole backup is checked before anything is
 * touched. Then one transaction makes the rows and commits when the last image is on disk, so a restore that is cut off
 * leaves no store, and can be run again.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { lockStore, rejectLocked } from '../../adapters/sqlite/lock.ts';
import { fillTable, forEachConcurrently, type Reads, StoreExists, type Table, type Value } from '../../engine/index.ts';
import { PENDING_ERASURES_SETTING } from '../../store/erase-data-subject.ts';
import { type ErasedIds, erasedSince } from '../../store/erasures.ts';
import { IDENTITY_SETTING, writeSetting } from '../../store/settings.ts';
import type { Config } from '../../wiring/config.ts';
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
import type { Terminal } from '../import/report.ts';
import { staysBehind } from './backup.ts';
import { type CheckedBackup, checkBackup, readImage, rowsOf } from './check.ts';
import { counted } from './format.ts';
import type { ManifestTable } from './manifest.ts';
import { showProgress } from './progress.ts';

/** Done · nothing done (as every command) · done, but the backup itself had been made without some images. */
const EXIT_DONE = 0;
const EXIT_IMAGES_MISSING = 2;

const FILES_PER_LINE = 1000;

export async function restore(
  config: Config,
  source: string,
  { dryRun, erasures }: { readonly dryRun: boolean; readonly erasures?: readonly string[] | undefined },
  { stdout, stderr }: Terminal,
): Promise<number> {
  // Once before the long look, for who waits, and once in the transaction.
  if (!dryRun) await refuseTaken(config);
  const checking = showProgress(stderr, 'files checked', FILES_PER_LINE);
  const backup = await checkBackup(resolve(source), readMigrations(), checking.show).finally(checking.end);
  const { manifest } = backup;
  const files = erasures ?? [erasuresFile(config)];
  const missing = files.find((file) => !existsSync(file));
  if (erasures && missing !== undefined) throw new Error(`There is no file ${missing} with erasures.`);
  const erased = erasedSince(files, Math.floor(Date.parse(manifest.moment) / 1000) - CLOCK_SECONDS);
  if (!dryRun) await write(config, backup, erased ?? {}, stderr);
  const rowCount = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  for (const name of manifest.imagesMissing) stdout.write(`The image ${name} was missing when the backup was made.\n`);
  stdout.write(
    `${dryRun ? 'This backup can be restored:' : 'Restored'} ${counted(rowCount, 'row')} and ${counted(manifest.images.length, 'image')} as of ${manifest.moment}.\n`,
  );
  const told = erasuresTold(erased, dryRun);
  if (told !== undefined) stdout.write(`${told}\n`);
  else if (!erased) stderr.write(`There is no ${files[0]}: nobody is erased again who was erased after the backup.\n`);
  return manifest.imagesMissing.length === 0 ? EXIT_DONE : EXIT_IMAGES_MISSING;
}

/** Clocks may differ by so much. To erase again what the backup was made without changes nothing. */
const CLOCK_SECONDS = 60;

function erasuresTold(erased: ErasedIds | undefined, dryRun: boolean): string | undefined {
  const count = Object.values(erased ?? {}).reduce((sum, ids) => sum + ids.length, 0);
  if (count === 0) return undefined;
  const verb = count === 1 ? 'was' : 'were';
  return `${dryRun ? 'To be erased again' : 'Erased again'}: ${counted(count, 'record')} that ${verb} erased after the backup.`;
}

async function refuseTaken(config: Config): Promise<void> {
  const file = sqliteFile(config);
  // Opening would make what is not there.
  if (file === undefined || existsSync(file)) await refuseStore(config);
  if (file !== undefined) rejectLocked(file);
  const folder = imagesFolder(config);
  if (folder === undefined || existsSync(folder)) await rejectForeignImages(await openImages(config), config);
}

async function refuseStore(config: Config): Promise<void> {
  const database = await openDatabase(config);
  try {
    if ((await database.applied()).length > 0) throw new StoreExists(TAKEN);
  } finally {
    await database.close();
  }
}

const TAKEN =
  'There is a store in the database of DATABASE_URL already; a backup is restored where there is none: set DATABASE_URL and IMAGES_URL to new places.';

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
    // Not the backup's: two restores of one backup are two stores.
    const id = randomUUID();
    let makeOwn = async (): Promise<unknown> => undefined;
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
        // Whoever opens the store first erases them again.
        if (Object.keys(erased).length > 0)
          await writeSetting({ query }, PENDING_ERASURES_SETTING, JSON.stringify(erased));
        await store.checkReferences();
        // Only now, as a file is no use without its rows; and before the rows are there for anybody.
        const images = await openImages(config);
        makeOwn = await claimForRestore(images, id, config);
        await forEachConcurrently(manifest.images, async ({ name, bytes }) => {
          await images.put(name, await readImage(folder, name, bytes));
          progress.show(++done, total);
        });
      });
      // Should this fail, the store's first start says it again.
      await makeOwn().catch(() => {});
    } finally {
      await database.close();
    }
    if (Object.keys(erased).length > 0) await (await openStore(config)).close();
  } catch (error) {
    throw error instanceof StoreExists ? new StoreExists(TAKEN) : error;
  } finally {
    progress.end();
    unlock();
  }
}

/** A backup by an older program may have what is about its own store alone. */
async function* rowsToRestore(folder: string, table: Table, described: ManifestTable): AsyncGenerator<Value[]> {
  for await (const row of rowsOf(folder, table, described)) if (!staysBehind(table, row)) yield row;
}
