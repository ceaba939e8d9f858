/**
 * `purveyor backup DIR`: the store as it is at one moment, rows and images, in a folder of its own, while it is served.
 * The rows come first, as one moment; then the images that they name, which no server removes meanwhile. The folder gets
 * its name last, when all of it is on disk.
 */
import { randomUUID } from 'node:crypto';
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
import { SIGN_IN_TOKENS } from '../../store/sign-in-tokens.ts';
import type { Config } from '../../wiring/config.ts';
import { openExisting, openImages, readMigrations, storeModel } from '../../wiring/open.ts';
import { version } from '../../wiring/version.ts';
import type { Terminal } from '../import/report.ts';
import { syncFolder, writeFileDurably } from './durable-files.ts';
import { counted } from './format.ts';
import {
  FORMAT,
  imageFolder,
  imagePath,
  MANIFEST,
  MANIFEST_HASH,
  type ManifestImage,
  type ManifestTable,
  manifestText,
  tablePath,
} from './manifest.ts';
import { showProgress } from './progress.ts';
import { readWhole } from './whole-image.ts';

/** Done · nothing done (as every command) · done, but not every image of the store was there to be copied. */
const EXIT_DONE = 0;
const EXIT_IMAGES_MISSING = 2;

/** A backup that is killed keeps images from going for so long at most. */
const KEEP_SECONDS = 600;
const KEEP_AGAIN_MS = 60_000;

const IMAGES_PER_LINE = 1000;

export async function backUp(config: Config, target: string, terminal: Terminal, stop: AbortSignal): Promise<number> {
  const folder = resolve(target);
  await refuseTaken(folder);
  const { database } = await openExisting(config, 'back up');
  const id = randomUUID();
  const draft = `${folder}.unfinished-${id}`;
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await removeLeftovers(dirname(folder));
    const images = await openImages(config);
    await mkdir(join(draft, 'tables'), { recursive: true, mode: 0o700 });
    const keeping = await keepImages(database, id, draft);
    try {
      const rows = await copyRows(database, draft, terminal, stop);
      const copied = await copyImages({ database, images, draft, terminal, stop }, rows);
      await keeping.assertKept();
      const { text, hashLine } = manifestText({
        format: FORMAT,
        program: version,
        moment: rows.moment,
        database: database.dialect.name,
        migrations: rows.migrations,
        tables: rows.tables,
        images: copied.images,
        imagesMissing: copied.missing.map(({ name }) => name),
      });
      await writeFileDurably(join(draft, MANIFEST), [Buffer.from(text)]);
      await writeFileDurably(join(draft, MANIFEST_HASH), [Buffer.from(hashLine)]);
      await syncFolders(draft);
      stop.throwIfAborted();
      await rename(draft, folder);
      await syncFolder(dirname(folder));
      report(terminal, target, rows, copied);
      return copied.missing.length === 0 ? EXIT_DONE : EXIT_IMAGES_MISSING;
    } finally {
      await keeping.end();
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {}); // The first failure is the one to report.
    throw error;
  } finally {
    await database.close();
  }
}

async function refuseTaken(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Error(`${folder} cannot be a backup: ${error.message}.`, { cause: error });
  });
  if (found.length > 0) throw new Error(`${folder} is not empty; a backup gets a folder of its own.`);
}

const UNFINISHED = /\.unfinished-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes the remains of killed backups beside this one. One that is being made is touched again and again. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!UNFINISHED.test(name)) continue;
    const path = join(parent, name);
    const touched = await stat(path).catch(() => undefined);
    if (touched && Date.now() - touched.mtimeMs > KEEP_SECONDS * 1000) await rm(path, { recursive: true, force: true });
  }
}

/** Has every server keep the images until `end`, and leaves word of it in the draft's time. */
async function keepImages(database: Database, id: string, draft: string) {
  const clock = { now: () => Math.floor(Date.now() / 1000) };
  const keeper = { database, clock, statements: new Statements(database.dialect) };
  let keptUntil = Number.POSITIVE_INFINITY;
  let wasKept = true;
  const keep = async (): Promise<void> => {
    const from = performance.now();
    await holdRemovals(keeper, id, KEEP_SECONDS);
    wasKept &&= performance.now() < keptUntil;
    keptUntil = from + KEEP_SECONDS * 1000;
    await utimes(draft, new Date(), new Date());
  };
  await keep();
  // A failed attempt is repeated. The end of the backup checks whether one was in time.
  const timer = setInterval(() => void keep().catch(() => {}), KEEP_AGAIN_MS);
  return {
    async assertKept(): Promise<void> {
      await keep();
      if (!wasKept) throw new Error('The store could not be told in time to keep its images; make the backup again.');
    },
    async end(): Promise<void> {
      clearInterval(timer);
      // It runs out by itself.
      await allowRemovals(keeper, id).catch(() => {});
    },
  };
}

