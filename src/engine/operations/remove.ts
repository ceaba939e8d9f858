/** Deletes a record in a unit that its caller has opened, with all that goes with it. */
import { isProblem, type Problem, problem } from '../errors.ts';
import type { Condition, Target } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { readBefore } from './read.ts';

/** @returns a problem, or undefined when the record is gone */
export async function remove(unit: Unit, target: Target, condition?: Condition): Promise<Problem | undefined> {
  const { name, identifierField, declaration } = target.place.resource;
  const before = await readBefore(unit, target, condition);
  if (isProblem(before)) return before;
  const { stored, id } = before;
  const obstacle = await declaration.rules?.checkRemoval?.(stored, unit);
  if (obstacle !== undefined) return problem('conflict', obstacle);
  await declaration.rules?.withinRemoval?.({ stored, now: unit.now, visitor: unit.caller.visitor }, unit);
  await unit.remove(name, { [identifierField]: id });
  return undefined;
}
