/** Runs the rules of a pending write and stores it: derive, resolve links, check, store, within. */
import { type Problem, problem, validationFailed } from '../errors.ts';
import type { ShownRecord } from '../field.ts';
import type { Value } from '../ports.ts';
import type { Draft } from '../rules.ts';
import type { Target, Written } from '../unit/service.ts';
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
  const { unit, target, body, before, prepared, draft } = write;
  const { resource } = target.route;
  const { rules } = resource.declaration;
  checkReadOnly(target.route, body, before, draft);
  const derived = await rules?.derive?.(draft, unit);
  await deriveParts(write);
  const unresolvable = await resolveLinks(write);
  if (unresolvable) return unresolvable;
  const existing = await checkAgainstStored(write);
  const checked = await rules?.check?.(draft, unit, derived);
  if (draft.operation === 'create' || draft.operation === 'action') checkReadOnlyOfNew(body, draft);
  const rejected = rejectionOf(draft);
  if (rejected) return rejected;
  await unit.endClaims(prepared.claims);
  const saved = await storeRows(write, existing);
  if (saved.hasChanged) await rules?.within?.(draft, unit, saved.id, checked);
  await andThen?.(saved.id);
  const written = responseAt(saved.id);
  if (isTerse && existing === undefined && !resource.isPublishedByOwner && !resource.isUnpublished)
    return tersely(write, written, saved.id);
  const once = shownOnce(target, draft);
  return { ...(await unit.shown(written))!, target: written, ...(once && { once }) };
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
