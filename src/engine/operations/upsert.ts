/**
 * Writes the record that a unique field names, in a unit that its caller has opened: makes it where there is none, else
 * changes it; or deletes it. Nothing is written where it comes to a problem.
 */

import { withArticle, words } from '../english-names.ts';
import { isProblem, type Problem, problem, validationFailed } from '../errors.ts';
import type { ModelField } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import type { Value } from '../ports.ts';
import type { Body, WriteMode } from '../request/body.ts';
import type { Action } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import type { Reads } from '../unit/reads.ts';
import { type Condition, parentValues, type Target, type Written } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { act } from './act.ts';
import { create } from './create.ts';
import { firstDifference } from './difference.ts';
import type { Prepared } from './images/images.ts';
import { remove } from './remove.ts';
import { update } from './update.ts';

export type UpsertMode = 'upsert' | 'create' | 'update';

/** The record that a field names, of the collection at `target`. */
export interface Named {
  readonly target: Target;
  readonly by: ModelField;
  readonly key: Value;
  /** Of the record as it is; where there is none, it does not hold. */
  readonly condition: Condition | undefined;
}

interface Upsert extends Named {
  readonly mode: UpsertMode;
  readonly write: Exclude<WriteMode, 'create'>;
  /** A record that is there is not changed: it says the same as the body, or it is a conflict. */
  readonly createsOnly: boolean;
  /** The input, read as a write of this kind takes it; or why it cannot be taken now. */
  readonly bodyFor: (mode: WriteMode) => Body | Problem;
  /** The pictures of that body. */
  readonly preparedFor?: (mode: WriteMode) => Prepared;
}

export interface Upserted {
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted';
  /** Both null where there is no record to be deleted. */
  readonly id: Value;
  readonly version: number | null;
}

/** The identifier of the record that the field names, if there is one at the target's place. */
export async function identify(
  reads: Reads,
  { target, by, key }: Omit<Named, 'condition'>,
): Promise<Value | undefined> {
  const { route } = target;
  const id = await identifyAnywhere(reads, by, key);
  if (id === undefined || (route.parents.length === 0 && route.fixed.size === 0)) return id;
  const values = { ...parentValues(target), id };
  return (await reads.ask(`at ${route.path}`, lookUps.recordExists(route), values)).length > 0 ? id : undefined;
}

async function identifyAnywhere(reads: Reads, by: ModelField, key: Value): Promise<Value | undefined> {
  const { resource } = by;
  if (by.isIdentifier)
    return (await reads.ask(`ids ${resource.name}`, lookUps.findIds(resource), { ids: [key] }))[0]?.[0] as
      | Value
      | undefined;
  if (by.storage.in === 'column') return (await reads.find(resource.name, by.name, key))[0];
  const { language, defaultLanguage } = reads;
  const values = { names: [matchOf(by, key as string)], language, default_language: defaultLanguage };
  const [row] = await reads.ask(`names of ${resource.name}`, lookUps.findNames(by), values);
  return (row?.[1] ?? undefined) as Value | undefined;
}

export async function upsert(unit: Unit, wanted: Upsert): Promise<Upserted | Problem> {
  const { by, mode, createsOnly } = wanted;
  // Whoever makes or deletes it at the same moment is met once: after that it is there, or is not.
  for (let isAgain = false; ; isAgain = true) {
    const id = await identify(unit, wanted);
    if (id !== undefined && mode === 'create') return problem('conflict', `There is ${said(wanted)} already.`);
    if (id === undefined && (mode === 'update' || by.isIdentifier)) return missing(wanted);
    if (id === undefined) {
      const made = await make(unit, wanted);
      if (isAgain || !isProblem(made) || !isTaken(made, by)) return made;
    } else {
      const at = { ...wanted.target, id };
      const changed = await (createsOnly ? compare(unit, wanted, at) : change(unit, wanted, at));
      if (isAgain || !isProblem(changed) || changed.problem !== 'not-found') return changed;
    }
  }
}

/** Deletes the record; one that is not there is gone already. */
export async function removeNamed(unit: Unit, wanted: Named): Promise<Upserted | Problem> {
  const id = await identify(unit, wanted);
  const outcome = id === undefined ? missing(wanted) : await removeAt(unit, wanted, id);
  if (!isProblem(outcome) || outcome.problem !== 'not-found') return outcome;
  return wanted.condition ? unmet(wanted) : { result: 'unchanged', id: null, version: null };
}

