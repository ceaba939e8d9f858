/**
 * `purveyor backup DIR`: copies rows and images of a running store to a new folder. The rows come from one snapshot. The
 * images that they name are copied afterwards; until then no server removes image files. The folder gets its name last,
 * after everything in it has been synced to disk.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  allowRemovals,
  type Database,
  EPOCH_SETTING,
  fileHolders,
  forEachConcurrently,
  HOLD_SETTING,
  holdRemovals,
  type ImageStore,
  type ModelField,
  onlyCounts,
  readLastNumber,
  readRows,
  replay,
  Statements,
  type StoreSnapshot,
  type Table,
  type Value,
} from '../../engine/index.ts';
import { SESSIONS } from '../../store/sessions.ts';
import { IDENTITY_SETTING } from '../../store/settings.ts';
import { COUNTED } from '../../store/shoppers/counted.ts';
import { ORDER_LINK_KEY } from '../../store/shoppers/order-links.ts';
import { SIGN_IN_TOKENS } from '../../store/sign-in-tokens.ts';
import { TEMPORARY_STAFF_TABLES } from '../../store/users/tables.ts';
import { erasuresFile, openExisting, openImages, readMigrations, storeModel } from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { version } from '../../wiring/version.ts';
import type { Terminal } from '../import/report.ts';
import { syncFolder, writeFileDurably } from './durable-files.ts';
import { counted, FileCounts, fileNamed } from './format.ts';
import {
  FORMAT,
  imagePath,
  MANIFEST,
  MANIFEST_HASH,
  type ManifestImage,
  type ManifestTable,
  manifestText,
  tablePath,
} from './manifest.ts';
import { showProgress } from './progress.ts';
import { readVerified } from './verified-image.ts';

/** Exit codes; 1 (failed) is the same for every command. 2: done, but some images of the store were missing or damaged. */
const EXIT_DONE = 0;
const EXIT_IMAGES_MISSING = 2;

/** How long the hold of a killed backup prevents the removal of image files. */
const HOLD_SECONDS = 600;
const HOLD_RENEWAL_MS = 60_000;

const IMAGES_PER_LINE = 1000;

/** @returns the exit code */
export async function backUp(config: Config, target: string, terminal: Terminal, stop: AbortSignal): Promise<number> {
  const folder = resolve(target);
  await assertEmpty(folder);
  const { database } = await openExisting(config, 'back up');
  const id = randomUUID();
  const unfinished = `${folder}.unfinished-${id}`;
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await removeLeftovers(dirname(folder));
    const images = await openImages(config);
    await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
    const hold = await holdImages(database, id, unfinished);
    try {
      const rows = await copyRows(database, unfinished, terminal, stop);
      const copied = await copyImages({ database, images, unfinished, terminal, stop }, rows);
      await hold.assertHeld();
      const { text, hashLine } = manifestText({
        format: FORMAT,
        program: version,
        moment: rows.snapshotTime,
        database: database.dialect.name,
        migrations: rows.migrations,
        tables: rows.tables,
        images: copied.images,
        imagesMissing: copied.missing.map(({ name }) => name),
        hasErasures: existsSync(erasuresFile(config)),
      });
      await writeFileDurably(join(unfinished, MANIFEST), [Buffer.from(text)]);
      await writeFileDurably(join(unfinished, MANIFEST_HASH), [Buffer.from(hashLine)]);
      await syncFolders(unfinished);
      stop.throwIfAborted();
      await rename(unfinished, folder);
      await syncFolder(dirname(folder));
      report(terminal, target, rows, copied);
      return copied.missing.length === 0 ? EXIT_DONE : EXIT_IMAGES_MISSING;
    } finally {
      await hold.end();
    }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {}); // The first failure is the one to report.
    throw error;
  } finally {
    await database.close();
  }
}

async function assertEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`${folder} cannot be written: ${error.message}.`, { cause: error });
  });
  if (found.length > 0) throw new Error(`${folder} is not empty. Give a folder that is empty or does not exist.`);
}

