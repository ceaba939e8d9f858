/** The pictures of a body: made ready, and their files put, before the unit that writes the rows which name them. */

import { isProblem, Problem, Violations } from '../../errors.ts';
import type { ModelRoute } from '../../model/model.ts';
import type { ImageFile, Upload } from '../../ports.ts';
import type { Body } from '../../request/body.ts';
import type { Draft, Preparation, Rules } from '../../rules.ts';
import { committed } from '../../unit/reads.ts';
import { type Claim, claimFile, disclaimFiles, FileGone } from '../../unit/released-files.ts';
import type { RequestOptions, Service, Target } from '../../unit/service.ts';
import { severalAtOnce } from '../for-each-concurrently.ts';
import { read, unknownParent } from '../read.ts';
import { Semaphore } from '../semaphore.ts';

/**
 * The pictures of a body, decoded and stored. Their bytes are in files already, so that many of them take no memory.
 */
export interface Prepared {
  readonly own: ImageFile | undefined;
  /** By the path of the part, as `images[2]`. */
  readonly ofParts: ReadonlyMap<string, ImageFile>;
  /** On the files, which keep them until their rows are there. */
  readonly claims: readonly Claim[];
}

/** Whether a write here may bring a picture: of the record itself, or of parts that are made with it. */
export function takesImages({ resource, inserts }: ModelRoute): { itself: boolean; inParts: boolean } {
  const withParts = [...inserts].filter(({ storage }) => storage.in === 'parts');
  return {
    itself: resource.declaration.rules?.prepare !== undefined,
    inParts: withParts.some(({ target }) => target!.declaration.rules?.prepare !== undefined),
  };
}

/** Whether this body brings a picture. */
export function bringsImages(target: Target, body: Body): boolean {
  return tasksOf(target, body).length > 0;
}

/** How often a write begins anew because a file was removed between its being put and its row. */
const ATTEMPTS_MAX = 3;

/** The circumstances of a body: its form, and the place for slow work before the unit. */
export interface Surroundings {
  /** The body came as a form; `upload` is its file, where it has one. */
  readonly form?: { readonly upload: Upload | undefined } | undefined;
  /** Slow work, which needs no place among the writes. */
  readonly releaseSlotDuring?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** Nothing of the write stays. */
  readonly isTrial?: boolean;
}

/** A write whose body may bring pictures. */
export interface PreparedImages {
  readonly target: Target;
  readonly body: Body;
  readonly operation: Draft['operation'];
}

/**
 * A write whose body may have pictures: each is made ready and its file put before `write` opens a unit. When that is
 * refused or fails, the files go with the next sweep unless a row names them.
 */
export function withImages<T>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  { body, operation }: Omit<PreparedImages, 'target'>,
  surroundings: Surroundings,
  write: (prepared: Prepared) => Promise<T | Problem>,
): Promise<T | Problem> {
  return withAllImages(service, requestOptions, [{ target, body, operation }], surroundings, async ([prepared]) =>
    isProblem(prepared) ? prepared : write(prepared!),
  );
}

/** As `withImages`, of writes in one unit. A picture that cannot be had is its own write's problem. */
export async function withAllImages<T>(
  service: Service,
  requestOptions: RequestOptions,
  all: readonly PreparedImages[],
  { form, releaseSlotDuring = (work) => work(), isTrial = false }: Surroundings,
  write: (prepared: readonly (Prepared | Problem)[]) => Promise<T | Problem>,
): Promise<T | Problem> {
  const works = all.map((one) => ({ ...one, form, tasks: tasksOf(one.target, one.body) }));
  if (works.every(({ tasks }) => tasks.length === 0)) return write(works.map(() => NOTHING_PREPARED));
  for (let attempt = 1; ; attempt += 1) {
    const put: Claim[] = [];
    let isWritten = false;
    try {
      const prepared = await releaseSlotDuring(() => prepareAll(service, requestOptions, works, put));
      const outcome = await write(prepared);
      isWritten = !isTrial && !isProblem(outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof FileGone) || attempt === ATTEMPTS_MAX) throw error;
    } finally {
      // The write has its outcome already; a file whose claim stays goes later.
      if (!isWritten) await disclaimFiles(service, put).catch(() => {});
    }
  }
}

export const NOTHING_PREPARED: Prepared = { own: undefined, ofParts: new Map(), claims: [] };

