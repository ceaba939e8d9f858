/** Stores the rows of a checked write: inserts a new record, or updates an existing one. */
import type { ModelResource } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Draft, Stored } from '../rules.ts';
import { changesOf, isSame, type PendingWrite } from './pending-write.ts';

/** @param existing the existing record to update instead of creating one; it takes only the fields of the body */
export async function storeRows(
  { unit, target, before, draft }: PendingWrite,
  existing: Value | undefined,
): Promise<{ id: Value; hasChanged: boolean }> {
  const { resource } = target.route;
  const { name } = resource;
  const id = before?.id ?? existing;
  if (id === undefined) return { id: await unit.insert(name, draft.values), hasChanged: true };
  const stored = before?.stored ?? (await unit.read(name, id))!;
  const changes = before ? changesOf(resource, draft) : sentChanges(resource, draft, stored);
  if (changes.size > 0) await unit.update(name, id, Object.fromEntries(changes), stored);
  return { id, hasChanged: !before || changes.size > 0 };
}

/** Fields of the body that differ from those of the existing record. */
function sentChanges(resource: ModelResource, draft: Draft, stored: Stored): ReadonlyMap<string, Value> {
  const changes = new Map<string, Value>();
  for (const name of Object.keys(draft.sent)) {
    const { in: storedIn } = resource.fields.get(name)!.storage;
    const value = draft.values[name]!;
    if ((storedIn === 'column' || storedIn === 'link') && !isSame(value, stored[name])) changes.set(name, value);
  }
  return changes;
}
