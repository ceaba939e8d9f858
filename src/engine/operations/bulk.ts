/**
 * Many writes that clients send as lines: each names its record by a unique field. `writeLines` writes lines side by side,
 * each in a unit of its own; `writeAtOnce` all of them in one.
 */
import { isProblem, type Problem, problem } from '../errors.ts';
import { type JsonObject, refuseUnknown } from '../fields/members.ts';
import type { ModelField, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import { type Body, carriesTexts, readBody, type WriteMode } from '../request/body.ts';
import { readBulkLine } from '../request/bulk-line.ts';
import type { Action } from '../rules.ts';
import { looseMatch } from '../text-forms.ts';
import { committed } from '../unit/reads.ts';
import { type Condition, type RequestOptions, readingOf, type Service, type Target } from '../unit/service.ts';
import { inTrial, inUnit, type Unit } from '../unit/unit.ts';
import { readAction } from './act.ts';
import {
  bringsImages,
  NOTHING_PREPARED,
  type Prepared,
  type PreparedImages,
  takesImages,
  withAllImages,
  withImages,
} from './images/images.ts';
import { Semaphore } from './semaphore.ts';
import { actOnNamed, identify, type Named, removeNamed, type Upserted, type UpsertMode, upsert } from './upsert.ts';

/** How all lines of one bulk are written. */
export interface BulkForm {
  readonly route: ModelRoute;
  /** The identifiers of the place's parents, in order. */
  readonly parents: readonly Value[];
  /** The field that names records. */
  readonly by: ModelField;
  readonly mode: UpsertMode;
  /** Of a record that is there. */
  readonly write: Exclude<WriteMode, 'create'>;
  /** Runs for each record, in place of a write. */
  readonly action?: Action | undefined;
  readonly conditionOf: (ifMatch: number | string) => Condition;
}

/** A line that can be written. */
export interface BulkTask {
  readonly key: Value;
  /** Lines that share one are written one after the other. */
  readonly names: readonly string[];
  /** Nothing is written beside it: its outcome, or that of others, would depend on which came first. */
  readonly isAlone: boolean;
  /** It goes after the line before it. Records below a parent are listed in the order in which they were made. */
  readonly isNext: boolean;
  /** Fields of its input that count only for a new record. */
  readonly onlyCreated: readonly string[];
  readonly write: (unit: Unit, prepared?: Prepared) => Promise<Upserted | Problem>;
  /** Looks which write would bring its pictures now, if one would. A line that brings none has no such look. */
  readonly preparedImages: (() => Promise<PreparedImages | undefined>) | undefined;
}

export type BulkOutcome = Upserted | Problem;

/** @param sent the line, as one JSON object */
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
  const target: Target = { route, parents, id: null };
  const named = { target, by, key, condition: ifMatch === undefined ? undefined : form.conditionOf(ifMatch) };
  const names = [...new Set([key, body[by.name] ?? key].map((name) => looseMatch(String(name))))];
  const isNext = parents.length > 0;
  const task = { key, names, isAlone: false, isNext, onlyCreated: [], preparedImages: undefined };
  if (op === 'delete') {
    if (!route.operations.has('remove') || action)
      return problem('conflict', 'Records here are not deleted; leave the line out.');
    return { ...task, isAlone: by.resource.tree !== undefined, write: (unit) => removeNamed(unit, named) };
  }
  if (action) return { ...task, write: actionOf(service, requestOptions, action, named, body) };
  return { ...task, ...upsertOf(service, requestOptions, form, named, body) };
}

/** Lines that are written side by side in one turn: more would make others wait for longer. */
export const BATCH_LINES_MAX = 64;

/** A line that was read: what it asks for, or why it cannot be written. */
interface BulkLine {
  readonly task: BulkTask | Problem;
}

