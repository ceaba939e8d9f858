/** Deletes a record, with all that goes with it. */
import { isProblem, type Problem, problem } from '../errors.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import type { Value } from '../ports.ts';
import * as lookUps from '../sql/lookups.ts';
import { committed } from '../unit/reads.ts';
import type { Condition, RequestOptions, Service, Target } from '../unit/service.ts';
import { inUnit, type Unit } from '../unit/unit.ts';
import { type Before, readBefore } from './read.ts';

/** In a unit that its caller has opened. @returns a problem, or undefined when the record is gone */
export async function remove(unit: Unit, target: Target, condition?: Condition): Promise<Problem | undefined> {
  const { name, identifierField, declaration } = target.route.resource;
  const before = await readRemovable(unit, target, condition);
  if (isProblem(before)) return before;
  const { stored, id } = before;
  await declaration.rules?.withinRemoval?.({ stored, now: unit.now, actor: unit.requestOptions.actor }, unit);
  await unit.remove(name, { [identifierField]: id });
  return undefined;
}

/** Of the store's own notes in one unit. Nobody else writes meanwhile, where units write in turn. */
const NOTES_AT_ONCE = 2000;

/**
 * In units of its own. There may be millions of the store's own notes of a record, such as deliveries of a webhook: they go
 * before it, some at a time. Where the record is changed meanwhile and stays, they are gone all the same.
 */
export async function removeApart(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  condition?: Condition,
): Promise<Problem | undefined> {
  const notes = notesOf(target.route.resource);
  if (notes.length > 0) {
    const before = await inUnit(service, requestOptions, (unit) => readRemovable(unit, target, condition));
    if (isProblem(before)) return before;
    for (const link of notes) await removeNotes(service, requestOptions, link, before.id);
  }
  return inUnit(service, requestOptions, (unit) => remove(unit, target, condition));
}

async function readRemovable(unit: Unit, target: Target, condition?: Condition): Promise<Before | Problem> {
  const before = await readBefore(unit, target, condition);
  if (isProblem(before)) return before;
  const obstacle = await target.route.resource.declaration.rules?.checkRemoval?.(before.stored, unit);
  return obstacle === undefined ? before : problem('conflict', obstacle);
}

/** The links by which the database takes records along that no journal tells of. */
function notesOf({ linkedFrom }: ModelResource): ModelField[] {
  return linkedFrom.filter(
    ({ storage, resource }) => resource.isUnpublished && storage.in === 'link' && storage.onDelete === 'cascade',
  );
}

/** The last of them go with the record. */
async function removeNotes(
  service: Service,
  requestOptions: RequestOptions,
  link: ModelField,
  id: Value,
): Promise<void> {
  const { name, identifierField } = link.resource;
  const reads = committed(service, requestOptions);
  for (;;) {
    const build = lookUps.someLinking(link, NOTES_AT_ONCE);
    const ids = (await reads.ask(`some ${name} of ${link.name}`, build, { id })).map(([one]) => one as Value);
    if (ids.length < NOTES_AT_ONCE) return;
    await inUnit(service, requestOptions, (unit) => unit.remove(name, { [identifierField]: ids }));
  }
}
