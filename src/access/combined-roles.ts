/** What a user may do and cannot see, from the roles that the user has (access.md §3). */
import type { Model, ModelField } from '../engine/index.ts';
import { withDerived } from './derived-fields.ts';
import { maskableFields, maskName } from './masks.ts';
import { type Rights, rightsOf } from './rights.ts';

/** What a role grants, or the roles of a user together. Both in code point order. */
export interface RoleGrant {
  readonly scopes: readonly string[];
  readonly masks: readonly string[];
}

const known = new WeakMap<Model, Map<string, RoleGrant>>();

/** Limit of cached combinations. Few differ, because users share roles. */
const KNOWN_MAX = 1000;

/** Returns the union of the scopes, and the masks of fields that no role shows. */
export function combinedRoles(model: Model, roles: readonly RoleGrant[]): RoleGrant {
  const all = known.get(model) ?? new Map<string, RoleGrant>();
  known.set(model, all);
  const id = JSON.stringify(roles.map(({ scopes, masks }) => [scopes, masks]));
  const found = all.get(id);
  if (found) return found;
  const scopes = [...new Set(roles.flatMap((role) => role.scopes))].sort();
  const combined = { scopes, masks: combinedMasks(model, roles) };
  if (all.size >= KNOWN_MAX) all.clear();
  all.set(id, combined);
  return combined;
}

/** A field is masked if a role masks it, and all other roles that can read it mask it too, also by a field that covers it. */
function combinedMasks(model: Model, roles: readonly RoleGrant[]): readonly string[] {
  const maskable = maskableFields(model);
  const fieldsOf = (masks: Iterable<string>): ModelField[] => [...masks].flatMap((mask) => maskable.get(mask) ?? []);
  const rights = roles.map(({ scopes, masks }) => rightsOf(model, { kind: 'scoped', scopes, masks }));
  const named = new Set(roles.flatMap(({ masks }) => masks));
  const masked = [...withDerived(model, fieldsOf(named))].filter((field) => !rights.some((each) => shows(each, field)));
  const names = masked.map(maskName).filter((name) => maskable.has(name));
  const kept = names.filter((name) => named.has(name));
  // Two roles may hide a field by different fields that cover it, which the user then sees.
  const covered = withDerived(model, fieldsOf(kept));
  const further = names.filter((name) => !covered.has(maskable.get(name)!));
  return [...kept, ...further].sort();
}

function shows({ hidden }: Rights, field: ModelField): boolean {
  return !hidden || (hidden.canRead(field.resource) && hidden.masksOf([field]).length === 0);
}
