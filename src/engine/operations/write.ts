/**
 * The steps that creating, replacing, patching and acting share once the record is there: derive, look up, check, save.
 * A refused write changes nothing.
 */
import { type Problem, problem, validationFailed } from '../errors.ts';
import type { Value } from '../ports.ts';
import type { Target, Written } from '../unit/service.ts';
import { checkWithStore } from './checks.ts';
import { changesOf, isSame, type Write } from './draft.ts';
import { resolveLinks } from './links.ts';
import { deriveParts } from './parts.ts';
import { checkReadOnlyOfNew, checkSentBack } from './sent-back.ts';

/** Derives, checks and saves; gives the record as it is then. Nothing is written before the last check has passed. */
export async function finishWrite(write: Write): Promise<Written | Problem> {
  const { unit, target, draft } = write;
  const { rules } = target.place.resource.declaration;
  checkSentBack(write);
  const derived = await rules?.derive?.(draft, unit);
  await deriveParts(write);
  await resolveLinks(write);
  const { unknownLanguage } = unit.caller;
  if (unknownLanguage && makesNames(write)) return unknownLanguage;
  const existing = await checkWithStore(write);
  const checked = await rules?.check?.(draft, unit, derived);
  if (draft.operation === 'create') checkReadOnlyOfNew(write);
  const refused = refusalOf(write, existing);
  if (refused) return refused;
  await unit.endClaims(write.prepared.claims);
  const saved = await save(write, existing);
  if (saved.hasChanged) await rules?.within?.(draft, unit, saved.id, checked);
  const written = targetOfAnswer(write, saved.id);
  return { ...(await unit.shown(written))!, target: written };
}

function refusalOf({ target, draft }: Write, existing: Value | undefined): Problem | undefined {
  if (draft.violations.list.length > 0) return validationFailed(draft.violations.list);
  const [conflict] = draft.conflicts;
  if (conflict !== undefined) return problem('conflict', conflict);
  const { declaration, resource } = target.place;
  if (existing === undefined || declaration.again !== 'conflict') return undefined;
  return problem('conflict', `There is a ${resource.name} here already; change it with PUT or PATCH.`);
}

/** @param existing the record that is there already in place of a new one */
async function save(write: Write, existing: Value | undefined): Promise<{ id: Value; hasChanged: boolean }> {
  const { unit, target, before, draft } = write;
  const { name } = target.place.resource;
  if (before) {
    const changes = changesOf(write);
    if (changes.size > 0) await unit.update(name, before.id, Object.fromEntries(changes), before.stored);
    return { id: before.id, hasChanged: changes.size > 0 };
  }
  if (existing === undefined) return { id: await unit.insert(name, draft.values), hasChanged: true };
  await saveIntoExisting(write, existing);
  return { id: existing, hasChanged: true };
}

/** Saves the body's fields into a record that is there already; the other fields stay. */
async function saveIntoExisting({ unit, target, draft }: Write, id: Value): Promise<void> {
  const { name, fields } = target.place.resource;
  const stored = (await unit.read(name, id))!;
  const changed = Object.keys(draft.sent).filter((sent) => {
    const { in: kept } = fields.get(sent)!.storage;
    return (kept === 'column' || kept === 'link') && !isSame(draft.values[sent]!, stored[sent]);
  });
  if (changed.length > 0)
    await unit.update(name, id, Object.fromEntries(changed.map((sent) => [sent, draft.values[sent]!])), stored);
}

/** Whether a link names a record that is still to be made. */
function makesNames({ target, draft }: Write): boolean {
  return [...target.place.resource.fields.values()].some(({ storage, name }) => {
    if (storage.in !== 'links' || !storage.made) return false;
    const linked = draft.values[name];
    return Array.isArray(linked) && linked.some((one) => typeof one === 'object');
  });
}

/** The target to answer with: the record that was written, or the one that it is part of. A new one has its id now. */
function targetOfAnswer({ target, before, draft }: Write, id: Value): Target {
  const { item, resource, parents, declaration } = target.place;
  if (declaration.answersOwner && draft.operation === 'create') {
    const index = parents.findIndex(({ field }) => field === resource.owner);
    return { place: parents[index]!.at!, parents: target.parents.slice(0, index), id: target.parents[index]! };
  }
  if (before || !item) return target;
  return { ...target, id: item.name === resource.identifierField ? id : draft.values[item.name]! };
}
