/**
 * The steps that creating, replacing, patching and acting share once the record is there: derive, look up, check, save.
 * A refused write changes nothing.
 */
import { type Problem, problem, validationFailed } from '../errors.ts';
import type { ShownRecord } from '../field.ts';
import type { Value } from '../ports.ts';
import type { Draft } from '../rules.ts';
import type { Target, Written } from '../unit/service.ts';
import { checkWithStore } from './checks.ts';
import type { Write } from './draft.ts';
import { resolveLinks } from './links.ts';
import { deriveParts } from './parts.ts';
import { persist } from './persist.ts';
import { checkReadOnly, checkReadOnlyOfNew } from './read-only-check.ts';

/**
 * Derives, checks and saves; gives the record as it is then. Nothing is written before the last check has passed.
 * @param answerAt the target to answer with, by the id of the written record
 * @param isTerse only its identifier and its version are wanted
 * @param andThen more writes, once nothing refuses the write
 */
export async function finishWrite(
  write: Write,
  answerAt: (id: Value) => Target = () => write.target,
  isTerse = false,
  andThen?: (id: Value) => Promise<void>,
): Promise<Written | Problem> {
  const { unit, target, body, before, prepared, draft } = write;
  const { resource } = target.route;
  const { rules } = resource.declaration;
  checkReadOnly(target.route, body, before, draft);
  const derived = await rules?.derive?.(draft, unit);
  await deriveParts(write);
  const unmakeable = await resolveLinks(write);
  if (unmakeable) return unmakeable;
  const existing = await checkWithStore(write);
  const checked = await rules?.check?.(draft, unit, derived);
  if (draft.operation === 'create' || draft.operation === 'action') checkReadOnlyOfNew(body, draft);
  const refused = refusalOf(draft);
  if (refused) return refused;
  await unit.endClaims(prepared.claims);
  const saved = await persist(write, existing);
  if (saved.hasChanged) await rules?.within?.(draft, unit, saved.id, checked);
  await andThen?.(saved.id);
  const written = answerAt(saved.id);
  if (isTerse && existing === undefined && !resource.isPublishedByOwner && !resource.isUnpublished)
    return tersely(write, written, saved.id);
  const once = shownOnce(target, draft);
  return { ...(await unit.shown(written))!, target: written, ...(once && { once }) };
}

/** Known without reading it again. */
function tersely({ unit, target, before }: Write, written: Target, id: Value): Written {
  const { resource } = target.route;
  const version = unit.changedVersion(resource, id) ?? before?.version ?? 1;
  return { record: { [resource.identifierField]: id }, version, target: written };
}

/** The values of this write that only its answer shows. */
function shownOnce({ route }: Target, { values }: Draft): ShownRecord | undefined {
  const set = route.outputs.filter(({ name, field }) => field.once && values[name] !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set.map(({ name }) => [name, values[name]!]));
}

function refusalOf({ violations, conflicts }: Draft): Problem | undefined {
  if (violations.list.length > 0) return validationFailed(violations.list);
  const [conflict] = conflicts;
  return conflict === undefined ? undefined : problem('conflict', conflict);
}
