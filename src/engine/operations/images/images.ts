/** Files of a body, such as images: read, and stored before the unit that writes the rows naming them. */

import { isProblem, Problem, Violations } from '../../errors.ts';
import type { ModelRoute } from '../../model/model.ts';
import type { Upload } from '../../ports.ts';
import type { Body } from '../../request/body.ts';
import type { Draft, Preparation, PreparedFile, Rules } from '../../rules.ts';
import { committed } from '../../unit/reads.ts';
import { type Claim, claimFile, disclaimFiles, FileGone } from '../../unit/released-files.ts';
import type { RequestOptions, Service, Target } from '../../unit/service.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { forEachConcurrently } from '../for-each-concurrently.ts';
import { read, unknownParent } from '../read.ts';

/** The files of a body, read and stored. Their bytes are no longer in memory. */
export interface Prepared {
  readonly own: PreparedFile | undefined;
  /** By path of the part, e.g. `images[2]`. */
  readonly ofParts: ReadonlyMap<string, PreparedFile>;
  /** Claims that protect the files until their rows exist. */
  readonly claims: readonly Claim[];
}

/** Whether a write at this route may contain images: of the record itself, or of parts created with it. */
export function takesImages({ resource, inserts }: ModelRoute): { itself: boolean; inParts: boolean } {
  const withParts = [...inserts].filter(({ storage }) => storage.in === 'parts');
  return {
    itself: resource.declaration.rules?.prepare !== undefined,
    inParts: withParts.some(({ target }) => target!.declaration.rules?.prepare !== undefined),
  };
}

/** Whether this body contains images. */
export function bringsImages(target: Target, body: Body): boolean {
  return tasksOf(target, body).length > 0;
}

/** Attempts of a write if a file is removed between its upload and its row. */
const ATTEMPTS_MAX = 3;

/** Context of a body with images. */
export interface Surroundings {
  /** Set if the body is a form, with its file if present. */
  readonly form?: { readonly upload: Upload | undefined } | undefined;
  /** Runs slow work without an admission slot. */
  readonly releaseSlotDuring?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** The write is rolled back at the end. */
  readonly isTrial?: boolean;
}

/** A write whose body may contain images. */
export interface PreparedImages {
  readonly target: Target;
  readonly body: Body;
  readonly operation: Draft['operation'];
}

/**
 * Decodes and stores the images of a body before `write` opens a unit. If that is rejected or fails, the next sweep
 * removes the files, unless a row names them.
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

/**
 * Like `withImages`, for several writes in one unit. An image that cannot be prepared is a problem of its own write.
 */
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
    const claims: Claim[] = [];
    let isWritten = false;
    try {
      const prepared = await releaseSlotDuring(() => prepareAll(service, requestOptions, works, claims));
      const outcome = await write(prepared);
      isWritten = !isTrial && !isProblem(outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof FileGone) || attempt === ATTEMPTS_MAX) throw error;
    } finally {
      // The write is already decided. A claim that cannot be released expires by itself.
      if (!isWritten) await disclaimFiles(service, claims).catch(() => {});
    }
  }
}

export const NOTHING_PREPARED: Prepared = { own: undefined, ofParts: new Map(), claims: [] };

/** One record of a body whose rule prepares an image. */
interface Task extends Pick<Preparation, 'sent' | 'mentioned'> {
  readonly prepare: NonNullable<Rules['prepare']>;
  /** Path of the part; undefined for the record itself. */
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

/** A record with images only inside objects has one only if such an object was sent. */
function mayBringOwn({ resource }: ModelRoute, { sent }: Body): boolean {
  const fields = [...resource.fields.values()];
  const inside = fields.filter(({ field }) => field.fileIn);
  return inside.length === 0 || fields.some(({ field }) => field.file) || inside.some(({ name }) => sent[name]);
}

/** Concurrent images of parts over all requests, so that one body does not occupy the decoder and downloads. */
const PARTS_AT_ONCE_MAX = 8;
const PART_LIMITS = new WeakMap<Service['imageDecoder'], ConcurrencyLimit>();

async function prepareAll(
  service: Service,
  requestOptions: RequestOptions,
  works: readonly Preparing[],
  claims: Claim[],
): Promise<(Prepared | Problem)[]> {
  const prepared: (Prepared | Problem)[] = [];
  await forEachConcurrently(works.entries(), async ([index, work]) => {
    prepared[index] = work.tasks.length === 0 ? NOTHING_PREPARED : await prepare(service, requestOptions, work, claims);
  });
  return prepared;
}

/**
 * Runs the slow work of a write before its unit: downloads, decoding, files. Skips it if a parent does not exist. Adds
 * violations of the images to those of the body.
 *
 * @param claims receives the claim on every file
 */
async function prepare(
  service: Service,
  requestOptions: RequestOptions,
  { target, body, operation, form, tasks }: Preparing,
  claims: Claim[],
): Promise<Prepared | Problem> {
  const own: Claim[] = [];
  // The unit checks this again.
  const unknown =
    operation === 'create'
      ? await unknownParent(committed(service, requestOptions), target)
      : await read(service, requestOptions, target);
  if (isProblem(unknown)) return unknown;
  const partLimit = PART_LIMITS.get(service.imageDecoder) ?? new ConcurrencyLimit(PARTS_AT_ONCE_MAX);
  PART_LIMITS.set(service.imageDecoder, partLimit);
  const outcomes = new Map<Task, { violations: Violations; result: PreparedFile | Problem | undefined }>();
  await forEachConcurrently(tasks, async (task) => {
    const violations = new Violations();
    const work = () =>
      prepareOne(service, operation, task.path === undefined ? form : undefined, task, violations, own);
    const result = await (task.path === undefined ? work() : partLimit.run(work));
    outcomes.set(task, { violations, result });
  }).finally(() => claims.push(...own));
  let ofRecord: PreparedFile | undefined;
  const ofParts = new Map<string, PreparedFile>();
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
  claims: Claim[],
): Promise<PreparedFile | Problem | undefined> {
  const { imageDecoder, attachments, images } = service;
  const result = await prepare({ operation, sent, mentioned, violations, imageDecoder, attachments, form });
  if (isProblem(result))
    return path === undefined ? result : new Problem(result.problem, `${path}: ${result.detail}`, result);
  if (!result) return undefined;
  const { bytes, ...file } = result;
  claims.push(await claimFile(service, file.name));
  await images.put(file.name, bytes);
  return file;
}
