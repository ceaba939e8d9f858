/**
 * Bulk writes: lines that each identify their record by a unique field. `writeLines` commits or rejects each line on its
 * own; `writeAtomically` writes all in one unit.
 */
import { isProblem, type Problem, problem } from '../errors.ts';
import { type JsonObject, rejectUnknownField } from '../fields/members.ts';
import { withoutSynonyms } from '../hints.ts';
import { type Body, carriesTexts, readBody, type WriteMode } from '../request/body.ts';
import { readBulkLine } from '../request/bulk-line.ts';
import type { Action } from '../rules.ts';
import { looseMatch } from '../text-forms.ts';
import { committed } from '../unit/reads.ts';
import { type RequestOptions, readingOf, type Service, type Target } from '../unit/service.ts';
import { inTrial, inUnit, type Unit } from '../unit/unit.ts';
import { readAction } from './act.ts';
import type { BulkForm, BulkTask } from './bulk-task.ts';
import { writeInOrder } from './bulk-units.ts';
import { collectedTask } from './collected-bulk.ts';
import {
  bringsImages,
  NOTHING_PREPARED,
  type Prepared,
  type PreparedImages,
  takesImages,
  withAllImages,
  withImages,
} from './images/images.ts';
import { actOnNamed, checkNew, identify, type Named, removeNamed, type Upserted, upsert } from './upsert.ts';

export type BulkOutcome = Upserted | Problem;

/** @param sent the line, as a JSON object */
export function readBulkTask(
  service: Service,
  requestOptions: RequestOptions,
  form: BulkForm,
  sent: JsonObject,
): BulkTask | Problem {
  const { route, parents, by, action } = form;
  const reading = readingOf(service, requestOptions);
  const line = readBulkLine(by, sent, reading);
  if (isProblem(line)) return line;
  const { op, key, ifMatch, body } = line;
  if (by.resource.bulk!.collected) return collectedTask(service, requestOptions, form, line);
  const target: Target = { route, parents, id: null };
  const named = { target, by, key, condition: ifMatch === undefined ? undefined : form.conditionOf(ifMatch) };
  const names = [...new Set([key, body[by.name] ?? key].map((name) => looseMatch(String(name))))];
  const task = {
    ...{ key, names, keyColumn: undefined, createOnly: [], preparedImages: undefined },
    checkNew: async () => undefined,
  };
  if (op === 'delete') {
    if (!route.operations.has('remove') || action)
      return problem('conflict', 'These records cannot be deleted. Remove the line.');
    return { ...task, write: (unit) => removeNamed(unit, named) };
  }
  if (action) return { ...task, write: actionOf(service, requestOptions, action, named, body) };
  const isInColumn = parents.length === 0 && route.fixed.size === 0 && !by.isIdentifier && by.storage.in === 'column';
  return { ...task, keyColumn: isInColumn ? by : undefined, ...upsertOf(service, requestOptions, form, named, body) };
}

/**
 * Maximum number of lines in one admission slot. More would make other requests wait longer. Lines that share a unit need
 * fewer statements, so there may be more of them.
 */
export function batchLinesMax({ database }: Service): number {
  return database.dialect.writesInTurn ? 64 : 200;
}

/** A parsed line: its task, or why it is invalid. */
interface BulkLine {
  readonly task: BulkTask | Problem;
}