interface CopiedRows {
  readonly moment: string;
  readonly migrations: readonly string[];
  readonly tables: readonly ManifestTable[];
  /** Names of the images that the rows name, each once. */
  readonly imageNames: readonly string[];
  readonly imageColumns: readonly ImageColumn[];
}

type ImageColumn = Pick<ModelField, 'resource' | 'column'>;

function copyRows(database: Database, draft: string, { stderr }: Terminal, stop: AbortSignal): Promise<CopiedRows> {
  const progress = showProgress(stderr, 'tables', Number.POSITIVE_INFINITY);
  return database
    .storeSnapshot(async (storeSnapshot) => {
      const time = new Date().toISOString();
      const { tables } = replay(readMigrations().filter(({ name }) => storeSnapshot.migrations.includes(name)));
      const imageNames = new Set<string>();
      const imageColumns = imageColumnsIn(tables);
      const copied: ManifestTable[] = [];
      for (const table of tables) {
        stop.throwIfAborted();
        copied.push(await copyTable(database, table, storeSnapshot, imageColumns, imageNames, draft));
        progress.show(copied.length, tables.length);
      }
      return {
        moment: time,
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
  draft: string,
): Promise<ManifestTable> {
  const columns = table.columns.map(({ name }) => name);
  const named = imageColumns.filter(({ resource }) => resource.table === table.name);
  const indexes = named.map(({ column }) => columns.indexOf(column));
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    if (onlyCounts(table)) return;
    for await (const row of readRows(dialect, table, run)) {
      if (staysBehind(table, row)) continue;
      for (const index of indexes) if (row[index] !== null) imageNames.add(row[index] as string);
      rows += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  const mark = await writeFileDurably(tablePath(draft, table.name), lines());
  const lastNumber = table.counted ? await readLastNumber(dialect, table, run) : null;
  return { name: table.name, columns, rows, lastNumber, ...mark };
}

/** Rows about this very store: what is happening to it now, who is signed in, and the id that tells it from its copies. */
export function staysBehind(table: Table, [name]: readonly Value[]): boolean {
  if (table.name === SESSIONS.name || table.name === SIGN_IN_TOKENS.name) return true;
  if (table.name !== 'setting') return false;
  return name === IDENTITY_SETTING || name === EPOCH_SETTING || (name as string).startsWith(HOLD_SETTING);
}

interface CopiedImages {
  readonly images: readonly ManifestImage[];
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

interface Copying {
  readonly database: Database;
  readonly images: ImageStore;
  readonly draft: string;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
}

async function copyImages(copying: Copying, { imageNames, imageColumns }: CopiedRows): Promise<CopiedImages> {
  const { database, images, draft, terminal, stop } = copying;
  const progress = showProgress(terminal.stderr, 'images', IMAGES_PER_LINE);
  const copied: ManifestImage[] = [];
  const missing: CopiedImages['missing'][number][] = [];
  const copy = async (name: string): Promise<void> => {
    stop.throwIfAborted();
    const { bytes, fault } = await readWhole(images, name);
    if (bytes) {
      await mkdir(imageFolder(draft, name), { recursive: true, mode: 0o700 });
      await writeFileDurably(imagePath(draft, name), [bytes]);
      copied.push({ name, bytes: bytes.byteLength });
    } else {
      await refuseGone(database, imageColumns, name);
      missing.push({ name, reason: fault });
    }
    progress.show(copied.length + missing.length, imageNames.length);
  };
  await forEachConcurrently(imageNames, copy).finally(progress.end);
  copied.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { images: copied, missing };
}

/** An image that the store still names is damage, to be told. One that it let go meanwhile should have been kept. */
async function refuseGone(database: Database, columns: readonly ImageColumn[], name: string): Promise<void> {
  const holders = database.dialect.compile(fileHolders(columns)(database.dialect));
  if ((await database.query(holders, { file: name })).length === 0)
    throw new Error(
      'Images were removed while they were to be kept, as when a clock is set anew; make the backup again.',
    );
}

async function syncFolders(draft: string): Promise<void> {
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  await syncFolder(draft);
}

function report({ stdout }: Terminal, target: string, rows: CopiedRows, { images, missing }: CopiedImages): void {
  const rowCount = rows.tables.reduce((sum, table) => sum + table.rows, 0);
  for (const { name, reason } of missing) stdout.write(`The image ${name} is not in the backup: ${reason}.\n`);
  stdout.write(
    `Backed up ${counted(rowCount, 'row')} and ${counted(images.length, 'image')} as of ${rows.moment} to ${target}.\n`,
  );
}
