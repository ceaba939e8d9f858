/** Reads one record: one statement; a second one only to tell an unknown record from an unknown parent. */

import { type Problem, problem } from '../errors.ts';
import type { ModelPlace } from '../model/model.ts';
import type { Value } from '../ports.ts';
import * as lookUps from '../sql/look-ups.ts';
import { committed, type Reads } from '../unit/reads.ts';
import { type Caller, parentValues, type Service, type Target, type Versioned } from '../unit/service.ts';
import { shortened, words } from '../words.ts';

export async function read(service: Service, caller: Caller, target: Target): Promise<Versioned | Problem> {
  return readCommitted(service, caller, target, (reads) => reads.shown(target));
}

/** The record as found, or the reason why there is none. */
export async function readCommitted<T>(
  service: Service,
  caller: Caller,
  target: Target,
  find: (reads: Reads) => Promise<T | undefined>,
): Promise<T | Problem> {
  const reads = committed(service, caller);
  const unfit = target.place.declaration.admission ? await unknownParent(reads, target) : undefined;
  const found = unfit ?? (await find(reads));
  if (found) return found;
  return (await unknownParent(reads, target)) ?? notFound(target);
}

/** The refusal for the first parent that does not exist, if one does not. */
export async function unknownParent(reads: Reads, target: Target): Promise<Problem | undefined> {
  const { place, parents } = target;
  for (const index of place.parents.keys()) {
    const values = { ...parentValues(target), id: parents[index]! };
    const found = await reads.ask(`parent ${place.path} ${index}`, lookUps.parentExists(place, index), values);
    if (found.length === 0) return parentProblem(place, index, parents);
  }
  return misplaced(reads, target);
}

/** The refusal for parents that exist and do not belong together. */
export async function misplaced(reads: Reads, { place, parents }: Target): Promise<Problem | undefined> {
  const { admission } = place.declaration;
  if (!admission) return undefined;
  const ids = Object.fromEntries(place.parents.map(({ parameter }, index) => [parameter, parents[index]!]));
  if (await admission.admits(ids, reads)) return undefined;
  return parentProblem(place, place.parents.length - 1, parents);
}

export function notFound({ place, id }: Pick<Target, 'place' | 'id'>): Problem {
  const which = place.item ? ` with the identifier ${JSON.stringify(id)}` : '';
  return problem('not-found', `There is no ${place.resource.name}${which} here.`);
}

/**
 * The problem of a parent in the path that cannot be read or does not exist, by the place's own rule.
 * @param named the path's parameters as far as this one, as they were sent
 */
export function parentProblem(place: ModelPlace, index: number, named: readonly Value[]): Problem {
  const { parameter, target } = place.parents[index]!;
  let taken = 0;
  const path = place.path
    .slice(0, place.path.indexOf(`{${parameter}}`) + parameter.length + 2)
    .replace(/\{\w+\}/g, () => shortened(String(named[taken++])));
  return problem(
    place.unknownParent,
    `There is no ${words(target.name)} at ${path}, which the path begins with: ${JSON.stringify(named[index])} should be the ${target.identifierField} of one that exists there.`,
  );
}