/** Groups lines into batches. */
export function* batchesOf<L>(service: Service, lines: Iterable<L>): Generator<L[]> {
  const linesMax = batchLinesMax(service);
  let batch: L[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < linesMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Runs work in an admission slot. */
export type WithSlot = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Writes a batch. When it resolves, every line is committed or rejected, with the result of single writes in line order.
 * @param failed converts an unexpected error to the line's problem
 */
export async function writeLines(
  service: Service,
  requestOptions: RequestOptions,
  batch: readonly BulkLine[],
  withSlot: WithSlot,
  failed: (error: unknown) => Problem,
): Promise<BulkOutcome[]> {
  const tasks = batch.map(({ task }) => task).filter((task): task is BulkTask => !isProblem(task));
  const outcomes = tasks.length === 0 ? [] : await writeBatch(service, requestOptions, tasks, withSlot, failed);
  let next = 0;
  return batch.map(({ task }) => (isProblem(task) ? task : outcomes[next++]!));
}

/** Images are prepared concurrently. The lines are written in their order. */
async function writeBatch(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly BulkTask[],
  withSlot: WithSlot,
  failed: (error: unknown) => Problem,
): Promise<BulkOutcome[]> {
  const outcomes: Promise<BulkOutcome[]>[] = [];
  const last = new Map<string, Promise<unknown>>();
  let written: Promise<unknown> = Promise.resolve();
  for (const run of runsOf(tasks)) {
    const [first] = run;
    const earlier = written;
    // Earlier lines for the same record decide which images will be stored.
    const sameRecord = first!.preparedImages ? first!.names.map((name) => last.get(name)) : [];
    const outcome = first!.preparedImages
      ? Promise.all(sameRecord)
          .then(() => writeWithImages(service, requestOptions, first!, earlier, withSlot))
          .catch(failed)
          .then((one) => [one])
      : earlier.then(() => withSlot(() => writeInOrder(service, requestOptions, run, failed)));
    outcomes.push(outcome);
    for (const { names } of run) for (const name of names) last.set(name, outcome);
    written = Promise.all([earlier, outcome]);
    // The returned promise reports it.
    written.catch(() => {});
  }
  return (await Promise.all(outcomes)).flat();
}

/** Divides a batch: a line with images is alone, because its images are prepared before its unit, without a slot. */
function* runsOf(tasks: readonly BulkTask[]): Generator<BulkTask[]> {
  let run: BulkTask[] = [];
  for (const task of tasks) {
    if (run.length > 0 && (task.preparedImages || run[0]!.preparedImages)) {
      yield run;
      run = [];
    }
    run.push(task);
  }
  if (run.length > 0) yield run;
}

interface AtomicOptions {
  /** Roll back at the end. */
  readonly isTrial: boolean;
  /** Runs between lines; a problem aborts the unit. */
  readonly checkpoint: () => Promise<Problem | undefined>;
  readonly withSlot: WithSlot;
}

/**
 * Writes all lines in one unit.
 * @param within runs the writes in the unit and builds the response from their results, in order; a problem rolls back
 */
export async function writeAtomically<T>(
  service: Service,
  requestOptions: RequestOptions,
  lines: readonly (BulkTask | Problem)[],
  { isTrial, checkpoint, withSlot }: AtomicOptions,
  within: (unit: Unit, write: () => Promise<BulkOutcome[] | Problem>) => Promise<T | Problem>,
): Promise<T | Problem> {
  const preparedImages = new Map<BulkTask, PreparedImages>();
  for (const line of lines) {
    const withOwnImages = isProblem(line) ? undefined : await line.preparedImages?.();
    if (withOwnImages) preparedImages.set(line as BulkTask, withOwnImages);
  }
  return withAllImages(service, requestOptions, [...preparedImages.values()], { isTrial }, (all) => {
    const prepared = new Map([...preparedImages.keys()].map((task, index) => [task, all[index]!]));
    const writeIn = async (unit: Unit): Promise<BulkOutcome[] | Problem> => {
      // Without this lock, two bulks with the same records in different order would deadlock and both run again.
      await unit.lock(ATOMIC_LOCK);
      const outcomes: BulkOutcome[] = [];
      for (const line of lines) {
        const ended = await checkpoint();
        if (ended) return ended;
        const own = isProblem(line) ? line : prepared.get(line);
        outcomes.push(isProblem(line) ? line : isProblem(own) ? own : await line.write(unit, own));
      }
      return outcomes;
    };
    const begin = isTrial ? inTrial : inUnit;
    return withSlot(() => begin<T | Problem>(service, requestOptions, (unit) => within(unit, () => writeIn(unit))));
  });
}

/** Acquired before any other lock. */
const ATOMIC_LOCK = 'bulks at once';

/** @param earlier resolves when the lines before are written */
async function writeWithImages(
  service: Service,
  requestOptions: RequestOptions,
  task: BulkTask,
  earlier: Promise<unknown>,
  withSlot: WithSlot,
): Promise<BulkOutcome> {
  const write = async (prepared?: Prepared): Promise<BulkOutcome> => {
    await earlier;
    return withSlot(() => inUnit(service, requestOptions, (unit) => task.write(unit, prepared)));
  };
  const preparedImages = await task.preparedImages?.();
  return preparedImages
    ? withImages(service, requestOptions, preparedImages.target, preparedImages, {}, write)
    : write();
}

function actionOf(
  service: Service,
  requestOptions: RequestOptions,
  action: Action,
  named: Named,
  sent: JsonObject,
): BulkTask['write'] {
  const { target, by } = named;
  const { [by.name]: _, ...input } = sent;
  const { instead } = action.bulk!;
  const isInstead = instead.some((name) => Object.hasOwn(input, name));
  if (!isInstead || Object.keys(input).some((name) => name in action.input)) {
    const body = readAction(service, requestOptions, target, action, input);
    if (isInstead)
      for (const name of instead)
        body.violations.add(name, 'contradiction', `Send this or ${Object.keys(action.input).join(', ')}, not both.`);
    return (unit) => actOnNamed(unit, named, action, body);
  }
  const bodyFor = (): Body => {
    const reading = readingOf(service, requestOptions);
    const own = Object.entries(input).filter(([name]) => instead.includes(name));
    const body = readBody(target.route, 'patch', reading.lenient ? Object.fromEntries(own) : input, reading);
    for (const name of reading.lenient ? [] : Object.keys(input))
      if (!instead.includes(name)) rejectUnknownField('', name, withoutSynonyms(instead), body.violations);
    return body;
  };
  return (unit) => upsert(unit, { ...named, mode: 'update', write: 'patch', createsOnly: false, bodyFor });
}

function upsertOf(
  service: Service,
  requestOptions: RequestOptions,
  { route, mode, write }: BulkForm,
  named: Named,
  input: JsonObject,
): Pick<BulkTask, 'write' | 'checkNew' | 'preparedImages' | 'createOnly'> {
  const { target, by } = named;
  const { createsOnly } = by.resource.bulk!;
  const takes = takesImages(route);
  const reading = readingOf(service, requestOptions);
  const createOnly = [...route.inserts]
    .filter((field) => field.storage.in === 'parts' && !route.updates.has(field) && Object.hasOwn(input, field.name))
    .map(({ name }) => name);
  const change = Object.fromEntries(Object.entries(input).filter(([name]) => !createOnly.includes(name)));
  const read = (kind: WriteMode): Body | Problem => {
    const sent = kind === 'create' ? input : change;
    if (requestOptions.unknownLanguage && carriesTexts(route, kind, sent)) return requestOptions.unknownLanguage;
    return readBody(route, kind, sent, reading);
  };
  const kinds = (['create', write] as const).filter((kind) =>
    kind === 'create' ? mode !== 'update' : mode !== 'create',
  );
  // Bodies with images. Images are prepared before the unit, when it is not known yet which write it will be.
  const bodies = new Map<WriteMode, Body>();
  if (takes.itself || (takes.inParts && createOnly.length > 0))
    for (const kind of kinds) {
      const body = read(kind);
      if (!isProblem(body) && bringsImages(target, body)) bodies.set(kind, body);
    }
  let expected: WriteMode | undefined;
  const prepareImages = async (): Promise<PreparedImages | undefined> => {
    const id = await identify(committed(service, requestOptions), named);
    const operation = id === undefined ? 'create' : write;
    const body = bodies.get(operation);
    expected = body && operation;
    return body && { target: { ...target, id: id ?? null }, body, operation };
  };
  return {
    createOnly: createsOnly ? [] : createOnly,
    preparedImages: bodies.size > 0 ? prepareImages : undefined,
    checkNew: (unit, identified) => checkNew(unit, { ...named, mode, write, createsOnly, bodyFor: read }, identified),
    write: (unit, prepared = NOTHING_PREPARED, identified = undefined) => {
      const bodyFor = (kind: WriteMode): Body | Problem => {
        const isPrepared = kind === expected || prepared.own !== undefined;
        return bodies.has(kind) && !isPrepared ? changedConcurrently() : (bodies.get(kind) ?? read(kind));
      };
      const preparedFor = (kind: WriteMode): Prepared => (bodies.has(kind) ? prepared : NOTHING_PREPARED);
      return upsert(unit, { ...named, mode, write, createsOnly, bodyFor, preparedFor }, identified);
    },
  };
}

/** The record was created or deleted after its images were prepared. */
function changedConcurrently(): Problem {
  return problem('service-unavailable', 'The record was created or deleted concurrently. Retry the line.', {
    'retry-after': '1',
  });
}
