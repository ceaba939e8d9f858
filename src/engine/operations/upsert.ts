/**
 * Writes the record that a unique field identifies, in an open unit: creates it, updates it, or deletes it. A problem
 * leaves the store unchanged.
 */

import { withArticle, words } from '../english-names.ts';
import { isProblem, type Problem, problem, validationFailed } from '../errors.ts';
import type { ModelField } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import type { Value } from '../ports.ts';
import type { Body, WriteMode } from '../request/body.ts';
import type { Action } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { columnType } from '../sql/source.ts';
import type { Reads } from '../unit/reads.ts';
import { type Condition, parentValues, type Target, type Written } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { act } from './act.ts';
import { checkCreate, create } from './create.ts';
import { firstDifference } from './difference.ts';
import { guardedRecord } from './guarded-record.ts';
import type { Prepared } from './images/images.ts';
import { remove } from './remove.ts';
import { type CheckedCreate, mayStoreTogether } from './run-rules-and-store.ts';
import { update } from './update.ts';

export type UpsertMode = 'upsert' | 'create' | 'update';

/** A record of the collection at `target`, identified by a field. */
export interface Named {
  readonly target: Target;
  readonly by: ModelField;
  readonly key: Value;
  /** Finds the record if its key has several fields. */
  readonly find?: (reads: Reads) => Promise<Value | undefined>;
  /** Checked against the existing record; fails if there is none. */
  readonly condition: Condition | undefined;
}

interface Upsert extends Named {
  readonly mode: UpsertMode;
  readonly write: Exclude<WriteMode, 'create'>;
  /** An existing record is not changed: the input must equal it, otherwise it is a conflict. */
  readonly createsOnly: boolean;
  /** Parses the input for a create or an update. A problem if it cannot be written now. */
  readonly bodyFor: (mode: WriteMode) => Body | Problem;
  /** The images of that body. */
  readonly preparedFor?: (mode: WriteMode) => Prepared;
}

/** The result of an earlier lookup of the record; a concurrent create or delete makes it outdated. */
export interface Identified {
  readonly id: Value | undefined;
}

export interface Upserted {
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted';
  /** Both null if there was no record to delete. */
  readonly id: Value;
  readonly version: number | null;
}

/** The identifier of the record that the field identifies, if one exists at the target's route. */
export async function identify(
  reads: Reads,
  { target, by, key, find }: Omit<Named, 'condition'>,
): Promise<Value | undefined> {
  if (find) return find(reads);
  const { route } = target;
  const id = await identifyAnywhere(reads, by, key);
  if (id === undefined || (route.parents.length === 0 && route.fixed.size === 0)) return id;
  const values = { ...parentValues(target), id };
  return (await reads.query(`at ${route.path}`, lookUps.recordExists(route), values)).length > 0 ? id : undefined;
}

async function identifyAnywhere(reads: Reads, by: ModelField, key: Value): Promise<Value | undefined> {
  const { resource } = by;
  if (by.isIdentifier)
    return (await reads.query(`ids ${resource.name}`, lookUps.findIds(resource), { ids: [key] }))[0]?.[0] as
      | Value
      | undefined;
  if (by.storage.in === 'column') return (await reads.find(resource.name, by.name, key))[0];
  const { language, defaultLanguage } = reads;
  const values = { names: [matchOf(by, key as string)], language, default_language: defaultLanguage };
  const [row] = await reads.query(`names of ${resource.name}`, lookUps.findNames(by), values);
  return (row?.[1] ?? undefined) as Value | undefined;
}

/** Creates or updates the record. */
export async function upsert(unit: Unit, wanted: Upsert, identified?: Identified): Promise<Upserted | Problem> {
  const first = await attempt(unit, wanted, identified);
  // After a concurrent create or delete of the record, the second attempt finds its final state.
  return first.isOutdated ? (await attempt(unit, wanted)).outcome : first.outcome;
}

/**
 * Checks a new record that can be stored together with others (`storeCreated`).
 * @returns undefined if the record is to be written with `upsert`; this call then has no effect
 */
export async function checkNew(
  unit: Unit,
  wanted: Upsert,
  identified?: Identified,
): Promise<CheckedCreate | undefined> {
  const { target, by, mode, condition, bodyFor } = wanted;
  if (mode === 'update' || by.isIdentifier || condition || !mayStoreTogether(target.route)) return undefined;
  const id = identified ? identified.id : await identify(unit, wanted);
  const body = id === undefined ? bodyFor('create') : undefined;
  return !body || isProblem(body) ? undefined : checkCreate(unit, target, body);
}

/** Looks up the records of several keys with one statement. @returns by key */
export async function identifyAll(unit: Unit, by: ModelField, keys: readonly Value[]): Promise<Map<Value, Identified>> {
  const build = lookUps.findAllByColumn(by, columnType(by));
  const rows = await unit.query(`find all ${by.resource.name}.${by.name}`, build, { values: [...keys] });
  const found = new Map(rows.map(([key, id]) => [key as Value, id as Value]));
  return new Map(keys.map((key) => [key, { id: found.get(key) }]));
}

