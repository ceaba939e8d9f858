/** The values of fields before a write changes them. A write that has read the record needs no further statement. */
import type { ModelResource } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { Stored } from '../../rules.ts';
import type { Reads } from '../reads.ts';
import { isAudited } from './audited-fields.ts';

interface HoldingUnit extends Reads {
  lockRecords(resource: ModelResource, ids: readonly Value[]): Promise<void>;
}

/** @param names of the fields that change @param stored the record, if it is known */
export async function valuesBefore(
  unit: HoldingUnit,
  resource: ModelResource,
  id: Value,
  names: readonly string[],
  stored: Stored | undefined,
): Promise<Stored> {
  const needed = auditedAmong(resource, names);
  if (stored && needed.every((name) => stored[name] !== undefined)) return stored;
  return { ...stored, ...(await read(unit, resource, [id], needed)).get(id) };
}

/** Like `valuesBefore`, of many records, by identifier. */
export function allValuesBefore(
  unit: HoldingUnit,
  resource: ModelResource,
  ids: readonly Value[],
  names: readonly string[],
): Promise<ReadonlyMap<Value, Stored>> {
  return read(unit, resource, ids, auditedAmong(resource, names));
}

function auditedAmong(resource: ModelResource, names: readonly string[]): string[] {
  return resource.isUnpublished ? [] : names.filter((name) => isAudited(resource.fields.get(name)!));
}

async function read(
  unit: HoldingUnit,
  resource: ModelResource,
  ids: readonly Value[],
  only: readonly string[],
): Promise<ReadonlyMap<Value, Stored>> {
  if (only.length === 0) return new Map();
  await unit.lockRecords(resource, ids);
  const { name, identifierField } = resource;
  const found = await unit.list(name, { [identifierField]: [...ids] }, { only });
  return new Map(found.map((stored) => [stored[identifierField]!, stored]));
}