/** One record of a body whose rule makes a picture. */
interface Task extends Pick<Preparation, 'sent' | 'mentioned'> {
  readonly prepare: NonNullable<Rules['prepare']>;
  /** Of the part; the record itself has none. */
  readonly path: string | undefined;
}

function tasksOf({ route }: Target, body: Body): Task[] {
  const own = mayBringOwn(route, body) ? route.resource.declaration.rules?.prepare : undefined;
  const tasks: Task[] = own ? [{ ...body, prepare: own, path: undefined }] : [];
  for (const [{ target }, parts] of body.parts) {
    const prepare = target!.declaration.rules?.prepare;
    if (prepare) for (const part of parts) if (part) tasks.push({ ...part, prepare });
  }
  return tasks;
}

/** A record whose pictures are inside objects has one only where such an object is sent. */
function mayBringOwn({ resource }: ModelRoute, { sent }: Body): boolean {
  const fields = [...resource.fields.values()];
  const inside = fields.filter(({ field }) => field.fileIn);
  return inside.length === 0 || fields.some(({ field }) => field.file) || inside.some(({ name }) => sent[name]);
}

/** Of parts, in all requests together: many of one body leave the decoder and the downloads to others too. */
const PARTS_AT_ONCE_MAX = 8;
const SEMAPHORES = new WeakMap<Service['imageDecoder'], Semaphore>();

async function prepareAll(
  service: Service,
  requestOptions: RequestOptions,
  works: readonly Preparing[],
  put: Claim[],
): Promise<(Prepared | Problem)[]> {
  const prepared: (Prepared | Problem)[] = [];
  await severalAtOnce(works.entries(), async ([index, work]) => {
    prepared[index] = work.tasks.length === 0 ? NOTHING_PREPARED : await prepare(service, requestOptions, work, put);
  });
  return prepared;
}

/**
 * The slow work before a write's unit: downloads, decodings, files. Nothing is fetched for a parent that does not
 * exist. Rules that the pictures break are added to the body's violations.
 *
 * @param put takes the claim on every file
 */
async function prepare(
  service: Service,
  requestOptions: RequestOptions,
  { target, body, operation, form, tasks }: Preparing,
  put: Claim[],
): Promise<Prepared | Problem> {
  const own: Claim[] = [];
  // The unit looks again.
  const unknown =
    operation === 'create'
      ? await unknownParent(committed(service, requestOptions), target)
      : await read(service, requestOptions, target);
  if (isProblem(unknown)) return unknown;
  const semaphore = SEMAPHORES.get(service.imageDecoder) ?? new Semaphore(PARTS_AT_ONCE_MAX);
  SEMAPHORES.set(service.imageDecoder, semaphore);
  const outcomes = new Map<Task, { violations: Violations; result: ImageFile | Problem | undefined }>();
  await severalAtOnce(tasks, async (task) => {
    const violations = new Violations();
    const work = () =>
      prepareOne(service, operation, task.path === undefined ? form : undefined, task, violations, own);
    const result = await (task.path === undefined ? work() : semaphore.take(work));
    outcomes.set(task, { violations, result });
  }).finally(() => put.push(...own));
  let ofRecord: ImageFile | undefined;
  const ofParts = new Map<string, ImageFile>();
  for (const task of tasks) {
    const { violations, result } = outcomes.get(task)!;
    if (isProblem(result)) return result;
    body.violations.addAll(violations, task.path);
    if (task.path === undefined) ofRecord = result;
    else if (result) ofParts.set(task.path, result);
  }
  return { own: ofRecord, ofParts, claims: own };
}

interface Preparing extends PreparedImages, Pick<Surroundings, 'form'> {
  readonly tasks: readonly Task[];
}

async function prepareOne(
  service: Service,
  operation: Draft['operation'],
  form: Surroundings['form'],
  { path, prepare, sent, mentioned }: Task,
  violations: Violations,
  put: Claim[],
): Promise<ImageFile | Problem | undefined> {
  const { imageDecoder, images } = service;
  const result = await prepare({ operation, sent, mentioned, violations, imageDecoder, form });
  if (isProblem(result))
    return path === undefined ? result : new Problem(result.problem, `${path}: ${result.detail}`, result);
  if (!result) return undefined;
  const { bytes, ...decoded } = result;
  put.push(await claimFile(service, decoded.name));
  await images.put(decoded.name, bytes);
  return decoded;
}
