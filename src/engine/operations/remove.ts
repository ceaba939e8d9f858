/** Deletes a record and everything that its deletion entails. */
import { isProblem, type Problem, problem } from '../errors.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import type { Value } from '../ports.ts';
import * as lookUps from '../sql/lookups.ts';
import { committed } from '../unit/reads.ts';
import type { Condition, RequestOptions, Service, Target } from '../unit/service.ts';
import { inUnit, type Unit } from '../unit/unit.ts';
import { guardedRecord } from './guarded-record.ts';
import { type Before, readBefore } from './read.ts';

/** Deletes a record in an open unit. @returns a problem, or undefined after the deletion */
export async function remove(unit: Unit, target: Target, condition?: Condition): Promise<Problem | undefined> {
  const { name, identifierField, declaration } = target.route.resource;
  const before = await readRemovable(unit, target, condition);
  if (isProblem(before)) return before;
  const { id } = before;
  const stored = guardedRecord(before.stored, target.route.resource, unit.requestOptions);
  await declaration.rules?.withinRemoval?.({ stored, now: unit.now, actor: unit.requestOptions.actor }, unit);
  await unit.remove(name, { [identifierField]: id });
  return undefined;
}

/** Unpublished records deleted per unit. Other writes wait for the unit if the database serializes them. */
const UNPUBLISHED_PER_UNIT = 2000;

/**
 * Deletes a record in its own units. There may be millions of unpublished records that link to it, such as deliveries
 * of a webhook: they are deleted first, in batches. They stay deleted even if the record itself is changed meanwhile
 * and cannot be deleted.
 */
export async function removeInBatches(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  condition?: Condition,
): Promise<Problem | undefined> {
  const links = unpublishedLinks(target.route.resource);
  if (links.length > 0) {
    const before = await inUnit(service, requestOptions, (unit) => readRemovable(unit, target, condition));
    if (isProblem(before)) return before;
    for (const link of links) await removeLinking(service, requestOptions, link, before.id);
  }
  return inUnit(service, requestOptions, (unit) => remove(unit, target, condition));
}

async function readRemovable(unit: Unit, target: Target, condition?: Condition): Promise<Before | Problem> {
  const before = await readBefore(unit, target, condition);
  if (isProblem(before)) return before;
  const { resource } = target.route;
  const stored = guardedRecord(before.stored, resource, unit.requestOptions);
  const obstacle = await resource.declaration.rules?.checkRemoval?.(stored, unit);
  return obstacle === undefined ? before : problem('conflict', obstacle);
}

/** Links by which the deletion cascades to unpublished records. */
function unpublishedLinks({ linkedFrom }: ModelResource): ModelField[] {
  return linkedFrom.filter(
    ({ storage, resource: { isUnpublished, declaration } }) =>
      isUnpublished && !declaration.fewPerRecord && storage.in === 'link' && storage.onDelete === 'cascade',
  );
}

/** Deletes linking records until less than a batch is left; the rest is deleted with the record. */
async function removeLinking(
  service: Service,
  requestOptions: RequestOptions,
  link: ModelField,
  id: Value,
): Promise<void> {
  const { name, identifierField } = link.resource;
  const reads = committed(service, requestOptions);
  for (;;) {
    const build = lookUps.someLinking(link, UNPUBLISHED_PER_UNIT);
    const ids = (await reads.query(`some ${name} of ${link.name}`, build, { id })).map(([one]) => one as Value);
    if (ids.length < UNPUBLISHED_PER_UNIT) return;
    await inUnit(service, requestOptions, (unit) => unit.remove(name, { [identifierField]: ids }));
  }
}