interface Attempt {
  readonly outcome: Upserted | Problem;
  /** The record was created or deleted concurrently. */
  readonly isOutdated: boolean;
}

async function attempt(unit: Unit, wanted: Upsert, identified?: Identified): Promise<Attempt> {
  const { by, mode, createsOnly } = wanted;
  const id = identified ? identified.id : await identify(unit, wanted);
  if (id !== undefined && mode === 'create')
    return { outcome: problem('conflict', `${described(wanted, 'A')} already exists.`), isOutdated: false };
  if (id === undefined && (mode === 'update' || by.isIdentifier))
    return { outcome: missing(wanted), isOutdated: false };
  if (id === undefined) {
    const body = wanted.condition ? unmet(wanted) : wanted.bodyFor('create');
    const made = isProblem(body) ? body : await make(unit, wanted, body);
    return { outcome: made, isOutdated: isProblem(made) && isTaken(made, wanted) };
  }
  const at = { ...wanted.target, id };
  const changed = await (createsOnly ? compare(unit, wanted, at) : change(unit, wanted, at));
  return { outcome: changed, isOutdated: isProblem(changed) && changed.problem === 'not-found' };
}

/** Deletes the record. Succeeds if there is none. */
export async function removeNamed(unit: Unit, wanted: Named): Promise<Upserted | Problem> {
  const id = await identify(unit, wanted);
  const outcome = id === undefined ? missing(wanted) : await removeAt(unit, wanted, id);
  if (!isProblem(outcome) || outcome.problem !== 'not-found') return outcome;
  return wanted.condition ? unmet(wanted) : { result: 'unchanged', id: null, version: null };
}

/** Runs an action on the record. */
export async function actOnNamed(unit: Unit, wanted: Named, action: Action, body: Body): Promise<Upserted | Problem> {
  const id = await identify(unit, wanted);
  if (id === undefined) return missing(wanted);
  const { condition, seen } = watched(wanted.condition);
  const at = { ...wanted.target, id };
  return changedFrom(seen, id, await act(unit, at, action, body, condition));
}

async function removeAt(unit: Unit, { target, condition }: Named, id: Value): Promise<Upserted | Problem> {
  const watch = watched(condition);
  const rejected = await remove(unit, { ...target, id }, watch.condition);
  return rejected ?? { result: 'deleted', id, version: watch.seen.version + 1 };
}

async function make(unit: Unit, { target, preparedFor }: Upsert, body: Body): Promise<Upserted | Problem> {
  const made = await create(unit, target, body, preparedFor?.('create'), undefined, true);
  return isProblem(made) ? made : created(made);
}

/** The result of a create. */
export function created({ record, version, target }: Written): Upserted {
  return { result: 'created', id: record[target.route.resource.identifierField]!, version };
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
  const rejected = wanted.condition?.(shown);
  if (rejected) return rejected;
  const { past } = unit.requestOptions;
  const { compared } = at.route.resource.declaration.rules ?? {};
  const guarded = guardedRecord(shown.record, at.route.resource, unit.requestOptions);
  const line = { id: at.id!, sent: body.sent, shown: guarded };
  const own = compared && !past ? await compared(line, unit) : line;
  const isForeign = past ? isNamedByKey : undefined;
  const difference =
    'difference' in own
      ? own.difference
      : firstDifference(at.route, own.sent, shown.record, unit.service.environment, isForeign);
  if (difference === undefined) return { result: 'unchanged', id: at.id!, version: shown.version };
  return problem('conflict', `${described(wanted, 'A')} already exists and differs: ${difference}.`);
}

/** Whether a part identifies the linked record by name too. In an import, the identifier may be another store's. */
function isNamedByKey({ target }: ModelField, part: Readonly<Record<string, Value>>): boolean {
  const names = [...(target?.fields.values() ?? [])].filter(({ field }) => field.unique === true);
  return names.some(({ name }) => typeof part[name] === 'string');
}

/** Wraps the condition to remember the version of the record that it was checked against. */
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

function isTaken({ violations = [] }: Problem, { by, find }: Named): boolean {
  const { name } = find ? by.resource.uniqueTogether.at(-1)! : by;
  return violations.some(({ propertyPath, code }) => propertyPath === name && code === 'not_unique');
}

export function missing(wanted: Named): Problem {
  return problem('not-found', `There is no ${described(wanted)}.`);
}

function unmet(wanted: Named): Problem {
  return problem('precondition-failed', `There is no ${described(wanted)}, but if_match requires one.`);
}

/** @param article capitalized, to begin a sentence */
function described({ by, key }: Pick<Named, 'by' | 'key'>, article?: 'A'): string {
  const { name } = by.resource;
  const start = article === undefined ? words(name) : withArticle(name).replace(/^a/, article);
  return `${start} with the ${typeof key === 'object' ? 'key' : by.name} ${JSON.stringify(key)}`;
}
