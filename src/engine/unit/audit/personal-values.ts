/** Personal values in `changes` of audit entries, and what replaces them when the person is erased. */
import type { Model, ModelResource } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import { type ChangedField, changedField } from './audited-fields.ts';
import type { Changes } from './record-changes.ts';

const ERASED: Value = { erased: true };

/** Of an erasure's own entry only `before` is personal: `after` is what the erasure leaves. */
type Side = 'before' | 'after';

/**
 * Replaces the personal values of a record that belongs to a person.
 * @returns undefined if there are none
 */
export function withoutPersonal(
  model: Pick<Model, 'resources'>,
  resource: string | null,
  changes: Changes,
  sides: readonly Side[] = ['before', 'after'],
): Changes | undefined {
  const own = resource === null ? undefined : model.resources.get(resource);
  let isChanged = false;
  const left: Changes = {};
  for (const [key, change] of Object.entries(changes)) {
    const values: Record<string, Value> = { ...(change as Record<string, Value>) };
    left[key] = values;
    if (!mayBePersonal(model, own, key)) continue;
    for (const side of sides) {
      const value = values[side] ?? null;
      if (value === null || isErased(value)) continue;
      values[side] = ERASED;
      isChanged = true;
    }
  }
  return isChanged ? left : undefined;
}

/** Whether an erasure may have replaced one of the values: that of a personal field. */
export function hasErased(model: Pick<Model, 'resources'>, resource: string | null, changes: Changes): boolean {
  const own = resource === null ? undefined : model.resources.get(resource);
  return Object.entries(changes).some(
    ([key, change]) => Object.values(change as Record<string, Value>).some(isErased) && mayBePersonal(model, own, key),
  );
}

export function isErased(value: Value): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value.erased === true;
}

/** A field that this version of the program does not have may be personal. */
function mayBePersonal(model: Pick<Model, 'resources'>, resource: ModelResource | undefined, key: string): boolean {
  const field = resource && changedField(model, resource, key);
  return !field || isPersonal(field);
}

function isPersonal({ field }: ChangedField): boolean {
  return field.field.personal !== undefined || isWhollyPersonal(field.resource);
}

/** An erasure deletes these records. */
function isWhollyPersonal({ declaration, owner }: ModelResource): boolean {
  if (declaration.dataSubject !== undefined || declaration.personal) return true;
  return owner !== undefined && isWhollyPersonal(owner.target!);
}
