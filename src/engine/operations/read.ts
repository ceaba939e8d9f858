/**
 * Finds the record of a path. A read takes one statement, and a second one only to distinguish an unknown record from
 * an unknown parent. A write locks its parents and the record until the unit ends, in the order of http.md §2.
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

/** A record before a write. */
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

/** @returns the record, or the problem for an unknown record or parent */
export async function readCommitted<T>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  find: (reads: Reads) => Promise<T | undefined>,
): Promise<T | Problem> {
  const reads = committed(service, requestOptions);
  const inadmissible = target.route.declaration.admission ? await unknownParent(reads, target) : undefined;
  const found = inadmissible ?? (await find(reads));
  if (found) return found;
  return (await unknownParent(reads, target)) ?? notFound(target);
}

/** Locks and reads the record of the path, after its parents and the client's condition are checked. */
export async function readBefore(unit: Unit, target: Target, condition?: Condition): Promise<Before | Problem> {
  const unknown = await lockParents(unit, target);
  if (unknown) return unknown;
  const before = await readExisting(unit, target);
  if (!before) return notFound(target);
  return condition?.(before) ?? before;
}

/** Locks and reads the record of the path, if it exists. */
export async function readExisting(unit: Unit, target: Target): Promise<Before | undefined> {
  const { route } = target;
  const values = { ...parentValues(target), id: target.id ?? null };
  const [row] = await unit.query(`lock ${route.path}`, lookUps.lockRecord(route), values);
  const shown = row && (await unit.shown(target));
  if (!shown) return undefined;
  const id = row[0] as Value;
  const stored = await unit.read(route.resource.name, id);
  return stored && { ...shown, id, stored };
}

/**
 * Locks the parents, so that they exist until the record is written. The order is: the lock of serialized resources,
 * parents, record. Changes of a tree are serialized, so that none is checked against a state that another is changing.
 */
export async function lockParents(unit: Unit, target: Target): Promise<Problem | undefined> {
  const { route, parents } = target;
  const { name, tree, declaration } = route.resource;
  const languageProblem = await deletedLanguage(unit);
  if (languageProblem) return languageProblem;
  if (tree || declaration.serialized) await unit.lock(`writes of ${name}`);
  for (const index of route.parents.keys()) {
    const values = { ...parentValues(target), id: parents[index]! };
    const locked = await unit.query(`lock parent ${route.path} ${index}`, lookUps.lockParent(route, index), values);
    if (locked.length === 0) return parentProblem(route, index, parents);
  }
  return inadmissibleParents(unit, target);
}

/** Checks the request's language again, because it may have been deleted since the request was parsed. */
async function deletedLanguage(unit: Unit): Promise<Problem | undefined> {
  const { language, defaultLanguage, service } = unit;
  const languages = service.model.resources.get('Language');
  if (!languages || language === defaultLanguage) return undefined;
  if ((await unit.query('ids Language', lookUps.findIds(languages), { ids: [language] })).length > 0) return undefined;
  return problem('service-unavailable', `The language ${language} was deleted concurrently. Retry the request.`, {
    'retry-after': '1',
  });
}

/** The problem for the first parent that does not exist, if any. */
export async function unknownParent(reads: Reads, target: Target): Promise<Problem | undefined> {
  const { route, parents } = target;
  for (const index of route.parents.keys()) {
    const values = { ...parentValues(target), id: parents[index]! };
    const found = await reads.query(`parent ${route.path} ${index}`, lookUps.parentExists(route, index), values);
    if (found.length === 0) return parentProblem(route, index, parents);
  }
  return inadmissibleParents(reads, target);
}

/** The problem for parents that exist but do not belong together. */
async function inadmissibleParents(reads: Reads, { route, parents }: Target): Promise<Problem | undefined> {
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
 * The problem for an unreadable or unknown parent in the path, with the status that the route declares.
 * @param named path parameters up to this one, as sent
 */
export function parentProblem(
  route: ModelRoute,
  index: number,
  named: readonly Value[],
  kind: ModelRoute['unknownParent'] = route.unknownParent,
): Problem {
  const { parameter, target } = route.parents[index]!;
  let next = 0;
  const path = route.path
    .slice(0, route.path.indexOf(`{${parameter}}`) + parameter.length + 2)
    .replace(/\{\w+\}/g, () => shortened(String(named[next++])));
  return problem(
    kind,
    `There is no ${words(target.name)} at ${path}. In the path, ${JSON.stringify(named[index])} should be the ${target.identifierField} of an existing ${words(target.name)}.`,
  );
}
