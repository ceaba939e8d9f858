/**
 * Runs the rules of a pending write and stores it: derive, resolve links, check, store, within. A bulk checks several new
 * records first (`checkWrite`) and then stores all of them with the statements of one (`storeCreated`).
 */
import { isProblem, type Problem, problem, validationFailed } from '../errors.ts';
import type { ShownRecord } from '../field.ts';
import type { ModelResource, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Draft } from '../rules.ts';
import type { Target, Written } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { checkAgainstStored } from './check-against-stored.ts';
import { resolveLinks } from './links.ts';
import { deriveParts } from './parts.ts';
import type { PendingWrite } from './pending-write.ts';
import { checkReadOnly, checkReadOnlyOfNew } from './read-only-check.ts';
import { storeRows } from './store-rows.ts';

/**
 * Derives, checks and stores, then reads the result. Stores rows only after the last check has passed.
 * @param responseAt the target of the response, by the id of the written record
 * @param isTerse returns only identifier and version
 * @param andThen further writes, if the write is valid
 */
export async function runRulesAndStore(
  write: PendingWrite,
  responseAt: (id: Value) => Target = () => write.target,
  isTerse = false,
  andThen?: (id: Value) => Promise<void>,
): Promise<Written | Problem> {
  const checks = await checkWrite(write);
  if (isProblem(checks)) return checks;
  const { existing, checked } = checks;
  const { unit, target, prepared, draft, ruleDraft } = write;
  const { resource } = target.route;
  await unit.endClaims(prepared.claims);
  const saved = await storeRows(write, existing);
  if (saved.hasChanged) await resource.declaration.rules?.within?.(ruleDraft, unit, saved.id, checked);
  await andThen?.(saved.id);
  const written = responseAt(saved.id);
  if (isTerse && existing === undefined && isKnownUnread(resource)) return tersely(write, written, saved.id);
  const once = shownOnce(target, draft);
  return { ...(await unit.shown(written))!, target: written, ...(once && { once }) };
}

/** The results of the checks of a write. */
interface Checks {
  /** The existing record to update instead of creating one. */
  readonly existing: Value | undefined;
  /** The result of the declaration's rule *check*. */
  readonly checked: unknown;
}

/** Derives, resolves links and checks, without storing. @returns the first problem of the write, if it has one */
export async function checkWrite(write: PendingWrite): Promise<Checks | Problem> {
  const { unit, target, body, before, draft, ruleDraft } = write;
  const { rules } = target.route.resource.declaration;
  checkReadOnly(target.route, body, before, draft);
  const derived = await rules?.derive?.(ruleDraft, unit);
  await deriveParts(write);
  const unresolvable = await resolveLinks(write);
  if (unresolvable) return unresolvable;
  const existing = await checkAgainstStored(write);
  const checked = await rules?.check?.(ruleDraft, unit, derived);
  if (draft.operation === 'create' || draft.operation === 'action') checkReadOnlyOfNew(body, draft);
  return rejectionOf(draft) ?? { existing, checked };
}

/** A checked write of a new record that can be stored together with others. */
export interface CheckedCreate {
  readonly write: PendingWrite;
  readonly checked: unknown;
}

/**
 * Whether new records of a route can be stored together after the checks of all. The checks of each do not see the
 * others, so this is true only if records do not depend on each other, except by their unique texts.
 */
export function mayStoreTogether({ resource, parents, declaration }: ModelRoute): boolean {
  const isIndependent =
    parents.length === 0 && !resource.owner && !resource.tree && resource.uniqueTogether.length === 0;
  if (!isIndependent || declaration.again || resource.declaration.siblingsMax) return false;
  return isKnownUnread(resource) && ![...resource.fields.values()].some(({ field }) => field.numbered);
}

/** Whether this new record of such a route can be. */
export function canStoreTogether({ target: { route }, draft }: PendingWrite, { existing }: Checks): boolean {
  if (existing !== undefined) return false;
  return [...route.resource.fields.values()].every((field) => {
    const value = draft.values[field.name];
    if (field.storage.in === 'parts' && (value as Value[] | undefined)?.length) return false;
    // Another record of the batch may create the same linked record.
    return (
      field.storage.in !== 'links' || !(value as Value[] | undefined)?.some((linked) => typeof linked === 'object')
    );
  });
}

/** Stores new records of one resource. @returns identifier and version of each, in order */
export async function storeCreated(unit: Unit, creates: readonly CheckedCreate[]): Promise<Written[]> {
  const [first] = creates;
  if (!first) return [];
  const { resource } = first.write.target.route;
  const ids = await unit.insertAll(
    resource.name,
    creates.map(({ write }) => write.draft.values),
  );
  for (const [index, { write, checked }] of creates.entries())
    await resource.declaration.rules?.within?.(write.ruleDraft, unit, ids[index]!, checked);
  return creates.map(({ write }, index) => tersely(write, write.target, ids[index]!));
}

/** Whether identifier and version of a write are known without reading the record. */
function isKnownUnread({ isPublishedByOwner, isUnpublished }: ModelResource): boolean {
  return !isPublishedByOwner && !isUnpublished;
}

/** The result of a terse write, known without reading it. */
function tersely({ unit, target, before }: PendingWrite, written: Target, id: Value): Written {
  const { resource } = target.route;
  const version = unit.changedVersion(resource, id) ?? before?.version ?? 1;
  return { record: { [resource.identifierField]: id }, version, target: written };
}

/** Values of this write that only its response shows. */
function shownOnce({ route }: Target, { values }: Draft): ShownRecord | undefined {
  const set = route.outputs.filter(({ name, field }) => field.once && values[name] !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set.map(({ name }) => [name, values[name]!]));
}

function rejectionOf({ violations, conflicts }: Draft): Problem | undefined {
  if (violations.list.length > 0) return validationFailed(violations.list);
  const [conflict] = conflicts;
  return conflict === undefined ? undefined : problem('conflict', conflict);
}
