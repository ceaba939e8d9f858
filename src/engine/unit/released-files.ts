/**
 * Files and rows agree (catalog.md §2). A file is put before the row that names it, and goes when no row does any more. A
 * row of `released_file` says of a file that perhaps nothing names it: it is being put, or a row that named it has changed
 * or gone. Only `sweepFiles` removes files, and only such ones. That row settles who is first where the same bytes come
 * again meanwhile, so nobody waits for the image store inside a transaction.
 */
import { type RawBuilder, sql } from 'kysely';
import * as commands from '../commands.ts';
import { type Dialect, ImagesUnavailable, Slot } from '../ports.ts';
import type { Service } from '../service.ts';
import { filesKept, momentText } from './keep-files.ts';
import type { Reads } from './reads.ts';

/** The file was removed after it was put. A write that begins anew puts it again. */
export class FileGone extends ImagesUnavailable {}

const TABLE = sql.table('released_file');
const NAME = new Slot('name', 'text');
const NAMES = new Slot('names', 'text', true);
const NOW = new Slot('now', 'timestamp');
const DUE = new Slot('due', 'timestamp');
const UNTIL = new Slot('until', 'timestamp');

/** Longer than any upload takes: after that, a file without a row was left behind by a crash. */
const LEFT_BEHIND_SECONDS = 24 * 3600;

/** How long a removal may take. Whoever sent the bytes again meanwhile waits; after that, the removal was cut off. */
const REMOVAL_SECONDS = 60;

/**
 * Says that a file is about to be put and to get a row, before it is put.
 * @throws {FileGone} where it is being removed at this moment
 */
export async function claimFile({ database, statements, clock }: Service, name: string): Promise<void> {
  const claim = statements.get(
    'claim file',
    ({ place }) => sql`insert into ${TABLE} (name, due, removing_until) values (${place(NAME)}, ${place(DUE)}, null)
      on conflict (name) do update set due = excluded.due, removing_until = null
      where released_file.removing_until is null or released_file.removing_until < ${place(NOW)} returning name`,
  );
  const now = clock.now();
  const values = { name, now, due: now + LEFT_BEHIND_SECONDS };
  const claimed = await database.transaction((transaction) => transaction.run(claim, values));
  if (claimed.length === 0) throw new FileGone(`The file ${name} is being removed.`);
}

/** Files that were put for nothing go with the next sweep. */
export async function disclaimFiles({ database, statements, clock }: Service, names: Iterable<string>): Promise<void> {
  const disclaim = statements.get(
    'disclaim files',
    (dialect) => sql`update ${TABLE} set due = ${dialect.place(NOW)}
      where name in (select ${sql.id('listed', 'value')} from ${dialect.listed(NAMES)})`,
  );
  const values = { names: [...names], now: clock.now() };
  if (values.names.length > 0) await database.transaction((transaction) => transaction.run(disclaim, values));
}

/**
 * The claimed files stay until the unit ends, and then their rows are there.
 * @throws {FileGone} where one was removed since it was claimed
 */
export async function lockFiles(unit: Reads, names: readonly string[]): Promise<void> {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return;
  const lock = (dialect: Dialect) => sql`select name from ${TABLE} where removing_until is null
    and name in (select ${sql.id('listed', 'value')} from ${dialect.listed(NAMES)}) order by name ${dialect.forUpdate}`;
  const locked = await unit.ask('lock files', lock, { names: distinct });
  if (locked.length < distinct.length) throw new FileGone('A file was removed while its row was written.');
}

/** Says of files that a row of theirs has changed or gone. */
export async function releaseFiles(unit: Reads & { readonly now: number }, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const release = (dialect: Dialect) => sql`insert into ${TABLE} (name, due)
    select ${sql.id('listed', 'value')}, ${dialect.place(NOW)} from ${dialect.listed(NAMES)} where true order by 1
    on conflict (name) do update set due = excluded.due`;
  await unit.ask('release files', release, { names: [...names], now: unit.now });
}

/**
 * Removes the files that no row names any more, and forgets of the others that they were released.
 * @returns how many were removed
 */
export async function sweepFiles(service: Service, stopped: AbortSignal): Promise<number> {
  const { database, statements, clock } = service;
  const due = statements.get(
    'due files',
    ({ place }) => sql`select name from ${TABLE} where due <= ${place(NOW)} and name > ${place(NAME)}
      order by name limit ${sql.lit(FILES_PER_PAGE)}`,
  );
  let count = 0;
  for (let last = ''; !stopped.aborted; ) {
    const names = (await database.query(due, { now: clock.now(), name: last })).map(([name]) => name as string);
    for (const name of names) if (!stopped.aborted && (await removeReleased(service, name))) count += 1;
    if (names.length < FILES_PER_PAGE) break;
    last = names.at(-1)!;
  }
  return count;
}

const FILES_PER_PAGE = 100;

async function removeReleased(service: Service, name: string): Promise<boolean> {
  const { database, images, clock } = service;
  const now = clock.now();
  const until = now + REMOVAL_SECONDS;
  const isOurs = await database.transaction(async (transaction) => {
    const run = (key: string, build: (dialect: Dialect) => RawBuilder<unknown>) =>
      transaction.run(service.statements.get(key, build), { name, now, until, file: name, moment: momentText(now) });
    // First the lock, then a statement of its own that sees what was committed by whoever had it.
    const row = await run(
      'lock due file',
      (dialect) => sql`select 1 from ${TABLE} where name = ${dialect.place(NAME)} and due <= ${dialect.place(NOW)}
        and (removing_until is null or removing_until < ${dialect.place(NOW)}) ${dialect.forUpdate}`,
    );
    if (row.length === 0) return false;
    const isHeld = (await run('file holders', commands.fileHolders(service.model.files))).length > 0;
    if (isHeld) await run('forget release', ({ place }) => sql`delete from ${TABLE} where name = ${place(NAME)}`);
    // In this order: a copy that begins after nobody asked for it shows a moment in which no row names the file.
    if (isHeld || (await run('files kept', filesKept)).length > 0) return false;
    await run(
      'begin removal',
      ({ place }) => sql`update ${TABLE} set removing_until = ${place(UNTIL)} where name = ${place(NAME)}`,
    );
    return true;
  });
  if (!isOurs) return false;
  await images.remove(name);
  const end = service.statements.get(
    'end removal',
    ({ place }) => sql`delete from ${TABLE} where name = ${place(NAME)} and removing_until = ${place(UNTIL)}`,
  );
  await database.transaction((transaction) => transaction.run(end, { name, until }));
  return true;
}

/**
 * Releases the old files that no row names and nobody released, as versions before left them behind when they crashed.
 * The next sweep looks at them once more.
 */
export async function releaseLeftFiles(service: Service, stopped: AbortSignal): Promise<void> {
  const { database, images, model, statements, clock } = service;
  const holders = statements.get('file holders', commands.fileHolders(model.files));
  const release = statements.get(
    'release left file',
    ({ place }) => sql`insert into ${TABLE} (name, due) values (${place(NAME)}, ${place(NOW)}) on conflict do nothing`,
  );
  for await (const { name, ageSeconds } of images.list()) {
    if (stopped.aborted) return;
    if (ageSeconds < LEFT_BEHIND_SECONDS || (await database.query(holders, { file: name })).length > 0) continue;
    await database.transaction((transaction) => transaction.run(release, { name, now: clock.now() }));
  }
}
