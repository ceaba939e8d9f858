/** Files and rows agree: a picture's file is on disk before its row, and goes when no row names it any more. */
import { sql } from 'kysely';
import type { Body } from '../body.ts';
import * as commands from '../commands.ts';
import { isProblem, type Problem, Violations } from '../errors.ts';
import type { Picture } from '../ports.ts';
import type { Draft } from '../resource.ts';
import type { Request, Service } from '../service.ts';
import { filesKept, momentText } from './keep-files.ts';
import { read, unknownParent } from './read.ts';
import type { Run } from './stored.ts';
import type { Outcome } from './write.ts';

/** A write with a picture that was put: when it is refused or fails, the file goes unless a row names it. */
export async function withPicture(
  service: Service,
  picture: Picture | undefined,
  write: () => Promise<Outcome>,
): Promise<Outcome['answer']> {
  const own = picture ? [picture.name] : [];
  try {
    const { answer, released } = await write();
    await discardFiles(service, isProblem(answer) ? [...released, ...own] : released);
    return answer;
  } catch (error) {
    await discardFiles(service, own);
    throw error;
  }
}

/**
 * The slow work before a write's transaction: a download, a decoding, the file. Nothing is fetched for a parent that does
 * not exist. What the picture breaks is added to the body's violations.
 */
export async function preparePicture(
  service: Service,
  request: Request,
  body: Body,
  operation: Draft['operation'],
): Promise<Picture | Problem | undefined> {
  const prepare = request.place.resource.declaration.rules?.prepare;
  if (!prepare) return undefined;
  // Nothing is downloaded for what would be refused anyway; the transaction looks again.
  const run: Run = (statement, values) => service.database.query(statement, values);
  const unknown = operation === 'create' ? await unknownParent(service, request, run) : await read(service, request);
  if (isProblem(unknown)) return unknown;
  const violations = new Violations();
  const prepared = await prepare({
    operation,
    sent: body.sent,
    mentioned: body.mentioned,
    violations,
    pictures: service.pictures,
  });
  body.violations.list.push(...violations.list);
  if (prepared && !isProblem(prepared)) await service.images.put(prepared.name, prepared.bytes);
  return prepared;
}

/**
 * Removes files that no row names any more, each under the lock that an upload of the same bytes takes. The change that
 * released them is committed, so a failure here is not the request's: the sweep finds what is left.
 */
export async function discardFiles(service: Service, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) await discardFile(service, name).catch(() => {});
}

/** An upload writes its file before its row; a file without a row that is older than any upload takes is left behind. */
const LEFT_BEHIND_SECONDS = 24 * 3600;

/** Removes files that a crash left behind. @returns how many */
export async function sweepFiles(service: Service, stopped: AbortSignal): Promise<number> {
  let count = 0;
  for await (const { name, ageSeconds } of service.images.list()) {
    if (stopped.aborted) break;
    if (ageSeconds < LEFT_BEHIND_SECONDS) continue;
    if (await discardFile(service, name)) count += 1;
  }
  return count;
}

async function discardFile({ database, images, model, statements, clock }: Service, name: string): Promise<boolean> {
  // One statement: what it sees was all there at one moment, so a copy that began since names no file that goes here.
  const holders = statements.get(
    'file holders',
    (dialect) => sql`${commands.fileHolders(model.files)(dialect)} union all ${filesKept(dialect)}`,
  );
  const values = { file: name, now: momentText(clock.now()) };
  if ((await database.query(holders, values)).length > 0) return false;
  return database.transaction(async (transaction) => {
    await transaction.lock(name);
    const isHeld = (await transaction.run(holders, values)).length > 0;
    if (!isHeld) await images.remove(name);
    return !isHeld;
  });
}