const UNFINISHED = /\.unfinished-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes the unfinished folders of killed backups. A running backup renews the modification time of its folder. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!UNFINISHED.test(name)) continue;
    const path = join(parent, name);
    const touched = await stat(path).catch(() => undefined);
    if (touched && Date.now() - touched.mtimeMs > HOLD_SECONDS * 1000) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Prevents every server from removing image files until `end`. Each renewal also sets the modification time of the
 * unfinished folder, for `removeLeftovers`.
 */
async function holdImages(database: Database, id: string, unfinished: string) {
  const clock = { now: () => Math.floor(Date.now() / 1000) };
  const holder = { database, clock, statements: new Statements(database.dialect) };
  let expiresAt = Number.POSITIVE_INFINITY;
  let wasHeld = true;
  const renew = async (): Promise<void> => {
    const from = performance.now();
    await holdRemovals(holder, id, HOLD_SECONDS);
    wasHeld &&= performance.now() < expiresAt;
    expiresAt = from + HOLD_SECONDS * 1000;
    await utimes(unfinished, new Date(), new Date());
  };
  await renew();
  // A failed renewal is retried by the next one. `assertHeld` checks that the hold never expired.
  const timer = setInterval(() => void renew().catch(() => {}), HOLD_RENEWAL_MS);
  return {
    async assertHeld(): Promise<void> {
      await renew();
      if (!wasHeld)
        throw new Error('The hold on image files expired because the database was unreachable. Make the backup again.');
    },
    async end(): Promise<void> {
      clearInterval(timer);
      // If this fails, the hold expires.
      await allowRemovals(holder, id).catch(() => {});
    },
  };
}

interface CopiedRows {
  /** ISO 8601. */
  readonly snapshotTime: string;
  readonly migrations: readonly string[];
  readonly tables: readonly ManifestTable[];
  /** Names of the images that the rows name, each once. */
  readonly imageNames: readonly string[];
  readonly imageColumns: readonly ImageColumn[];
}

type ImageColumn = Pick<ModelField, 'resource' | 'column'>;

function copyRows(
  database: Database,
  unfinished: string,
  { stderr }: Terminal,
  stop: AbortSignal,
): Promise<CopiedRows> {
  const progress = showProgress(stderr, 'tables', Number.POSITIVE_INFINITY);
  return database
    .storeSnapshot(async (storeSnapshot) => {
      const snapshotTime = new Date().toISOString();
      const { tables } = replay(readMigrations().filter(({ name }) => storeSnapshot.migrations.includes(name)));
      const imageNames = new Set<string>();
      const imageColumns = imageColumnsIn(tables);
      const copied: ManifestTable[] = [];
      for (const table of tables) {
        stop.throwIfAborted();
        copied.push(await copyTable(database, table, storeSnapshot, imageColumns, imageNames, unfinished));
        progress.show(copied.length, tables.length);
      }
      return {
        snapshotTime,
        migrations: storeSnapshot.migrations,
        tables: copied,
        imageNames: [...imageNames],
        imageColumns,
      };
    })
    .finally(progress.end);
}

/** The columns of these tables that name an image. */
export function imageColumnsIn(tables: readonly Table[]): ImageColumn[] {
  return storeModel().files.filter(({ resource, column }) =>
    tables.some(({ name, columns }) => name === resource.table && columns.some((each) => each.name === column)),
  );
}

