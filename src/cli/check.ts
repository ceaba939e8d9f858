/**
 * `purveyor check`: reads the whole store, each row, each image and the change feed, and says what is wrong. It changes nothing, needs the
 * same little memory for any store, and holds no moment: what is changed meanwhile is looked at before or after.
 */
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import {
  BindParam,
  type Database,
  fileHolders,
  type ImageStore,
  ImagesUnavailable,
  journalFaults,
  readRows,
  replay,
  rowFault,
  Statements,
  severalAtOnce,
  type Table,
} from '../engine/index.ts';
import { imageColumnsIn } from '../transfer/backup/backup.ts';
import { counted } from '../transfer/backup/format.ts';
import { showProgress } from '../transfer/backup/progress.ts';
import { readVerified } from '../transfer/backup/verified-image.ts';
import type { Terminal } from '../transfer/import/report.ts';
import type { Config } from '../wiring/config.ts';
import { imagesFault } from '../wiring/image-owner.ts';
import { imagesFolder, openExisting, openImages, readMigrations, storeModel } from '../wiring/open.ts';
import { webhookNotices } from './paused-webhooks.ts';
import { noticesOn } from './post-migration-notices.ts';

/** Nothing is wrong · it could not be looked at (as every command) · something is wrong. */
const EXIT_WHOLE = 0;
const EXIT_FAULTS = 2;

const IMAGES_PER_PAGE = 500;
const IMAGES_PER_LINE = 1000;

export async function check(config: Config, { stdout, stderr }: Terminal): Promise<number> {
  const folder = imagesFolder(config);
  if (folder !== undefined && !existsSync(folder))
    throw new Error(`The folder of IMAGES_URL, ${folder}, is not there.`);
  const { database, applied, pending } = await openExisting(config, 'check');
  let faults = 0;
  const say = (fault: string): void => {
    faults += 1;
    stdout.write(`${fault}\n`);
  };
  try {
    for (const { name } of pending) say(`The schema lacks the migration ${name}: run “npx purveyor migrate”.`);
    const { tables } = replay(readMigrations().filter(({ name }) => applied.includes(name)));
    const look: Look = { database, images: await openImages(config), tables, stderr, say };
    await toTheEnd(look, 'References between records cannot all be looked at', async () => {
      for (const fault of await database.faults()) say(fault);
    });
    const rows = await checkRows(look);
    if (pending.length === 0)
      await toTheEnd(look, 'The change feed cannot be read to its end', () => checkJournal(look));
    await toTheEnd(look, 'Whose the image files are cannot be read', () => checkOwner(look, config));
    const images = await checkImages(look);
    const unnamed = await countUnnamed(look);
    const verdict = faults === 0 ? 'nothing is wrong' : `${counted(faults, 'fault')}, each told above`;
    stdout.write(`Checked ${counted(rows, 'row')} and ${counted(images, 'image')}: ${verdict}.\n`);
    if (unnamed > 0)
      stdout.write(`No record names ${counted(unnamed, 'image file')}; the hourly sweep takes old ones.\n`);
    if (pending.length === 0)
      await toTheEnd(look, 'Records from before newer rules cannot be counted', async () => {
        for (const notice of await noticesOn(database)) stdout.write(`${notice}\n`);
        for (const notice of await webhookNotices(database)) stdout.write(`${notice}\n`);
      });
    return faults === 0 ? EXIT_WHOLE : EXIT_FAULTS;
  } finally {
    await database.close();
  }
}

interface Look {
  readonly database: Database;
  readonly images: ImageStore;
  readonly tables: readonly Table[];
  readonly stderr: Terminal['stderr'];
  readonly say: (fault: string) => void;
}

/** An unreadable part is a fault as well. @throws where the database answers nothing at all any more */
async function toTheEnd({ database, say }: Look, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await database.applied();
    say(`${failure}: ${(error as Error).message}`);
  }
}

/** Every row can be read and has its table's form. @returns how many there are */
async function checkRows(look: Look): Promise<number> {
  const { database, tables, stderr, say } = look;
  const progress = showProgress(stderr, 'tables', Number.POSITIVE_INFINITY);
  let rows = 0;
  const checkTable = async (table: Table): Promise<void> => {
    const keys = table.primaryKey.map((key) => table.columns.findIndex(({ name }) => name === key));
    for await (const row of readRows(database.dialect, table, database.query.bind(database))) {
      rows += 1;
      const fault = rowFault(table, row);
      if (fault !== undefined)
        say(`In the table ${table.name}, row ${keys.map((key) => row[key]).join(', ')} ${fault}.`);
    }
  };
  for (const [index, table] of tables.entries()) {
    await toTheEnd(look, `The table ${table.name} cannot be read to its end`, () => checkTable(table));
    progress.show(index + 1, tables.length);
  }
  progress.end();
  return rows;
}