/** Runs an action of the record. */
export async function actOnNamed(unit: Unit, wanted: Named, action: Action, body: Body): Promise<Upserted | Problem> {
  const id = await identify(unit, wanted);
  if (id === undefined) return missing(wanted);
  const { condition, seen } = watched(wanted.condition);
  const at = { ...wanted.target, id };
  return changedFrom(seen, id, await act(unit, at, action, body, condition));
}

async function removeAt(unit: Unit, { target, condition }: Named, id: Value): Promise<Upserted | Problem> {
  const watch = watched(condition);
  const refused = await remove(unit, { ...target, id }, watch.condition);
  return refused ?? { result: 'deleted', id, version: watch.seen.version + 1 };
}

async function make(unit: Unit, wanted: Upsert): Promise<Upserted | Problem> {
  const { target, condition, bodyFor, preparedFor } = wanted;
  if (condition) return unmet(wanted);
  const body = bodyFor('create');
  if (isProblem(body)) return body;
  const { resource } = target.route;
  const made = await create(unit, target, body, preparedFor?.('create'), undefined, true);
  if (isProblem(made)) return made;
  return { result: 'created', id: made.record[resource.identifierField]!, version: made.version };
}

async function change(unit: Unit, wanted: Upsert, at: Target): Promise<Upserted | Problem> {
  const { condition, seen } = watched(wanted.condition);
  const { write, bodyFor, preparedFor } = wanted;
  const body = bodyFor(write);
  if (isProblem(body)) return body;
  return changedFrom(seen, at.id!, await update(unit, at, write, body, preparedFor?.(write), condition, true));
}

async function compare(unit: Unit, wanted: Upsert, at: Target): Promise<Upserted | Problem> {
  const body = wanted.bodyFor('create');
  if (isProblem(body)) return body;
  if (body.violations.list.length > 0) return validationFailed(body.violations.list);
  const shown = await unit.shown(at);
  if (!shown) return missing(wanted);
  const refused = wanted.condition?.(shown);
  if (refused) return refused;
  const isForeign = unit.requestOptions.past ? isNamedByKey : undefined;
  const difference = firstDifference(at.route, body.sent, shown.record, unit.service.environment, isForeign);
  if (difference === undefined) return { result: 'unchanged', id: at.id!, version: shown.version };
  return problem('conflict', `There is ${said(wanted)} already, and it says something else: ${difference}.`);
}

/** A part that has the linked record's key too: of a record that was made elsewhere, the identifier may be another store's. */
function isNamedByKey({ target }: ModelField, part: Readonly<Record<string, Value>>): boolean {
  const names = [...(target?.fields.values() ?? [])].filter(({ field }) => field.unique === true);
  return names.some(({ name }) => typeof part[name] === 'string');
}

/** The condition, and the version of the record that it was asked about. */
function watched(condition: Condition | undefined): { condition: Condition; seen: { version: number } } {
  const seen = { version: 0 };
  return {
    seen,
    condition: (now) => {
      seen.version = now.version;
      return condition?.(now);
    },
  };
}

function changedFrom(before: { version: number }, id: Value, written: Written | Problem): Upserted | Problem {
  if (isProblem(written)) return written;
  const { version } = written;
  return { result: version === before.version ? 'unchanged' : 'updated', id, version };
}

function isTaken({ violations = [] }: Problem, by: ModelField): boolean {
  return violations.some(({ propertyPath, code }) => propertyPath === by.name && code === 'not_unique');
}

function missing(wanted: Named): Problem {
  return problem('not-found', `There is no ${described(wanted)}.`);
}

function unmet(wanted: Named): Problem {
  return problem('precondition-failed', `There is no ${described(wanted)}, and if_match asks for one.`);
}

function said({ by, key }: Named): string {
  return `${withArticle(by.resource.name)} whose ${by.name} is ${JSON.stringify(key)}`;
}

function described({ by, key }: Named): string {
  return `${words(by.resource.name)} whose ${by.name} is ${JSON.stringify(key)}`;
}
