/**
 * The beginning of a write inside its unit, in the order of http.md §2: its turn, the parents, the record, the client's
 * condition. The parents and the record stay as they were found until the unit ends.
 */

import { type Problem, problem } from '../errors.ts';
import type { Value } from '../ports.ts';
import type { Stored } from '../rules.ts';
import * as lookUps from '../sql/look-ups.ts';
import { type Condition, parentValues, type Target, type Versioned } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { misplaced, notFound, parentProblem } from './read.ts';

/** A record as it was before a write. */
export interface Before extends Versioned {
  readonly id: Value;
  readonly stored: Stored;
}

/**
 * Locks the parents, so that they stay while the record is written. Every write takes its turn first, where the resource's
 * writes take turns, then parents, then the record: changes of a tree wait for each other, so none is checked against a
 * shape that another is changing.
 */
export async function lockParents(unit: Unit, target: Target): Promise<Problem | undefined> {
  const { place, parents } = target;
  const { name, tree, declaration } = place.resource;
  const gone = await deletedLanguage(unit);
  if (gone) return gone;
  if (tree || declaration.takesTurns) await unit.lock(`writes of ${name}`);
  for (const index of place.parents.keys()) {
    const values = { ...parentValues(target), id: parents[index]! };
    const locked = await unit.ask(`lock parent ${place.path} ${index}`, lookUps.lockParent(place, index), values);
    if (locked.length === 0) return parentProblem(place, index, parents);
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
  const { place } = target;
  const values = { ...parentValues(target), id: target.id ?? null };
  const [row] = await unit.ask(`lock ${place.path}`, lookUps.lockRecord(place), values);
  const shown = row && (await unit.shown(target));
  if (!shown) return undefined;
  const id = row[0] as Value;
  const stored = await unit.read(place.resource.name, id);
  return stored && { ...shown, id, stored };
}
