/** Creates a record in an open unit: checks it, saves it, and reads the result. */

import { isProblem, type Problem } from '../errors.ts';
import type { Value } from '../ports.ts';
import type { Body } from '../request/body.ts';
import type { Condition, Target, Written } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { NOTHING_PREPARED, type Prepared } from './images/images.ts';
import { type PendingWrite, startWrite } from './pending-write.ts';
import { lockParents, readExisting } from './read.ts';
import { type CheckedCreate, canStoreTogether, checkWrite, runRulesAndStore } from './run-rules-and-store.ts';

/** @param condition checked against an existing record of a singleton route */
export async function create(
  unit: Unit,
  target: Target,
  body: Body,
  prepared: Prepared = NOTHING_PREPARED,
  condition?: Condition,
  isTerse = false,
): Promise<Written | Problem> {
  const unknown = await lockParents(unit, target);
  if (unknown) return unknown;
  const isReplaced = target.route.declaration.again === 'replace';
  const existing = isReplaced || condition ? await readExisting(unit, target) : undefined;
  const failed = existing && condition?.(existing);
  if (failed) return failed;
  const before = isReplaced ? existing : undefined;
  const write = startWrite({ unit, target, body, before, prepared }, 'create');
  return runRulesAndStore(write, (id) => responseTarget(write, id), isTerse);
}

/**
 * Checks a new record of a route that `mayStoreTogether`, without an effect on the store.
 * @returns undefined if it is invalid or must be created alone
 */
export async function checkCreate(unit: Unit, target: Target, body: Body): Promise<CheckedCreate | undefined> {
  const write = startWrite({ unit, target, body, before: undefined, prepared: NOTHING_PREPARED }, 'create');
  const checks = await checkWrite(write);
  if (isProblem(checks) || !canStoreTogether(write, checks)) return undefined;
  return { write, checked: checks.checked };
}

/** The written record, or its owner if the route responds with that. */
function responseTarget({ target, before, draft }: PendingWrite, id: Value): Target {
  const { item, resource, parents, declaration } = target.route;
  if (declaration.respondsWithOwner) {
    const index = parents.findIndex(({ field }) => field === resource.owner);
    return { route: parents[index]!.at!, parents: target.parents.slice(0, index), id: target.parents[index]! };
  }
  if (before || !item) return target;
  return { ...target, id: item.name === resource.identifierField ? id : draft.values[item.name]! };
}