async function copyTable(
  { dialect }: Database,
  table: Table,
  { run }: StoreSnapshot,
  imageColumns: readonly ImageColumn[],
  imageNames: Set<string>,
  unfinished: string,
): Promise<ManifestTable> {
  const columns = table.columns.map(({ name }) => name);
  const named = imageColumns.filter(({ resource }) => resource.table === table.name);
  const indexes = named.map(({ column }) => columns.indexOf(column));
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    if (onlyCounts(table)) return;
    for await (const row of readRows(dialect, table, run)) {
      if (isStoreSpecific(table, row)) continue;
      for (const index of indexes) if (row[index] !== null) imageNames.add(row[index] as string);
      rows += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  const mark = await writeFileDurably(tablePath(unfinished, table.name), lines());
  const lastNumber = table.counted ? await readLastNumber(dialect, table, run) : null;
  return { name: table.name, columns, rows, lastNumber, ...mark };
}

/** Copies of the store must not send its mails again, and their tokens must not work there. */
const OUTBOX = [{ name: 'mail' }, { name: 'one_time_token' }];

/** A session that has ended since the backup must not begin again. */
const SHOPPER_SESSIONS = [{ name: 'shopper_session' }, { name: 'former_shopper_token' }];

/** Tables whose rows belong to this installation. */
const TEMPORARY_TABLES = [
  ...[SESSIONS, SIGN_IN_TOKENS, ...TEMPORARY_STAFF_TABLES, COUNTED],
  ...OUTBOX,
  ...SHOPPER_SESSIONS,
];

/** Whether a row belongs to this installation and not in a backup: sessions, mails, holds, feed epoch, identity, key of order links. */
export function isStoreSpecific(table: Table, [name]: readonly Value[]): boolean {
  if (TEMPORARY_TABLES.some(({ name: temporary }) => temporary === table.name)) return true;
  if (table.name !== 'setting') return false;
  const isSpecific = [IDENTITY_SETTING, EPOCH_SETTING, ORDER_LINK_KEY].includes(name as string);
  return isSpecific || (name as string).startsWith(HOLD_SETTING);
}

interface CopiedImages {
  readonly images: readonly ManifestImage[];
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

interface Copying {
  readonly database: Database;
  readonly images: ImageStore;
  readonly unfinished: string;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
}

async function copyImages(copying: Copying, { imageNames, imageColumns }: CopiedRows): Promise<CopiedImages> {
  const { database, images, unfinished, terminal, stop } = copying;
  const progress = showProgress(terminal.stderr, 'images', IMAGES_PER_LINE);
  const copied: ManifestImage[] = [];
  const missing: CopiedImages['missing'][number][] = [];
  const copy = async (name: string): Promise<void> => {
    stop.throwIfAborted();
    const { bytes, fault } = await readVerified(images, name);
    if (bytes) {
      await mkdir(dirname(imagePath(unfinished, name)), { recursive: true, mode: 0o700 });
      await writeFileDurably(imagePath(unfinished, name), [bytes]);
      copied.push({ name, bytes: bytes.byteLength });
    } else {
      await assertNamed(database, imageColumns, name);
      missing.push({ name, reason: fault });
    }
    progress.show(copied.length + missing.length, imageNames.length);
  };
  await forEachConcurrently(imageNames, copy).finally(progress.end);
  copied.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { images: copied, missing };
}

/**
 * Checks that the store still names a missing image, which the report lists as damage. An image that is no longer named was
 * removed in spite of the hold.
 */
async function assertNamed(database: Database, columns: readonly ImageColumn[], name: string): Promise<void> {
  const holders = database.dialect.compile(fileHolders(columns)(database.dialect));
  if ((await database.query(holders, { file: name })).length === 0)
    throw new Error(
      'A server removed image files during the backup, for example because a clock was changed. Make the backup again.',
    );
}

async function syncFolders(unfinished: string): Promise<void> {
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  await syncFolder(unfinished);
}

function report({ stdout }: Terminal, target: string, rows: CopiedRows, { images, missing }: CopiedImages): void {
  const rowCount = rows.tables.reduce((sum, table) => sum + table.rows, 0);
  const counts = new FileCounts(images.map(({ name }) => name));
  for (const { name, reason } of missing) stdout.write(`The ${fileNamed(name)} is not in the backup: ${reason}.\n`);
  stdout.write(`Backed up ${counts.counted(counted(rowCount, 'row'))} as of ${rows.snapshotTime} to ${target}.\n`);
}
