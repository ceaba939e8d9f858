/**
 * Finds the record of a path. A read finds it with one statement, and asks a second one only to tell an unknown record from
 * an unknown parent. A write locks its parents and the record, in the order of http.md §2; they stay as they were found
 * until the unit ends.
 */

import { shortened, words } from '../english-names.ts';
import { type Problem, problem } from '../errors.ts';
import type { ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Stored } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { committed, type Reads } from '../unit/reads.ts';
import {
  type Condition,
  parentValues,
  type RequestOptions,
  type Service,
  type Target,
  type Versioned,
} from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';

/** A record as it was before a write. */
export interface Before extends Versioned {
  readonly id: Value;
  readonly stored: Stored;
}

export async function read(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
): Promise<Versioned | Problem> {
  return readCommitted(service, requestOptions, target, (reads) => reads.shown(target));
}

/** The record as found, or the reason why there is none. */
export async function readCommitted<T>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  find: (reads: Reads) => Promise<T | undefined>,
): Promise<T | Problem> {
  const reads = committed(service, requestOptions);
  const unfit = target.route.declaration.admission ? await unknownParent(reads, target) : undefined;
  const found = unfit ?? (await find(reads));
  if (found) return found;
  return (await unknownParent(reads, target)) ?? notFound(target);
}

/** The record of the path, locked and read, once its parents and the client's condition are right. */
export async function readBefore(unit: Unit, target: Target, condition?: Condition): Promise<Before | Problem> {
  const unknown = await lockParents(unit, target);
  if (unknown) return unknown;
  const before = await readExisting(unit, target);
  if (!before) return notFound(target);
  return condition?.(before) ?? before;
}

/** The record of the path, locked and read, if there is one. */
export async function readExisting(unit: Unit, target: Target): Promise<Before | undefined> {
  const { route } = target;
  const values = { ...parentValues(target), id: target.id ?? null };
  const [row] = await unit.ask(`lock ${route.path}`, lookUps.lockRecord(route), values);
  const shown = row && (await unit.shown(target));
  if (!shown) return undefined;
  const id = row[0] as Value;
  const stored = await unit.read(route.resource.name, id);
  return stored && { ...shown, id, stored };
}

/**
 * Locks the parents, so that they stay while the record is written. Every write takes its turn first, where the resource's
 * writes take turns, then parents, then the record: changes of a tree wait for each other, so none is checked against a
 * shape that another is changing.
 */
export async function lockParents(unit: Unit, target: Target): Promise<Problem | undefined> {
  const { route, parents } = target;
  const { name, tree, declaration } = route.resource;
  const gone = await deletedLanguage(unit);
  if (gone) return gone;
  if (tree || declaration.takesTurns) await unit.lock(`writes of ${name}`);
  for (const index of route.parents.keys()) {
    const values = { ...parentValues(target), id: parents[index]! };
    const locked = await unit.ask(`lock parent ${route.path} ${index}`, lookUps.lockParent(route, index), values);
    if (locked.length === 0) return parentProblem(route, index, parents);
  }
  return misplaced(unit, target);
}

/** The caller's language was there at the door; a text cannot be written in one that was deleted since. */
async function deletedLanguage(unit: Unit): Promise<Problem | undefined> {
  const { language, defaultLanguage, service } = unit;
  const languages = service.model.resources.get('Language');
  if (!languages || language === defaultLanguage) return undefined;
  if ((await unit.ask('ids Language', lookUps.findIds(languages), { ids: [language] })).length > 0) return undefined;
  return problem('service-unavailable', `The language ${language} was deleted just now; send the request again.`, {
    'retry-after': '1',
  });
}

/** The refusal for the first parent that does not exist, if one does not. */
export async function unknownParent(reads: Reads, target: Target): Promise<Problem | undefined> {
  const { route, parents } = target;
  for (const index of route.parents.keys()) {
    const values = { ...parentValues(target), id: parents[index]! };
    const found = await reads.ask(`parent ${route.path} ${index}`, lookUps.parentExists(route, index), values);
    if (found.length === 0) return parentProblem(route, index, parents);
  }
  return misplaced(reads, target);
}

/** The refusal for parents that exist and do not belong together. */
async function misplaced(reads: Reads, { route, parents }: Target): Promise<Problem | undefined> {
  const { admission } = route.declaration;
  if (!admission) return undefined;
  const ids = Object.fromEntries(route.parents.map(({ parameter }, index) => [parameter, parents[index]!]));
  if (await admission.admits(ids, reads)) return undefined;
  return parentProblem(route, route.parents.length - 1, parents);
}

function notFound({ route, id }: Pick<Target, 'route' | 'id'>): Problem {
  const which = route.item ? ` with the identifier ${JSON.stringify(id)}` : '';
  return problem('not-found', `There is no ${route.resource.name}${which} here.`);
}

/**
 * The problem of a parent in the path that cannot be read or does not exist, by the place's own rule.
 * @param named the path's parameters as far as this one, as they were sent
 */
export function parentProblem(route: ModelRoute, index: number, named: readonly Value[]): Problem {
  const { parameter, target } = route.parents[index]!;
  let taken = 0;
  const path = route.path
    .slice(0, route.path.indexOf(`{${parameter}}`) + parameter.length + 2)
    .replace(/\{\w+\}/g, () => shortened(String(named[taken++])));
  return problem(
    route.unknownParent,
    `There is no ${words(target.name)} at ${path}, which the path begins with: ${JSON.stringify(named[index])} should be the ${target.identifierField} of one that exists there.`,
  );
}
