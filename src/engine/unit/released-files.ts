/**
 * Files and rows agree (catalog.md §2). A file is claimed, then put, then named by a row; the claim keeps it until that row is
 * there. `released_file` lists files that may be unnamed now: a row that named one has changed or gone, or its claim came to
 * nothing. Only `sweepFiles` removes files, and only such ones. Claims and removals settle by their rows which of them is
 * first, so nobody waits for the image store inside a transaction.
 */
import { type RawBuilder, sql } from 'kysely';
import { BindParam, type Dialect, ImagesUnavailable, type Row } from '../ports.ts';
import * as lookUps from '../sql/lookups.ts';
import { removalsHeld, timestampText } from './held-removals.ts';
import type { Reads } from './reads.ts';
import type { Service } from './service.ts';

/** Says that a file is put, or about to be, and that a row will name it. */
export interface Claim {
  readonly id: string;
  readonly name: string;
}

/** The claim on a file ran out before its row was there. A write that begins anew puts the file again. */
export class FileGone extends ImagesUnavailable {}

const RELEASED = sql.table('released_file');
const CLAIMS = sql.table('file_claim');
const ID = new BindParam('id', 'text');
const IDS = new BindParam('ids', 'text', true);
const NAME = new BindParam('name', 'text');
const NAMES = new BindParam('names', 'text', true);
const NOW = new BindParam('now', 'timestamp');
const UNTIL = new BindParam('until', 'timestamp');

/** Longer than any upload takes: a file that is older and has no row was left behind by a crash. */
const CLAIM_SECONDS = 24 * 3600;

/** How long a removal may take. Whoever sends the same bytes meanwhile waits; after that, the removal was cut off. */
const REMOVAL_SECONDS = 60;

/** The end of a removal that could not be written is tried again after so long. */
const REMOVAL_END_PAUSE_MS = 500;

const CLAIM_WAIT_MS_MAX = 5000;
const CLAIM_PAUSE_MS = 20;

/**
 * Claims a file before it is put; while it is being removed, once that is over.
 * @throws {ImagesUnavailable} where that takes too long
 */
export async function claimFile(service: Service, name: string): Promise<Claim> {
  const { database, statements, clock } = service;
  const beingRemoved = statements.get('file being removed', ({ placeholder }) => {
    return sql`select 1 from ${RELEASED} where name = ${placeholder(NAME)} and removing_until >= ${placeholder(NOW)}`;
  });
  const claim = statements.get('claim file', ({ placeholder }) => {
    return sql`insert into ${CLAIMS} (id, name, until) values (${placeholder(ID)}, ${placeholder(NAME)}, ${placeholder(UNTIL)})`;
  });
  const id = service.uuid();
  for (let waited = 0; waited < CLAIM_WAIT_MS_MAX; waited += CLAIM_PAUSE_MS) {
    const isClaimed = await database.transaction(async (transaction) => {
      await transaction.lock(`file ${name}`);
      const now = clock.now();
      if ((await transaction.run(beingRemoved, { name, now })).length > 0) return false;
      await transaction.run(claim, { id, name, until: now + CLAIM_SECONDS });
      return true;
    });
    if (isClaimed) return { id, name };
    await clock.pause(CLAIM_PAUSE_MS);
  }
  throw new ImagesUnavailable(`The file ${name} is still being removed.`);
}

/** Files that were put for nothing go with the next sweep, unless a row names them. */
export async function disclaimFiles(
  { database, statements, commits }: Service,
  claims: readonly Claim[],
): Promise<void> {
  if (claims.length === 0) return;
  const end = statements.get('end claims', claimsEnded);
  const release = statements.get('release files', releaseNames);
  await database.transaction(async (transaction) => {
    await transaction.run(end, { ids: claims.map(({ id }) => id) });
    await transaction.run(release, { names: claims.map(({ name }) => name) });
  });
  commits.emit({ changes: [], releasesFiles: true });
}

/**
 * Ends claims in the unit that writes the rows: whoever looks sees the claims or the rows.
 * @throws {FileGone} where a claim ran out before
 */
export async function endClaims(unit: Reads, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const ended = await unit.ask('end claims', claimsEnded, { ids: claims.map(({ id }) => id) });
  if (ended.length < claims.length) throw new FileGone('A file was removed before its row was written.');
}

/** Says of files that a row of theirs has changed or gone. */
export async function releaseFiles(unit: Reads, names: readonly string[]): Promise<void> {
  if (names.length > 0) await unit.ask('release files', releaseNames, { names: [...names] });
}

function claimsEnded(dialect: Dialect) {
  return sql`delete from ${CLAIMS} where id in (select ${sql.id('listed', 'value')} from ${dialect.listed(IDS)}) returning 1`;
}

/** A row that is there already is held too, so that a sweep which found it waits, and finds out what this releases. */
function releaseNames(dialect: Dialect) {
  return sql`insert into ${RELEASED} (name) select distinct ${sql.id('listed', 'value')} from ${dialect.listed(NAMES)}
    where true order by 1 on conflict (name) do update set removing_until = ${sql.id('released_file', 'removing_until')}`;
}

/**
 * Removes the released files that no row names and no claim keeps, and forgets of those that a row names that they were
 * released.
 * @returns how many were removed
 * @throws the first failure, once the other files have been looked at
 */
