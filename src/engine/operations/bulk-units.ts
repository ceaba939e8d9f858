/**
 * Writes lines of a bulk in their order, with few commits. The result of each line is that of a single write after the
 * lines before it.
 */
import { isProblem, type Problem } from '../errors.ts';
import type { ModelField } from '../model/model.ts';
import { DatabaseUnavailable, LockedTooLong, type Value } from '../ports.ts';
import { looseMatch } from '../text-forms.ts';
import type { RequestOptions, Service } from '../unit/service.ts';
import { inUnit, type Unit } from '../unit/unit.ts';
import type { Prepared } from './images/images.ts';
import { type CheckedCreate, storeCreated } from './run-rules-and-store.ts';
import { created, type Identified, identifyAll, type Upserted } from './upsert.ts';

/** A line of a bulk, as `BulkTask` in `bulk.ts`. */
interface Line {
  readonly names: readonly string[];
  readonly key: Value;
  readonly keyColumn: ModelField | undefined;
  readonly write: (unit: Unit, prepared?: Prepared, identified?: Identified) => Promise<Outcome>;
  readonly checkNew: (unit: Unit, identified?: Identified) => Promise<CheckedCreate | undefined>;
}

type Outcome = Upserted | Problem;

/** A unit ends after the line that reaches this number, because other writes wait for its locks. */
const STATEMENTS_PER_UNIT_MAX = 600;

/**
 * Writes lines in their order. When it resolves, every line is committed or rejected.
 * @param failed converts an unexpected error to the line's problem
 */
export async function writeInOrder(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly Line[],
  failed: (error: unknown) => Problem,
): Promise<Outcome[]> {
  const alone = (task: Line): Promise<Outcome> =>
    inUnit(service, requestOptions, (unit) => task.write(unit)).catch(failed);
  // Such a database runs them in this order, and many of them with one commit.
  if (service.database.dialect.writesInTurn) return Promise.all(tasks.map(alone));
  const outcomes: Outcome[] = [];
  while (outcomes.length < tasks.length) {
    const lines = untilRepeated(tasks.slice(outcomes.length));
    let reached = 1;
    const reach = (count: number): void => {
      reached = count;
    };
    try {
      if (lines.length > 1) outcomes.push(...(await writeInOneUnit(service, requestOptions, lines, reach)));
      else outcomes.push(await alone(lines[0]!));
    } catch (error) {
      // Whether it is committed may be unknown, so its lines are not written again.
      if (error instanceof DatabaseUnavailable && !(error instanceof LockedTooLong))
        return [...outcomes, ...tasks.slice(outcomes.length).map(() => failed(error))];
      for (const line of lines.slice(0, reached)) outcomes.push(await alone(line));
    }
  }
  return outcomes;
}

/**
 * The lines before the first one for the same record as another. Each change of a record has its own journal entry, and no
 * line of a unit releases what another one has reserved.
 */
function untilRepeated(tasks: readonly Line[]): readonly Line[] {
  const known = new Set<string>();
  for (const [index, { names }] of tasks.entries()) {
    if (names.some((name) => known.has(name))) return tasks.slice(0, index);
    for (const name of names) known.add(name);
  }
  return tasks;
}

/**
 * @param reach receives the number of lines that the unit contains so far
 * @returns the results of the first lines; at least one
 * @throws if the unit cannot keep all of its lines
 */
async function writeInOneUnit(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly Line[],
  reach: (count: number) => void,
): Promise<Outcome[]> {
  let attempts = 0;
  return inUnit(service, requestOptions, async (unit) => {
    attempts += 1;
    // Alone, each line is more likely to succeed than all of them again.
    if (attempts > 1) throw new Error('Another transaction interfered with a unit of several lines.');
    const outcomes: Outcome[] = [];
    const newRecords = new NewRecords(unit);
    const storeNewRecords = async (): Promise<void> => void outcomes.push(...(await newRecords.store()));
    let identified = await identifyLines(unit, tasks);
    for (const [index, task] of tasks.entries()) {
      reach(index + 1);
      const known = identified?.get(task.key);
      const checked = await task.checkNew(unit, known);
      if (!checked || !newRecords.add(checked)) {
        await storeNewRecords();
        const outcome = await writeAmongOthers(unit, task, known);
        outcomes.push(outcome);
        // A deletion may cascade to records of later lines.
        if (!isProblem(outcome) && outcome.result === 'deleted') identified = undefined;
      }
      if (unit.statements >= STATEMENTS_PER_UNIT_MAX) break;
    }
    await storeNewRecords();
    return outcomes;
  });
}

/** @throws if the line is rejected and only a rollback of all lines would undo what it has written */
async function writeAmongOthers(unit: Unit, task: Line, known: Identified | undefined): Promise<Outcome> {
  const { writes } = unit;
  const outcome = await task.write(unit, undefined, known);
  if (isProblem(outcome) && unit.writes > writes) throw new Error('A line was rejected after it had written rows.');
  return outcome;
}

/** Looks up the records of all lines. Undefined if their keys are not in a column. */
async function identifyLines(unit: Unit, tasks: readonly Line[]): Promise<Map<Value, Identified> | undefined> {
  const inColumn = tasks.filter(({ keyColumn }) => keyColumn);
  const [first] = inColumn;
  const keys = inColumn.map(({ key }) => key);
  return first && identifyAll(unit, first.keyColumn!, keys);
}

/** Consecutive new records of a unit that are stored together. The checks of each do not see the others. */
class NewRecords {
  readonly #unit: Unit;
  #checked: CheckedCreate[] = [];
  readonly #texts = new Set<string>();

  constructor(unit: Unit) {
    this.#unit = unit;
  }

  /** @returns false if its checks must see the other records first, because a unique text of it is a duplicate */
  add(checked: CheckedCreate): boolean {
    const { target, draft } = checked.write;
    const { resource } = target.route;
    const texts: string[] = [];
    for (const { name, field } of resource.fields.values()) {
      const value = draft.values[name];
      // The loosest comparison of all checks.
      if (field.unique !== false && typeof value === 'string' && value !== '')
        texts.push(`${name} ${looseMatch(value)}`);
    }
    if (texts.some((text) => this.#texts.has(text))) return false;
    for (const text of texts) this.#texts.add(text);
    this.#unit.reserve(resource, draft.values);
    this.#checked.push(checked);
    return true;
  }

  /** Stores all. @returns their results, in order */
  async store(): Promise<Upserted[]> {
    const stored = await storeCreated(this.#unit, this.#checked);
    this.#checked = [];
    this.#texts.clear();
    return stored.map(created);
  }
}