/** Lines as they are written together. One that is to be alone is a batch of its own. */
export function* batchesOf<L extends BulkLine>(lines: Iterable<L>): Generator<L[]> {
  let batch: L[] = [];
  for (const line of lines) {
    const isAlone = !isProblem(line.task) && line.task.isAlone;
    if (batch.length > 0 && isAlone) {
      yield batch;
      batch = [];
    }
    batch.push(line);
    if (isAlone || batch.length === BATCH_LINES_MAX) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Takes its turn among the requests of others, does the work, and gives its result. */
export type WithSlot = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Writes a batch, each line in a unit of its own: what has an outcome is on disk, or was refused.
 * @param failed the problem of a line that failed with an error
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

/**
 * Lines that share a name go one after the other, and so do all lines below a parent. Any other one that is refused because
 * of another record is tried again once those before it are done.
 */
async function writeBatch(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly BulkTask[],
  withSlot: WithSlot,
  failed: (error: unknown) => Problem,
): Promise<BulkOutcome[]> {
  const hasImages = tasks.some(({ preparedImages }) => preparedImages);
  // A line that waits for a picture keeps no turn meanwhile.
  const [aroundBatch, aroundTask]: [WithSlot, WithSlot] = hasImages ? [atOnce, withSlot] : [withSlot, atOnce];
  const lanes = new Semaphore(service.database.dialect.writesInTurn ? tasks.length : UNITS_MAX);
  const each: WithSlot = (work) => lanes.take(() => aroundTask(work));
  const outcomes: Promise<BulkOutcome>[] = [];
  const last = new Map<string, Promise<unknown>>();
  const run = async (task: BulkTask, index: number): Promise<BulkOutcome> => {
    await (task.isNext ? outcomes.at(-1) : Promise.all(task.names.map((name) => last.get(name))));
    const first = await writeTask(service, requestOptions, task, each);
    if (index === 0 || task.isNext || !isProblem(first) || !mayChange(first)) return first;
    await Promise.all(outcomes.slice(0, index));
    return writeTask(service, requestOptions, task, each);
  };
  return aroundBatch(async () => {
    for (const [index, task] of tasks.entries()) {
      const outcome = run(task, index).catch(failed);
      outcomes.push(outcome);
      for (const name of task.names) last.set(name, outcome);
    }
    return Promise.all(outcomes);
  });
}

/** All lines in one unit. */
interface AtOnce {
  /** Nothing stays. */
  readonly isTrial: boolean;
  /** Between lines; a problem ends the unit. */
  readonly goOn: () => Promise<Problem | undefined>;
  readonly withSlot: WithSlot;
}

/** @param within writes in the unit, and makes the answer of the outcomes, which are in order; a problem undoes the unit */
export async function writeAtOnce<T>(
  service: Service,
  requestOptions: RequestOptions,
  lines: readonly (BulkTask | Problem)[],
  { isTrial, goOn, withSlot }: AtOnce,
  within: (unit: Unit, write: () => Promise<BulkOutcome[] | Problem>) => Promise<T | Problem>,
): Promise<T | Problem> {
  const preparedImages = new Map<BulkTask, PreparedImages>();
  for (const line of lines) {
    const brought = isProblem(line) ? undefined : await line.preparedImages?.();
    if (brought) preparedImages.set(line as BulkTask, brought);
  }
  return withAllImages(service, requestOptions, [...preparedImages.values()], { isTrial }, (all) => {
    const prepared = new Map([...preparedImages.keys()].map((task, index) => [task, all[index]!]));
    const writeIn = async (unit: Unit): Promise<BulkOutcome[] | Problem> => {
      // Two of these that name the same records in another order would wait for each other, and both would begin again.
      await unit.lock(AT_ONCE_TURN);
      const outcomes: BulkOutcome[] = [];
      for (const line of lines) {
        const ended = await goOn();
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

/** Taken before any other turn. */
const AT_ONCE_TURN = 'bulks at once';

const atOnce: WithSlot = (work) => work();

/** Where units run side by side, those of one batch leave connections to others. */
const UNITS_MAX = 4;

async function writeTask(
  service: Service,
  requestOptions: RequestOptions,
  task: BulkTask,
  withSlot: WithSlot,
): Promise<BulkOutcome> {
  const write = (prepared?: Prepared): Promise<BulkOutcome> =>
    withSlot(() => inUnit(service, requestOptions, (unit) => task.write(unit, prepared)));
  const preparedImages = await task.preparedImages?.();
  return preparedImages
    ? withImages(service, requestOptions, preparedImages.target, preparedImages, {}, write)
    : write();
}

/** Whether it may come to another end when others have written. */
function mayChange({ problem: type, violations = [] }: Problem): boolean {
  if (type === 'validation-failed')
    return violations.every(({ code }) => code === 'not_unique' || code === 'unknown_link' || code === 'conflict');
  return type === 'conflict' || type === 'not-found' || type === 'precondition-failed';
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
        body.violations.add(name, 'contradiction', `Send this or ${Object.keys(action.input).join()}, not both.`);
    return (unit) => actOnNamed(unit, named, action, body);
  }
  const bodyFor = (): Body => {
    const body = readBody(target.route, 'patch', input, readingOf(service, requestOptions));
    for (const name of Object.keys(input))
      if (!instead.includes(name)) refuseUnknown('', name, instead, body.violations);
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
): Pick<BulkTask, 'write' | 'preparedImages' | 'onlyCreated'> {
  const { target, by } = named;
  const { createsOnly } = by.resource.bulk!;
  const takes = takesImages(route);
  const reading = readingOf(service, requestOptions);
  const onlyCreated = [...route.inserts]
    .filter((field) => field.storage.in === 'parts' && !route.updates.has(field) && Object.hasOwn(input, field.name))
    .map(({ name }) => name);
  const change = Object.fromEntries(Object.entries(input).filter(([name]) => !onlyCreated.includes(name)));
  const read = (kind: WriteMode): Body | Problem => {
    const sent = kind === 'create' ? input : change;
    if (requestOptions.unknownLanguage && carriesTexts(route, kind, sent)) return requestOptions.unknownLanguage;
    return readBody(route, kind, sent, reading);
  };
  const kinds = (['create', write] as const).filter((kind) =>
    kind === 'create' ? mode !== 'update' : mode !== 'create',
  );
  // The bodies that bring pictures, which are made before the unit: until then nobody knows which write it will be.
  const bodies = new Map<WriteMode, Body>();
  if (takes.itself || (takes.inParts && onlyCreated.length > 0))
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
    onlyCreated: createsOnly ? [] : onlyCreated,
    preparedImages: bodies.size > 0 ? prepareImages : undefined,
    write: (unit, prepared = NOTHING_PREPARED) => {
      const bodyFor = (kind: WriteMode): Body | Problem => {
        const isPrepared = kind === expected || prepared.own !== undefined;
        return bodies.has(kind) && !isPrepared ? meanwhile() : (bodies.get(kind) ?? read(kind));
      };
      const preparedFor = (kind: WriteMode): Prepared => (bodies.has(kind) ? prepared : NOTHING_PREPARED);
      return upsert(unit, { ...named, mode, write, createsOnly, bodyFor, preparedFor });
    },
  };
}

/** The record was there when its pictures were looked for, or was not. */
function meanwhile(): Problem {
  return problem('service-unavailable', 'The record was made or deleted just now; send the line again.', {
    'retry-after': '1',
  });
}