export async function sweepFiles(service: Service, stopped: AbortSignal): Promise<number> {
  const { database, statements, clock } = service;
  const released = statements.get(
    'released files',
    ({ placeholder }) =>
      sql`select name from ${RELEASED} where name > ${placeholder(NAME)} order by name limit ${sql.lit(FILES_PER_PAGE)}`,
  );
  const held = statements.get('removals held', removalsHeld);
  if ((await database.query(held, { timestamp: timestampText(clock.now()) })).length > 0) return 0;
  await releaseOldClaims(service, clock.now());
  let count = 0;
  const failures: unknown[] = [];
  for (let last = ''; !stopped.aborted; ) {
    const names = (await database.query(released, { name: last })).map(([name]) => name as string);
    for (const name of names) {
      if (stopped.aborted || failures.length === FAILURES_MAX) break;
      const isRemoved = await removeReleased(service, name, stopped).catch((error) => void failures.push(error));
      if (isRemoved) count += 1;
    }
    if (names.length < FILES_PER_PAGE || failures.length === FAILURES_MAX) break;
    last = names.at(-1)!;
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

/** A file that cannot be removed holds no other one up; with so many of them, something is wrong with the whole store. */
const FAILURES_MAX = 10;

const FILES_PER_PAGE = 100;

/** Ends the claims that a crash has left. */
async function releaseOldClaims({ database, statements }: Service, now: number): Promise<void> {
  const old = statements.get('old claims', ({ placeholder }) => {
    return sql`select id, name from ${CLAIMS} where until < ${placeholder(NOW)}`;
  });
  const claims = await database.query(old, { now });
  if (claims.length === 0) return;
  await database.transaction(async (transaction) => {
    const ids = claims.map(([id]) => id as string);
    const names = claims.map(([, name]) => name as string);
    await transaction.run(statements.get('end claims', claimsEnded), { ids });
    await transaction.run(statements.get('release files', releaseNames), { names });
  });
}

async function removeReleased(service: Service, name: string, stopped: AbortSignal): Promise<boolean> {
  const { database, images, clock, statements } = service;
  const now = clock.now();
  const until = now + REMOVAL_SECONDS;
  const isOurs = await database.transaction(async (transaction) => {
    const values = { name, now, until, file: name, timestamp: timestampText(now) };
    const run = (key: string, build: (dialect: Dialect) => RawBuilder<unknown>): Promise<Row[]> =>
      transaction.run(statements.get(key, build), values);
    const finds = async (...statement: Parameters<typeof run>): Promise<boolean> =>
      (await run(...statement)).length > 0;
    await transaction.lock(`file ${name}`);
    const isReleased = await finds('file released', ({ placeholder, forUpdate }) => {
      return sql`select 1 from ${RELEASED}
        where name = ${placeholder(NAME)} and (removing_until is null or removing_until < ${placeholder(NOW)}) ${forUpdate}`;
    });
    if (!isReleased) return false;
    // In this order. The release first: a unit that released the file has ended once its row is held. Then the claim: one that
    // has ended has left a row, which the next look finds. A hold last: a copy of the store that begins after that look begins
    // when no row names the file.
    const isClaimed = await finds('file claimed', ({ placeholder }) => {
      return sql`select 1 from ${CLAIMS} where name = ${placeholder(NAME)} and until >= ${placeholder(NOW)}`;
    });
    if (isClaimed) return false;
    if (await finds('file holders', lookUps.fileHolders(service.model.files))) {
      await run('forget release', ({ placeholder }) => sql`delete from ${RELEASED} where name = ${placeholder(NAME)}`);
      return false;
    }
    if (await finds('removals held', removalsHeld)) return false;
    await run('begin removal', ({ placeholder }) => {
      return sql`update ${RELEASED} set removing_until = ${placeholder(UNTIL)} where name = ${placeholder(NAME)}`;
    });
    return true;
  });
  // A process that stood still for as long has lost the removal: whoever sent the same bytes waits no longer.
  if (!isOurs || clock.now() >= until) return false;
  await images.remove(name);
  const end = statements.get('end removal', ({ placeholder }) => {
    return sql`delete from ${RELEASED} where name = ${placeholder(NAME)} and removing_until = ${placeholder(UNTIL)}`;
  });
  for (;;)
    try {
      await database.transaction((transaction) => transaction.run(end, { name, until }));
      return true;
    } catch (error) {
      // Whoever sends the same bytes waits for it, and a disk that is full now may have room soon.
      if (stopped.aborted || clock.now() >= until) throw error;
      await clock.pause(REMOVAL_END_PAUSE_MS);
    }
}

/**
 * Releases the old files that no row names and nobody released, as versions before left them behind when they crashed.
 * The next sweep looks at them once more.
 */
export async function releaseLeftFiles(service: Service, stopped: AbortSignal): Promise<void> {
  const { database, images, model, statements } = service;
  const holders = statements.get('file holders', lookUps.fileHolders(model.files));
  for await (const { name, ageSeconds } of images.list()) {
    if (stopped.aborted) return;
    if (ageSeconds < CLAIM_SECONDS || (await database.query(holders, { file: name })).length > 0) continue;
    const release = statements.get('release files', releaseNames);
    await database.transaction((transaction) => transaction.run(release, { names: [name] }));
  }
}
