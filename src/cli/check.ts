/**
 * `purveyor check`: reads every row, every image and the change feed, and reports damage. It changes no data, needs
 * little memory whatever the size of the store, and holds no database snapshot: concurrent changes are checked before
 * or after.
 */
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { sha256 } from '../adapters/secrets/sha256.ts';
import {
  type AuditEnd,
  auditFaults,
  BindParam,
  type Database,
  fileHolders,
  forEachConcurrently,
  type ImageStore,
  ImagesUnavailable,
  journalFaults,
  readRows,
  replay,
  rowFault,
  Statements,
  type Table,
} from '../engine/index.ts';
import { accountFaults } from '../store/audit/account-faults.ts';
import { imageColumnsIn } from '../transfer/backup/backup.ts';
import { counted, FileCounts, fileNamed } from '../transfer/backup/format.ts';
import { showProgress } from '../transfer/backup/progress.ts';
import { readVerified } from '../transfer/backup/verified-image.ts';
import type { Terminal } from '../transfer/import/report.ts';
import { imagesFault } from '../wiring/image-owner.ts';
import { imagesFolder, openExisting, openImages, readMigrations, storeModel } from '../wiring/open.ts';
import type { Config } from '../wiring/settings/index.ts';
import { webhookNotices } from './paused-webhooks.ts';
import { noticesOn } from './post-migration-notices.ts';

const EXIT_OK = 0;
/** Exit code 1 means, as for every command, that the check could not run. */
const EXIT_FAULTS = 2;

const IMAGES_PER_PAGE = 500;
const IMAGES_PER_LINE = 1000;

/** @param auditHead copy of the end of the audit */
export async function check(config: Config, { stdout, stderr }: Terminal, auditHead?: AuditEnd): Promise<number> {
  const folder = imagesFolder(config);
  if (folder !== undefined && !existsSync(folder))
    throw new Error(`The image folder ${folder} does not exist. Check IMAGES_URL.`);
  const { database, applied, pending } = await openExisting(config, 'check');
  let faults = 0;
  const report = (fault: string): void => {
    faults += 1;
    stdout.write(`${fault}\n`);
  };
  try {
    for (const { name } of pending) report(`The schema lacks the migration ${name}. Run “npx purveyor migrate”.`);
    const { tables } = replay(readMigrations().filter(({ name }) => applied.includes(name)));
    const context: CheckContext = { database, images: await openImages(config), tables, stderr, report };
    await reportingErrors(context, 'References between records cannot all be checked', async () => {
      for (const fault of await database.faults()) report(fault);
    });
    const rows = await checkRows(context);
    if (pending.length === 0)
      await reportingErrors(context, 'The change feed cannot be read to its end', () => checkJournal(context));
    if (pending.length === 0)
      await reportingErrors(context, 'The audit cannot be read to its end', () => checkAudit(context, auditHead));
    await reportingErrors(context, 'The owner of the image files cannot be read', () => checkOwner(context, config));
    const files = await checkFiles(context);
    const unnamed = await countUnnamed(context);
    const verdict = faults === 0 ? 'no faults found' : `${counted(faults, 'fault')} found, listed above`;
    stdout.write(`Checked ${files.counted(counted(rows, 'row'))}: ${verdict}.\n`);
    if (unnamed > 0)
      stdout.write(`${counted(unnamed, 'file')} without a record; the hourly cleanup removes old ones.\n`);
    if (pending.length === 0)
      await reportingErrors(context, 'Records that break newer rules cannot be counted', async () => {
        for (const notice of await noticesOn(database)) stdout.write(`${notice}\n`);
        for (const notice of await webhookNotices(database)) stdout.write(`${notice}\n`);
      });
    return faults === 0 ? EXIT_OK : EXIT_FAULTS;
  } finally {
    await database.close();
  }
}

interface CheckContext {
  readonly database: Database;
  readonly images: ImageStore;
  readonly tables: readonly Table[];
  readonly stderr: Terminal['stderr'];
  readonly report: (fault: string) => void;
}

/**
 * Reports an error of one part of the check as a fault, so that the other parts still run.
 * @throws the database's error if it does not respond at all any more
 */
