/**
 * Consistency of files and rows (catalog.md §2). A file is claimed, stored, then named by a row; the claim protects it
 * until that row exists. `released_file` lists files that may be unused: a row that named one was changed or deleted,
 * or its claim was released. Only `sweepFiles` removes files, and only listed ones. Rows decide
 * whether a claim or a removal of a file comes first, so no transaction stays open while the image store works.
 */
import { type RawBuilder, sql } from 'kysely';
import { BindParam, type Dialect, ImagesUnavailable, RemovalInDoubt, type Row } from '../ports.ts';
import * as lookUps from '../sql/lookups.ts';
import { removalsHeld, timestampText } from './held-removals.ts';
import type { Reads } from './reads.ts';
import type { Service } from './service.ts';

/** Announces that a file is or will be stored, and that a row will name it. */
export interface Claim {
  readonly id: string;
  readonly name: string;
}

/** The claim on a file expired before its row was written. Repeating the write stores the file again. */
export class FileGone extends ImagesUnavailable {}

const RELEASED = sql.table('released_file');
const CLAIMS = sql.table('file_claim');
const ID = new BindParam('id', 'text');
const IDS = new BindParam('ids', 'text', true);
const NAME = new BindParam('name', 'text');
const NAMES = new BindParam('names', 'text', true);
const NOW = new BindParam('now', 'timestamp');
const UNTIL = new BindParam('until', 'timestamp');

/** Longer than any upload takes. An older file without a row was left by a crash. */
const CLAIM_SECONDS = 24 * 3600;

/** Time limit of a removal. Uploads of the same bytes wait for it; after that, the removal has ended. */
const REMOVAL_SECONDS = 60;

/** Retry delay if the end of a removal cannot be recorded. */
const REMOVAL_END_PAUSE_MS = 500;

const CLAIM_WAIT_MS_MAX = 5000;
const CLAIM_PAUSE_MS = 20;

/**
 * Claims a file before it is stored. Waits if the file is being removed.
 * @throws {ImagesUnavailable} if that takes too long
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

/** Releases claims after a rejected write. The next sweep removes the files, unless a row names them. */
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
 * Ends claims in the unit that writes the rows, so that other transactions see either the claims or the rows.
 * @throws {FileGone} if a claim has expired
 */
export async function endClaims(unit: Reads, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  const ended = await unit.query('end claims', claimsEnded, { ids: claims.map(({ id }) => id) });
  if (ended.length < claims.length) throw new FileGone('A file was removed before its row was written.');
}

/** Lists files as released, after a row that named them was changed or deleted. */
export async function releaseFiles(unit: Reads, names: readonly string[]): Promise<void> {
  if (names.length > 0) await unit.query('release files', releaseNames, { names: [...names] });
}

function claimsEnded(dialect: Dialect) {
  return sql`delete from ${CLAIMS} where id in (select ${sql.id('listed', 'value')} from ${dialect.listed(IDS)}) returning 1`;
}

/** Also locks existing rows, so that a concurrent sweep waits and sees what this transaction releases. */
function releaseNames(dialect: Dialect) {
  return sql`insert into ${RELEASED} (name) select distinct ${sql.id('listed', 'value')} from ${dialect.listed(NAMES)}
    where true order by 1 on conflict (name) do update set removing_until = ${sql.id('released_file', 'removing_until')}`;
}

/**
 * Removes released files that have neither a row nor a claim, and unlists those that a row names.
 * @returns the number of removed files
 * @throws the first failure, after trying the other files
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

/** A failed removal does not stop others, but this many indicate a fault of the image store. */
const FAILURES_MAX = 10;

const FILES_PER_PAGE = 100;

/** Ends claims left by a crash. */
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
    // The order matters. First lock the release: a unit that released the file has then ended. Then check the claim:
    // an ended claim has left a row, which the next query finds. Check for a hold last: a backup that begins after
    // this check sees no row that names the file, so it does not need the file.
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
  // A process that was suspended for longer has lost the removal: uploads of the same bytes no longer wait for it.
  if (!isOurs || clock.now() >= until) return false;
  const end = statements.get('end removal', ({ placeholder }) => {
    return sql`delete from ${RELEASED} where name = ${placeholder(NAME)} and removing_until = ${placeholder(UNTIL)}`;
  });
  const giveUp = statements.get('give up removal', ({ placeholder }) => {
    return sql`update ${RELEASED} set removing_until = null where name = ${placeholder(NAME)} and removing_until = ${placeholder(UNTIL)}`;
  });
  try {
    await images.remove(name);
  } catch (error) {
    // The file remains listed for the next sweep. If this fails too, uploads wait until the time limit.
    if (!(error instanceof RemovalInDoubt))
      await database.transaction((transaction) => transaction.run(giveUp, { name, until })).catch(() => {});
    throw error;
  }
  for (;;)
    try {
      await database.transaction((transaction) => transaction.run(end, { name, until }));
      return true;
    } catch (error) {
      // Uploads of the same bytes wait for this, and the failure may be temporary, such as a full disk.
      if (stopped.aborted || clock.now() >= until) throw error;
      await clock.pause(REMOVAL_END_PAUSE_MS);
    }
}

/**
 * Releases old files that have no row: earlier versions could leave them after a crash. The next sweep checks them
 * again and removes them.
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