/** The change feed tells what the store holds (sync.md §1). */
async function checkJournal({ database, stderr, say }: Look): Promise<void> {
  const progress = showProgress(stderr, 'kinds of records in the change feed', Number.POSITIVE_INFINITY);
  const now = Math.floor(Date.now() / 1000);
  for await (const fault of journalFaults(database, storeModel(), now, (done, total) => progress.show(done, total)))
    say(fault);
  progress.end();
}

async function checkOwner({ database, images, say }: Look, config: Config): Promise<void> {
  const fault = await imagesFault({ database, images, statements: new Statements(database.dialect) }, config);
  if (fault !== undefined) say(fault);
}

/** Every image that a row names is there, whole. @returns how many were looked at */
async function checkImages(look: Look): Promise<number> {
  const { database, images, tables, stderr, say } = look;
  const progress = showProgress(stderr, 'images', IMAGES_PER_LINE);
  let total = 0;
  let done = 0;
  const checkImage = async (name: string): Promise<void> => {
    const { fault } = await readVerified(images, name).catch((error) => {
      if (error instanceof ImagesUnavailable) return { fault: error.message.replace(/\.$/, '') };
      throw error;
    });
    // One that was let go meanwhile is nobody's.
    const holders = fault === undefined ? [] : await holdersOf(look, name);
    if (holders.length > 0) say(`The image ${name} of ${holders.join(' and ')} is lost: ${fault}.`);
    done += 1;
    progress.show(done, Math.max(done, total));
  };
  for (const { resource, column } of imageColumnsIn(tables))
    await toTheEnd(look, `The images that the table ${resource.table} names cannot all be looked at`, async () => {
      const count = sql`select count(distinct ${sql.id(column)}) from ${sql.table(resource.table)}`;
      const [[named] = []] = await database.query(database.dialect.compile(count), {});
      total += named as number;
      for await (const names of namesIn(database, resource.table, column)) await severalAtOnce(names, checkImage);
    });
  progress.end();
  return done;
}

const NAME = new BindParam('name', 'text');

/** The names in a column, each once, in pages. */
async function* namesIn(database: Database, table: string, column: string): AsyncGenerator<string[]> {
  const { dialect } = database;
  const select = dialect.compile(
    sql`select distinct ${sql.id(column)} from ${sql.table(table)} where ${sql.id(column)} > ${dialect.placeholder(NAME)}
      order by 1 limit ${sql.lit(IMAGES_PER_PAGE)}`,
  );
  for (let last = ''; ; ) {
    const names = (await database.query(select, { name: last })).map(([name]) => name as string);
    if (names.length > 0) yield names;
    if (names.length < IMAGES_PER_PAGE) return;
    last = names.at(-1)!;
  }
}

/** Whose image it is, as “product 7”. */
async function holdersOf({ database, tables }: Look, name: string): Promise<string[]> {
  const { dialect } = database;
  const holders: string[] = [];
  for (const { resource, column } of imageColumnsIn(tables)) {
    const table = tables.find((each) => each.name === resource.table)!;
    const owner = table.columns.find(({ references }) => references);
    const select = sql`select distinct ${sql.id(owner?.name ?? table.primaryKey[0]!)} from ${sql.table(table.name)}
      where ${sql.id(column)} = ${dialect.placeholder(NAME)} order by 1`;
    for (const [id] of await database.query(dialect.compile(select), { name }))
      holders.push(`${owner?.references?.table ?? table.name} ${id}`);
  }
  return holders;
}

/** Left behind by crashes and replaced images, or just being put: no fault. */
async function countUnnamed(look: Look): Promise<number> {
  const { database, images, tables } = look;
  const holders = database.dialect.compile(fileHolders(imageColumnsIn(tables))(database.dialect));
  let count = 0;
  await toTheEnd(look, 'The image files that no record names cannot be counted', async () => {
    for await (const { name } of images.list())
      if ((await database.query(holders, { file: name })).length === 0) count += 1;
  });
  return count;
}
