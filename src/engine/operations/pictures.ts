/** Files and rows agree: a picture's file is on disk before its row, and goes when no row names it any more. */
import { sql } from 'kysely';
import type { Body } from '../body.ts';
import * as commands from '../commands.ts';
import { isProblem, Problem, Violations } from '../errors.ts';
import type { ModelPlace } from '../model.ts';
import { ImagesUnavailable, type PictureFile, type Transaction } from '../ports.ts';
import type { Draft, Preparation, Rules } from '../resource.ts';
import type { Request, Service } from '../service.ts';
import { filesKept, momentText } from './keep-files.ts';
import { read, unknownParent } from './read.ts';
import { severalAtOnce } from './several-at-once.ts';
import type { Run } from './stored.ts';
import { Turns } from './turns.ts';
import type { Outcome } from './write.ts';

/** What was made of the pictures in a body. Their bytes are in files already, so that many of them take no memory. */
export interface Prepared {
  readonly own: PictureFile | undefined;
  /** By the path of the part, as `images[2]`. */
  readonly ofParts: ReadonlyMap<string, PictureFile>;
}

/** Whether a write here may bring a picture: of the record itself, or of parts that are made with it. */
export function takesPictures({ resource, inserts }: ModelPlace): { itself: boolean; inParts: boolean } {
  const withParts = [...inserts].filter(({ storage }) => storage.in === 'parts');
  return {
    itself: resource.declaration.rules?.prepare !== undefined,
    inParts: withParts.some(({ target }) => target!.declaration.rules?.prepare !== undefined),
  };
}

/** How often a write begins anew because a file was removed between its being put and its row. */
const ATTEMPTS_MAX = 3;

/**
 * A write whose body may have pictures: each is made ready and its file put before the transaction. When the write is
 * refused or fails, the files go unless a row names them.
 */
export async function withPictures(
  service: Service,
  request: Request,
  body: Body,
  operation: Draft['operation'],
  write: (prepared: Prepared) => Promise<Outcome>,
): Promise<Outcome['answer']> {
  const tasks = tasksOf(request, body);
  if (tasks.length === 0) return finish(service, [], await write(NOTHING_PREPARED));
  for (let attempt = 1; ; attempt += 1) {
    const put = new Set<string>();
    try {
      const slowly = request.aside ?? ((work) => work());
      const prepared = await slowly(() => prepare(service, request, body, operation, tasks, put));
      return await finish(
        service,
        put,
        isProblem(prepared) ? { answer: prepared, released: [] } : await write(prepared),
      );
    } catch (error) {
      await discardFiles(service, put);
      if (!(error instanceof FileGone) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function finish(
  service: Service,
  put: Iterable<string>,
  { answer, released }: Outcome,
): Promise<Outcome['answer']> {
  await discardFiles(service, isProblem(answer) ? [...released, ...put] : released);
  return answer;
}

/** Another write removed the file after it was put; whoever begins anew puts it again. */
class FileGone extends ImagesUnavailable {}

/**
 * The files are in the store when their rows are: under the locks that a removal of the same bytes takes. They are locked
 * in one order, so that two writes with the same files do not wait for each other.
 */
export async function keepPictures(
  { images }: Service,
  transaction: Transaction,
  { own, ofParts }: Prepared,
): Promise<void> {
  const pictures = own ? [own, ...ofParts.values()] : [...ofParts.values()];
  for (const name of [...new Set(pictures.map((picture) => picture.name))].sort()) {
    await transaction.lock(name);
    if (!(await images.has(name))) throw new FileGone(`The file ${name} was removed while its row was written.`);
  }
}

export const NOTHING_PREPARED: Prepared = { own: undefined, ofParts: new Map() };

/** One record of a body whose rule makes a picture. */
interface Task extends Pick<Preparation, 'sent' | 'mentioned'> {
  readonly prepare: NonNullable<Rules['prepare']>;
  /** Of the part; the record itself has none. */
  readonly path: string | undefined;
}

function tasksOf({ place }: Request, body: Body): Task[] {
  const own = place.resource.declaration.rules?.prepare;
  const tasks: Task[] = own ? [{ ...body, prepare: own, path: undefined }] : [];
  for (const [{ target }, parts] of body.parts) {
    const prepare = target!.declaration.rules?.prepare;
    if (prepare) for (const part of parts) if (part) tasks.push({ ...part, prepare });
  }
  return tasks;
}

/** Of parts, in all requests together: many of one body leave the decoder and the downloads to others too. */
const PARTS_AT_ONCE_MAX = 8;
const TURNS = new WeakMap<Service['database'], Turns>();

/**
 * The slow work before a write's transaction: downloads, decodings, files. Nothing is fetched for a parent that does not
 * exist. What the pictures break is added to the body's violations.
 *
 * @param put takes the name of every file
 */
async function prepare(
  service: Service,
  request: Request,
  body: Body,
  operation: Draft['operation'],
  tasks: readonly Task[],
  put: Set<string>,
): Promise<Prepared | Problem> {
  // The transaction looks again.
  const run: Run = (statement, values) => service.database.query(statement, values);
  const unknown = operation === 'create' ? await unknownParent(service, request, run) : await read(service, request);
  if (isProblem(unknown)) return unknown;
  const turns = TURNS.get(service.database) ?? new Turns(PARTS_AT_ONCE_MAX);
  TURNS.set(service.database, turns);
  const outcomes = new Map<Task, { violations: Violations; result: PictureFile | Problem | undefined }>();
  await severalAtOnce(tasks, async (task) => {
    const violations = new Violations();
    const work = () =>
      prepareOne(service, operation, task.path === undefined ? request.form : undefined, task, violations, put);
    const result = await (task.path === undefined ? work() : turns.take(work));
    outcomes.set(task, { violations, result });
  });
  let own: PictureFile | undefined;
  const ofParts = new Map<string, PictureFile>();
  for (const task of tasks) {
    const { violations, result } = outcomes.get(task)!;
    if (isProblem(result)) return result;
    body.violations.addAll(violations, task.path);
    if (task.path === undefined) own = result;
    else if (result) ofParts.set(task.path, result);
  }
  return { own, ofParts };
}

async function prepareOne(
  { pictures, images }: Service,
  operation: Draft['operation'],
  form: Request['form'],
  { path, prepare, sent, mentioned }: Task,
  violations: Violations,
  put: Set<string>,
): Promise<PictureFile | Problem | undefined> {
  const result = await prepare({ operation, sent, mentioned, violations, pictures, form });
  if (isProblem(result))
    return path === undefined ? result : new Problem(result.problem, `${path}: ${result.detail}`, result);
  if (!result) return undefined;
  const { bytes, ...picture } = result;
  put.add(picture.name);
  await images.put(picture.name, bytes);
  return picture;
}

/**
 * Removes files that no row names any more, each under the lock that an upload of the same bytes takes. The change that
 * released them is committed, so a failure here is not the request's: the sweep finds what is left.
 */
export async function discardFiles(service: Service, names: Iterable<string>): Promise<void> {
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
