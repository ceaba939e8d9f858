/** Links that create a record by its name need the scope to write it (access.md §1). */
import { familiesOf } from '../../access/families.ts';
import type { Rights } from '../../access/rights.ts';
import type { Model, ModelResource, Problem } from '../../engine/index.ts';
import { insufficientScope } from './insufficient-scope.ts';

/** @returns undefined if the key may create every record */
export function namingCheck(
  model: Model,
  rights: Rights,
): ((resource: ModelResource) => Problem | undefined) | undefined {
  if (rights.isFull) return undefined;
  return (resource) => {
    const missing = rights.missing(
      familiesOf(model)
        .ofResource(resource)
        .map((family) => `${family}:write`),
    );
    return missing.length === 0 ? undefined : insufficientScope(missing, 'Creating a record by its name');
  };
}
