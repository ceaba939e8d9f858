/**
 * Writes lines of a bulk in few units, for databases where units run concurrently and each commit waits for the disk. A
 * unit that cannot keep all of its lines is rolled back, and its lines are left to the caller.
 */
import { isProblem, type Problem } from '../errors.ts';
import type { ModelField } from '../model/model.ts';
import { DatabaseUnavailable, LockedTooLong, type Value } from '../ports.ts';
import type { RequestOptions, Service } from '../unit/service.ts';
import { inUnit, type Unit } from '../unit/unit.ts';
import { type CheckedCreate, storeCreated } from './run-rules-and-store.ts';
import { created, type Identified, identifyAll, type Upserted } from './upsert.ts';

/** A line of a bulk, as `BulkTask` in `bulk.ts`. */
interface Line {
  readonly names: readonly string[];
  readonly isSequential: boolean;
  readonly key: Value;
  readonly keyColumn: ModelField | undefined;
  readonly writeOrCheck: (unit: Unit, identified?: Identified) => Promise<Outcome | CheckedCreate>;
}

type Outcome = Upserted | Problem;

/** Units at once: those of one batch leave database connections to others. */
export const CONCURRENT_UNITS_MAX = 4;

/** Shares of a batch. More would wait for each other's locks, for example those on clean URLs of similar names. */
const SHARES = 2;

/** A unit ends after the line that reaches this number, because other writes wait for its locks. */
const STATEMENTS_PER_UNIT_MAX = 600;

/**
 * Writes lines with different names. They may be written in any order, except for lines below a parent.
 * @param failed converts the error of a unit to the result of its lines
 * @returns the results of committed and failed lines; the caller writes all others, each in its own unit
 */
export async function writeInFewUnits<L extends Line>(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly L[],
  failed: (error: unknown) => Outcome,
): Promise<ReadonlyMap<L, Outcome>> {
  const results = new Map<L, Outcome>();
  const write = async (share: readonly L[]): Promise<void> => {
    for (let next = 0; next < share.length; ) {
      const rest = share.slice(next);
      const outcomes = await writeInOneUnit(service, requestOptions, rest).catch((error) => {
        // Whether it is committed may be unknown, so its lines are not written again.
        if (error instanceof DatabaseUnavailable && !(error instanceof LockedTooLong))
          return rest.map(() => failed(error));
        return undefined;
      });
      if (!outcomes) return;
      for (const [index, outcome] of outcomes.entries()) results.set(rest[index]!, outcome);
      next += outcomes.length;
    }
  };
  await Promise.all(sharesOf(tasks).map(write));
  return results;
}

/** Divides lines among units. Leaves out a line that has a name of an earlier one, and lines that must follow it. */
function sharesOf<L extends Line>(tasks: readonly L[]): readonly (readonly L[])[] {
  const shares: L[][] = Array.from({ length: SHARES }, () => []);
  const names = new Set<string>();
  for (const [index, task] of tasks.entries()) {
    const isRepeated = task.names.some((name) => names.has(name));
    for (const name of task.names) names.add(name);
    if (isRepeated && task.isSequential) break;
    if (!isRepeated) shares[task.isSequential ? 0 : index % SHARES]!.push(task);
  }
  return shares;
}

/** @returns the results of the first lines; at least one */
async function writeInOneUnit(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly Line[],
): Promise<Outcome[]> {
  let attempts = 0;
  return inUnit(service, requestOptions, async (unit) => {
    attempts += 1;
    // Alone, each line is more likely to succeed than all of them again.
    if (attempts > 1) throw new Error('Another transaction interfered with a unit of several lines.');
    const [first] = tasks;
    const keys = tasks.filter(({ keyColumn }) => keyColumn).map(({ key }) => key);
    const identified = first?.keyColumn && (await identifyAll(unit, first.keyColumn, keys));
    const outcomes: (Outcome | CheckedCreate)[] = [];
    for (const task of tasks) {
      const { writes } = unit;
      const outcome = await task.writeOrCheck(unit, task.keyColumn && identified?.get(task.key));
      if (isProblem(outcome) && unit.writes > writes) throw new Error('A line was rejected after it had written rows.');
      outcomes.push(outcome);
      if (unit.statements >= STATEMENTS_PER_UNIT_MAX) break;
    }
    const stored = await storeCreated(unit, outcomes.filter(isChecked));
    return outcomes.map((outcome) => (isChecked(outcome) ? created(stored.shift()!) : outcome));
  });
}

function isChecked(outcome: Outcome | CheckedCreate): outcome is CheckedCreate {
  return 'write' in outcome;
}