async function reportingErrors(
  { database, report }: CheckContext,
  failure: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await database.applied();
    report(`${failure}: ${(error as Error).message}`);
  }
}
/** Checks that every row is readable and matches its table's declaration. @returns the number of rows */
async function checkRows(context: CheckContext): Promise<number> {
  const { database, tables, stderr, report } = context;
  const progress = showProgress(stderr, 'tables', Number.POSITIVE_INFINITY);
  let rows = 0;
  const checkTable = async (table: Table): Promise<void> => {
    const keys = table.primaryKey.map((key) => table.columns.findIndex(({ name }) => name === key));
    for await (const row of readRows(database.dialect, table, database.query.bind(database))) {
      rows += 1;
      const fault = rowFault(table, row);
      if (fault !== undefined)
        report(`In the table ${table.name}, row ${keys.map((key) => row[key]).join(', ')} ${fault}.`);
    }
  };
  for (const [index, table] of tables.entries()) {
    await reportingErrors(context, `The table ${table.name} cannot be read to its end`, () => checkTable(table));
    progress.show(index + 1, tables.length);
  }
  progress.end();
  return rows;
}

/** Checks that the change feed matches the stored records (sync.md §1). */
async function checkJournal({ database, stderr, report }: CheckContext): Promise<void> {
  const progress = showProgress(stderr, 'resources in the change feed', Number.POSITIVE_INFINITY);
  const now = Math.floor(Date.now() / 1000);
  for await (const fault of journalFaults(database, storeModel(), now, (done, total) => progress.show(done, total)))
    report(fault);
  progress.end();
}

/** Checks the audit's chain, and that its last values are those of the records (access.md §4). */
async function checkAudit({ database, stderr, report }: CheckContext, head: AuditEnd | undefined): Promise<void> {
  const progress = showProgress(stderr, 'resources in the audit', Number.POSITIVE_INFINITY);
  const store = { database, model: storeModel(), sha256, head };
  for await (const fault of auditFaults(store, (done, total) => progress.show(done, total))) report(fault);
  for (const fault of await accountFaults({ ...store, statements: new Statements(database.dialect) })) report(fault);
  progress.end();
}

async function checkOwner({ database, images, report }: CheckContext, config: Config): Promise<void> {
  const fault = await imagesFault({ database, images, statements: new Statements(database.dialect) }, config);
  if (fault !== undefined) report(fault);
}

/** Checks that every image and attachment named by a row exists and is intact. @returns the counts of checked files */
async function checkFiles(context: CheckContext): Promise<FileCounts> {
  const { database, images, tables, stderr, report } = context;
  const progress = showProgress(stderr, 'files', IMAGES_PER_LINE);
  let total = 0;
  let done = 0;
  const checked = new FileCounts();
  const checkFile = async (name: string): Promise<void> => {
    const { fault } = await readVerified(images, name).catch((error) => {
      if (error instanceof ImagesUnavailable) return { fault: error.message.replace(/\.$/, '') };
      throw error;
    });
    // No holders: the record was changed or deleted during the check.
    const holders = fault === undefined ? [] : await holdersOf(context, name);
    if (holders.length > 0) report(`The ${fileNamed(name)} of ${holders.join(' and ')} is lost: ${fault}.`);
    checked.add(name);
    done += 1;
    progress.show(done, Math.max(done, total));
  };
  for (const { resource, column } of imageColumnsIn(tables))
    await reportingErrors(context, `The files of the table ${resource.table} cannot all be checked`, async () => {
      const count = sql`select count(distinct ${sql.id(column)}) from ${sql.table(resource.table)}`;
      const [[named] = []] = await database.query(database.dialect.compile(count), {});
      total += named as number;
      for await (const names of namesIn(database, resource.table, column)) await forEachConcurrently(names, checkFile);
    });
  progress.end();
  return checked;
}

const NAME = new BindParam('name', 'text');

/** Yields the distinct names in a column, in pages. */
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

/** Returns the records that an image belongs to, such as “product 7”. */
async function holdersOf({ database, tables }: CheckContext, name: string): Promise<string[]> {
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

/**
 * Counts files that crashes and replaced images leave behind, or that are being stored right now. They are not faults.
 */
async function countUnnamed(context: CheckContext): Promise<number> {
  const { database, images, tables } = context;
  const holders = database.dialect.compile(fileHolders(imageColumnsIn(tables))(database.dialect));
  let count = 0;
  await reportingErrors(context, 'The files without a record cannot be counted', async () => {
    for await (const { name } of images.list())
      if ((await database.query(holders, { file: name })).length === 0) count += 1;
  });
  return count;
}
